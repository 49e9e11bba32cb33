#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>

#include "render/gl/handle.h"
#include "render/pass/lens.h"
#include "render/point_buffers.h"

namespace mote::render {

/// Finds the body that a user points at, on the GPU; 12 bytes come back. Repeats exactly.
class PickPass {
 public:
  /// Throws engine::SystemError when the shader cannot be loaded.
  explicit PickPass(const std::filesystem::path& shaders);

  /// `pixel` from the upper left corner of a picture of this size. Of stars (`radius` 0) the
  /// nearest to the pixel among those within `reach` pixels, and the nearer of two that are within
  /// a quarter of a pixel of each other's distance. Of spheres of this radius, or each of its own
  /// where points have one, the front one under the pixel; where there is none, the nearest to the
  /// viewer of those whose edge is within reach. The first in the buffer of two that are alike.
  std::optional<std::int64_t> pick(const PointBuffers& points, const Lens& lens, glm::dvec2 pixel,
                                   double reach, double radius, int width, int height);

 private:
  ProgramHandle program_;
  BufferHandle best_;
};

}  // namespace mote::render
