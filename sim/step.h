#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/platform.h"
#include "engine/types.h"

namespace mote::sim {

/// What a stage does to the state.
enum class StageKind {
  force,       ///< accelerations from the positions, by every force module
  kick,        ///< velocities += fraction dt accelerations
  drift,       ///< positions += fraction dt velocities
  thermostat,  ///< velocities as the thermostat changes them over fraction dt
  constrain    ///< positions to where constraints want them, behind a drift of fraction dt, and
               ///< velocities with them
};

/// One entry of a step: data, not code, so that a planner may run the same list stage by stage, as
/// a recorded graph or inside one kernel.
struct Stage {
  StageKind kind;
  double fraction = 0;  ///< of the time step, for kick and drift
};

/// A step is this list. Invariant: the accelerations are those of the positions before the first
/// stage and after the last one.
using Step = std::vector<Stage>;

/// The step with every kick that two leapfrog steps of a composition share taken apart into theirs:
/// for forces that depend on velocities, where two kicks one after the other are not one of their
/// sum.
Step with_separate_kicks(const Step& step);

/// How much of the step has passed for the positions that each stage finds: the drifts before it,
/// in time steps, and exactly 1 behind the last of them.
std::vector<double> passed_before(const Step& step);

/// Where a simulation's time stands. On a GPU the count of steps goes on in the DeviceRecord.
struct StepClock {
  double base_time = 0, dt = 0;  ///< [time]
  std::int64_t steps = 0;        ///< since the base
  std::int64_t first = 0;        ///< number of the step at the base
};

/// What a stage needs to know of time. Both pointers lead into the memory of the backend.
struct StageTime {
  const StepClock* clock;
  struct DeviceRecord* record;  ///< adds its steps to the clock's, and takes stalls; null on the
                                ///< CPU
  double passed;  ///< of the step under way, for the positions; 1 is the time of the next step
};

/// Time behind so many steps and what has passed of one more. Behind a whole step the bits are
/// those of the next one's beginning.
MOTE_FORMULA double time_at(const StepClock& clock, std::int64_t more, double passed) {
  const std::int64_t steps = clock.steps + more + (passed == 1 ? 1 : 0);
  const double begin = clock.base_time + static_cast<double>(steps) * clock.dt;
  return passed == 1 || passed == 0 ? begin : begin + passed * clock.dt;
}

/// How a GPU is driven through the steps of a scene. All give the same bits.
enum class Stepping {
  automatic,    ///< the fastest that the scene can use: cluster for few bodies, cooperative, graph
  launch,       ///< one kernel a stage, started by the host
  graph,        ///< the same kernels, recorded once and replayed
  cooperative,  ///< many steps in one kernel, whose blocks hand each other all places once a force
  cluster       ///< the same in one cluster of blocks, for few bodies
};

std::string_view name_of(Stepping stepping);
/// Nothing when the word is none of auto, launch, graph, cooperative, cluster.
std::optional<Stepping> stepping_named(std::string_view word);

/// What went wrong inside a step: bits, because nothing is thrown there and a device cannot.
enum class Health : std::uint32_t {
  good = 0,
  not_finite = 1,           ///< a position, velocity or acceleration is infinite or NaN
  energy_drift = 2,         ///< the relative energy error passed the scene's limit
  hook_failed = 4,          ///< a function of the scene failed, or said that the run has
  step_too_long = 16,       ///< the step is longer than a force or the thermostat allows
  escaped = 8,              ///< a body is further from the centre of mass than the scene allows
  bond_overstretched = 32,  ///< a bond is longer than it can be
};

constexpr Health operator|(Health a, Health b) {
  return static_cast<Health>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool has(Health all, Health bit) {
  return (static_cast<std::uint32_t>(all) & static_cast<std::uint32_t>(bit)) != 0;
}

/// What one or several steps did. Filled by stages and modules.
struct StepReport {
  std::uint64_t steps = 0;         ///< whole steps taken
  std::uint64_t interactions = 0;  ///< directed, over all force evaluations
  Health health = Health::good;
  std::int64_t offender = -1;  ///< id of the first body that is not healthy, or -1
};

/// Time of a stage on the CPU.
inline double time_of(const StageTime& time) {
  return time_at(*time.clock, 0, time.passed);
}

inline constexpr std::uint32_t no_offender = 0xffffffffu;

/// What a device writes down about its steps, for the host to read now and then.
struct DeviceRecord {
  std::uint64_t steps = 0;  ///< whole steps taken
  /// Column of the first body that was not finite after a step. Stepping stops there: the state is
  /// that after this step. Two places that steps inside one kernel use in turns.
  std::uint32_t offender[2] = {no_offender, no_offender};
  std::uint32_t halted = 0;         ///< set by the first kernel of the step behind it
  std::uint32_t overstretched = 0;  ///< the offender is that of a bond, which a force has noted
                                    ///< there
  /// A force of the step, or the thermostat, found it longer than it allows; stepping stops after
  /// it.
  std::uint32_t too_long = 0;
  /// A force had no room for what it must remember: nobody moves any more, the step under way waits
  /// for its forces.
  std::uint32_t stalled = 0;
};

}  // namespace mote::sim
