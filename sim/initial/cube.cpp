#include "sim/initial/cube.h"

#include "sim/initial/common_params.h"
#include "sim/initial/generate.h"
#include "sim/initial/stir.h"

namespace mote::sim {

const engine::ParamTable<Cube>& cube_table() {
  static const engine::ParamTable<Cube> table{
      "cube",
      "a cube or box of uniform density about the origin, at rest or with given velocities",
      {count_param<Cube>(), mass_param<Cube>(),
       engine::param(&Cube::size, {.name = "size",
                                   .help = "sides along x, y and z; 0 is flat",
                                   .unit = "length",
                                   .minimum = 0}),
       dispersion_param<Cube>(), spin_param<Cube>()}};
  return table;
}

Bodies make(const Cube& cube, const MakeContext& context) {
  const Stir stir{cube.dispersion, cube.spin};
  return generate(cube.n, cube.mass, context, [&](engine::Random& random) -> PhasePoint {
    const double x = cube.size.x * random.uniform(-0.5, 0.5);
    const double y = cube.size.y * random.uniform(-0.5, 0.5);
    const double z = cube.size.z * random.uniform(-0.5, 0.5);
    return {{x, y, z}, stir.velocity(random, {x, y, z})};
  });
}

}  // namespace mote::sim
