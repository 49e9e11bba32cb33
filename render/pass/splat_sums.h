#pragma once

#include <filesystem>
#include <glm/mat4x4.hpp>
#include <optional>
#include <span>
#include <vector>

#include "render/gl/handle.h"
#include "render/pass/points.h"
#include "render/point_buffers.h"
#include "render/scene_view.h"

namespace mote::render {

/// A picture of two floats a pixel.
struct SplatPlane {
  /// Throws engine::SystemError when the driver has no memory for it.
  SplatPlane(int width, int height);
  void bind() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.name()); }
  void clear() const;

  TextureHandle texture = make_texture(GL_TEXTURE_2D);
  FramebufferHandle framebuffer = make_framebuffer();
};

/// What a picture of one size needs.
struct SplatPlanes {
  /// `largest_block`: bytes of a buffer that shaders can see.
  SplatPlanes(int wide, int high, GLint64 largest_block);

  int width, height;
  SplatPlane sums;     ///< of the points in each pixel: weight, weight times t
  SplatPlane spare;    ///< for what is made of them
  BufferHandle units;  ///< of the compute path; none when the driver has no buffers that large
};

// Points of one draw or dispatch. With the compute path a point of the mean weight then has at
// least 2^5 units: that is how finely the colour of a lone point is divided. With the raster path a
// float's sum of equal terms is wrong by at most 2^20 * 2^-25, when all points are in one pixel.
constexpr engine::Index splat_raster_part = 1 << 20, splat_compute_part = (1 << 25) - 1024;

/// Points of every category count.
inline constexpr int all_categories = -1;

/// The first half of SplatPass: sums the points of each pixel, a part of all points after the
/// other.
class SplatSums {
 public:
  /// `compute_part`: a multiple of 1024, at most 2^25; other than usual only in tests.
  explicit SplatSums(const std::filesystem::path& shaders,
                     engine::Index compute_part = splat_compute_part);

  void resize(int width, int height);
  const SplatPlanes& planes() const { return *planes_; }

  /// The sums of all points, or of those with a category as their scalar, in planes().sums, after
  /// resize. Of `points`, as SplatPass::draw takes them, none is empty.
  void run(SplatPath path, std::span<const PointBuffers> points, const glm::mat4& clip_from_world,
           const PointStyle& style, int category = all_categories);

  /// Which categories, 0 to 255, occur as scalars, ascending. Waits for the driver: 32 bytes come
  /// back.
  std::vector<int> categories(std::span<const PointBuffers> points) const;

 private:
  void set_view(const ProgramHandle& program, const PointBuffers& points,
                const glm::mat4& clip_from_world, const PointStyle& style, int category) const;
  engine::Index part_in_a_shader() const;
  void run_raster(std::span<const PointBuffers> points) const;
  void draw_points(const PointBuffers& points, engine::Index first, engine::Index count) const;
  void run_compute(const PointBuffers& points, const PointStyle& style, engine::Index before) const;
  void set_scale(const PointBuffers& points, const PointStyle& style, engine::Index count) const;
  void add_part(bool integers, bool first) const;

  ProgramHandle raster_, deposit_, weigh_, fold_, find_;
  BufferHandle scale_, found_;
  VertexArrayHandle vertices_;
  GLint64 largest_block_ = 0;
  engine::Index compute_part_;
  std::optional<SplatPlanes> planes_;
};

}  // namespace mote::render
