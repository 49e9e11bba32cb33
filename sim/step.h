#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/platform.h"
#include "engine/types.h"

namespace mote::sim {

/// The kinds of stages of a step.
enum class StageKind {
  force,       ///< accelerations from the positions, summed over the force modules
  kick,        ///< velocities += fraction dt accelerations
  drift,       ///< positions += fraction dt velocities
  thermostat,  ///< thermostat applied to the velocities over fraction dt
  constrain    ///< projects positions and velocities onto the constraints, after a drift of
               ///< fraction dt
};

/// One stage of a step: data, not code, so that the same list can run stage by stage, as a
/// recorded graph or inside one kernel.
struct Stage {
  StageKind kind;
  double fraction = 0;  ///< of the time step
};

/// Invariant: before the first and after the last stage, accelerations belong to the positions.
using Step = std::vector<Stage>;

/// The step with every merged kick between two leapfrog sub-steps split into their two half kicks.
/// With velocity-dependent forces, two consecutive kicks are not equivalent to one over both times.
Step with_separate_kicks(const Step& step);

/// The elapsed fraction of the step at the positions of each stage: the sum of the drifts before
/// it, exactly 1 after the last drift.
std::vector<double> elapsed_fractions(const Step& step);

/// Time of a simulation. On a GPU, its step count is `steps` plus that of the DeviceRecord.
struct StepClock {
  double base_time = 0, dt = 0;  ///< [time]
  std::int64_t steps = 0;        ///< since base_time; on a GPU minus DeviceRecord::steps
  std::int64_t first = 0;        ///< step number at base_time
};

/// Time of a stage. Both pointers are in the backend's memory space.
struct StageTime {
  const StepClock* clock;
  struct DeviceRecord* record;  ///< further steps, halts and stalls; null on the CPU
  double elapsed_fraction;      ///< of the current step, at the positions; 1: the next step's time
};

/// Time after `more` further steps and a fraction of another. The end of a step has the same bits
/// as the beginning of the next.
MOTE_FORMULA double time_at(const StepClock& clock, std::int64_t more, double elapsed_fraction) {
  const std::int64_t steps = clock.steps + more + (elapsed_fraction == 1 ? 1 : 0);
  const double begin = clock.base_time + static_cast<double>(steps) * clock.dt;
  return elapsed_fraction == 1 || elapsed_fraction == 0 ? begin
                                                        : begin + elapsed_fraction * clock.dt;
}

/// How steps are launched on a GPU. All give the same bits.
enum class Stepping {
  automatic,    ///< the fastest that the scene supports: cluster for few bodies, cooperative, graph
  launch,       ///< one kernel per stage, launched by the host
  graph,        ///< the same kernels, recorded once and replayed
  cooperative,  ///< persistent kernel; its blocks share positions once per force evaluation
  cluster       ///< the same in one thread-block cluster, for few bodies
};

std::string_view name_of(Stepping stepping);
/// One of auto, launch, graph, cooperative, cluster; otherwise nullopt.
std::optional<Stepping> stepping_named(std::string_view word);

/// Errors inside a step, as bits: kernels cannot throw.
enum class Health : std::uint32_t {
  good = 0,
  not_finite = 1,           ///< a position, velocity or acceleration is infinite or NaN
  energy_drift = 2,         ///< the relative energy error exceeds its limit (EnergyHealth)
  hook_failed = 4,          ///< a hook threw, or reported that the run has failed
  step_too_long = 16,       ///< the step is longer than a force or the thermostat allows
  escaped = 8,              ///< a body is farther from the centre of mass than the scene allows
  bond_overstretched = 32,  ///< a bond is longer than it can be
};

constexpr Health operator|(Health a, Health b) {
  return static_cast<Health>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool has(Health all, Health bit) {
  return (static_cast<std::uint32_t>(all) & static_cast<std::uint32_t>(bit)) != 0;
}

/// Summary of one or several steps, filled by stages and modules.
struct StepReport {
  std::uint64_t steps = 0;         ///< completed steps
  std::uint64_t interactions = 0;  ///< directed, over all force evaluations
  Health health = Health::good;
  std::int64_t offender = -1;  ///< id of the first body in error, or -1
};

/// Time of a stage on the CPU.
inline double time_of(const StageTime& time) {
  return time_at(*time.clock, 0, time.elapsed_fraction);
}

inline constexpr std::uint32_t no_offender = 0xffffffffu;

/// Step counter and errors, written by the device and polled by the host.
struct DeviceRecord {
  std::uint64_t steps = 0;  ///< completed steps
  /// Index of the first body that is not finite after a step. Stepping halts: the state is the one
  /// after that step. Two elements, which persistent kernels use alternately.
  std::uint32_t offender[2] = {no_offender, no_offender};
  std::uint32_t halted = 0;         ///< set by the first kernel of the following step
  std::uint32_t overstretched = 0;  ///< the offender has an overstretched bond
  /// The step is longer than a force or the thermostat allows; stepping halts after it.
  std::uint32_t too_long = 0;
  /// A force overflowed a buffer: integration is suspended until the host grows the buffer and
  /// re-evaluates the forces.
  std::uint32_t stalled = 0;
};

}  // namespace mote::sim
