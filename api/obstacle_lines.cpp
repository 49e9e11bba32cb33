#include "api/obstacle_lines.h"

#include <limits>

namespace mote::api {
namespace {

const glm::vec4 obstacle_color{0.62f, 0.69f, 0.80f, 0.42f};
/// Extent of unbounded obstacles, as a fraction of the camera distance or of the radius of the
/// bodies.
constexpr double camera_extent = 0.7, bodies_extent = 2;
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

ObstacleLines::ObstacleLines(const sim::SceneDescription& scene)
    : outlines_(scene.obstacles), camera_(scene.camera) {
  const sim::Domain domain = scene.domain ? sim::domain_of(*scene.domain) : sim::Domain{};
  const auto bounded = [&](int axis) { return domain.periodic[axis] || domain.walled[axis]; };
  low_ = {bounded(0) ? domain.low.x : -infinity, bounded(1) ? domain.low.y : -infinity,
          bounded(2) ? domain.low.z : -infinity};
  high_ = {bounded(0) ? domain.low.x + domain.length.x : infinity,
           bounded(1) ? domain.low.y + domain.length.y : infinity,
           bounded(2) ? domain.low.z + domain.length.z : infinity};
}

std::vector<render::Polyline> ObstacleLines::at(double time, const sim::Extent& bodies,
                                                engine::Vec3d origin) const {
  std::vector<render::Polyline> lines;
  if (outlines_.empty()) return lines;
  const sim::OutlineRegion region{
      camera_.target.value_or(bodies.center),
      camera_.distance ? camera_extent * *camera_.distance : bodies_extent * bodies.radius, low_,
      high_};
  for (const sim::Outline& outline : outlines_.at(time, region)) {
    render::Polyline line{{}, obstacle_color, outline.closed};
    for (const engine::Vec3d& p : outline.points) {
      const engine::Vec3d offset = p - origin;
      line.points.emplace_back(offset.x, offset.y, offset.z);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace mote::api
