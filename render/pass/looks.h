#pragma once

#include <filesystem>
#include <vector>

#include "render/body_looks.h"
#include "render/gl/handle.h"
#include "render/pass/points.h"
#include "render/point_buffers.h"

namespace mote::render {

/// Gives points the weights, radii and colours that the looks of their kinds ask for.
class LooksPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  explicit LooksPass(const std::filesystem::path& shaders);

  /// The points with weights, radii and scalars, valid until the next call. `radius`: of those that
  /// have none of their own. Kinds without a look are drawn as they are. `kinds` has one for each
  /// point.
  PointBuffers apply(const PointBuffers& points, const PointKinds& kinds,
                     const std::vector<Look>& looks, double radius);
  /// The range of weights of the visible points of the last call, which had none of their own.
  WeightRange weights() const { return weights_range_; }
  /// The buffer of the weights.
  GLuint buffer() const { return weights_.name(); }

 private:
  ProgramHandle program_;
  BufferHandle kinds_buffer_, looks_, weights_, radii_, scalars_;
  PointKinds kinds_;
  std::vector<std::size_t> population_;  ///< points of each kind
  WeightRange weights_range_;
};

}  // namespace mote::render
