#pragma once

#include <vector>

#include "render/scene_view.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// Scenes of up to so many bodies can show orbits.
inline constexpr engine::Index most_orbits = 64;

/// Orbits of all bodies about the heaviest one, when that has more than half of all mass; else
/// none.
std::vector<render::Polyline> orbits(const std::vector<sim::BodyNumbers>& bodies,
                                     double gravitational, engine::Vec3d origin);

}  // namespace mote::app
