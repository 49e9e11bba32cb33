#pragma once

#include <utility>
#include <vector>

#include "engine/params.h"

namespace mote::sim {

/// Rows that the tables of several generators have. `Owner` has the members of these names.

inline constexpr double most_bodies = 1e9;

template <class Owner>
engine::Param<Owner> count_row() {
  return engine::param(&Owner::n, {.name = "n",
                                   .help = "number of bodies, all of the same mass",
                                   .minimum = 1,
                                   .maximum = most_bodies,
                                   .required = true});
}

template <class Owner>
engine::Param<Owner> mass_row() {
  return engine::param(
      &Owner::mass,
      {.name = "mass", .help = "mass of all bodies together", .unit = "mass", .minimum = 0});
}

/// A length greater than zero, of type double or optional<double>.
template <class Owner, class T>
engine::Param<Owner> length_row(T Owner::*member, std::string name, std::string help) {
  return engine::param(member, {.name = std::move(name),
                                .help = std::move(help),
                                .unit = "length",
                                .minimum = 0,
                                .minimum_excluded = true});
}

/// Where a sphere without an edge ends, in its scales. Below a thousandth only its centre is left,
/// which moves as fast as all its mass would let it; far out there is next to nothing to cut off.
template <class Owner>
engine::Param<Owner> cutoff_row(std::string help) {
  return engine::param(
      &Owner::cutoff, {.name = "cutoff", .help = std::move(help), .minimum = 1e-3, .maximum = 1e9});
}

/// Velocities of bodies that no gravity has arranged; see Stir in stir.h.
template <class Owner>
engine::Param<Owner> dispersion_row() {
  return engine::param(
      &Owner::dispersion,
      {.name = "dispersion",
       .help = "of the random (Maxwellian) velocities, one component; 0 is at rest",
       .unit = "velocity",
       .minimum = 0});
}

template <class Owner>
engine::Param<Owner> spin_row() {
  return engine::param(
      &Owner::spin,
      {.name = "spin",
       .help =
           "of a rigid turn about the z axis, in radians / time, counter-clockwise seen from +z",
       .unit = "angular velocity"});
}

}  // namespace mote::sim
