#pragma once

#include "sim/scene/generators.h"

namespace mote::sim {

/// orbit { ... }: a body on a Kepler orbit, with a list `moons` of orbits about it. A moon's
/// primary is the body above it: its mass is the moon's central_mass unless that is given, its
/// place and velocity are added to the moon's. All angles are measured in the axes of the scene.
/// Bodies: the planet, then each moon with its own.
Generator orbit_generator();

}  // namespace mote::sim
