#include "sim/initial/uniform_sphere.h"

#include <cmath>

#include "sim/initial/common_params.h"
#include "sim/initial/draw.h"
#include "sim/initial/generate.h"

namespace mote::sim {

const engine::ParamTable<UniformSphere>& uniform_sphere_table() {
  using engine::param;
  static const engine::ParamTable<UniformSphere> table{
      "uniform_sphere",
      "a sphere of uniform density, at rest or with random velocities",
      {count_param<UniformSphere>(), mass_param<UniformSphere>(),
       param(&UniformSphere::radius, {.name = "radius",
                                      .help = "radius of the sphere",
                                      .unit = "length",
                                      .minimum = 0,
                                      .minimum_excluded = true}),
       param(&UniformSphere::virial_ratio,
             {.name = "virial_ratio",
              .help = "2 T / |W| of the Maxwellian velocities: 0 is at rest, 1 virial equilibrium",
              .minimum = 0})}};
  return table;
}

Bodies make(const UniformSphere& sphere, const MakeContext& context) {
  const double sigma =
      std::sqrt(sphere.virial_ratio * context.gravitational * sphere.mass / (5 * sphere.radius));
  return generate(sphere.n, sphere.mass, context, [&](engine::Random& random) -> PhasePoint {
    const double radius = sphere.radius * std::cbrt(random.uniform());
    const engine::Vec3d position = draw_direction(random, radius);
    if (sigma == 0) return {position, {0, 0, 0}};
    return {position, sigma * draw_normal(random)};
  });
}

}  // namespace mote::sim
