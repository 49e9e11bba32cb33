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
      {count_param<Shell>(), mass_param<Shell>(),
       length_param(&Shell::radius, "radius", "outer radius of the shell"),
       engine::param(&Shell::inner_radius,
                     {.name = "inner_radius",
                      .help = "inner radius of a thick shell of uniform density; the shell is "
                              "thin when left out",
                      .unit = "length",
                      .minimum = 0}),
       dispersion_param<Shell>(), spin_param<Shell>()}};
  return table;
}

BrokenRelations broken_relations(const Shell& shell) {
  if (shell.inner_radius.value_or(0) <= shell.radius) return {};
  return {{"inner_radius",
           engine::text_of(*shell.inner_radius) + " is larger than radius, " +
               engine::text_of(shell.radius),
           "give at most the outer radius"}};
}

Bodies make(const Shell& shell, const MakeContext& context) {
  const double outer = shell.radius, inner = shell.inner_radius.value_or(outer);
  // Volume fraction of the hollow.
  const double hollow = inner / outer * (inner / outer) * (inner / outer);
  const Stir stir{shell.dispersion, shell.spin};
  return generate(shell.n, shell.mass, context, [&](engine::Random& random) -> PhasePoint {
    const double radius = inner < outer ? outer * std::cbrt(random.uniform(hollow, 1)) : outer;
    const engine::Vec3d position = draw_direction(random, radius);
    return {position, stir.velocity(random, position)};
  });
}

}  // namespace mote::sim
