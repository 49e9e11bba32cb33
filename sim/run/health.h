#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/simulation.h"

namespace mote::sim {

inline constexpr std::uint64_t most_steps_between_checks = 16384;

/// Steps between health checks, so that checking and saving the state costs about a hundredth of
/// the stepping. Estimated from the interactions so far, not from the clock: a millisecond of
/// gravity or half a second of grains on a large GPU, seconds on a CPU.
std::uint64_t steps_between_checks(const Simulation& simulation);

/// Steps between samples of Simulation::force_errors, so that they cost about a hundredth of the
/// stepping, by counts of interactions.
std::uint64_t steps_between_error_samples(const Simulation& simulation);

/// Two bodies so close to each other that they limit the step.
struct Encounter {
  std::uint32_t first = 0, second = 0;  ///< ids
  std::uint64_t step = 0;
  double distance = 0;  ///< [length]
  /// Period of a circular orbit at this distance: 2 pi sqrt((d^2 + softening^2)^(3/2) / (G (m1 +
  /// m2))) [time].
  double period = std::numeric_limits<double>::infinity();
};

/// Steps per period below which an encounter is not resolved: leapfrog loses the phase of a
/// circular orbit within a few revolutions, and the energy of an eccentric one.
inline constexpr double fewest_steps_a_period = 12;

/// The body with the largest acceleration and the other body with which its period is shortest.
/// Empty without gravity, mass or a second body. A pass over the bodies in host memory.
std::optional<Encounter> hardest_encounter(Simulation& simulation);

/// True if steps of `dt` are too long for it.
inline bool unresolved(const Encounter& encounter, double dt) {
  return encounter.period < fewest_steps_a_period * dt;
}

/// "bodies 4 and 17 (Io) were 0.002 apart at step 120, where their orbital period is 0.03: ..."
std::string encounter_message(const Encounter& encounter, const Simulation& simulation);

/// "step 640, t = 2.5 Myr". `digits`: significant ones of the time.
std::string moment_text(std::uint64_t step, double time, const engine::UnitSystem& units,
                        int digits = 6);

/// "body 4 (Io)"
std::string body_text(const Simulation& simulation, std::int64_t body);

/// Message for a body that is not finite after a step. `cause`: an encounter that explains it, or
/// "".
std::string not_finite_message(const Simulation& simulation, std::int64_t body, std::uint64_t step,
                               double time, const std::string& cause = "");

/// Message for a bond longer than its maximum extension.
std::string overstretched_message(const Simulation& simulation, std::int64_t body,
                                  std::uint64_t step, double time);

/// Message for a step that exceeds the limit of a force or a thermostat.
std::string long_step_message(const Simulation& simulation, std::uint64_t step, double time);

/// The body furthest from the centre of mass, if it is further than `radius`. `measured`: of the
/// current state.
std::optional<std::uint32_t> escaped(Simulation& simulation, const Measurement& measured,
                                     double radius);

/// Writes the bodies that made a run fail, and the 16 nearest neighbours of each, as CSV: the body
/// whose neighbourhood it is, the distance to it, and the neighbour's current state. Ids of removed
/// bodies are skipped. Throws SystemError.
void write_offenders(const std::filesystem::path& path, Simulation& simulation,
                     const std::vector<std::uint32_t>& ids, const engine::UnitSystem& units);

}  // namespace mote::sim
