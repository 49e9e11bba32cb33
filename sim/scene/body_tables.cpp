#include "sim/scene/body_tables.h"

#include <utility>

#include "sim/initial/common_params.h"

namespace mote::sim {

const engine::ParamTable<Body>& body_table() {
  static const engine::ParamTable<Body> table{
      "body",
      "a single body, { mass = 1, position = {1, 0, 0}, velocity = {0, 1, 0} }",
      {engine::param(&Body::name,
                     {.name = "name", .help = "shown in messages, pictures and the window"}),
       engine::param(&Body::mass, {.name = "mass",
                                   .help = "a body of mass 0 feels gravity but exerts none",
                                   .unit = "mass",
                                   .minimum = 0,
                                   .required = true}),
       engine::param(
           &Body::position,
           {.name = "position", .help = "initial position", .unit = "length", .required = true}),
       engine::param(&Body::velocity,
                     {.name = "velocity", .help = "initial velocity", .unit = "velocity"}),
       color_param<Body>(), display_radius_param<Body>()}};
  return table;
}

namespace {

engine::ParamTable<BodyFile> file_table(std::string name, std::string help) {
  return {std::move(name),
          std::move(help),
          {engine::param(&BodyFile::file, {.name = "file",
                                           .help = "path relative to the folder of the scene",
                                           .required = true})}};
}

}  // namespace

const engine::ParamTable<BodyFile>& csv_table() {
  static const auto table = file_table("csv",
                                       "bodies from a file of comma-separated values. The first "
                                       "line names the columns: mass, x, y, z, "
                                       "optionally vx, vy, vz and name; a unit may follow, as in "
                                       "x_au, and must be that of the scene.");
  return table;
}

const engine::ParamTable<BodyFile>& gadget_table() {
  static const auto table =
      file_table("gadget",
                 "bodies from an HDF5 snapshot in Gadget's layout, such as mote's own: "
                 "Coordinates, Velocities and Masses (or Header/MassTable) of PartType0 to "
                 "PartType5, in this order. Units given in the file must be those of the scene.");
  return table;
}

const engine::ParamTable<BodyFile>& tipsy_table() {
  static const auto table = file_table(
      "tipsy",
      "bodies from a binary TIPSY file, standard (big-endian) or native: mass, position and "
      "velocity of gas, dark matter and stars, in this order. Values are in the units of the "
      "scene.");
  return table;
}

const engine::ParamTable<BodyFile>& xyz_table() {
  static const auto table = [] {
    auto with_mass = file_table(
        "xyz",
        "bodies from a text file: XYZ with rows name x y z [vx vy vz], extended XYZ "
        "with Properties (as mote, ASE "
        "and OVITO write it: species, pos, velo or vel, mass), or a reference configuration of "
        "NIST. Names that are species of the scene set the species of bodies. Values are in the "
        "units of the scene, and positions are used unchanged; `domain` can read the box.");
    with_mass.params.push_back(
        engine::param(&BodyFile::mass, {.name = "mass",
                                        .help = "mass of bodies for which the file gives none",
                                        .unit = "mass",
                                        .minimum = 0}));
    return with_mass;
  }();
  return table;
}

const engine::ParamTable<Scale>& scale_table() {
  static const engine::ParamTable<Scale> table{
      "scale",
      "scale factors of a group, applied first. In Lua: scale(bodies, { length = 2 "
      "}).",
      {engine::param(&Scale::length, {.name = "length",
                                      .help = "factor of the positions",
                                      .minimum = 0,
                                      .minimum_excluded = true}),
       engine::param(&Scale::velocity,
                     {.name = "velocity", .help = "factor of the velocities; -1 reverses time"}),
       engine::param(&Scale::mass,
                     {.name = "mass", .help = "factor of the masses", .minimum = 0})}};
  return table;
}

const engine::ParamTable<Spin>& spin_table() {
  static const engine::ParamTable<Spin> table{
      "spin",
      "a rigid rotation added to a group: adds rate x position to each velocity, about an axis "
      "through the origin. In Lua: spin(bodies, { axis = { 0, 0, 1 }, rate = 0.1 }).",
      {engine::param(&Spin::axis,
                     {.name = "axis", .help = "axis of the rotation, through the origin"}),
       engine::param(&Spin::rate, {.name = "rate",
                                   .help = "in radians / time, right-handed about the axis",
                                   .unit = "angular velocity"})}};
  return table;
}

const engine::ParamTable<Group>& group_table() {
  static const engine::ParamTable<Group> table{
      "group",
      "bodies transformed together, about the origin and in this order: scaled, rotated (by axis "
      "and angle, then by inclination and node), spun, translated. In Lua: scale, rotate, spin, "
      "translate, boost, place and copy. `scale` and `spin` are tables, below.",
      {engine::param(&Group::axis,
                     {.name = "axis", .help = "axis of rotation, through the origin"}),
       engine::param(&Group::angle, {.name = "angle",
                                     .help = "angle of rotation, right-handed about the axis",
                                     .unit = "angle"}),
       engine::param(&Group::inclination, {.name = "inclination",
                                           .help = "rotation about the x axis, after that",
                                           .unit = "angle"}),
       engine::param(
           &Group::node,
           {.name = "node",
            .help =
                "rotation about the z axis, after the inclination: longitude of the ascending node",
            .unit = "angle"}),
       engine::param(&Group::position,
                     {.name = "position", .help = "added to positions", .unit = "length"}),
       engine::param(&Group::velocity,
                     {.name = "velocity", .help = "added to velocities", .unit = "velocity"})}};
  return table;
}

}  // namespace mote::sim
