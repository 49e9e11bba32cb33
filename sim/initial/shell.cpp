#include "sim/initial/shell.h"

#include <cmath>

#include "sim/initial/common_params.h"
#include "sim/initial/draw.h"
#include "sim/initial/generate.h"
#include "sim/initial/stir.h"

namespace mote::sim {

const engine::ParamTable<Shell>& shell_table() {
  static const engine::ParamTable<Shell> table{
      "shell",
      "a spherical shell, thin or between two radii, at rest or with given velocities",
      {count_row<Shell>(), mass_row<Shell>(),
       length_row(&Shell::radius, "radius", "outer radius of the shell"),
       engine::param(&Shell::inner_radius,
                     {.name = "inner_radius",
                      .help = "where a thick shell of uniform density begins; the shell "
                              "is thin when this is left out",
                      .unit = "length",
                      .minimum = 0}),
       dispersion_row<Shell>(), spin_row<Shell>()}};
  return table;
}

BrokenRelations broken_relations(const Shell& shell) {
  if (shell.inner_radius.value_or(0) <= shell.radius) return {};
  return {{"inner_radius",
           engine::text_of(*shell.inner_radius) + " is larger than radius, " +
               engine::text_of(shell.radius),
           "at most the outer radius"}};
}

Bodies make(const Shell& shell, const MakeContext& context) {
  const double outer = shell.radius, inner = shell.inner_radius.value_or(outer);
  const double hollow = inner / outer * (inner / outer) * (inner / outer);  // part of the ball's
                                                                            // volume
  const Stir stir{shell.dispersion, shell.spin};
  return generate(shell.n, shell.mass, context, [&](engine::Random& random) -> Phase {
    const double radius = inner < outer ? outer * std::cbrt(random.uniform(hollow, 1)) : outer;
    const engine::Vec3d position = draw_direction(random, radius);
    return {position, stir.velocity(random, position)};
  });
}

}  // namespace mote::sim
