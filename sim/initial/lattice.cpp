#include "sim/initial/lattice.h"

#include <cmath>
#include <vector>

#include "sim/initial/common_params.h"
#include "sim/initial/generate.h"
#include "sim/initial/stir.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Vec3d;

/// Positions within a unit cell, in units of its side.
const std::vector<Vec3d>& basis_of(const std::string& structure) {
  static const std::vector<Vec3d> cubic{{0, 0, 0}}, bcc{{0, 0, 0}, {0.5, 0.5, 0.5}},
      fcc{{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
  return structure == "bcc" ? bcc : structure == "fcc" ? fcc : cubic;
}

}  // namespace

const engine::ParamTable<Lattice>& lattice_table() {
  static const engine::ParamTable<Lattice> table{
      "lattice",
      "a crystal about the origin, at rest or with given velocities",
      {engine::param(&Lattice::counts, {.name = "counts",
                                        .help = "unit cells along x, y and z, whole numbers",
                                        .minimum = 1,
                                        .maximum = max_bodies,
                                        .required = true}),
       mass_param<Lattice>(), length_param(&Lattice::spacing, "spacing", "side of a unit cell"),
       engine::param(&Lattice::structure,
                     {.name = "structure",
                      .help = "one body per cell (cubic), two (bcc) or four (fcc)",
                      .choices = {"cubic", "bcc", "fcc"}}),
       dispersion_param<Lattice>(), spin_param<Lattice>()}};
  return table;
}

BrokenRelations broken_relations(const Lattice& lattice) {
  BrokenRelations broken;
  const Vec3d c = lattice.counts;
  if (c.x != std::floor(c.x) || c.y != std::floor(c.y) || c.z != std::floor(c.z))
    broken.push_back(
        {"counts", engine::text_of(c) + " is not integer", "give three whole numbers"});
  else if (count_of(lattice) == 0)
    broken.push_back({"counts", "makes more than 1e9 bodies", "give fewer cells"});
  return broken;
}

Index count_of(const Lattice& lattice) {
  const double bodies = lattice.counts.x * lattice.counts.y * lattice.counts.z *
                        static_cast<double>(basis_of(lattice.structure).size());
  return bodies <= max_bodies ? static_cast<Index>(bodies) : 0;
}

Bodies make(const Lattice& lattice, const MakeContext& context) {
  const std::vector<Vec3d>& basis = basis_of(lattice.structure);
  const auto cell_bodies = static_cast<Index>(basis.size());
  const auto nx = static_cast<Index>(lattice.counts.x), ny = static_cast<Index>(lattice.counts.y);
  // Midpoint between the first and the last body; half a side further for cells with inner bodies.
  const double inner = basis.size() > 1 ? 0.5 : 1.0;
  const Vec3d middle = 0.5 * (lattice.counts - Vec3d{inner, inner, inner});
  const Stir stir{lattice.dispersion, lattice.spin};
  const Index n = count_of(lattice);
  Bodies bodies = equal_masses(n, lattice.mass);
  draw_bodies(bodies, 0, n, context, [&](engine::Random& random, Index i) -> PhasePoint {
    const Index cell = i / cell_bodies;
    const Vec3d corner{static_cast<double>(cell % nx), static_cast<double>(cell / nx % ny),
                       static_cast<double>(cell / nx / ny)};
    const Vec3d position =
        lattice.spacing * (corner + basis[static_cast<std::size_t>(i % cell_bodies)] - middle);
    return {position, stir.velocity(random, position)};
  });
  if (context.centre) center(bodies, context.threads);
  return bodies;
}

}  // namespace mote::sim
