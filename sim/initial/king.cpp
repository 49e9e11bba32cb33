#include "sim/initial/king.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sim/initial/common_params.h"
#include "sim/initial/draw.h"

namespace mote::sim {
namespace {

constexpr double first = 1e-4;       // innermost non-zero radius in r0; W differs from W0 by 1e-8
constexpr double log_step = 0.005;   // step of ln r
constexpr double last_step = 1e-13;  // the edge is found by halving steps down to this

/// W and G M(r) / (sigma^2 r0) at ln(r / r0): dW/dlnr = -GM / r, dGM/dlnr = 9 r^3 rho(W) / rho(W0).
struct Structure {
  double w;
  double mass;
};

Structure slope(double log_radius, Structure s, double central_density) {
  const double r = std::exp(log_radius);
  return {-s.mass / r, 9 * r * r * r * king_density(s.w) / central_density};
}

Structure runge_kutta(double log_radius, Structure s, double h, double central_density) {
  const auto advanced = [&](const Structure& k, double by) -> Structure {
    return {s.w + by * k.w, s.mass + by * k.mass};
  };
  const Structure k1 = slope(log_radius, s, central_density);
  const Structure k2 = slope(log_radius + h / 2, advanced(k1, h / 2), central_density);
  const Structure k3 = slope(log_radius + h / 2, advanced(k2, h / 2), central_density);
  const Structure k4 = slope(log_radius + h, advanced(k3, h), central_density);
  return {s.w + h / 6 * (k1.w + 2 * k2.w + 2 * k3.w + k4.w),
          s.mass + h / 6 * (k1.mass + 2 * k2.mass + 2 * k3.mass + k4.mass)};
}

struct Profile {
  std::vector<double> radius{0}, mass{0}, w;
};

Profile integrated(double w0) {
  Profile profile;
  profile.w.push_back(w0);
  const auto append = [&](double log_radius, const Structure& s) {
    profile.radius.push_back(std::exp(log_radius));
    profile.mass.push_back(s.mass);
    profile.w.push_back(s.w);
  };
  const double central = king_density(w0);
  double log_radius = std::log(first);
  // Uniform density; the next terms are 1e-16.
  Structure now{w0 - 1.5 * first * first, 3 * first * first * first};
  append(log_radius, now);
  for (double h = log_step; h > last_step;) {
    const Structure next = runge_kutta(log_radius, now, h, central);
    if (next.w < 0) {
      h /= 2;
      continue;
    }
    log_radius += h;
    now = next;
    if (h == log_step) append(log_radius, now);
  }
  if (std::exp(log_radius) > profile.radius.back()) append(log_radius, now);
  profile.w.back() = 0;
  return profile;
}

/// Draws a speed in units of sigma at depth w, by rejection: its density v^2 (exp(w - v^2/2) - 1),
/// v^2 < 2w, is below v^2 exp(w - v^2/2) <= 2 exp(w - 1). Because exp is convex it is also below
/// v^2 (w - v^2/2) (exp(w) - 1) / w <= w (exp(w) - 1) / 2, the tighter bound for small w.
double draw_speed(engine::Random& random, double w) {
  const double highest = std::min(2 * std::exp(w - 1), w * std::expm1(w) / 2);
  const double escape = std::sqrt(2 * w);
  if (!(highest > 0)) return 0;
  for (;;) {
    const double v = random.uniform(0, escape);
    const double level = random.uniform(0, highest);
    if (level < v * v * std::expm1(w - v * v / 2)) return v;
  }
}

}  // namespace

double king_density(double w) {
  if (!(w > 0)) return 0;
  if (w > 2)
    return std::exp(w) * std::erf(std::sqrt(w)) -
           std::sqrt(4 * w / std::numbers::pi) * (1 + 2 * w / 3);
  // The series of exp(w) erf(sqrt w), 2 / sqrt(pi) sum 2^k w^(k + 1/2) / (2k + 1)!!, without its
  // first two terms.
  double term = 2 / std::sqrt(std::numbers::pi) * std::sqrt(w) * w * w * 4 / 15, sum = 0;
  for (int k = 3; sum + term != sum; ++k) {
    sum += term;
    term *= 2 * w / (2 * k + 1);
  }
  return sum;
}

KingModel::KingModel(double w0) : shells({0, 1}, {0, 1}) {
  Profile profile = integrated(w0);
  shells = RadialTable(std::move(profile.radius), std::move(profile.mass));
  w = std::move(profile.w);
}

const engine::ParamTable<King>& king_table() {
  static const engine::ParamTable<King> table{
      "king",
      "King's model of a star cluster in equilibrium, with a core and a tidal radius",
      {count_param<King>(), mass_param<King>(),
       engine::param(&King::w0,
                     {.name = "w0",
                      .help = "depth of the potential at the centre, in squared velocity "
                              "dispersions: 3 is loose, 9 concentrated",
                      .minimum = 0.1,
                      .maximum = 15}),
       length_param(&King::core_radius, "core_radius",
                    "King's core radius; 1 when neither radius is given"),
       length_param(&King::tidal_radius, "tidal_radius",
                    "radius where the density vanishes, instead of core_radius")}};
  return table;
}

BrokenRelations broken_relations(const King& king) {
  if (!king.core_radius || !king.tidal_radius) return {};
  return {{"tidal_radius", "is given together with core_radius",
           "give only one: the other follows from w0"}};
}

Sampler sampler(const King& king, double gravitational) {
  const KingModel model(king.w0);
  const double core =
      king.tidal_radius ? *king.tidal_radius / model.tidal_radius() : king.core_radius.value_or(1);
  const double sigma = std::sqrt(gravitational * king.mass / (model.mass() * core));
  return [=](engine::Random& random) -> PhasePoint {
    const RadialTable::Point point = model.shells.draw(random.uniform());
    const engine::Vec3d position = draw_direction(random, core * point.radius);
    const double speed = draw_speed(random, RadialTable::value(model.w, point));
    return {position, draw_direction(random, sigma * speed)};
  };
}

Bodies make(const King& king, const MakeContext& context) {
  return generate(king.n, king.mass, context, sampler(king, context.gravitational));
}

}  // namespace mote::sim
