#include "sim/initial/plummer.h"

#include <cmath>

#include "sim/initial/common_params.h"
#include "sim/initial/draw.h"
#include "sim/initial/generate.h"

namespace mote::sim {
namespace {

/// Draws a speed in units of the escape velocity. With f(E) ~ (-E)^(7/2) the density of q is
/// g(q) = q^2 (1 - q^2)^(7/2). Its maximum, at q^2 = 2/9, is 0.0922: rejection below 0.1.
double draw_speed(engine::Random& random) {
  for (;;) {
    const double q = random.uniform();
    const double level = random.uniform(0, 0.1);
    const double w = 1 - q * q;
    if (level < q * q * w * w * w * std::sqrt(w)) return q;
  }
}

}  // namespace

const engine::ParamTable<Plummer>& plummer_table() {
  using engine::param;
  static const engine::ParamTable<Plummer> table{
      "plummer",
      "a Plummer sphere in equilibrium, isotropic velocities",
      {count_param<Plummer>(), mass_param<Plummer>(),
       param(&Plummer::scale,
             {.name = "scale",
              .help = "Plummer radius; the default gives virial (Henon) units if G = mass = 1",
              .unit = "length",
              .minimum = 0,
              .minimum_excluded = true}),
       cutoff_param<Plummer>("radius beyond which there are no bodies, in scales")}};
  return table;
}

Sampler sampler(const Plummer& plummer, double gravitational) {
  const double c = plummer.cutoff;
  const double inside = 1 / std::pow(1 + 1 / (c * c), 1.5);  // mass fraction inside the cutoff
  // Squared escape velocity at the centre.
  const double escape2 = 2 * gravitational * plummer.mass / inside / plummer.scale;
  return [=, scale = plummer.scale](engine::Random& random) -> PhasePoint {
    // M(r)/M' = (1 + a^2/r^2)^(-3/2), inverted.
    const double fraction = inside * random.uniform();
    const double root = std::cbrt(fraction);
    const double radius = scale * root / std::sqrt(1 - root * root);
    const engine::Vec3d position = draw_direction(random, radius);
    const double s = radius / scale;
    const double escape = std::sqrt(escape2 / std::sqrt(1 + s * s));
    return {position, draw_direction(random, draw_speed(random) * escape)};
  };
}

Bodies make(const Plummer& plummer, const MakeContext& context) {
  return generate(plummer.n, plummer.mass, context, sampler(plummer, context.gravitational));
}

}  // namespace mote::sim
