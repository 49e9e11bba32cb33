#pragma once

#include <array>
#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/math/vec.h"
#include "sim/state.h"

namespace mote::sim {

/// Fractions of the mass whose Lagrangian radii are measured.
inline constexpr std::array<double, 3> lagrangian_fractions{0.1, 0.5, 0.9};

/// Sums over a state, all in double whatever the precision of the state, in the scene's units.
struct Measurement {
  double time = 0;
  std::uint64_t step = 0;
  double kinetic = 0;       ///< sum m v^2 / 2, and of what spins, I w^2 / 2
  double potential = 0;     ///< of all forces that have one
  double energy = 0;        ///< kinetic + potential
  double energy_error = 0;  ///< (energy - first energy) / |first energy|; the plain difference when
                            ///< that is 0
  double virial_ratio = 0;  ///< 2 kinetic / |potential|: 1 in equilibrium; 0 when there is no
                            ///< potential
  /// [energy] k T = 2 kinetic / degrees of freedom, of the heat alone (thermostat_formula.h); with
  /// forces of near pairs
  double temperature = 0;
  double virial = 0;        ///< [energy] sum over pairs of d . F; with forces of near pairs
  double pressure = 0;      ///< (2 kinetic + virial) / (3 volume); with forces of near pairs, in a
                            ///< closed domain
  double displacement = 0;  ///< [length^2] mean square of the ways since the start; where it is
                            ///< kept
  double mass = 0;
  engine::Vec3d momentum{};          ///< sum m v
  engine::Vec3d angular_momentum{};  ///< sum m x cross v, about the origin, and I w
  engine::Vec3d center_of_mass{};    ///< sum m x / mass; of all bodies alike when none has mass
  std::array<double, 3> lagrangian_radii{};  ///< about the centre of mass, of
                                             ///< `lagrangian_fractions` of the mass
  engine::Vec3d low{}, high{};               ///< corners of the smallest box around all bodies
  double fastest = 0;                        ///< largest speed
};

/// Measures a state of known potential energy. Everything but time, step and energy error is filled
/// in. Sums run in a fixed order: the same bits for every number of threads. `period`: lengths of
/// the domain along periodic axes, for displacements.
Measurement measure(const engine::Cpu& exec, const State<engine::Host>& state, double potential,
                    engine::Vec3d period = {});

/// Sums over all bodies that a measurement is made from.
struct BodySums {
  double mass, kinetic;
  engine::Vec3d momentum, angular_momentum;
  engine::Vec3d moment, place;  ///< sum of m x, sum of x
  engine::Vec3d low, high;
  double fastest_squared;
  double squared_displacement;  ///< sum of squares
};

/// Everything but Lagrangian radii, time, step and energy error.
Measurement measurement_of(const BodySums& sums, engine::Index count, double potential);

/// (now - first) / |first|, or now - first when `first` is zero.
double relative_error(double now, double first);

/// A 64-bit fingerprint of a state: of every body's id, mass, position, velocity and what else it
/// keeps (columns.h), bit for bit, of the state's memory, of time and step. It does not depend on
/// the order of the columns; accelerations follow from positions and are left out.
std::uint64_t state_hash(const engine::Cpu& exec, const State<engine::Host>& state, double time,
                         std::uint64_t step);

/// Id of the first body (in column order) with an infinite or NaN position, velocity or
/// acceleration, or -1.
std::int64_t first_not_finite(const engine::Cpu& exec, const State<engine::Host>& state);

}  // namespace mote::sim
