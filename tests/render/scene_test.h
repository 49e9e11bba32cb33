#pragma once

#include <cmath>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <random>
#include <string>
#include <vector>

#include "render/camera.h"
#include "render/frame_buffers.h"
#include "render/gl/target.h"
#include "render/scene_view.h"
#include "tests/render/cloud.h"
#include "tests/render/gl_test.h"

namespace mote::render {

/// A ball of points, denser inwards, coloured by the distance from its centre.
inline Cloud ball_of(int count) {
  Cloud ball;
  std::mt19937 bits(7);
  const auto uniform = [&] { return static_cast<float>(bits()) / 4294967296.0f; };
  while (static_cast<int>(ball.scalars.size()) < count) {
    const float x = 2 * uniform() - 1, y = 2 * uniform() - 1, z = 2 * uniform() - 1;
    const float r = std::sqrt(x * x + y * y + z * z);
    if (r > 1) continue;
    ball.positions.insert(ball.positions.end(), {x * r, y * r, z * r});
    ball.scalars.push_back(r);
  }
  return ball;
}

/// Pixels of a point, from the lower left corner; w > 0.
inline glm::dvec2 pixels_of(const Viewpoint& from, const glm::dvec3& point, int width, int height) {
  const glm::dvec4 clip =
      glm::dmat4(from.projection) * glm::dmat4(from.view) * glm::dvec4(point, 1);
  return {(clip.x / clip.w * 0.5 + 0.5) * width, (clip.y / clip.w * 0.5 + 0.5) * height};
}

/// The direction of sight through a pixel (from the lower left), in the camera's axes, with z = -1.
inline glm::dvec3 sight_of(const Viewpoint& from, double x, double y, int width, int height) {
  return {(2 * x / width - 1) / from.projection[0][0], (2 * y / height - 1) / from.projection[1][1],
          -1};
}

/// A test that draws and fails when the driver reports an error.
class SceneTest : public GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (IsSkipped()) return;
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(&SceneTest::note, this);
  }
  void TearDown() override {
    if (IsSkipped()) return;
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    EXPECT_EQ(errors_, "");
  }

 private:
  static void GLAPIENTRY note(GLenum, GLenum type, GLuint, GLenum, GLsizei, const GLchar* text,
                              const void* test) {
    if (type == GL_DEBUG_TYPE_ERROR)
      const_cast<SceneTest*>(static_cast<const SceneTest*>(test))->errors_ +=
          std::string(text) + "\n";
  }

  std::string errors_;
};

/// Sum of a picture's bytes.
inline double sum_of(const std::vector<std::uint8_t>& bytes) {
  double sum = 0;
  for (const std::uint8_t value : bytes) sum += value;
  return sum;
}

}  // namespace mote::render
