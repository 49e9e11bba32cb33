#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>

#include "render/gl/handle.h"
#include "render/pass/lens.h"
#include "render/point_buffers.h"

namespace mote::render {

/// Finds the body under the mouse on the GPU; reads back 12 bytes. Deterministic.
class PickPass {
 public:
  /// Throws engine::SystemError when the shader cannot be loaded.
  explicit PickPass(const std::filesystem::path& shaders);

  /// `pixel` is relative to the upper left corner of a picture of this size. Stars (`radius` 0):
  /// the nearest to the pixel within `tolerance` pixels; if two differ by less than a quarter of a
  /// pixel, the one nearer to the viewer. Spheres of this radius, or of their own radii where
  /// points have them: the front one under the pixel; if there is none, the nearest to the viewer
  /// of those whose edge is within the tolerance. Ties go to the first in the buffer.
  /// Points without a finite weight, and what the lens clips, are not there.
  std::optional<std::int64_t> pick(const PointBuffers& points, const Lens& lens, glm::dvec2 pixel,
                                   double tolerance, double radius, int width, int height);

 private:
  ProgramHandle program_;
  BufferHandle best_;
};

}  // namespace mote::render
