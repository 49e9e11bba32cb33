#pragma once

#include <vector>

#include "render/scene_view.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// Scenes of up to so many bodies can show orbits.
inline constexpr engine::Index most_orbits = 64;

/// The ellipse on which a body would go on about a mass `parameter` / G if nothing else pulled: its osculating orbit
/// (Murray & Dermott 1999, section 2.3). `position`, `velocity`: relative to that mass. Points from the nearest place
/// on, relative to the mass; none when the orbit is not closed.
std::vector<engine::Vec3d> osculating_ellipse(engine::Vec3d position, engine::Vec3d velocity,
                                              double parameter, int points);

/// Orbits of all bodies about the heaviest one, when that has more than half of all mass; else none.
std::vector<render::Polyline> orbits(const std::vector<sim::BodyNumbers>& bodies, double gravitational,
                                     engine::Vec3d origin);

}  // namespace mote::app
