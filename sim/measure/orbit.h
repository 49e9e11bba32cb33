#pragma once

#include <vector>

#include "engine/math/vec.h"

namespace mote::sim {

/// The ellipse on which a body would go on about a mass `parameter` / G if nothing else pulled: its
/// osculating orbit (Murray & Dermott 1999, section 2.3). `position`, `velocity`: relative to that
/// mass. Points from the nearest place on, relative to the mass; none when the orbit is not closed.
std::vector<engine::Vec3d> osculating_ellipse(engine::Vec3d position, engine::Vec3d velocity,
                                              double parameter, int points);

}  // namespace mote::sim
