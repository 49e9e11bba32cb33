#pragma once

#include <optional>
#include <string>

#include "sim/scene/description.h"
#include "sim/state.h"

namespace mote::app {

/// Random bodies in a cube of side 2 with masses from 0.5/N to 1.5/N; the same on every machine.
sim::State<engine::Host> random_cube(engine::Index count, engine::Precision precision);

/// A Plummer sphere in equilibrium, for comparisons of full steps.
struct Cluster {
  engine::Index count = 1;
  std::string integrator = "leapfrog";
  double dt = 1.0 / 1024;
  double softening = 0.01;
  engine::Index massless_every = 0;     ///< one body in so many is massless; 0: none
  std::optional<double> accuracy = {};  ///< of expansions; empty: direct sums
};
sim::SceneDescription cluster_scene(const Cluster& cluster);

/// Largest difference of coordinates of two states.
double largest_distance(const sim::State<engine::Host>& one, const sim::State<engine::Host>& other);

}  // namespace mote::app
