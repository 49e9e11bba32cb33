#include "sim/initial/radial_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/check.h"

namespace mote::sim {
namespace {

/// Index of the node below `x`, never the last node.
std::size_t node_below(const std::vector<double>& values, double x) {
  const auto above = std::upper_bound(values.begin() + 1, values.end() - 1, x);
  return static_cast<std::size_t>(above - values.begin()) - 1;
}

}  // namespace

RadialTable::RadialTable(std::vector<double> radius, std::vector<double> mass_inside)
    : radius_(std::move(radius)), mass_(std::move(mass_inside)) {
  MOTE_EXPECT(radius_.size() >= 2 && radius_.size() == mass_.size());
}

RadialTable::Point RadialTable::draw(double u) const {
  const double mass = u * mass_.back();
  const std::size_t i = node_below(mass_, mass);
  const double fraction = std::clamp((mass - mass_[i]) / (mass_[i + 1] - mass_[i]), 0.0, 1.0);
  const double low = radius_[i], high = radius_[i + 1];
  const double radius =
      std::cbrt(low * low * low + fraction * (high * high * high - low * low * low));
  return {radius, i, (radius - low) / (high - low)};
}

RadialTable::Point RadialTable::at(double radius) const {
  const std::size_t i = node_below(radius_, radius);
  return {radius, i, (radius - radius_[i]) / (radius_[i + 1] - radius_[i])};
}

}  // namespace mote::sim
