#include "sim/domain.h"

namespace mote::sim {

const engine::ParamTable<DomainTable>& domain_table() {
  static const std::vector<std::string> kinds{"periodic", "wall", "open"};
  static const engine::ParamTable<DomainTable> table{
      "domain",
      "The simulation box of short-range forces. Leave the table out for open space.",
      {engine::param(&DomainTable::size, {.name = "size",
                                          .help = "length along each axis; ignored along open ones",
                                          .unit = "length",
                                          .minimum = 0,
                                          .positional = true}),
       engine::param(&DomainTable::center,
                     {.name = "center", .help = "centre of the box", .unit = "length"}),
       engine::param(&DomainTable::boundary,
                     {.name = "boundary",
                      .help = "boundary of all axes: periodic, a wall at either end, or open",
                      .choices = kinds}),
       engine::param(&DomainTable::x,
                     {.name = "x", .help = "boundary along x, if it differs", .choices = kinds}),
       engine::param(&DomainTable::y,
                     {.name = "y", .help = "boundary along y, if it differs", .choices = kinds}),
       engine::param(&DomainTable::z,
                     {.name = "z", .help = "boundary along z, if it differs", .choices = kinds}),
       engine::param(
           &DomainTable::file,
           {.name = "file",
            .help =
                "XYZ file in the scene's folder whose box gives size and center: the Lattice of "
                "extended XYZ, starting at its Origin or at 0; or the three lengths of a NIST "
                "configuration or of a comment with nothing else, centred on the origin"})}};
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
