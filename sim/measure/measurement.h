#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/math/vec.h"
#include "sim/state.h"

namespace mote::sim {

/// Mass fractions of the Lagrangian radii.
inline constexpr std::array<double, 3> lagrangian_fractions{0.1, 0.5, 0.9};

/// Obstacles of one name, and what all bodies exert on them.
struct MeasuredSolid {
  bool on_axle = false;
  double angle = 0;             ///< about its axle, in radians
  double angular_velocity = 0;  ///< about its axle [1 / time]
  engine::Vec3d force{};        ///< [force]
  engine::Vec3d torque{};       ///< about the point of its axle or its pivot [force length]
};

/// Global observables of a state, in the scene's units; summed in double for every precision.
struct Measurement {
  double time = 0;
  std::uint64_t step = 0;
  double kinetic = 0;            ///< sum m v^2 / 2, plus I w^2 / 2 of bodies with spin
  double potential = 0;          ///< potential energy of all conservative forces
  double free_kinetic = 0;       ///< part of `kinetic`: of bodies that are not fixed
  double constraint_energy = 0;  ///< part of `potential`: of constraints that are elastic
  double energy = 0;             ///< kinetic + potential
  double energy_error = 0;       ///< (energy - first) / |first|; energy - first if first is 0
  double virial_ratio = 0;  ///< 2 kinetic / |potential|: 1 in equilibrium; 0 without a potential
  /// [energy] k T = 2 kinetic / degrees of freedom, of the thermal motion only
  /// (temperature_formula.h); 0 where nothing can move; with pair forces
  double temperature = 0;
  double virial = 0;  ///< [energy] sum over pairs of d . F; with pair forces
  /// (2 kinetic + virial) / (3 volume), of the thermal motion; with pair forces, closed domain
  double pressure = 0;
  double displacement = 0;  ///< [length^2] mean square displacement since the start, if recorded
  engine::Index fixed_bodies = 0;  ///< number of bodies that are fixed
  double mass = 0;
  engine::Vec3d momentum{};          ///< sum m v
  engine::Vec3d angular_momentum{};  ///< sum m x cross v + I w, about the origin
  engine::Vec3d center_of_mass{};    ///< sum m x / mass; the mean position if the mass is 0
  /// About the centre of mass, for `lagrangian_fractions`.
  std::array<double, 3> lagrangian_radii{};
  engine::Vec3d low{}, high{};          ///< bounding box of all bodies
  double fastest = 0;                   ///< largest speed
  std::vector<MeasuredSolid> solids{};  ///< solids in the order of solid_names
};

/// Measures a state of known potential energy; sets everything but time, step and energy error.
/// Sums run in a fixed order: the same bits for any number of threads. `period`: lengths of the
/// domain along periodic axes, for displacements.
Measurement measure(const engine::Cpu& exec, const State<engine::Host>& state, double potential,
                    engine::Vec3d period = {});

/// Sums over all bodies, from which a measurement is computed.
struct BodySums {
  double mass, kinetic;
  engine::Vec3d momentum, angular_momentum;
  engine::Vec3d moment, position;  ///< sum of m x, sum of x
  engine::Vec3d low, high;
  double fastest_squared;
  double squared_displacement;  ///< sum of squares
  double free_kinetic;          ///< kinetic energy of bodies that are not fixed
  double fixed;                 ///< number of those that are
};

/// Everything but Lagrangian radii, time, step and energy error.
Measurement measurement_of(const BodySums& sums, engine::Index count, double potential);

/// (now - first) / |first|, or now - first when `first` is zero.
double relative_error(double now, double first);

/// A 64-bit hash of a state: the bits of every body's id, mass, position, velocity and fields, of
/// the global values, time and step. Independent of the order of bodies. Accelerations follow from
/// positions and are left out, as are fields of algorithms (FieldUse).
std::uint64_t state_hash(const engine::Cpu& exec, const State<engine::Host>& state, double time,
                         std::uint64_t step);
/// The state hash over these fields, which the state has, in this order.
std::uint64_t state_hash(const engine::Cpu& exec, const State<engine::Host>& state, double time,
                         std::uint64_t step, const FieldList& hashed);

/// The least id of a body with an infinite or NaN position, velocity or acceleration, or -1.
std::int64_t first_not_finite(const engine::Cpu& exec, const State<engine::Host>& state);

/// These measurements of states of `count` bodies, with the buffers that they need on a backend.
template <class Exec>
class StateMeasure;

template <>
class StateMeasure<engine::Cpu> {
 public:
  explicit StateMeasure(engine::Index /*count*/) {}
  Measurement measure(const engine::Cpu& exec, const State<engine::Host>& state, double potential,
                      engine::Vec3d period = {}) {
    return sim::measure(exec, state, potential, period);
  }
  std::uint64_t state_hash(const engine::Cpu& exec, const State<engine::Host>& state, double time,
                           std::uint64_t step) {
    return sim::state_hash(exec, state, time, step);
  }
  std::int64_t first_not_finite(const engine::Cpu& exec, const State<engine::Host>& state) {
    return sim::first_not_finite(exec, state);
  }
};

}  // namespace mote::sim
