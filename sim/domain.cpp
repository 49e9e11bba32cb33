#include "sim/domain.h"

namespace mote::sim {

const engine::ParamTable<DomainTable>& domain_table() {
  static const std::vector<std::string> kinds{"periodic", "wall", "open"};
  static const engine::ParamTable<DomainTable> table{
      "domain",
      "The box that bodies of short-range forces are in. Leave the table out for open space.",
      {engine::param(&DomainTable::size,
                     {.name = "size",
                      .help = "length along each axis; of no meaning along open ones",
                      .unit = "length",
                      .minimum = 0,
                      .positional = true}),
       engine::param(&DomainTable::center,
                     {.name = "center", .help = "of the box", .unit = "length"}),
       engine::param(&DomainTable::boundary,
                     {.name = "boundary",
                      .help = "of all axes: periodic, a wall at either end, or open",
                      .choices = kinds}),
       engine::param(
           &DomainTable::x,
           {.name = "x", .help = "boundary along x, where it is another", .choices = kinds}),
       engine::param(
           &DomainTable::y,
           {.name = "y", .help = "boundary along y, where it is another", .choices = kinds}),
       engine::param(
           &DomainTable::z,
           {.name = "z", .help = "boundary along z, where it is another", .choices = kinds}),
       engine::param(
           &DomainTable::file,
           {.name = "file",
            .help =
                "XYZ file in the folder of the scene whose box gives size and center: the Lattice "
                "of "
                "extended XYZ, from its Origin or, without one, from 0 up; the three lengths of a "
                "NIST configuration, or of a comment that is nothing else, about the origin"})}};
  return table;
}

Domain domain_of(const DomainTable& table) {
  Domain domain;
  const std::optional<std::string>* own[3] = {&table.x, &table.y, &table.z};
  for (int axis = 0; axis < 3; ++axis) {
    const std::string& boundary = own[axis]->value_or(table.boundary);
    domain.periodic[axis] = boundary == "periodic";
    domain.walled[axis] = boundary == "wall";
  }
  domain.length = table.size;
  domain.low = table.center - 0.5 * table.size;
  return domain;
}

}  // namespace mote::sim
