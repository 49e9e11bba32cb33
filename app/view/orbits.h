#pragma once

#include <vector>

#include "render/scene_view.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// Orbits are shown for up to this many bodies.
inline constexpr engine::Index max_orbit_bodies = 64;

/// Osculating ellipses of all bodies about the most massive one, if that has more than half of the
/// total mass; else none.
std::vector<render::Polyline> orbits(const std::vector<sim::BodyState>& bodies,
                                     double gravitational, engine::Vec3d origin);

}  // namespace mote::app
