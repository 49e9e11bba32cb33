#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/math/vec.h"
#include "sim/expansions/tree.h"
#include "sim/expansions/walk.h"

namespace mote::sim {

/// The field scale of leaves, from masses of cells: a visitor of Walk.
class FieldScale {
 public:
  using Value = double;
  struct Scratch {};

  /// `farthest`: along each axis, of sources that count; `strength`: of each cell, instead of its
  /// mass; or null. `own`: 1 for cells that are targets; empty: all are.
  FieldScale(const std::vector<TreeCell>& cells, const std::vector<engine::Vec3d>& images,
             engine::Vec3d farthest, double squared_softening, const double* strength,
             const std::vector<std::uint8_t>& own, std::vector<double>& field)
      : cells_(cells),
        images_(images),
        farthest_(farthest),
        squared_softening_(squared_softening),
        strength_(strength),
        own_(own),
        field_(field) {}

  bool wants(std::uint32_t target) const { return own_.empty() || own_[target]; }
  unsigned accepted(SourceCell first, std::uint32_t target) const {
    const TreeCell& t = cells_[target];
    const engine::Vec3d at = t.center - images_[first.image];
    unsigned bits = 0;
    const std::uint32_t end = std::min(first.cell + 8, static_cast<std::uint32_t>(cells_.size()));
    for (std::uint32_t s = first.cell; s < end; ++s) {
      const engine::Vec3d r = at - cells_[s].center;
      const double sum = cells_[s].radius + t.radius;
      bits |= (sum * sum < dot(r, r) ? 1u : 0u) << (s - first.cell);
    }
    return bits;
  }

  void visit(std::uint32_t target, const double* of_parent, const WalkLists& lists, double& own,
             Scratch&) const {
    const TreeCell& t = cells_[target];
    own = of_parent ? *of_parent : 0;
    // A body at the far side is farther by up to the radius: half of it is a mean. The mass of the
    // leaf itself is left out, since it would count as if it were at its own center.
    const auto add = [&](SourceCell s) {
      const TreeCell& source = cells_[s.cell];
      const engine::Vec3d d = t.center - images_[s.image] - source.center;
      if (std::fabs(d.x) > farthest_.x || std::fabs(d.y) > farthest_.y ||
          std::fabs(d.z) > farthest_.z)
        return;
      const double r = length(d) + 0.5 * t.radius;
      const double square = r * r + squared_softening_;
      if (square > 0 && (s.cell != target || s.image != 0))
        own += (strength_ ? strength_[s.cell] : source.mass) / square;
    };
    for (const SourceCell s : lists.far) add(s);
    for (const SourceCell s : lists.near) add(s);
    if (t.is_leaf()) field_[target] = own;
  }

 private:
  const std::vector<TreeCell>& cells_;
  const std::vector<engine::Vec3d>& images_;
  engine::Vec3d farthest_;
  double squared_softening_;
  const double* strength_;
  const std::vector<std::uint8_t>& own_;
  std::vector<double>& field_;
};

}  // namespace mote::sim
