#include "sim/initial/ring.h"

#include <cmath>
#include <numbers>

#include "sim/initial/common_params.h"
#include "sim/initial/draw.h"
#include "sim/initial/generate.h"
#include "sim/initial/stir.h"

namespace mote::sim {

const engine::ParamTable<Ring>& ring_table() {
  static const engine::ParamTable<Ring> table{
      "ring",
      "a flat ring in the x-y plane, at rest or on circular orbits about a central mass",
      {count_param<Ring>(), mass_param<Ring>(),
       length_param(&Ring::radius, "radius", "radius of the middle of the ring"),
       engine::param(&Ring::width, {.name = "width",
                                    .help = "from the inner to the outer edge, uniformly filled",
                                    .unit = "length",
                                    .minimum = 0}),
       engine::param(&Ring::central_mass,
                     {.name = "central_mass",
                      .help = "mass at the centre, about which the bodies are on circular "
                              "orbits; add it as a body yourself",
                      .unit = "mass",
                      .minimum = 0}),
       dispersion_param<Ring>(), spin_param<Ring>()}};
  return table;
}

BrokenRelations broken_relations(const Ring& ring) {
  if (ring.width <= 2 * ring.radius) return {};
  return {{"width",
           engine::text_of(ring.width) + " is larger than twice the radius, " +
               engine::text_of(ring.radius),
           "give at most twice the radius, which is a full disc"}};
}

Bodies make(const Ring& ring, const MakeContext& context) {
  const Stir stir{ring.dispersion, ring.spin};
  const double softening2 = context.softening * context.softening;
  const double inner = 1 - ring.width / (2 * ring.radius),
               outer = 1 + ring.width / (2 * ring.radius);
  return generate(ring.n, ring.mass, context, [&](engine::Random& random) -> PhasePoint {
    const double azimuth = random.uniform(0, 2 * std::numbers::pi);
    const double relative_radius =
        ring.width > 0 ? std::sqrt(random.uniform(inner * inner, outer * outer)) : 1.0;  // uniform
                                                                                         // in area
    const double radius = ring.radius * relative_radius;
    const engine::Vec3d position{radius * std::cos(azimuth), radius * std::sin(azimuth), 0};
    const double omega = std::sqrt(context.gravitational * ring.central_mass /
                                   std::pow(radius * radius + softening2, 1.5));
    const engine::Vec3d circular{-omega * position.y, omega * position.x, 0};
    return {position, circular + stir.velocity(random, position)};
  });
}

}  // namespace mote::sim
