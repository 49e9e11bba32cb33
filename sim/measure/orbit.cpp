#include "sim/measure/orbit.h"

#include <cmath>
#include <numbers>

namespace mote::sim {

using engine::Vec3d;

std::vector<Vec3d> osculating_ellipse(Vec3d x, Vec3d v, double parameter, int points) {
  const double r = length(x);
  if (!(r > 0) || !(parameter > 0)) return {};
  const double inverse_axis = 2 / r - dot(v, v) / parameter;
  const Vec3d spin = cross(x, v);
  const Vec3d eccentric = (1 / parameter) * cross(v, spin) - (1 / r) * x;
  const double e = length(eccentric), h = length(spin);
  if (!(inverse_axis > 0) || !(e < 1) || !(h > 0)) return {};
  const double a = 1 / inverse_axis, b = a * std::sqrt(1 - e * e);
  const Vec3d along = e > 1e-12 ? (1 / e) * eccentric : (1 / r) * x;
  const Vec3d across = (1 / h) * cross(spin, along);
  std::vector<Vec3d> line;
  for (int i = 0; i < points; ++i) {
    const double anomaly = 2 * std::numbers::pi * i / points;  // eccentric
    line.push_back((a * (std::cos(anomaly) - e)) * along + (b * std::sin(anomaly)) * across);
  }
  return line;
}

}  // namespace mote::sim
