#pragma once

#include <memory>

#include "api/mote.h"
#include "engine/exec/forked.h"
#include "sim/run/simulation.h"

namespace mote::api {

/// Draws a simulation in one size. Two implementations: one on OpenGL, and one for builds without
/// pictures.
class Painter {
 public:
  virtual ~Painter() = default;
  virtual Picture draw(sim::Simulation& simulation) = 0;
  int width = 0, height = 0;
  int generation = engine::fork_generation();  ///< of forks, in which it was made
};

/// Throws InputError for an impossible size or when this build cannot draw, SystemError when this
/// machine cannot.
std::unique_ptr<Painter> make_painter(const sim::SceneDescription& scene, int width, int height);

}  // namespace mote::api
