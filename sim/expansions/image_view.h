#pragma once

#include <cstdint>

#include "sim/expansions/periodic_images.h"

namespace mote::sim {

/// Periodic images of the bodies, for kernels. In lists, the image of a cell is in the highest bits
/// of its number; 0 is the box itself.
struct ImageView {
  const engine::Vec3d* nearest;       ///< displacements [length]
  std::uint32_t count;                ///< number of displacements; 1 in an open domain
  std::uint32_t shift;                ///< bits of a cell; 32 in an open domain
  engine::Vec3d center, half_length;  ///< the box [length]
  double unit;                        ///< unit of the kernel [length]
  const double* kernel;
  /// Coefficients of all bodies together, and the potential of the images that are not nearest.
  double *weights, *potential;

  MOTE_FORMULA bool periodic() const { return shift < 32; }
  MOTE_FORMULA std::uint32_t cell(std::uint32_t source) const {
    return periodic() ? source & ((1u << shift) - 1) : source;
  }
  /// The bits of an image.
  MOTE_FORMULA std::uint32_t bits(std::uint32_t source) const {
    return periodic() ? source & ~((1u << shift) - 1) : 0;
  }
  /// `x`, displaced by as much as the image of a source, so that the source may stay where it is.
  /// `unit`: 1 / length of the unit of positions.
  MOTE_FORMULA engine::Vec3d relative(engine::Vec3d x, std::uint32_t source, double in_unit) const {
    return periodic() ? x - in_unit * nearest[source >> shift] : x;
  }
  /// The frame of the box in units of a tree.
  MOTE_FORMULA PeriodicImages::Frame frame(double in_unit) const {
    return {in_unit * center,
            {1 / (in_unit * half_length.x), 1 / (in_unit * half_length.y),
             1 / (in_unit * half_length.z)}};
  }
};

}  // namespace mote::sim
