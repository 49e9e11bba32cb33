#pragma once

#include <filesystem>
#include <glm/mat4x4.hpp>
#include <span>

#include "render/color_map.h"
#include "render/frame.h"
#include "render/gl/handle.h"
#include "render/gl/target.h"
#include "render/point_buffers.h"

namespace mote::render {

/// How points are drawn as light. The light of a point is its density summed over all pixels.
struct PointStyle {
  float radius = 4;  ///< sprite radius [pixels], at least 1; half the light falls within 0.33 of it
  float light = 1;   ///< light of a point of weight 1
  /// at the centre of a typical point; for the exposure, not for drawing
  float peak_density = 1;
  float weight_floor = 0;  ///< lower weights count as this
  float weight_one = 1;    ///< points of at least this weight have the full radius
  float smallest = 1;      ///< part of it at weight 0; between the two it grows with weight^(1/5)
};

/// Statistics of the weights for a style; both > 0.
struct WeightRange {
  double mean = 1, largest = 1;
};

/// Weights that are not finite or not positive count as 0. All 1 when there are none.
WeightRange measure_weights(std::span<const float> weights);

/// A style in which the same bodies look alike whatever their number and the size of the picture:
/// the light of all points has a mean density of 1, and points are larger the fewer there are. Up
/// to 50 points are clearly visible dots whatever their weight. `point_size`: the diameter in
/// pixels, or 0 to choose it.
PointStyle automatic_style(engine::Index count, const WeightRange& weights, int width, int height,
                           double point_size = 0);
PointStyle automatic_style(const Frame& frame, int width, int height, double point_size = 0);

/// Adds points to a picture of light: red, green, blue gain the point's colour in linear light
/// times its density, alpha gains the density. Nothing is hidden. Points are added in order, so
/// that pictures are reproducible. Points with a non-finite position or weight are skipped;
/// non-finite scalars get the first colour.
class PointsPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  PointsPass(const std::filesystem::path& shaders, const ColorMap& map);

  void set_map(const ColorMap& map);

  /// At most 2^31 - 1 points.
  void draw(const PointBuffers& points, const glm::mat4& clip_from_world, const PointStyle& style,
            const Target& target);

 private:
  ProgramHandle program_;
  TextureHandle map_;
  VertexArrayHandle vertices_;
  float largest_radius_ = 0;
};

}  // namespace mote::render
