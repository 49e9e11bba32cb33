#include "api/contact_lines.h"

#include <algorithm>
#include <cmath>

namespace mote::api {
namespace {

/// Number of line styles, evenly spaced from zero force to `brightest` times the mean; in granular
/// packings the distribution of forces falls off exponentially above the mean.
constexpr int kinds = 8;
constexpr double brightest = 4;
constexpr float thinnest = 0.8f, widest = 4;
constexpr glm::vec3 weak_color{0.55f, 0.20f, 0.10f}, strong_color{1.0f, 0.93f, 0.75f};

}  // namespace

std::vector<render::Polyline> contact_lines(const sim::ContactNetwork& contacts,
                                            engine::Vec3d origin) {
  std::vector<render::Polyline> lines(kinds);
  for (int kind = 0; kind < kinds; ++kind) {
    const float fraction = static_cast<float>(kind + 1) / kinds;
    render::Polyline& line = lines[static_cast<std::size_t>(kind)];
    line.color =
        glm::vec4(weak_color + fraction * (strong_color - weak_color), 0.25f + 0.75f * fraction);
    line.width = thinnest + fraction * (widest - thinnest);
    line.segments = line.in_front = true;
  }
  std::visit(
      [&](const auto& n) {
        double mean = 0;
        for (const auto force : n.normal_force)
          mean += std::fabs(double(force)) / double(contacts.size());
        for (std::size_t i = 0; i < contacts.size(); ++i) {
          const double fraction =
              mean > 0 ? std::fabs(double(n.normal_force[i])) / (brightest * mean) : 0;
          const int kind = static_cast<int>(std::min(kinds - 1.0, kinds * fraction));
          const engine::Vec3d from = engine::Vec3d{double(n.center[0][i]), double(n.center[1][i]),
                                                   double(n.center[2][i])} -
                                     origin,
                              to = from + engine::Vec3d{double(n.branch[0][i]),
                                                        double(n.branch[1][i]),
                                                        double(n.branch[2][i])};
          auto& points = lines[static_cast<std::size_t>(kind)].points;
          points.emplace_back(from.x, from.y, from.z), points.emplace_back(to.x, to.y, to.z);
        }
      },
      contacts.numbers);
  std::erase_if(lines, [](const render::Polyline& line) { return line.points.empty(); });
  return lines;
}

}  // namespace mote::api
