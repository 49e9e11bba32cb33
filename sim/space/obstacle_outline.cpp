#include "sim/space/obstacle_outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "sim/space/mesh_lines.h"
#include "sim/space/obstacle_axes.h"
#include "sim/space/placed_mesh.h"

namespace mote::sim {
namespace {

using engine::Vec3d;

constexpr int round_points = 64, generators = 8, grid_lines = 17;
constexpr double inside_slack = 1e-4;  // within which lines count as inside, in radii of the region

/// A circle or arc about `center`, in the plane of two perpendicular radius vectors.
Outline arc(Vec3d center, Vec3d right, Vec3d up, double from = 0,
            double to = 2 * std::numbers::pi) {
  const bool closed = to - from > 6.28;
  const int steps = closed ? round_points : round_points / 2;
  Outline line{{}, closed};
  for (int k = 0; k < steps + (closed ? 0 : 1); ++k) {
    const double angle = from + (to - from) * k / steps;
    line.points.push_back(center + std::cos(angle) * right + std::sin(angle) * up);
  }
  return line;
}

Outline ring(double radius, double z) {
  return arc({0, 0, z}, {radius, 0, 0}, {0, radius, 0});
}

std::vector<Outline> box_lines(Vec3d half) {
  std::vector<Outline> lines;
  for (const double s : {-1.0, 1.0})
    for (const double t : {-1.0, 1.0}) {
      lines.push_back({{{-half.x, s * half.y, t * half.z}, {half.x, s * half.y, t * half.z}}});
      lines.push_back({{{s * half.x, -half.y, t * half.z}, {s * half.x, half.y, t * half.z}}});
      lines.push_back({{{s * half.x, t * half.y, -half.z}, {s * half.x, t * half.y, half.z}}});
    }
  return lines;
}

std::vector<Outline> sphere_lines(double r) {
  std::vector<Outline> lines;
  const double c = std::cos(std::numbers::pi / 4) * r;
  for (const double z : {-c, 0.0, c}) lines.push_back(ring(std::sqrt(r * r - z * z), z));
  for (const Vec3d radius : {Vec3d{r, 0, 0}, Vec3d{c, c, 0}, Vec3d{0, r, 0}, Vec3d{-c, c, 0}})
    lines.push_back(arc({0, 0, 0}, radius, {0, 0, r}));
  return lines;
}

std::vector<Outline> cylinder_lines(double r, double low, double high) {
  std::vector<Outline> lines{ring(r, low), ring(r, high)};
  for (int k = 0; k < generators; ++k) {
    const double angle = 2 * std::numbers::pi * k / generators;
    const double x = r * std::cos(angle), y = r * std::sin(angle);
    lines.push_back({{{x, y, low}, {x, y, high}}});
  }
  return lines;
}

std::vector<Outline> capsule_lines(double r, double half) {
  std::vector<Outline> lines = cylinder_lines(r, -half, half);
  for (const Vec3d radius : {Vec3d{r, 0, 0}, Vec3d{0, r, 0}})
    for (const double end : {-1.0, 1.0})
      lines.push_back(arc({0, 0, end * half}, radius, {0, 0, end * r}, 0, std::numbers::pi));
  return lines;
}

/// The parts of lines that lie in a half-space, or within `slack` of it.
std::vector<Outline> clipped(const std::vector<Outline>& lines, const HalfSpace& space,
                             double slack) {
  std::vector<Outline> all;
  for (const Outline& line : lines) {
    const std::size_t count = line.points.size();
    const auto height = [&](std::size_t k) { return space.height(line.points[k % count]) + slack; };
    std::size_t inside = 0;
    for (std::size_t k = 0; k < count; ++k) inside += height(k) >= 0;
    if (inside == count) all.push_back(line);
    if (inside == count || inside == 0) continue;
    // Start a closed line where it enters, so that no part is split.
    std::size_t first = 0;
    while (line.closed && !(height(first) < 0 && height(first + 1) >= 0)) ++first;
    Outline part;
    for (std::size_t k = first; k < first + count; ++k) {
      const Vec3d here = line.points[k % count];
      if (height(k) >= 0) part.points.push_back(here);
      if (!line.closed && k + 1 == count) break;
      if ((height(k) >= 0) == (height(k + 1) >= 0)) continue;
      part.points.push_back(here + (height(k) / (height(k) - height(k + 1))) *
                                       (line.points[(k + 1) % count] - here));
      if (height(k) >= 0) all.push_back(std::exchange(part, {}));
    }
    if (part.points.size() > 1) all.push_back(std::move(part));
  }
  return all;
}

/// The largest number of the form 1, 2 or 5 times a power of ten that is at most `most`.
double round_below(double most) {
  const double ten = std::pow(10.0, std::floor(std::log10(most)));
  return most >= 5 * ten ? 5 * ten : most >= 2 * ten ? 2 * ten : ten;
}

/// A grid in the plane z = 0 of a frame, centred near the centre of the region.
struct Grid {
  double step, x, y, half;
  Grid(const ObstacleFrame<double>& frame, const OutlineRegion& region)
      : step(round_below(4 * region.radius / (grid_lines - 1))),
        x(step * std::round(dot(region.center - frame.origin, frame.ex) / step)),
        y(step * std::round(dot(region.center - frame.origin, frame.ey) / step)),
        half(step * ((grid_lines - 1) / 2)) {}
};

/// The square that it covers.
Outline grid_square(const ObstacleFrame<double>& frame, const OutlineRegion& region) {
  const auto [step, x, y, half] = Grid(frame, region);
  return {{{x - half, y - half, 0},
           {x + half, y - half, 0},
           {x + half, y + half, 0},
           {x - half, y + half, 0}},
          true};
}

std::vector<Outline> grid(const ObstacleFrame<double>& frame, const OutlineRegion& region) {
  const auto [step, x, y, half] = Grid(frame, region);
  std::vector<Outline> lines;
  for (int k = 0; k < grid_lines; ++k) {
    const double off = step * k - half;
    lines.push_back({{{x + off, y - half, 0}, {x + off, y + half, 0}}});
    lines.push_back({{{x - half, y + off, 0}, {x + half, y + off, 0}}});
  }
  return lines;
}

/// An unbounded cylinder also has rings in between: its ends may be clipped.
std::vector<Outline> endless_lines(double r, double low, double high) {
  std::vector<Outline> lines = cylinder_lines(r, low, high);
  const double step = round_below(0.5 * (high - low));
  for (double z = step * std::ceil(low / step); z < high && step > 0; z += step)
    lines.push_back(ring(r, z));
  return lines;
}

/// Visible range of the axis of an unbounded cylinder: within the region, and where bodies can be.
std::pair<double, double> shown_part(const ObstacleFrame<double>& frame,
                                     const OutlineRegion& region) {
  const double middle = dot(region.center - frame.origin, frame.ez);
  double low = middle - 0.5 * region.radius, high = middle + 0.5 * region.radius;
  const std::array<std::array<double, 4>, 3> axes{
      {{frame.origin.x, frame.ez.x, region.low.x, region.high.x},
       {frame.origin.y, frame.ez.y, region.low.y, region.high.y},
       {frame.origin.z, frame.ez.z, region.low.z, region.high.z}}};
  for (const auto& [at, cosine, from, to] : axes) {
    if (std::fabs(cosine) < 1e-6) continue;
    low = std::max(low, std::min((from - at) / cosine, (to - at) / cosine));
    high = std::min(high, std::max((from - at) / cosine, (to - at) / cosine));
  }
  return {low, std::max(low, high)};
}

std::vector<Outline> placed(const std::vector<Outline>& lines, const ObstacleFrame<double>& f) {
  std::vector<Outline> all = lines;
  for (Outline& line : all)
    for (Vec3d& p : line.points) p = f.origin + p.x * f.ex + p.y * f.ey + p.z * f.ez;
  return all;
}

/// A half-space of the scene in a local frame.
HalfSpace local(const HalfSpace& space, const ObstacleFrame<double>& f) {
  const Vec3d from = space.point - f.origin, n = space.normal;
  return {{dot(from, f.ex), dot(from, f.ey), dot(from, f.ez)},
          {dot(n, f.ex), dot(n, f.ey), dot(n, f.ez)}};
}

}  // namespace

struct ObstacleOutlines::Builder {
  std::vector<Part>& parts;
  const SolidMotions& solids;

  void add(const ObstacleCommon& common, Vec3d center, const ObstacleAxes& axes,
           std::vector<Outline> lines, TriangleMesh surface,
           std::optional<Vec3d> origin = {}) const {
    parts.push_back({Kind::given, solids.motion_of(common, center, origin.value_or(center), axes),
                     0, std::move(lines),
                     std::make_shared<const TriangleMesh>(std::move(surface))});
  }
  void add_unbounded(const ObstacleCommon& common, Vec3d center, const ObstacleAxes& axes,
                     Kind kind, double radius = 0) const {
    parts.push_back({kind, solids.motion_of(common, center, center, axes), radius});
  }
  void operator()(const PlaneObstacle& o) const {
    add_unbounded(o, o.point, axes_along(o.normal), Kind::plane);
  }
  void operator()(const BoxObstacle& o) const {
    add(o, o.center, axes_turned(o.rotation), box_lines(0.5 * o.size), box_surface(0.5 * o.size));
  }
  void operator()(const SphereObstacle& o) const {
    add(o, o.center, {}, sphere_lines(o.radius), sphere_surface(o.radius));
  }
  void operator()(const CylinderObstacle& o) const {
    const ObstacleAxes axes = axes_along(o.axis);
    if (!o.length) return add_unbounded(o, o.center, axes, Kind::endless_cylinder, o.radius);
    const double half = 0.5 * *o.length;
    add(o, o.center, axes, cylinder_lines(o.radius, -half, half),
        cylinder_surface(o.radius, -half, half, true));
  }
  void operator()(const CapsuleObstacle& o) const {
    const Vec3d axis = o.to - o.from;
    const double length = engine::length(axis);
    add(o, 0.5 * (o.from + o.to), length > 0 ? axes_along(axis) : ObstacleAxes{},
        capsule_lines(o.radius, 0.5 * length), capsule_surface(o.radius, 0.5 * length));
  }
  void operator()(const MeshObstacle& o) const {
    PlacedMesh mesh = placed_mesh(o);
    std::vector<Outline> lines = lines_of(mesh.surface);
    add(o, o.center, mesh.axes, std::move(lines), std::move(mesh.surface), mesh.origin);
  }
};

ObstacleOutlines::ObstacleOutlines(const std::vector<ObstacleDescription>& described,
                                   const std::vector<Axle>& axles) {
  const SolidMotions solids(described, axles);
  const Builder builder{parts_, solids};
  for (const ObstacleDescription& obstacle : described) std::visit(builder, obstacle);
}

std::vector<ObstacleFrame<double>> ObstacleOutlines::frames(double time,
                                                            const SolidState* solids) const {
  std::vector<ObstacleFrame<double>> all;
  for (const Part& part : parts_) all.push_back(frame_at<double>(part.motion, time, solids));
  return all;
}

/// Where bodies can be, and in front of each plane.
std::vector<HalfSpace> ObstacleOutlines::spaces(const std::vector<ObstacleFrame<double>>& frames,
                                                const OutlineRegion& region) const {
  std::vector<HalfSpace> spaces;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3d normal{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
    const double low = axis == 0 ? region.low.x : axis == 1 ? region.low.y : region.low.z;
    const double high = axis == 0 ? region.high.x : axis == 1 ? region.high.y : region.high.z;
    if (std::isfinite(low)) spaces.push_back({low * normal, normal});
    if (std::isfinite(high)) spaces.push_back({high * normal, -1.0 * normal});
  }
  for (std::size_t k = 0; k < parts_.size(); ++k)
    if (parts_[k].kind == Kind::plane) spaces.push_back({frames[k].origin, frames[k].ez});
  return spaces;
}

std::vector<Outline> ObstacleOutlines::at(double time, const SolidState* solids,
                                          const OutlineRegion& region) const {
  const std::vector<ObstacleFrame<double>> placed_at = frames(time, solids);
  const std::vector<HalfSpace> within = spaces(placed_at, region);
  std::vector<Outline> all;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    std::vector<Outline> lines = part.lines;
    if (part.kind == Kind::plane) lines = grid(placed_at[k], region);
    if (part.kind == Kind::endless_cylinder) {
      const auto [low, high] = shown_part(placed_at[k], region);
      lines = endless_lines(part.radius, low, high);
    }
    lines = placed(lines, placed_at[k]);
    if (part.kind != Kind::given)
      for (const HalfSpace& space : within)
        lines = clipped(lines, space, inside_slack * region.radius);
    all.insert(all.end(), lines.begin(), lines.end());
  }
  return all;
}

std::vector<PlacedObstacle> ObstacleOutlines::surfaces(double time, const SolidState* solids,
                                                       const OutlineRegion& region) const {
  const std::vector<ObstacleFrame<double>> placed_at = frames(time, solids);
  const std::vector<HalfSpace> within = spaces(placed_at, region);
  std::vector<PlacedObstacle> all;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    const ObstacleFrame<double>& frame = placed_at[k];
    PlacedObstacle shown{part.surface, frame, part.kind == Kind::plane};
    if (part.kind != Kind::given) {
      TriangleMesh surface = polygon_surface(grid_square(frame, region).points);
      if (part.kind == Kind::endless_cylinder) {
        const auto [low, high] = shown_part(frame, region);
        surface = cylinder_surface(part.radius, low, high, false);
      }
      for (const HalfSpace& space : within)
        surface = clipped(surface, local(space, frame), inside_slack * region.radius);
      shown.surface = std::make_shared<const TriangleMesh>(std::move(surface));
    }
    all.push_back(std::move(shown));
  }
  return all;
}

}  // namespace mote::sim
