#pragma once

#include <filesystem>
#include <optional>

#include "render/gl/canvas.h"
#include "render/gl/handle.h"
#include "render/gl/sample_target.h"
#include "render/gl/target.h"
#include "render/pass/lens.h"
#include "render/point_buffers.h"

namespace mote::render {

struct FluidStyle {
  float radius = 1;      ///< world length: half the particle spacing
  float brightness = 1;  ///< factor of the sky and of the inner light
};

/// Draws points as the surface of a fluid (van der Laan, Green & Sainz 2009, Screen space fluid
/// rendering with curvature flow, I3D): the distances of overlapping spheres are smoothed, then
/// shaded by slope and by the thickness of the fluid. Points with a negative radius are walls and
/// not drawn.
class FluidPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  explicit FluidPass(const std::filesystem::path& shaders);

  /// Computes the surface for a picture of this size.
  void find(const PointBuffers& points, const Lens& lens, const FluidStyle& style, int width,
            int height);
  /// Pictures without the fluid, to be filled by the caller: as seen around it, and as seen through
  /// it.
  const Target& background() const { return *background_; }
  const Target& behind() const { return *behind_; }
  /// Texture of the surface's distances from the viewer, in lengths of Lens::unit_view(); 0:
  /// nothing.
  GLuint distances() const { return distance_maps_[0].name(); }
  /// Adds its nearness to that of solids, so that it hides lines.
  void hide(const Lens& lens, const SampleTarget& solids);
  /// Draws the fluid over both pictures, where it is not behind solids (after hide()). `sky`: how
  /// much of it each pixel sees (OcclusionPass); 0: all of it.
  void show(const Lens& lens, const FluidStyle& style, const SampleTarget& solids,
            const Canvas& screen, GLuint sky = 0);

 private:
  void resize(int width, int height);
  void draw_particles(const ProgramHandle& program, const PointBuffers& points, const Lens& lens,
                      float radius, int width, int height);
  const ProgramHandle& surface(bool shadowed);
  void smooth(const Lens& lens, float radius);

  /// Programs that draw distances of particles, and path lengths within them.
  struct Programs {
    ProgramHandle depth, thickness;
  };
  static Programs load(const std::filesystem::path& shaders, const char* clip);
  const Programs& programs(bool cut);

  std::filesystem::path shaders_;
  Programs whole_, cut_;  ///< the latter are made on first use
  ProgramHandle smooth_, nearness_;
  ProgramHandle surfaces_[2];  ///< without shadows and with them; made on first use
  VertexArrayHandle vertices_, no_vertices_;
  TextureHandle distance_maps_[2], depth_map_, thickness_map_;
  FramebufferHandle front_, through_;
  std::optional<Target> background_, behind_, shown_;
  int width_ = 0, height_ = 0;
};

}  // namespace mote::render
