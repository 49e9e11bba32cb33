#include "sim/initial/torus.h"

#include <cmath>
#include <numbers>

#include "sim/initial/common_params.h"
#include "sim/initial/draw.h"
#include "sim/initial/generate.h"
#include "sim/initial/stir.h"

namespace mote::sim {
namespace {

/// A place in the tube's cross-section: R - radius and z.
struct Across {
  double outward, up;
};

/// Evenly over the disc of radius `tube`, then weighted with R, because rings further out are
/// longer: at least half of the tries are accepted.
Across draw_across(engine::Random& random, double radius, double tube) {
  for (;;) {
    const double r = tube * std::sqrt(random.uniform());
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    const Across across{r * std::cos(angle), r * std::sin(angle)};
    if (random.uniform(0, radius + tube) < radius + across.outward) return across;
  }
}

}  // namespace

const engine::ParamTable<Torus>& torus_table() {
  static const engine::ParamTable<Torus> table{
      "torus",
      "a solid torus of uniform density about the z axis, at rest or with given velocities",
      {count_row<Torus>(), mass_row<Torus>(),
       length_row(&Torus::radius, "radius", "from the axis to the middle of the tube"),
       length_row(&Torus::tube_radius, "tube_radius",
                  "radius of the tube, at most that of the torus"),
       dispersion_row<Torus>(), spin_row<Torus>()}};
  return table;
}

BrokenRelations broken_relations(const Torus& torus) {
  if (torus.tube_radius <= torus.radius) return {};
  return {{"tube_radius",
           engine::text_of(torus.tube_radius) + " is larger than radius, " +
               engine::text_of(torus.radius),
           "at most the radius of the torus: then the hole is closed"}};
}

Bodies make(const Torus& torus, const MakeContext& context) {
  const Stir stir{torus.dispersion, torus.spin};
  return generate(torus.n, torus.mass, context, [&](engine::Random& random) -> Phase {
    const double azimuth = random.uniform(0, 2 * std::numbers::pi);
    const Across across = draw_across(random, torus.radius, torus.tube_radius);
    const double r = torus.radius + across.outward;
    const engine::Vec3d position{r * std::cos(azimuth), r * std::sin(azimuth), across.up};
    return {position, stir.velocity(random, position)};
  });
}

}  // namespace mote::sim
