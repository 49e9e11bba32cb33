#include "sim/initial/torus.h"

#include <cmath>
#include <numbers>

#include "sim/initial/common_params.h"
#include "sim/initial/draw.h"
#include "sim/initial/generate.h"
#include "sim/initial/stir.h"

namespace mote::sim {
namespace {

/// A point in the tube's cross-section: R - radius and z.
struct TubePoint {
  double outward, up;
};

/// Uniform over the disc of radius `tube`, then accepted with weight R, the length of the ring
/// through that point. At least half of the draws are accepted.
TubePoint draw_tube_point(engine::Random& random, double radius, double tube) {
  for (;;) {
    const double r = tube * std::sqrt(random.uniform());
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    const TubePoint point{r * std::cos(angle), r * std::sin(angle)};
    if (random.uniform(0, radius + tube) < radius + point.outward) return point;
  }
}

}  // namespace

const engine::ParamTable<Torus>& torus_table() {
  static const engine::ParamTable<Torus> table{
      "torus",
      "a solid torus of uniform density about the z axis, at rest or with given velocities",
      {count_param<Torus>(), mass_param<Torus>(),
       length_param(&Torus::radius, "radius", "distance from the axis to the centre of the tube"),
       length_param(&Torus::tube_radius, "tube_radius",
                    "radius of the tube, at most that of the torus"),
       dispersion_param<Torus>(), spin_param<Torus>()}};
  return table;
}

BrokenRelations broken_relations(const Torus& torus) {
  if (torus.tube_radius <= torus.radius) return {};
  return {{"tube_radius",
           engine::text_of(torus.tube_radius) + " is larger than radius, " +
               engine::text_of(torus.radius),
           "give at most the radius of the torus, which closes the hole"}};
}

Bodies make(const Torus& torus, const MakeContext& context) {
  const Stir stir{torus.dispersion, torus.spin};
  return generate(torus.n, torus.mass, context, [&](engine::Random& random) -> PhasePoint {
    const double azimuth = random.uniform(0, 2 * std::numbers::pi);
    const TubePoint point = draw_tube_point(random, torus.radius, torus.tube_radius);
    const double r = torus.radius + point.outward;
    const engine::Vec3d position{r * std::cos(azimuth), r * std::sin(azimuth), point.up};
    return {position, stir.velocity(random, position)};
  });
}

}  // namespace mote::sim
