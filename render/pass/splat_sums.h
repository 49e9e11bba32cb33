#pragma once

#include <filesystem>
#include <glm/mat4x4.hpp>
#include <optional>
#include <span>
#include <vector>

#include "render/gl/handle.h"
#include "render/pass/points.h"
#include "render/point_buffers.h"
#include "render/view_style.h"

namespace mote::render {

/// A picture with two floats per pixel.
struct SplatPlane {
  /// Throws engine::SystemError when the driver is out of memory.
  SplatPlane(int width, int height);
  void bind() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.name()); }
  void clear() const;

  TextureHandle texture = make_texture(GL_TEXTURE_2D);
  FramebufferHandle framebuffer = make_framebuffer();
};

/// Buffers for a picture of one size.
struct SplatPlanes {
  /// `largest_block`: largest shader storage block [bytes].
  SplatPlanes(int wide, int high, GLint64 largest_block);

  int width, height;
  SplatPlane sums;     ///< per pixel: sum of weights, sum of weight times t
  SplatPlane scratch;  ///< scratch for the following passes
  BufferHandle units;  ///< sums of the compute path; none if the driver has no buffers that large
};

// Points per draw or dispatch. On the compute path a point of the mean weight then has at least 2^5
// units, which quantises the colour of a lone point. On the raster path a float sum of equal terms
// has a relative error of at most 2^20 * 2^-25, when all points are in one pixel.
constexpr engine::Index splat_raster_batch = 1 << 20, splat_compute_batch = (1 << 25) - 1024;

/// Points of every category are drawn.
inline constexpr int all_categories = -1;

/// The first half of SplatPass: sums the points of each pixel, batch by batch.
class SplatSums {
 public:
  /// `compute_batch`: a multiple of 1024, at most 2^25; not the default only in tests.
  explicit SplatSums(const std::filesystem::path& shaders,
                     engine::Index compute_batch = splat_compute_batch);

  void resize(int width, int height);
  const SplatPlanes& planes() const { return *planes_; }

  /// Sums all points, or those with a category as their scalar, into planes().sums, after resize.
  /// `points` as in SplatPass::draw; none is empty.
  void run(SplatPath path, std::span<const PointBuffers> points, const glm::mat4& clip_from_world,
           const PointStyle& style, int category = all_categories);

  /// The categories, 0 to 255, that occur as scalars, ascending. Waits for the driver and reads
  /// back 32 bytes.
  std::vector<int> categories(std::span<const PointBuffers> points) const;

 private:
  void set_view(const ProgramHandle& program, const PointBuffers& points,
                const glm::mat4& clip_from_world, const PointStyle& style, int category) const;
  engine::Index shader_batch() const;
  void run_raster(std::span<const PointBuffers> points) const;
  void draw_points(const PointBuffers& points, engine::Index first, engine::Index count) const;
  void run_compute(const PointBuffers& points, const PointStyle& style, engine::Index before) const;
  void set_scale(const PointBuffers& points, const PointStyle& style, engine::Index count) const;
  void add_batch(bool integers, bool first) const;

  ProgramHandle raster_, deposit_, weigh_, fold_, find_categories_;
  BufferHandle scale_, found_;
  VertexArrayHandle vertices_;
  GLint64 largest_block_ = 0;
  engine::Index compute_batch_;
  std::optional<SplatPlanes> planes_;
};

}  // namespace mote::render
