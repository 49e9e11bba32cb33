#pragma once

#include <filesystem>
#include <glm/vec4.hpp>

#include "render/gl/handle.h"
#include "render/point_buffers.h"

namespace mote::render {

/// Hides points behind a plane by their weights, so that passes of light need not know of it.
class ClipPass {
 public:
  /// Throws engine::SystemError when the shader cannot be loaded.
  explicit ClipPass(const std::filesystem::path& shaders);

  /// The points with weights that are not finite where dot(plane, (position, 1)) < 0; valid until
  /// the next call.
  PointBuffers apply(const PointBuffers& points, const glm::vec4& plane);

 private:
  ProgramHandle program_;
  BufferHandle weights_;
  engine::Index count_ = 0;
};

}  // namespace mote::render
