#include "app/view/orbits.h"

#include "sim/measure/orbit.h"

namespace mote::app {

using engine::Vec3d;

std::vector<render::Polyline> orbits(const std::vector<sim::BodyState>& bodies,
                                     double gravitational, Vec3d origin) {
  double mass = 0;
  const sim::BodyState* center = nullptr;
  for (const sim::BodyState& body : bodies) {
    mass += body.mass;
    if (!center || body.mass > center->mass) center = &body;
  }
  std::vector<render::Polyline> lines;
  if (!center || center->mass <= 0.5 * mass) return lines;
  for (const sim::BodyState& body : bodies) {
    if (&body == center) continue;
    const double parameter = gravitational * (center->mass + body.mass);
    render::Polyline line;
    for (const Vec3d& p : sim::osculating_ellipse(
             body.position - center->position, body.velocity - center->velocity, parameter, 256)) {
      const Vec3d at = center->position + p - origin;
      line.points.emplace_back(static_cast<float>(at.x), static_cast<float>(at.y),
                               static_cast<float>(at.z));
    }
    line.closed = true;
    line.color = {0.55f, 0.66f, 0.82f, 0.45f};
    if (!line.points.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace mote::app
