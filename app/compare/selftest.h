#pragma once

#include "app/compare/checks.h"
#include "sim/run/plan.h"

namespace mote::app {

inline constexpr engine::Precision all_precisions[] = {
    engine::Precision::single, engine::Precision::mixed, engine::Precision::double_};

/// The GPU under test, and the CPU it is compared with.
struct SelfTest {
  int device = 0;
  bool small = false;  ///< an emulated device: fewer and smaller cases
  engine::Cpu cpu;
  Checks& checks;
};

/// Forces of every kernel at every precision, compared with a plain loop in double, and repeatable.
void test_forces(const SelfTest& test);
/// Potential energy, measurements, state hash and search for non-finite bodies, compared with the
/// CPU.
void test_measurements(const SelfTest& test);
/// Full steps: every stepping mode gives bitwise identical states, however the steps are sliced,
/// and the energy drifts like on the CPU.
void test_steps(const SelfTest& test);
/// Steps of short-range pairs and bonds, with and without thermostats: equal to the CPU up to
/// round-off, and repeatable.
void test_liquids(const SelfTest& test);
/// Steps of a fluid: equal to the CPU up to round-off, and repeatable.
void test_fluids(const SelfTest& test);
/// Steps of grains among moving obstacles: equal to the CPU up to round-off, and repeatable.
void test_grains(const SelfTest& test);
/// A body that overflows stops every stepping mode at the same step.
void test_health(const SelfTest& test);

}  // namespace mote::app
