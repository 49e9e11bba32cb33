#pragma once

#include <utility>
#include <vector>

#include "engine/params.h"

namespace mote::sim {

/// Parameters shared by several generators. `Owner` has members of these names.

inline constexpr double max_bodies = 1e9;

template <class Owner>
engine::Param<Owner> count_param() {
  return engine::param(&Owner::n, {.name = "n",
                                   .help = "number of bodies, of equal mass",
                                   .minimum = 1,
                                   .maximum = max_bodies,
                                   .required = true});
}

template <class Owner>
engine::Param<Owner> mass_param() {
  return engine::param(
      &Owner::mass,
      {.name = "mass", .help = "total mass of the bodies", .unit = "mass", .minimum = 0});
}

/// A length greater than zero, of type double or optional<double>.
template <class Owner, class T>
engine::Param<Owner> length_param(T Owner::*member, std::string name, std::string help) {
  return engine::param(member, {.name = std::move(name),
                                .help = std::move(help),
                                .unit = "length",
                                .minimum = 0,
                                .minimum_excluded = true});
}

/// Truncation radius of an infinite sphere, in its scale lengths. Below 1e-3 only the centre would
/// remain, with velocities of the whole mass; beyond 1e9 the truncated mass is negligible.
template <class Owner>
engine::Param<Owner> cutoff_param(std::string help) {
  return engine::param(
      &Owner::cutoff, {.name = "cutoff", .help = std::move(help), .minimum = 1e-3, .maximum = 1e9});
}

/// Velocity dispersion of models without equilibrium; see Stir in stir.h.
template <class Owner>
engine::Param<Owner> dispersion_param() {
  return engine::param(&Owner::dispersion,
                       {.name = "dispersion",
                        .help = "velocity dispersion per component (Maxwellian); 0 is at rest",
                        .unit = "velocity",
                        .minimum = 0});
}

template <class Owner>
engine::Param<Owner> spin_param() {
  return engine::param(
      &Owner::spin,
      {.name = "spin",
       .help = "rigid rotation about the z axis, counter-clockwise seen from +z, in radians / time",
       .unit = "angular velocity"});
}

}  // namespace mote::sim
