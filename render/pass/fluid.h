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
  float radius = 1;      ///< world lengths: half of what particles are apart
  float brightness = 1;  ///< of the sky and of the light within
};

/// Draws points as the surface of a fluid (van der Laan, Green & Sainz 2009, Screen space fluid
/// rendering with curvature flow, I3D): distances of overlapping spheres are smoothed, and light is
/// computed from their slopes and from how thick the fluid is. Points with a negative radius are
/// walls: they are no part of it and not drawn.
class FluidPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  explicit FluidPass(const std::filesystem::path& shaders);

  /// Finds the surface, for a picture of this size.
  void find(const PointBuffers& points, const Lens& lens, const FluidStyle& style, int width,
            int height);
  /// Pictures that the fluid stands in: as it is seen beside the fluid, and what is seen through
  /// it. For a caller to fill.
  const Target& beside() const { return *beside_; }
  const Target& behind() const { return *behind_; }
  /// The fluid over what stands in both. `hides` gets its nearness, so that it hides lines.
  void show(const Lens& lens, const FluidStyle& style, const SampleTarget& hides,
            const Canvas& screen);

 private:
  void resize(int width, int height);
  void draw_particles(const ProgramHandle& program, const PointBuffers& points, const Lens& lens,
                      float radius, int width, int height);
  void smooth(const Lens& lens, float radius);

  ProgramHandle depth_, thickness_, smooth_, surface_, nearness_;
  VertexArrayHandle vertices_, no_vertices_;
  TextureHandle away_[2], hidden_, thick_;
  FramebufferHandle front_, through_;
  std::optional<Target> beside_, behind_, shown_;
  int width_ = 0, height_ = 0;
};

}  // namespace mote::render
