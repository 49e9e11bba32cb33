#include "sim/scene/body_tables.h"

namespace mote::sim {

const engine::ParamTable<Body>& body_table() {
  static const engine::ParamTable<Body> table{
      "body",
      "a body written out, { mass = 1, position = {1, 0, 0}, velocity = {0, 1, 0} }",
      {engine::param(&Body::name, {.name = "name", .help = "shown in messages"}),
       engine::param(&Body::mass, {.name = "mass",
                                   .help = "a body of mass 0 feels gravity and does not pull",
                                   .unit = "mass",
                                   .minimum = 0,
                                   .required = true}),
       engine::param(&Body::position,
                     {.name = "position", .help = "where it starts", .unit = "length", .required = true}),
       engine::param(&Body::velocity, {.name = "velocity", .help = "how it starts", .unit = "velocity"})}};
  return table;
}

const engine::ParamTable<Csv>& csv_table() {
  static const engine::ParamTable<Csv> table{
      "csv",
      "bodies from a file of comma-separated values. The first line names the columns: mass, x, y, z, "
      "optionally vx, vy, "
      "vz and name; a unit may follow, as in x_au, and must be that of the scene.",
      {engine::param(&Csv::file,
                     {.name = "file", .help = "path from the folder of the scene", .required = true})}};
  return table;
}

const engine::ParamTable<Group>& group_table() {
  static const engine::ParamTable<Group> table{
      "group",
      "bodies moved together: turned about an axis through the origin, then moved. In Lua: translate(bodies, "
      "{x, y, "
      "z}), boost(bodies, {vx, vy, vz}), rotate(bodies, { axis = , angle = }), copy(bodies).",
      {engine::param(&Group::axis, {.name = "axis", .help = "axis of the turn, through the origin"}),
       engine::param(&Group::angle,
                     {.name = "angle", .help = "of the turn, right-handed about the axis", .unit = "angle"}),
       engine::param(&Group::position, {.name = "position", .help = "added to positions", .unit = "length"}),
       engine::param(&Group::velocity,
                     {.name = "velocity", .help = "added to velocities", .unit = "velocity"})}};
  return table;
}

}  // namespace mote::sim
