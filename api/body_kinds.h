#pragma once

#include <vector>

#include "render/body_looks.h"
#include "sim/run/simulation.h"

namespace mote::api {

/// The looks of the species of a scene, by species number.
std::vector<render::Look> looks_of(const std::vector<sim::Species>& species);

/// The species of the bodies of a simulation. Keeps the last ones as long as the bodies are the
/// same; otherwise it copies 16 bytes for each from a GPU. Only needed where looks differ.
class BodyKinds {
 public:
  /// Null for a scene without species.
  render::PointKinds of(sim::Simulation& simulation);
  render::PointKinds of(const sim::State<engine::Host>& state);

 private:
  render::PointKinds last_;
  sim::BodyIds ids_;
  engine::Index count_ = -1;
};

}  // namespace mote::api
