#include "api/drawn_obstacles.h"

#include <limits>

namespace mote::api {
namespace {

const glm::vec4 edge_color{0.62f, 0.69f, 0.80f, 0.42f};
const glm::vec4 solid_color{0.62f, 0.69f, 0.80f, 0.10f}, plane_color{0.62f, 0.69f, 0.80f, 0.13f};
constexpr float rim = 0.4f;
/// Extent of unbounded obstacles, as a fraction of the camera distance or of the radius of the
/// bodies.
constexpr double camera_extent = 0.7, bodies_extent = 2;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::shared_ptr<const render::SurfaceMesh> mesh_of(const sim::TriangleMesh& surface) {
  std::vector<glm::dvec3> vertices;
  std::vector<glm::uvec3> triangles;
  for (const engine::Vec3d& v : surface.vertices) vertices.emplace_back(v.x, v.y, v.z);
  for (const auto& t : surface.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  return std::make_shared<const render::SurfaceMesh>(render::with_normals(vertices, triangles));
}

}  // namespace

DrawnObstacles::DrawnObstacles(const sim::SceneDescription& scene)
    : outlines_(scene.obstacles, sim::axles_of(scene)),
      solids_(sim::solid_names(scene.obstacles).size()),
      camera_(scene.camera) {
  const sim::Domain domain = scene.domain ? sim::domain_of(*scene.domain) : sim::Domain{};
  const auto bounded = [&](int axis) { return domain.periodic[axis] || domain.walled[axis]; };
  low_ = {bounded(0) ? domain.low.x : -infinity, bounded(1) ? domain.low.y : -infinity,
          bounded(2) ? domain.low.z : -infinity};
  high_ = {bounded(0) ? domain.low.x + domain.length.x : infinity,
           bounded(1) ? domain.low.y + domain.length.y : infinity,
           bounded(2) ? domain.low.z + domain.length.z : infinity};
}

sim::OutlineRegion DrawnObstacles::region(const sim::Extent& bodies) const {
  return {camera_.target.value_or(bodies.center),
          camera_.distance ? camera_extent * *camera_.distance : bodies_extent * bodies.radius,
          low_, high_};
}

std::vector<sim::SolidState> DrawnObstacles::all_solids(
    const std::vector<sim::SolidState>& known) const {
  return known.size() == solids_ ? known : std::vector<sim::SolidState>(solids_);
}

std::vector<render::Polyline> DrawnObstacles::lines(double time,
                                                    const std::vector<sim::SolidState>& solids,
                                                    const sim::Extent& bodies,
                                                    engine::Vec3d origin) const {
  std::vector<render::Polyline> lines;
  if (outlines_.empty()) return lines;
  const std::vector<sim::SolidState> all = all_solids(solids);
  for (const sim::Outline& outline : outlines_.at(time, all.data(), region(bodies))) {
    render::Polyline line{{}, edge_color, outline.closed};
    for (const engine::Vec3d& p : outline.points) {
      const engine::Vec3d offset = p - origin;
      line.points.emplace_back(offset.x, offset.y, offset.z);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<render::PlacedSurface> DrawnObstacles::surfaces(
    double time, const std::vector<sim::SolidState>& solids, const sim::Extent& bodies,
    engine::Vec3d origin) const {
  std::vector<render::PlacedSurface> surfaces;
  if (outlines_.empty()) return surfaces;
  decltype(meshes_) used;
  const std::vector<sim::SolidState> all = all_solids(solids);
  for (const sim::PlacedObstacle& obstacle : outlines_.surfaces(time, all.data(), region(bodies))) {
    std::shared_ptr<const render::SurfaceMesh>& mesh = used[obstacle.surface];
    if (const auto known = meshes_.find(obstacle.surface); known != meshes_.end())
      mesh = known->second;
    if (!mesh) mesh = mesh_of(*obstacle.surface);
    const sim::ObstacleFrame<double>& f = obstacle.frame;
    const engine::Vec3d at = f.origin - origin;
    const auto column = [](engine::Vec3d v, double w) { return glm::dvec4(v.x, v.y, v.z, w); };
    surfaces.push_back({mesh,
                        glm::mat4(column(f.ex, 0), column(f.ey, 0), column(f.ez, 0), column(at, 1)),
                        obstacle.flat ? plane_color : solid_color, obstacle.flat ? 0 : rim});
  }
  meshes_ = std::move(used);
  return surfaces;
}

}  // namespace mote::api
