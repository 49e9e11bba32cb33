#pragma once

#include <filesystem>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "render/gl/canvas.h"
#include "render/gl/handle.h"
#include "render/gl/sample_target.h"
#include "render/pass/lens.h"

namespace mote::render {

/// A line through points of the world.
struct Line {
  std::vector<glm::vec3> points;
  glm::vec4 color{1, 1, 1, 0.5f};  ///< sRGB and opacity
  float width = 1;                 ///< pixels
  bool closed = false;
  bool in_front = false;  ///< drawn over everything
  bool segments = false;  ///< each pair of points is a separate segment
  bool clipped = false;   ///< cut off by the plane of the lens
};

/// Sets the uniforms of soft_depth.frag and binds the picture, so that what is drawn next fades out
/// behind its spheres; null: nothing is hidden. `fluid`: distances (FluidPass::distances), and only
/// what is behind them is drawn; 0: everything.
void hide_behind(const ProgramHandle& program, const SampleTarget* spheres, const Lens& lens,
                 int height, GLuint fluid = 0);

/// Draws antialiased lines of constant width on screen, over a screen picture.
class LinesPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  explicit LinesPass(const std::filesystem::path& shaders);

  /// Draws in order. `spheres`: hides lines, of the same size, or null. Lines of less than two
  /// points are skipped. `fluid`: as of hide_behind.
  void draw(const std::vector<Line>& lines, const Lens& lens, const SampleTarget* spheres,
            const Canvas& screen, GLuint fluid = 0);

 private:
  ProgramHandle program_;
  BufferHandle points_;
  VertexArrayHandle no_vertices_;
};

}  // namespace mote::render
