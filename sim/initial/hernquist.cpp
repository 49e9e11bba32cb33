#include "sim/initial/hernquist.h"

#include <cmath>

#include "sim/initial/common_params.h"
#include "sim/initial/draw.h"

namespace mote::sim {
namespace {

double power_5_2(double x) {
  return x * x * std::sqrt(x);
}

/// The bracket h of eq. 17. Its derivative is 128 q^4 (1 - q^2)^(3/2), hence h <= 128 q^5 / 5, the
/// bound used below. For small q the closed form suffers from cancellation; there h is the integral
/// of the derivative's series, whose next term is 5e-3 q^8 relative to the first.
double bracket(double q2) {
  const double q = std::sqrt(q2);
  if (q2 < 0.01)
    return 128 * q * q2 * q2 * (1.0 / 5 + q2 * (-3.0 / 14 + q2 * (1.0 / 24 + q2 * (1.0 / 176))));
  return 3 * std::asin(q) + q * std::sqrt(1 - q2) * (1 - 2 * q2) * (8 * q2 * q2 - 8 * q2 - 3);
}

/// Draws a speed u in units of the escape velocity, at the potential -psi G M' / a, by rejection.
/// Its density is u^2 f(q), q^2 = psi (1 - u^2). By the bound on the bracket it is below
/// (128/5) psi^(5/2) g(u), g = u^2 ((1 - u^2) / (1 - psi + psi u^2))^(5/2). With y = u^2, the
/// maximum of g is where 2 psi y^2 + (3 psi + 7 d) y - 2 d = 0, d = 1 - psi.
double draw_speed(engine::Random& random, double psi, double d) {
  const auto envelope = [&](double y) {
    return 128.0 / 5 * power_5_2(psi) * y * power_5_2((1 - y) / (d + psi * y));
  };
  const double b = 3 * psi + 7 * d;
  const double highest = envelope(4 * d / (b + std::sqrt(b * b + 16 * psi * d)));
  for (;;) {
    const double u = random.uniform();
    const double level = random.uniform(0, highest);
    const double y = u * u;
    if (level > envelope(y)) continue;
    // 1 - q^2 as a sum, against cancellation near the centre, where q is almost 1.
    if (level < y * bracket(psi * (1 - y)) / power_5_2(d + psi * y)) return u;
  }
}

}  // namespace

double hernquist_distribution(double q2) {
  return bracket(q2) / power_5_2(1 - q2);
}

const engine::ParamTable<Hernquist>& hernquist_table() {
  static const engine::ParamTable<Hernquist> table{
      "hernquist",
      "Hernquist's model of a bulge or a halo in equilibrium: a cusp, isotropic velocities",
      {count_param<Hernquist>(), mass_param<Hernquist>(),
       length_param(&Hernquist::scale, "scale",
                    "Hernquist's scale radius a, which contains a quarter of the mass"),
       cutoff_param<Hernquist>("radius beyond which there are no bodies, in scales")}};
  return table;
}

Sampler sampler(const Hernquist& hernquist, double gravitational) {
  const double c = hernquist.cutoff, scale = hernquist.scale;
  const double root_inside = 1 / (1 + 1 / c);  // root of the mass fraction inside the cutoff
  const double escape2 = 2 * gravitational * hernquist.mass / (root_inside * root_inside) / scale;
  return [=](engine::Random& random) -> PhasePoint {
    // M(r)/M' = (r / (r + a))^2, inverted; d = 1 - psi = r / (r + a).
    const double d = root_inside * std::sqrt(random.uniform());
    const double psi = 1 - d;
    const engine::Vec3d position = draw_direction(random, scale * d / psi);
    return {position,
            draw_direction(random, draw_speed(random, psi, d) * std::sqrt(escape2 * psi))};
  };
}

Bodies make(const Hernquist& hernquist, const MakeContext& context) {
  return generate(hernquist.n, hernquist.mass, context, sampler(hernquist, context.gravitational));
}

}  // namespace mote::sim
