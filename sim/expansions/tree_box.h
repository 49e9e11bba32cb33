#pragma once

#include <cmath>
#include <cstdint>

#include "engine/math/vec.h"
#include "engine/platform.h"
#include "sim/expansions/hilbert.h"
#include "sim/state.h"

namespace mote::sim {

/// The least power of two that is not below `value` > 0, or twice that.
MOTE_FORMULA double power_of_two_above(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, exponent);
}

/// The cube of a tree's root. Its side, the unit of length of the tree, is a power of two.
struct TreeBox {
  engine::Vec3d origin;  ///< its corner, in units of the side
  double side = 1;

  /// That of bodies between two corners. The corner is on a lattice of a sixteenth, so that the box
  /// stays where it is for many steps: the extent and one of these fit.
  MOTE_FORMULA static TreeBox around(engine::Vec3d low, engine::Vec3d high) {
    const engine::Vec3d extent = high - low;
    const double larger = extent.x > extent.y ? extent.x : extent.y;
    const double largest = larger > extent.z ? larger : extent.z;
    TreeBox box{};
    box.side = largest > 0 ? power_of_two_above(largest * (17.0 / 15)) : 1;
    const double lattice = box.side / 16, unit = 1 / box.side;
    box.origin = unit * engine::Vec3d{std::floor(low.x / lattice) * lattice,
                                      std::floor(low.y / lattice) * lattice,
                                      std::floor(low.z / lattice) * lattice};
    return box;
  }
};

/// Position of a body in units of the side: exact, since no origin is subtracted. `unit`: 1 / side.
template <class Real>
MOTE_FORMULA engine::Vec3d place_of(const StateView<const Real>& s, std::uint32_t slot,
                                    double unit) {
  return {s.x[slot] * unit, s.y[slot] * unit, s.z[slot] * unit};
}

/// Where bodies are few compared to their surroundings, as in the halo of a cluster, a leaf as
/// large as its number of bodies allows reaches into the dense parts, and would be summed directly
/// with most of them. Leaves of sparse cells have this many bodies at most.
MOTE_FORMULA constexpr int leaf_of_sparse(int leaf) {
  return leaf >= 16 ? leaf / 16 : 1;
}

/// A cell of at most `leaf` bodies whose parent has more is sparse, as are then all cells in it, if
/// the cell some `levels` above it has more bodies than this: several times as many as leaves would
/// have in its volume at this density. A function of counts alone.
MOTE_FORMULA double least_around_sparse(std::uint32_t count, int levels, int leaf) {
  const double full = leaf;
  return 4 * full * full * std::ldexp(1.0, 3 * levels) / count;
}

/// Steps of 2^-(21 (stage + 1)) along an axis, of which the lowest 21 bits are the cell's own.
MOTE_FORMULA std::uint32_t steps_of(double at, int stage) {
  const auto all = static_cast<std::uint64_t>(std::ldexp(at, hilbert::levels * (stage + 1)));
  return static_cast<std::uint32_t>(all & ((1u << hilbert::levels) - 1));
}

/// The largest distance from `center` within a cube of this level. `body`: a position in it.
MOTE_FORMULA double distance_of_corner(engine::Vec3d center, int level, engine::Vec3d body,
                                       engine::Vec3d origin) {
  const double side = std::ldexp(1.0, -level);
  constexpr double rounding = 0x1p-50;  // error of differences from the origin
  double square = 0;
  const double centers[3] = {center.x, center.y, center.z}, bodies[3] = {body.x, body.y, body.z},
               origins[3] = {origin.x, origin.y, origin.z};
  for (int axis = 0; axis < 3; ++axis) {
    const double low = std::floor((bodies[axis] - origins[axis]) / side) * side;
    const double from_low = centers[axis] - origins[axis] - low, from_high = side - from_low;
    const double d = (from_low > from_high ? from_low : from_high) + rounding;
    square += d * d;
  }
  return std::sqrt(square);
}

}  // namespace mote::sim
