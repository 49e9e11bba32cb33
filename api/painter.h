#pragma once

#include <memory>

#include "api/mote.h"
#include "engine/exec/forked.h"
#include "sim/run/simulation.h"

namespace mote::api {

/// Draws a simulation at a fixed size. Implementations: OpenGL, and a stub for builds without
/// rendering.
class Painter {
 public:
  virtual ~Painter() = default;
  virtual Picture draw(sim::Simulation& simulation) = 0;
  int width = 0, height = 0;
  int generation = engine::fork_generation();  ///< at construction
};

/// Throws InputError for an invalid size or a build without rendering, SystemError when this
/// machine cannot render.
std::unique_ptr<Painter> make_painter(const sim::SceneDescription& scene, int width, int height);

}  // namespace mote::api
