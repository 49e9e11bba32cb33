#pragma once

#include <string>

#include "sim/scene/description.h"
#include "sim/state.h"

namespace mote::app {

/// Bodies at random in a cube of side 2, masses from 0.5 to 1.5 over their number: the same on
/// every machine.
sim::State<engine::Host> random_cube(engine::Index count, engine::Precision precision);

/// What a comparison of whole steps runs: a Plummer sphere in equilibrium.
struct Cluster {
  engine::Index count = 1;
  std::string integrator = "leapfrog";
  double dt = 1.0 / 1024;
  double softening = 0.01;
  engine::Index massless_every = 0;  ///< one body in so many pulls nobody; 0: none
};
sim::SceneDescription cluster_scene(const Cluster& cluster);

}  // namespace mote::app
