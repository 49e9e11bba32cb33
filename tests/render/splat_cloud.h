#pragma once

#include <cstddef>
#include <glm/mat4x4.hpp>
#include <random>
#include <vector>

#include "render/camera.h"
#include "render/pass/splat.h"
#include "render/shader_folder.h"
#include "tests/render/cloud.h"
#include "tests/render/gl_test.h"

namespace mote::render::splat_test {

inline constexpr int width = 160, height = 90, pixels = width * height;

/// The cloud in OpenGL buffers.
struct Uploaded {
  BufferHandle positions, scalars, weights;
  PointBuffers points;

  explicit Uploaded(const Cloud& cloud) {
    const auto upload = [](BufferHandle& buffer, const std::vector<float>& values) {
      if (values.empty()) return;
      buffer = make_buffer();
      glNamedBufferStorage(buffer.name(), static_cast<GLsizeiptr>(4 * values.size()), values.data(),
                           0);
    };
    upload(positions, cloud.positions);
    upload(scalars, cloud.scalars);
    upload(weights, cloud.weights);
    points = {positions.name(), scalars.name(), weights.name(),
              static_cast<engine::Index>(cloud.count())};
  }
};

/// Orthographic view: a point at x, y, z in -1..1 is seen at this fraction of the picture.
inline const glm::mat4 flat_view{1};

/// Centre of a pixel in `flat_view`.
inline float middle_of(int pixel, int size) {
  return (static_cast<float>(pixel) + 0.5f) / static_cast<float>(size) * 2 - 1;
}

inline glm::mat4 camera_view() {
  const OrbitCamera camera;
  return camera.projection_matrix(static_cast<double>(width) / height) * camera.view_matrix();
}

/// Spread over a picture, denser in the middle, some outside; random colours.
inline Cloud cloud_of(std::size_t count, float spread = 0.7f) {
  std::mt19937 random(7);
  std::normal_distribution<float> position(0, spread);
  std::uniform_real_distribution<float> scalar(0, 1);
  Cloud cloud;
  for (std::size_t i = 0; i < count; ++i)
    cloud.add(position(random), position(random), position(random) / 2, scalar(random));
  return cloud;
}

class Splat : public GlTest, public testing::WithParamInterface<SplatPath> {
 protected:
  std::vector<float> light_of(const Cloud& cloud, const PointStyle& style,
                              const glm::mat4& view = camera_view(), const char* map = "viridis") {
    return light_by(GetParam(), cloud, style, view, map);
  }
  static std::vector<float> light_by(SplatPath path, const Cloud& cloud, const PointStyle& style,
                                     const glm::mat4& view = camera_view(),
                                     const char* map = "viridis") {
    return light_by(path, cloud, style, view, color_map_named(map));
  }
  static std::vector<float> light_by(SplatPath path, const Cloud& cloud, const PointStyle& style,
                                     const glm::mat4& view, const ColorMap& map,
                                     bool fresh = false) {
    SplatPass pass(find_shaders(), map);
    pass.use(path);
    const Target target(width, height, Target::Kind::light);
    const float before = fresh ? 7 : 0;  // the old content of a fresh picture is ignored
    target.clear({before, before, before, before});
    Uploaded uploaded(cloud);
    if (map.separate) uploaded.points.scalar_high = 255;
    pass.draw(uploaded.points, view, style, target, fresh);
    EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
    return target.read_light();
  }
};

}  // namespace mote::render::splat_test
