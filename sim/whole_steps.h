#pragma once

#include <cstdint>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/types.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::engine {
class KernelClock;
class Lockstep;
}  // namespace mote::engine

namespace mote::sim {

struct Measurement;

/// Where a kernel that takes whole steps stores positions and velocities for measurements: after
/// step `first` of this run (counted from 1) and every `every` steps from there, one sample after
/// the other, each six columns x y z vx vy vz in the state's number type.
struct StepSamples {
  void* to = nullptr;
  std::uint64_t first = 0, every = 0;  ///< every = 0: none
};

/// Equal steps of one system. The pointers must stay valid until they are done.
struct StepsToTake {
  double dt;  ///< [time]
  std::uint64_t steps;
  StepSamples samples;
  DeviceRecord* record;  ///< on the device; receives the steps taken and the first body not finite
};

/// Takes many steps of a system by itself, in one kernel, instead of a kernel per stage. Offered by
/// the module that is all that acts on the bodies of a scene (Force::whole_steps). The bits are
/// those of the stages.
class WholeSteps {
 public:
  virtual ~WholeSteps() = default;
  /// Starts the steps; does not wait. False if the device refuses to launch so many co-resident
  /// blocks; 0 steps test this.
  virtual bool run(const engine::Cuda& exec, State<engine::Device>& state, const StepsToTake& steps,
                   engine::KernelClock& clock) = 0;
  /// True if it stores samples.
  virtual bool stores_samples() const { return false; }
  /// Steps that a batch takes at a time; 0 if the system cannot join one.
  virtual std::uint64_t steps_per_batch() const { return 0; }
  /// Takes the steps in a batch with those of all other jobs of `lockstep`, which all call this.
  /// Waits; returns the record.
  virtual DeviceRecord run_in_batch(engine::Lockstep&, const engine::Cuda&, State<engine::Device>&,
                                    const StepsToTake&) {
    return {};
  }
};

/// Measures a state, and many samples of it at once, which fills a GPU that one would not. Offered
/// by the module that is all that acts on the bodies (Force::sampled_measurement). The bits of a
/// measurement depend on its sample alone. Everything is filled in but time, step and energy error.
class SampledMeasurement {
 public:
  virtual ~SampledMeasurement() = default;
  /// Largest number of samples that can be measured at once.
  virtual engine::Index capacity() const = 0;
  /// Where to store samples; reallocated if it holds fewer. No kernel may be writing samples.
  virtual void* reserve(engine::Index samples) = 0;
  /// Measures samples [0, count of samples) with the masses of `state`. Waits.
  virtual std::vector<Measurement> measure_samples(const engine::Cuda& exec,
                                                   const State<engine::Device>& state,
                                                   engine::Index samples) = 0;
  /// Measures the current state. Waits.
  virtual Measurement measure(const engine::Cuda& exec, const State<engine::Device>& state) = 0;
};

/// Largest numbers of bodies for which a module takes whole steps on a GPU; 0: never.
struct WholeStepLimits {
  engine::Index cluster = 0, cooperative = 0;  ///< by the kind of stepping
  engine::Index batch = 0;                     ///< of each system of a batch
};

}  // namespace mote::sim
