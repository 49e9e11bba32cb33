#include "sim/initial/soft_bodies.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "engine/text.h"
#include "sim/initial/common_params.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Vec3d;
using MeshIndex = std::uint32_t;

Bodies bodies_at_rest(std::size_t n) {
  Bodies bodies;
  bodies.mass.resize(n);
  bodies.position.resize(n);
  bodies.velocity.resize(n);
  return bodies;
}

/// Scales the masses to the total `mass`.
void scale_total_mass(Bodies& bodies, double mass) {
  double sum = 0;
  for (const double m : bodies.mass) sum += m;
  for (double& m : bodies.mass) m *= mass / sum;
}

bool has(const std::vector<std::string>& list, const char* word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

template <class Owner>
engine::Param<Owner> compliance_param(double Owner::*member, std::string name, std::string help) {
  return engine::param(
      member,
      {.name = std::move(name), .help = std::move(help), .unit = "compliance", .minimum = 0});
}

template <class Owner>
engine::Param<Owner> compressibility_param() {
  return engine::param(
      &Owner::compressibility,
      {.name = "compressibility",
       .help = "inverse bulk modulus of each tetrahedron: relative volume change per pressure; "
               "0 is incompressible",
       .unit = "compressibility",
       .minimum = 0});
}

/// Angle between consecutive links of an arc whose ends are `span` links apart, by bisection. The
/// links are chords of a circle: sin(links turn / 2) / sin(turn / 2) = span, decreasing in turn.
double arc_link_angle(double links, double span) {
  double low = 0, high = 2 * std::numbers::pi / links;
  for (int i = 0; i < 60; ++i) {
    const double turn = 0.5 * (low + high);
    (std::sin(0.5 * links * turn) / std::sin(0.5 * turn) > span ? low : high) = turn;
  }
  return low;
}

/// A regular grid of bodies, x fastest.
struct BodyGrid {
  std::size_t nx, ny, nz;
  MeshIndex at(std::size_t i, std::size_t j, std::size_t k) const {
    return static_cast<MeshIndex>((k * ny + j) * nx + i);
  }
};

/// Five tetrahedra per cell: one in the middle and one at each of four corners. Neighbouring cells
/// are mirror images, so that diagonals of shared faces match.
constexpr int tetrahedra[2][5][4] = {
    {{0, 1, 2, 4}, {3, 1, 2, 7}, {5, 1, 4, 7}, {6, 2, 4, 7}, {1, 2, 4, 7}},
    {{1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}, {0, 3, 5, 6}}};

/// Adds the links and volumes of all cells, and masses proportional to the volumes.
void add_tetrahedra(Bodies& bodies, const BodyGrid& grid, double compliance,
                    double compressibility) {
  SoftMesh& mesh = bodies.soft;
  const std::vector<Vec3d>& x = bodies.position;
  std::vector<std::pair<MeshIndex, MeshIndex>> links;
  for (std::size_t k = 0; k + 1 < grid.nz; ++k)
    for (std::size_t j = 0; j + 1 < grid.ny; ++j)
      for (std::size_t i = 0; i + 1 < grid.nx; ++i)
        for (const auto& corners : tetrahedra[(i + j + k) % 2]) {
          MeshIndex n[4];
          for (std::size_t c = 0; c < 4; ++c) {
            const auto bits = static_cast<std::size_t>(corners[c]);
            n[c] = grid.at(i + (bits & 1u), j + (bits >> 1 & 1u), k + (bits >> 2));
          }
          mesh.add_volume(x, n[0], n[1], n[2], n[3], compressibility);
          for (const MeshIndex c : n) bodies.mass[c] += mesh.constraints.back().rest;
          for (int a = 0; a < 4; ++a)
            for (int b = a + 1; b < 4; ++b)
              links.emplace_back(std::min(n[a], n[b]), std::max(n[a], n[b]));
        }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  for (const auto& [a, b] : links) mesh.add_distance(x, a, b, compliance);
}

}  // namespace

const engine::ParamTable<Rope>& rope_table() {
  static const engine::ParamTable<Rope> table{
      "rope",
      "a chain of bodies along the x axis about the origin, for scenes with a table `soft`",
      {engine::param(
           &Rope::n,
           {.name = "n", .help = "number of bodies", .minimum = 2, .maximum = max_bodies}),
       mass_param<Rope>(), length_param(&Rope::length, "length", "length along the rope"),
       length_param(
           &Rope::span, "span",
           "distance between the ends, less than the length: the rope then starts as an arc "
           "towards -z"),
       compliance_param(&Rope::compliance, "compliance",
                        "elongation of each link per tension; 0 is inextensible")},
      {engine::list_param(&Rope::pinned, {.name = "pinned",
                                          .help = "ends that keep their velocity: start (at -x), "
                                                  "end",
                                          .choices = {"start", "end"}})}};
  return table;
}

const engine::ParamTable<Cloth>& cloth_table() {
  static const engine::ParamTable<Cloth> table{
      "cloth",
      "a sheet in the x-y plane about the origin, for scenes with a table `soft`; inclination = 90 "
      "makes it vertical",
      {mass_param<Cloth>(),
       compliance_param(
           &Cloth::stretch_compliance, "stretch_compliance",
           "elongation of each link per tension, 1.5 / (modulus x thickness) of a material for any "
           "number of bodies; 0 is inextensible"),
       engine::param(
           &Cloth::bend_compliance,
           {.name = "bend_compliance",
            .help = "bending angle per torque at each edge between two triangles; 0: bends freely",
            .unit = "inverse energy",
            .minimum = 0})},
      {engine::list_param(&Cloth::counts, {.name = "counts",
                                           .help = "bodies along x and y; { 20, 20 } when left out",
                                           .minimum = 2,
                                           .maximum = max_bodies}),
       engine::list_param(&Cloth::size, {.name = "size",
                                         .help = "lengths along x and y; { 1, 1 } when left out",
                                         .unit = "length",
                                         .minimum = 0,
                                         .minimum_excluded = true}),
       engine::list_param(
           &Cloth::pinned,
           {.name = "pinned",
            .help = "bodies that keep their velocity: edges left (at -x), right, bottom (at -y), "
                    "top; all four corners, or the two at the top",
            .choices = {"left", "right", "bottom", "top", "corners", "top_corners"}})}};
  return table;
}

const engine::ParamTable<SoftBox>& soft_box_table() {
  static const engine::ParamTable<SoftBox> table{
      "soft_box",
      "a soft block about the origin, for scenes with a table `soft`",
      {engine::param(&SoftBox::counts, {.name = "counts",
                                        .help = "bodies along x, y and z, whole numbers",
                                        .minimum = 2,
                                        .maximum = max_bodies}),
       engine::param(&SoftBox::size, {.name = "size",
                                      .help = "lengths of its sides",
                                      .unit = "length",
                                      .minimum = 0,
                                      .minimum_excluded = true}),
       mass_param<SoftBox>(),
       compliance_param(&SoftBox::compliance, "compliance",
                        "elongation of each tetrahedron edge per tension; 0 is inextensible"),
       compressibility_param<SoftBox>()}};
  return table;
}

const engine::ParamTable<SoftBall>& soft_ball_table() {
  static const engine::ParamTable<SoftBall> table{
      "soft_ball",
      "a soft ball about the origin, for scenes with a table `soft`",
      {engine::param(
           &SoftBall::across,
           {.name = "across", .help = "bodies along a diameter", .minimum = 3, .maximum = 1000}),
       length_param(&SoftBall::radius, "radius", "radius of the ball"), mass_param<SoftBall>(),
       compliance_param(&SoftBall::compliance, "compliance",
                        "elongation of each tetrahedron edge per tension; 0 is inextensible"),
       compressibility_param<SoftBall>()}};
  return table;
}

BrokenRelations broken_relations(const Rope& rope) {
  if (rope.span && !(*rope.span < rope.length))
    return {{"span", "is not less than length, " + engine::number_text(rope.length),
             "leave it out for a straight rope"}};
  if (rope.span && rope.n < 3) return {{"n", "is too few for an arc", "give at least 3"}};
  return {};
}

BrokenRelations broken_relations(const Cloth& cloth) {
  BrokenRelations broken;
  if (cloth.counts.size() != 2)
    broken.push_back({"counts", "needs two numbers", "give bodies along x and y, as { 20, 20 }"});
  else if (count_of(cloth) == 0)
    broken.push_back({"counts", "makes more than 1e9 bodies", "give fewer bodies"});
  if (cloth.size.size() != 2)
    broken.push_back({"size", "needs two lengths", "give lengths along x and y, as { 1, 1 }"});
  return broken;
}

BrokenRelations broken_relations(const SoftBox& box) {
  BrokenRelations broken;
  const Vec3d c = box.counts;
  if (c.x != std::floor(c.x) || c.y != std::floor(c.y) || c.z != std::floor(c.z))
    broken.push_back(
        {"counts", engine::text_of(c) + " is not integer", "give three whole numbers"});
  else if (count_of(box) == 0)
    broken.push_back({"counts", "makes more than 1e9 bodies", "give fewer bodies"});
  return broken;
}

BrokenRelations broken_relations(const SoftBall&) {
  return {};
}

Index count_of(const Rope& rope) {
  return rope.n;
}

Index count_of(const Cloth& cloth) {
  if (cloth.counts.size() != 2) return 0;
  const double bodies = static_cast<double>(cloth.counts[0]) * static_cast<double>(cloth.counts[1]);
  return bodies <= max_bodies ? static_cast<Index>(bodies) : 0;
}

Index count_of(const SoftBox& box) {
  const double bodies = box.counts.x * box.counts.y * box.counts.z;
  return bodies <= max_bodies ? static_cast<Index>(bodies) : 0;
}

Index count_of(const SoftBall& ball) {
  return ball.across * ball.across * ball.across;
}

Bodies make(const Rope& rope, const MakeContext&) {
  const auto n = static_cast<std::size_t>(rope.n);
  Bodies bodies = bodies_at_rest(n);
  const double links = static_cast<double>(n - 1), link = rope.length / links;
  const double turn = rope.span ? arc_link_angle(links, *rope.span / link) : 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double at = static_cast<double>(i) - 0.5 * links;  // links from the middle
    bodies.position[i] = {link * at, 0, 0};
    if (turn > 0) {
      const double radius = 0.5 * link / std::sin(0.5 * turn);
      bodies.position[i] = {radius * std::sin(turn * at), 0,
                            radius * (std::cos(0.5 * turn * links) - std::cos(turn * at))};
    }
    bodies.mass[i] = i == 0 || i == n - 1 ? 0.5 : 1;
  }
  scale_total_mass(bodies, rope.mass);
  for (MeshIndex i = 0; i + 1 < n; ++i)
    bodies.soft.add_distance(bodies.position, i, i + 1, rope.compliance);
  if (has(rope.pinned, "start")) bodies.soft.pinned.push_back(0);
  if (has(rope.pinned, "end")) bodies.soft.pinned.push_back(static_cast<MeshIndex>(n - 1));
  return bodies;
}

Bodies make(const Cloth& cloth, const MakeContext&) {
  const auto nx = static_cast<std::size_t>(cloth.counts[0]),
             ny = static_cast<std::size_t>(cloth.counts[1]);
  const BodyGrid grid{nx, ny, 1};
  Bodies bodies = bodies_at_rest(nx * ny);
  const auto coordinate = [](std::size_t i, std::size_t n, double size) {
    return size * (static_cast<double>(i) / static_cast<double>(n - 1) - 0.5);
  };
  for (std::size_t j = 0; j < ny; ++j)
    for (std::size_t i = 0; i < nx; ++i) {
      const MeshIndex n = grid.at(i, j, 0);
      bodies.position[n] = {coordinate(i, nx, cloth.size[0]), coordinate(j, ny, cloth.size[1]), 0};
      bodies.mass[n] = (i == 0 || i == nx - 1 ? 0.5 : 1) * (j == 0 || j == ny - 1 ? 0.5 : 1);
    }
  scale_total_mass(bodies, cloth.mass);

  SoftMesh& mesh = bodies.soft;
  const std::vector<Vec3d>& x = bodies.position;
  const auto link = [&](MeshIndex a, MeshIndex b) {
    mesh.add_distance(x, a, b, cloth.stretch_compliance);
  };
  const auto for_each_index = [&](std::size_t to_i, std::size_t to_j,
                                  const std::function<void(std::size_t, std::size_t)>& use) {
    for (std::size_t j = 0; j < to_j; ++j)
      for (std::size_t i = 0; i < to_i; ++i) use(i, j);
  };
  for_each_index(nx - 1, ny, [&](auto i, auto j) { link(grid.at(i, j, 0), grid.at(i + 1, j, 0)); });
  for_each_index(nx, ny - 1, [&](auto i, auto j) { link(grid.at(i, j, 0), grid.at(i, j + 1, 0)); });
  for_each_index(nx - 1, ny - 1,
                 [&](auto i, auto j) { link(grid.at(i, j, 0), grid.at(i + 1, j + 1, 0)); });
  for_each_index(nx - 1, ny - 1,
                 [&](auto i, auto j) { link(grid.at(i + 1, j, 0), grid.at(i, j + 1, 0)); });
  for_each_index(nx - 1, ny - 1, [&](auto i, auto j) {
    const MeshIndex right = grid.at(i + 1, j, 0), up = grid.at(i, j + 1, 0);
    mesh.triangles.push_back({grid.at(i, j, 0), right, up});
    mesh.triangles.push_back({right, grid.at(i + 1, j + 1, 0), up});
  });
  if (cloth.bend_compliance > 0) {
    // At the edges between these triangles.
    const auto bend = [&](MeshIndex a, MeshIndex b, MeshIndex c, MeshIndex d) {
      mesh.add_bending(x, a, b, c, d, cloth.bend_compliance);
    };
    for_each_index(nx - 1, ny - 1, [&](auto i, auto j) {
      bend(grid.at(i + 1, j, 0), grid.at(i, j + 1, 0), grid.at(i, j, 0), grid.at(i + 1, j + 1, 0));
    });
    for_each_index(nx - 1, ny - 2, [&](auto i, auto j) {
      bend(grid.at(i, j + 1, 0), grid.at(i + 1, j + 1, 0), grid.at(i, j + 2, 0),
           grid.at(i + 1, j, 0));
    });
    for_each_index(nx - 2, ny - 1, [&](auto i, auto j) {
      bend(grid.at(i + 1, j, 0), grid.at(i + 1, j + 1, 0), grid.at(i, j + 1, 0),
           grid.at(i + 2, j, 0));
    });
  }

  for (std::size_t j = 0; j < ny; ++j)
    for (std::size_t i = 0; i < nx; ++i) {
      const bool left = i == 0, right = i == nx - 1, bottom = j == 0, top = j == ny - 1;
      const bool edge =
          (left && has(cloth.pinned, "left")) || (right && has(cloth.pinned, "right")) ||
          (bottom && has(cloth.pinned, "bottom")) || (top && has(cloth.pinned, "top"));
      const bool corner = (left || right) && (((bottom || top) && has(cloth.pinned, "corners")) ||
                                              (top && has(cloth.pinned, "top_corners")));
      if (edge || corner) mesh.pinned.push_back(grid.at(i, j, 0));
    }
  return bodies;
}

Bodies make(const SoftBox& box, const MakeContext&) {
  const BodyGrid grid{static_cast<std::size_t>(box.counts.x),
                      static_cast<std::size_t>(box.counts.y),
                      static_cast<std::size_t>(box.counts.z)};
  Bodies bodies = bodies_at_rest(grid.nx * grid.ny * grid.nz);
  const Vec3d last = box.counts - Vec3d{1, 1, 1};
  for (std::size_t k = 0; k < grid.nz; ++k)
    for (std::size_t j = 0; j < grid.ny; ++j)
      for (std::size_t i = 0; i < grid.nx; ++i)
        bodies.position[grid.at(i, j, k)] = {box.size.x * (static_cast<double>(i) / last.x - 0.5),
                                             box.size.y * (static_cast<double>(j) / last.y - 0.5),
                                             box.size.z * (static_cast<double>(k) / last.z - 0.5)};
  add_tetrahedra(bodies, grid, box.compliance, box.compressibility);
  scale_total_mass(bodies, box.mass);
  return bodies;
}

Bodies make(const SoftBall& ball, const MakeContext&) {
  const auto n = static_cast<std::size_t>(ball.across);
  const BodyGrid grid{n, n, n};
  Bodies bodies = bodies_at_rest(n * n * n);
  const auto coordinate = [&](std::size_t i) {
    return 2 * static_cast<double>(i) / static_cast<double>(n - 1) - 1;
  };
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        // Maps cubic shells onto spherical shells.
        const Vec3d p{coordinate(i), coordinate(j), coordinate(k)};
        const double shell = std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
        const double factor = shell > 0 ? ball.radius * shell / engine::length(p) : 0;
        bodies.position[grid.at(i, j, k)] = factor * p;
      }
  add_tetrahedra(bodies, grid, ball.compliance, ball.compressibility);
  scale_total_mass(bodies, ball.mass);
  return bodies;
}

}  // namespace mote::sim
