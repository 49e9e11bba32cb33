#include "sim/initial/cube.h"

#include "sim/initial/common_params.h"
#include "sim/initial/generate.h"
#include "sim/initial/stir.h"

namespace mote::sim {

const engine::ParamTable<Cube>& cube_table() {
  static const engine::ParamTable<Cube> table{
      "cube",
      "a cube or a box of uniform density about the origin, at rest or with given velocities",
      {count_row<Cube>(), mass_row<Cube>(),
       engine::param(&Cube::size, {.name = "size",
                                   .help = "sides along x, y and z; 0 is flat",
                                   .unit = "length",
                                   .minimum = 0}),
       dispersion_row<Cube>(), spin_row<Cube>()}};
  return table;
}

Bodies make(const Cube& cube, const MakeContext& context) {
  const Stir stir{cube.dispersion, cube.spin};
  return generate(cube.n, cube.mass, context, [&](engine::Random& random) -> Phase {
    const double x = cube.size.x * random.uniform(-0.5, 0.5);
    const double y = cube.size.y * random.uniform(-0.5, 0.5);
    const double z = cube.size.z * random.uniform(-0.5, 0.5);
    return {{x, y, z}, stir.velocity(random, {x, y, z})};
  });
}

}  // namespace mote::sim
