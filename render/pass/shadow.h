#pragma once

#include <filesystem>
#include <optional>

#include "render/gl/handle.h"
#include "render/pass/lamp.h"
#include "render/pass/lens.h"
#include "render/pass/spheres.h"
#include "render/point_buffers.h"

namespace mote::render {

/// Makes a map of depths as the lamp sees them, which the shaders of lit bodies compare with their
/// own (lamp_shadow.glsl). It is fitted to the spheres in the picture, in steps, so that shadows do
/// not tremble where bodies move.
class ShadowPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  explicit ShadowPass(const std::filesystem::path& shaders);

  /// Fits an empty map to the points, as they are drawn with `style`, and makes it the target of
  /// what is drawn next; nothing if none of them is in the picture.
  std::optional<LampView> begin(const PointBuffers& points, const Lens& lens,
                                const SphereStyle& style);
  /// Draws spheres into the map.
  void draw(const PointBuffers& points, const LampView& lamp, const SphereStyle& style);
  /// The finished map, valid until the next begin(). `strength`: part of the lamp's light that
  /// shadows take, 0 to 1.
  Shadows finish(const LampView& lamp, float strength) const;

 private:
  const ProgramHandle& program(bool cut);

  std::filesystem::path shaders_;
  ProgramHandle extent_program_, whole_, cut_;  ///< the last is made on first use
  VertexArrayHandle vertices_;
  BufferHandle extent_;
  TextureHandle map_;
  FramebufferHandle framebuffer_;
};

}  // namespace mote::render
