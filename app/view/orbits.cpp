#include "app/view/orbits.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mote::app {

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

std::vector<render::Polyline> orbits(const std::vector<sim::BodyNumbers>& bodies, double gravitational,
                                     Vec3d origin) {
  double mass = 0;
  const sim::BodyNumbers* center = nullptr;
  for (const sim::BodyNumbers& body : bodies) {
    mass += body.mass;
    if (!center || body.mass > center->mass) center = &body;
  }
  std::vector<render::Polyline> lines;
  if (!center || center->mass <= 0.5 * mass) return lines;
  for (const sim::BodyNumbers& body : bodies) {
    if (&body == center) continue;
    const double parameter = gravitational * (center->mass + body.mass);
    render::Polyline line;
    for (const Vec3d& p : osculating_ellipse(body.position - center->position,
                                             body.velocity - center->velocity, parameter, 256)) {
      const Vec3d at = center->position + p - origin;
      line.points.emplace_back(static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z));
    }
    line.closed = true;
    line.color = {0.55f, 0.66f, 0.82f, 0.45f};
    if (!line.points.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace mote::app
