#pragma once

#include <vector>

#include "engine/math/vec.h"

namespace mote::sim {

/// Osculating elliptic orbit of a body about a mass `parameter` / G (Murray & Dermott 1999,
/// section 2.3). `position`, `velocity`: relative to that mass. Points relative to the mass,
/// starting at pericentre; none if the orbit is unbound.
std::vector<engine::Vec3d> osculating_ellipse(engine::Vec3d position, engine::Vec3d velocity,
                                              double parameter, int points);

}  // namespace mote::sim
