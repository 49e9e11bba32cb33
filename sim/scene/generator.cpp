#include "sim/scene/generator.h"

namespace mote::sim {

const engine::ParamTable<Placement>& placement_table() {
  static const engine::ParamTable<Placement> table{
      "placement",
      "Placement of a generator's bodies: rotated about x, then about z, then translated.",
      {engine::param(&Placement::inclination, {.name = "inclination",
                                               .help = "rotation about the x axis, applied first",
                                               .unit = "angle"}),
       engine::param(
           &Placement::node,
           {.name = "node",
            .help =
                "rotation about the z axis, after the inclination: longitude of the ascending node",
            .unit = "angle"}),
       engine::param(&Placement::position,
                     {.name = "position", .help = "position of its centre", .unit = "length"}),
       engine::param(&Placement::velocity,
                     {.name = "velocity", .help = "velocity of its centre", .unit = "velocity"})}};
  return table;
}

void place(Bodies& bodies, const Placement& placement, int threads) {
  if (placement.inclination != 0) rotate(bodies, {1, 0, 0}, placement.inclination, threads);
  if (placement.node != 0) rotate(bodies, {0, 0, 1}, placement.node, threads);
  translate(bodies, placement.position, threads);
  boost(bodies, placement.velocity, threads);
}

void report_broken(Reader& reader, const BrokenRelations& relations, const Table& from, int line,
                   const std::string& path) {
  for (const BrokenRelation& broken : relations) {
    const Member* member = from.find(broken.key);
    reader.problem(member ? member->value.line : line, joined_path(path, broken.key), broken.what,
                   broken.remedy);
  }
}

}  // namespace mote::sim
