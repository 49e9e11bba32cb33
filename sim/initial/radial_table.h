#pragma once

#include <cstddef>
#include <vector>

namespace mote::sim {

/// A sphere tabulated as enclosed mass at increasing radii, for sampling. The density is uniform
/// within the shell between two nodes.
class RadialTable {
 public:
  /// A radius and its position between two nodes.
  struct Point {
    double radius;
    std::size_t node;  ///< the inner node, never the last
    double fraction;   ///< part of the way to the next node, in radius
  };

  /// Both increase from zero at the centre; at least two nodes.
  RadialTable(std::vector<double> radius, std::vector<double> mass_inside);

  /// The radius that encloses the fraction `u` of the mass, u in [0, 1].
  Point draw(double u) const;
  Point at(double radius) const;

  const std::vector<double>& radius() const { return radius_; }
  const std::vector<double>& mass_inside() const { return mass_; }

  /// Interpolates `values` given at the nodes, linearly.
  static double value(const std::vector<double>& values, const Point& point) {
    return values[point.node] + point.fraction * (values[point.node + 1] - values[point.node]);
  }

 private:
  std::vector<double> radius_, mass_;
};

}  // namespace mote::sim
