#pragma once

#include <cstddef>
#include <vector>

namespace mote::sim {

/// A sphere given by the mass inside some radii, for drawing: within the shell between two of them
/// the density is uniform.
class RadialTable {
 public:
  /// A radius, and the nodes it lies between.
  struct Place {
    double radius;
    std::size_t node;  ///< the one inside, never the last
    double fraction;   ///< of the way to the next, by radius
  };

  /// Both grow, from zero at the centre; at least two nodes.
  RadialTable(std::vector<double> radius, std::vector<double> mass_inside);

  /// The radius inside which the fraction `u` of the mass lies, u in [0, 1].
  Place draw(double u) const;
  Place at(double radius) const;

  const std::vector<double>& radius() const { return radius_; }
  const std::vector<double>& mass_inside() const { return mass_; }

  /// A column of values at the nodes, interpolated linearly.
  static double value(const std::vector<double>& column, const Place& place) {
    return column[place.node] + place.fraction * (column[place.node + 1] - column[place.node]);
  }

 private:
  std::vector<double> radius_, mass_;
};

}  // namespace mote::sim
