#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/params.h"
#include "sim/initial/bodies.h"

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

/// How a body is drawn, for those that scenes describe one by one.
template <class Owner>
engine::Param<Owner> color_param() {
  return engine::param(&Owner::color,
                       {.name = "color",
                        .help = "its colour, #rrggbb, in place of that of the view; the first 64 "
                                "bodies with color or display_radius are drawn with them"});
}
template <class Owner>
engine::Param<Owner> display_radius_param() {
  return engine::param(
      &Owner::display_radius,
      {.name = "display_radius",
       .help = "radius of its sphere in pictures; has no effect on forces; 0: as others",
       .unit = "length",
       .minimum = 0});
}
template <class Owner>
BodyLook look_of(const Owner& owner) {
  return {owner.color, owner.display_radius};
}

}  // namespace mote::sim
