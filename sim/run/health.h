#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/simulation.h"

namespace mote::sim {

inline constexpr std::uint64_t most_steps_between_looks = 16384;

/// Steps of so many interactions that looking at the state, and keeping it, costs about a hundredth
/// of them. By what the steps so far have looked at, and not by the clock: a millisecond of gravity
/// or half a second of grains on a large GPU, seconds on a CPU.
std::uint64_t steps_between_looks(const Simulation& simulation);

/// Two bodies that are so near each other that they decide how small a step must be.
struct Encounter {
  std::uint32_t first = 0, second = 0;  ///< ids
  std::uint64_t step = 0;
  double distance = 0;  ///< [length]
  /// In which they would circle each other at this distance: 2 pi sqrt((d^2 + softening^2)^(3/2) /
  /// (G (m1 + m2))) [time].
  double period = std::numeric_limits<double>::infinity();
};

/// Steps in the period of an encounter below which it is not followed: leapfrog loses the phase of
/// a circle within a few revolutions, and the energy of anything that comes nearer on the way.
inline constexpr double fewest_steps_a_period = 12;

/// The body with the largest acceleration and the one of all others that it circles fastest.
/// Nothing without gravity and of fewer than two bodies with mass. One pass over the bodies, in
/// host memory.
std::optional<Encounter> hardest_encounter(Simulation& simulation, const engine::UnitSystem& units);

/// Whether steps of `dt` are too long for it.
inline bool too_hard(const Encounter& encounter, double dt) {
  return encounter.period < fewest_steps_a_period * dt;
}

/// "bodies 4 and 17 (Io) were 0.002 apart at step 120, where they circle each other in 0.03: ..."
std::string encounter_words(const Encounter& encounter, const Simulation& simulation);

/// Of steps that have become longer than a force or a thermostat allows: what happened and what
/// helps.
std::string long_step_words(const Simulation& simulation, std::uint64_t step, double time);

/// The body furthest from the centre of mass of a measurement of the present state, if it is
/// further than `radius`.
std::optional<std::uint32_t> escaped(Simulation& simulation, const Measurement& measured,
                                     double radius);

/// Writes bodies that broke a run, and the 16 nearest neighbours of each, as comma-separated
/// values: of which body a row is the neighbourhood, how far, and all numbers that the body has
/// now. Ids that are no more are left out. Throws SystemError.
void write_offenders(const std::filesystem::path& path, Simulation& simulation,
                     const std::vector<std::uint32_t>& ids, const engine::UnitSystem& units);

}  // namespace mote::sim
