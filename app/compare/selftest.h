#pragma once

#include "app/compare/checks.h"
#include "sim/run/plan.h"

namespace mote::app {

/// Where a self-test runs: a GPU, and the CPU that it is compared with.
struct SelfTest {
  int device = 0;
  bool small = false;  ///< an emulated device: fewer and smaller cases
  engine::Cpu cpu;
  Checks& checks;
};

/// Forces of every kernel at every precision: against a plain loop in double, and twice the same
/// bits.
void test_forces(const SelfTest& test);
/// Potential energy, measurements, state hash and the search for what is not finite: against the
/// CPU's.
void test_measurements(const SelfTest& test);
/// Whole steps: every kind of stepping comes to the same bits, however it is sliced, and the energy
/// drifts like the CPU's.
void test_steps(const SelfTest& test);
/// Steps of near pairs, with and without thermostats: the CPU's but for rounding, and twice the
/// same bits.
void test_liquids(const SelfTest& test);
/// Steps of a fluid: the CPU's but for rounding, and twice the same bits.
void test_fluids(const SelfTest& test);
/// Steps of grains among moving obstacles: the CPU's but for rounding, and twice the same bits.
void test_grains(const SelfTest& test);
/// A body that leaves for infinity stops every kind of stepping at the same step.
void test_health(const SelfTest& test);

}  // namespace mote::app
