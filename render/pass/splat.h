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
#include "render/scene_view.h"

namespace mote::render {

/// Adds very many points (200,000 to 4e9) to a picture of light. Means the same as PointsPass: red,
/// green, blue gain colour in linear light times density, alpha gains density, nothing hides
/// anything. Differences: each point counts as in the middle of its pixel, sprites are all of one
/// size (PointStyle::smallest and weight_one do nothing) and at most 32 pixels in radius, and
/// points that share a pixel get the colour of their mean scalar. Where the map's entries are
/// separate, points of one scalar are drawn after those of another, each in its colour; they count
/// only when their scalar is a whole number from 0 to 255.
///
/// Skipped are points outside the clip volume or the picture, and those whose position or weight is
/// not finite or whose weight (at least weight_floor) is not positive. Scalars that are not finite
/// get the first colour.
///
/// Two paths lead to the same picture within rounding: `raster` lets the blending units add floats,
/// `compute` adds integers with atomics, exactly and so the same from run to run. Needs a current
/// context, which outlives it.
class SplatPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  SplatPass(const std::filesystem::path& shaders, const ColorMap& map);
  ~SplatPass();
  SplatPass(const SplatPass&) = delete;
  SplatPass& operator=(const SplatPass&) = delete;

  void set_map(const ColorMap& map);

  /// Which path draws. `automatic`, as at first: the next picture times both once and keeps the
  /// faster.
  void use(SplatPath path);
  /// What draws: raster or compute; automatic as long as neither was chosen or timed.
  SplatPath path() const;
  /// Such as "compute (0.8 ms; raster 12 ms per million points)"; without times when there was no
  /// timing.
  std::string report() const;

  /// Times both paths with the first million of these points and keeps the faster. `draw` does it
  /// when needed.
  void choose(const PointBuffers& points, const glm::mat4& clip_from_world, const PointStyle& style,
              int width, int height);

  /// Adds the points to `light`, or, when it is `fresh`, writes what it is to hold, whatever it
  /// held. Leaves blending and depth test off and changes what is bound: framebuffer, viewport,
  /// program, vertex array, texture units 0 and 1, image unit 0, shader storage 0 to 4.
  void draw(const PointBuffers& points, const glm::mat4& clip_from_world, const PointStyle& style,
            const Target& light, bool fresh = false) {
    draw(std::span(&points, 1), clip_from_world, style, light, fresh);
  }
  /// Of more points than one buffer can hold (4 GiB with some drivers, of which a place takes 12
  /// bytes): several buffers, all but the last with a multiple of 1024 points, all with or all
  /// without weights. The first one's range of colours holds for all.
  void draw(std::span<const PointBuffers> points, const glm::mat4& clip_from_world,
            const PointStyle& style, const Target& light, bool fresh = false);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render
