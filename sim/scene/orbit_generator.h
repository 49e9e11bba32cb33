#pragma once

#include "sim/scene/generator.h"

namespace mote::sim {

/// orbit { ... }: a body on a Kepler orbit, with a list `moons` of orbits about it. A moon's
/// primary is its parent, whose mass is the default of the moon's central_mass and whose position
/// and velocity are added to the moon's. Angles are measured in the axes of the scene. Order of
/// bodies: the planet, then each moon followed by its moons.
Generator orbit_generator();

}  // namespace mote::sim
