#pragma once

#include <filesystem>
#include <glm/mat4x4.hpp>
#include <memory>
#include <span>
#include <string>

#include "render/color_map.h"
#include "render/gl/target.h"
#include "render/pass/points.h"
#include "render/point_buffers.h"
#include "render/view_style.h"

namespace mote::render {

/// Adds very many points (200,000 to 4e9) to a picture of light, like PointsPass: red, green, blue
/// gain colour in linear light times density, alpha gains density, nothing is hidden. Differences:
/// each point counts as at the centre of its pixel, all sprites have the same size
/// (PointStyle::smallest and weight_one are ignored), at most 32 pixels in radius, and points that
/// share a pixel get the colour of their mean scalar. With a categorical map each category is drawn
/// separately in its colour; points count only when their scalar is an integer from 0 to 255.
///
/// Skips points outside the clip volume or the picture, and those whose position or weight is not
/// finite or whose weight (at least weight_floor) is not positive. Non-finite scalars get the first
/// colour.
///
/// Two paths give the same picture within round-off: `raster` adds floats by blending, `compute`
/// adds integers by atomics, exactly and reproducibly. Needs a current context, which outlives it.
class SplatPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  SplatPass(const std::filesystem::path& shaders, const ColorMap& map);
  ~SplatPass();
  SplatPass(const SplatPass&) = delete;
  SplatPass& operator=(const SplatPass&) = delete;

  void set_map(const ColorMap& map);

  /// Selects the path. `automatic`, the default: the next picture times both once and keeps the
  /// faster.
  void use(SplatPath path);
  /// The path in use: raster or compute; automatic until one is selected or timed.
  SplatPath path() const;
  /// Such as "compute (0.8 ms; raster 12 ms per million points)"; without times if nothing was
  /// timed.
  std::string report() const;

  /// Times both paths with the first million of these points and keeps the faster. `draw` calls it
  /// when needed.
  void choose(const PointBuffers& points, const glm::mat4& clip_from_world, const PointStyle& style,
              int width, int height);

  /// Adds the points to `light`, or overwrites it if `fresh`. Leaves blending and depth test off
  /// and changes the bound framebuffer, viewport, program, vertex array, texture units 0 and 1,
  /// image unit 0, and shader storage 0 to 4.
  void draw(const PointBuffers& points, const glm::mat4& clip_from_world, const PointStyle& style,
            const Target& light, bool fresh = false) {
    draw(std::span(&points, 1), clip_from_world, style, light, fresh);
  }
  /// Draws more points than fit into one buffer (4 GiB with some drivers; a position takes 12
  /// bytes): several buffers, all but the last with a multiple of 1024 points, all with or all
  /// without weights. The colour range of the first one applies to all.
  void draw(std::span<const PointBuffers> points, const glm::mat4& clip_from_world,
            const PointStyle& style, const Target& light, bool fresh = false);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render
