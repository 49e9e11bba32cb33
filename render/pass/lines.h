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
  bool in_front = false;  ///< nothing hides it
  bool apart = false;     ///< each two points are a line of their own
};

/// Sets what soft_depth.frag of a program needs and binds the picture, so that what is drawn next
/// vanishes softly behind the spheres in it; null: nothing hides anything.
void hide_behind(const ProgramHandle& program, const SampleTarget* spheres, const Lens& lens,
                 int height);

/// Draws lines with smooth edges, as wide at any distance, over a picture for the screen.
class LinesPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  explicit LinesPass(const std::filesystem::path& shaders);

  /// In their order. `spheres`: what hides lines, of the same size, or null. Lines of less than two
  /// points are skipped.
  void draw(const std::vector<Line>& lines, const Lens& lens, const SampleTarget* spheres,
            const Canvas& screen);

 private:
  ProgramHandle program_;
  BufferHandle points_;
  VertexArrayHandle no_vertices_;
};

}  // namespace mote::render
