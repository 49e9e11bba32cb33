#include "sim/space/obstacle_tables.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace mote::sim {
namespace {

using engine::param;
using engine::ParamTable;
using engine::Vec3d;

/// The parameters of a shape, followed by those of all obstacles.
template <class Owner>
std::vector<engine::Param<Owner>> with_common(std::vector<engine::Param<Owner>> own) {
  using Maybe = std::optional<double>;
  const auto add = [&]<class T>(T Owner::*member, engine::ParamInfo info) {
    own.push_back(param(member, std::move(info)));
  };
  add.template operator()<Maybe>(&Owner::friction,
                                 {.name = "friction",
                                  .help = "Coulomb friction coefficient of its surface; by default "
                                          "that of the bodies",
                                  .minimum = 0});
  add.template operator()<Maybe>(
      &Owner::restitution,
      {.name = "restitution",
       .help = "ratio of the speeds after and before a head-on bounce; by default that of the "
               "bodies",
       .minimum = 0,
       .maximum = 1});
  add.template operator()<std::string>(
      &Owner::name, {.name = "name",
                     .help = "obstacles of one name are one solid: the force and the torque on it "
                             "are in series.csv, and an axle of its name turns it"});
  add.template operator()<Vec3d>(
      &Owner::velocity, {.name = "velocity", .help = "constant velocity", .unit = "velocity"});
  add.template operator()<Vec3d>(&Owner::amplitude,
                                 {.name = "amplitude",
                                  .help = "oscillation by amplitude sin(2 pi frequency t + phase)",
                                  .unit = "length"});
  add.template operator()<double>(
      &Owner::frequency,
      {.name = "frequency", .help = "frequency of the oscillation", .unit = "rate", .minimum = 0});
  add.template operator()<double>(
      &Owner::phase,
      {.name = "phase", .help = "phase of the oscillation at time 0", .unit = "angle"});
  add.template operator()<Vec3d>(
      &Owner::angular_velocity,
      {.name = "angular_velocity",
       .help = "angular velocity vector along the rotation axis, in radians / time",
       .unit = "angular velocity"});
  add.template operator()<std::optional<Vec3d>>(
      &Owner::pivot,
      {.name = "pivot",
       .help = "a point on the rotation axis at time 0; by default the obstacle's own position",
       .unit = "length"});
  return own;
}

template <class Owner>
engine::Param<Owner> center_param(const char* help = "position of its centre") {
  return param(&Owner::center, {.name = "center", .help = help, .unit = "length"});
}
template <class Owner>
engine::Param<Owner> radius_param() {
  return param(&Owner::radius, {.name = "radius",
                                .help = "radius",
                                .unit = "length",
                                .minimum = 0,
                                .minimum_excluded = true,
                                .required = true});
}
template <class Owner>
engine::Param<Owner> container_param() {
  return param(
      &Owner::container,
      {.name = "container", .help = "hollow: bodies are inside, everything outside is solid"});
}
template <class Owner>
engine::Param<Owner> rotation_param() {
  return param(&Owner::rotation,
               {.name = "rotation",
                .help = "rotation vector: rotated about this direction by its length in degrees",
                .unit = "angle"});
}

bool is_zero(Vec3d v) {
  return v == Vec3d{0, 0, 0};
}

}  // namespace

const ParamTable<PlaneObstacle>& plane_obstacle_table() {
  static const ParamTable<PlaneObstacle> table{
      "plane", "A flat wall, in `obstacles`; the half-space behind it is solid.",
      with_common<PlaneObstacle>(
          {param(&PlaneObstacle::point,
                 {.name = "point", .help = "a point on it", .unit = "length"}),
           param(
               &PlaneObstacle::normal,
               {.name = "normal", .help = "direction out of the wall, of any length but zero"})})};
  return table;
}

const ParamTable<BoxObstacle>& box_obstacle_table() {
  static const ParamTable<BoxObstacle> table{
      "box", "A box, solid or hollow (`container`), in `obstacles`.",
      with_common<BoxObstacle>({center_param<BoxObstacle>(),
                                param(&BoxObstacle::size, {.name = "size",
                                                           .help = "lengths of its sides",
                                                           .unit = "length",
                                                           .minimum = 0,
                                                           .minimum_excluded = true,
                                                           .required = true}),
                                rotation_param<BoxObstacle>(), container_param<BoxObstacle>()})};
  return table;
}

const ParamTable<SphereObstacle>& sphere_obstacle_table() {
  static const ParamTable<SphereObstacle> table{
      "sphere", "A sphere, solid or hollow (`container`), in `obstacles`.",
      with_common<SphereObstacle>({radius_param<SphereObstacle>(), center_param<SphereObstacle>(),
                                   container_param<SphereObstacle>()})};
  return table;
}

const ParamTable<CylinderObstacle>& cylinder_obstacle_table() {
  static const ParamTable<CylinderObstacle> table{
      "cylinder", "A rod, or a drum or tube (`container`), in `obstacles`.",
      with_common<CylinderObstacle>(
          {radius_param<CylinderObstacle>(),
           param(&CylinderObstacle::length,
                 {.name = "length",
                  .help = "length between its closed ends; by default unbounded",
                  .unit = "length",
                  .minimum = 0,
                  .minimum_excluded = true}),
           param(&CylinderObstacle::axis,
                 {.name = "axis", .help = "direction of its axis, of any length but zero"}),
           center_param<CylinderObstacle>(), container_param<CylinderObstacle>()})};
  return table;
}

const ParamTable<CapsuleObstacle>& capsule_obstacle_table() {
  static const ParamTable<CapsuleObstacle> table{
      "capsule", "A rod with round ends, in `obstacles`.",
      with_common<CapsuleObstacle>(
          {param(
               &CapsuleObstacle::from,
               {.name = "from", .help = "one end of its axis", .unit = "length", .required = true}),
           param(&CapsuleObstacle::to, {.name = "to",
                                        .help = "the other end of its axis",
                                        .unit = "length",
                                        .required = true}),
           radius_param<CapsuleObstacle>()})};
  return table;
}

const ParamTable<MeshObstacle>& mesh_obstacle_table() {
  static const ParamTable<MeshObstacle> table{
      "mesh", "A closed triangle mesh from a file, solid or hollow (`container`), in `obstacles`.",
      with_common<MeshObstacle>(
          {param(&MeshObstacle::file,
                 {.name = "file", .help = "OBJ, STL or PLY, in the folder of the scene or below"}),
           param(&MeshObstacle::scale,
                 {.name = "scale",
                  .help = "length of one unit of the file, in units of the scene",
                  .unit = "length",
                  .minimum = 0,
                  .minimum_excluded = true}),
           center_param<MeshObstacle>("position of the file's origin"),
           rotation_param<MeshObstacle>(),
           param(&MeshObstacle::resolution,
                 {.name = "resolution",
                  .help =
                      "cells of its distance grid along the longest side; edges are rounded on the "
                      "scale of a cell",
                  .minimum = 8,
                  .maximum = 480}),
           container_param<MeshObstacle>()})};
  return table;
}

const ObstacleCommon& common_of(const ObstacleDescription& obstacle) {
  return std::visit([](const auto& o) -> const ObstacleCommon& { return o; }, obstacle);
}

bool any_moves(const std::vector<ObstacleDescription>& obstacles) {
  return std::any_of(obstacles.begin(), obstacles.end(), [](const ObstacleDescription& o) {
    const ObstacleCommon& common = common_of(o);
    return !is_zero(common.velocity) || !is_zero(common.amplitude) ||
           !is_zero(common.angular_velocity);
  });
}

const char* name_of(const ObstacleDescription& obstacle) {
  constexpr const char* names[] = {"plane", "box", "sphere", "cylinder", "capsule", "mesh"};
  static_assert(std::size(names) == std::variant_size_v<ObstacleDescription>);
  return names[obstacle.index()];
}

std::string obstacle_problem(const ObstacleDescription& obstacle) {
  if (const auto* plane = std::get_if<PlaneObstacle>(&obstacle); plane && is_zero(plane->normal))
    return "its normal has no direction";
  if (const auto* cylinder = std::get_if<CylinderObstacle>(&obstacle);
      cylinder && is_zero(cylinder->axis))
    return "its axis has no direction";
  const ObstacleCommon& common = common_of(obstacle);
  const auto in_names = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  if (!std::all_of(common.name.begin(), common.name.end(), in_names))
    return "its name is not of letters, digits and _, of which columns of tables are made";
  if (!is_zero(common.amplitude) && common.frequency == 0)
    return "it has an amplitude but no frequency";
  return "";
}

}  // namespace mote::sim
