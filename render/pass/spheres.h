#pragma once

#include <filesystem>
#include <optional>

#include "render/color_map.h"
#include "render/gl/canvas.h"
#include "render/gl/handle.h"
#include "render/gl/sample_target.h"
#include "render/gl/target.h"
#include "render/pass/lens.h"
#include "render/point_buffers.h"

namespace mote::render {

struct SphereStyle {
  float radius = 1;      ///< world length, of points without radii of their own
  float brightness = 1;  ///< 1: surfaces that face the light have the colour of the map
  bool solids = false;   ///< only points of negative radii are drawn
};

/// Draws points as lit, opaque spheres with exact perspective outlines. Spheres are at least 3/4 of
/// a pixel large, so that none is lost. Non-finite points are skipped, and spheres around the
/// viewer.
class SpheresPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  SpheresPass(const std::filesystem::path& shaders, const ColorMap& map);

  void set_map(const ColorMap& map);

  /// Clears the target and draws into it. Spheres are cut open by the plane of the lens.
  void draw(const PointBuffers& points, const Lens& lens, const SphereStyle& style,
            const SampleTarget& target);

  /// Composes the picture over the background; of the same size. `sky`: how much of it each pixel
  /// sees (OcclusionPass); 0: all of it.
  void compose(const SampleTarget& picture, const Canvas& screen, bool on_white = false,
               GLuint sky = 0);

 private:
  const ProgramHandle& program(bool cut, bool shadowed);

  std::filesystem::path shaders_;
  ProgramHandle programs_[2][2];  ///< draw spheres: cut open or not, with shadows or not; each is
                                  ///< made on first use
  ProgramHandle compose_;
  TextureHandle map_;
  VertexArrayHandle vertices_;
  std::optional<Target> shown_;
};

}  // namespace mote::render
