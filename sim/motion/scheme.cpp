#include "sim/motion/scheme.h"

#include <algorithm>

namespace mote::sim {
namespace {

/// A symmetric composition of leapfrog steps of lengths w_k dt (Yoshida 1990, Phys. Lett. A 150,
/// 262, eq. 2.11 and 3.1): kick w_1/2, drift w_1, kick (w_1 + w_2)/2, drift w_2, ... Adjacent half
/// kicks use the same force and are merged.
Step compose(const std::vector<double>& weights) {
  Step step;
  double previous = 0;
  for (double w : weights) {
    step.push_back({StageKind::kick, 0.5 * (previous + w)});
    step.push_back({StageKind::drift, w});
    step.push_back({StageKind::force});
    previous = w;
  }
  step.push_back({StageKind::kick, 0.5 * previous});
  return step;
}

std::vector<Scheme> make_schemes() {
  // Fourth order: 2^(1/3) (Yoshida eq. 2.12; Forest & Ruth 1990, Physica D 43, 105).
  const double root = 1.2599210498948731648;
  const double outer = 1 / (2 - root);
  const double inner = -root / (2 - root);
  // Sixth order, solution A (Yoshida table 1), with the digits of Hairer, Lubich & Wanner 2006,
  // Geometric Numerical Integration, eq. V.3.11.
  const double a = 0.78451361047755726381949763, b = 0.23557321335935813368479318;
  const double c = -1.17767998417887100694641568, d = 1.31518632068391121888424973;
  return {
      {"leapfrog",
       "kick-drift-kick, second order: one force evaluation per step, robust, the default", 2,
       compose({1})},
      {"yoshida4", "fourth order: three force evaluations per step", 4,
       compose({outer, inner, outer})},
      {"yoshida6",
       "sixth order: seven force evaluations per step, for smooth orbits in double "
       "precision",
       6, compose({a, b, c, d, c, b, a})},
  };
}

}  // namespace

int Scheme::forces() const {
  return static_cast<int>(std::count_if(step.begin(), step.end(),
                                        [](const Stage& s) { return s.kind == StageKind::force; }));
}

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = make_schemes();
  return all;
}

const Scheme* scheme_named(const std::string& name) {
  for (const Scheme& s : schemes())
    if (s.name == name) return &s;
  return nullptr;
}

}  // namespace mote::sim
