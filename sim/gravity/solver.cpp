#include "sim/gravity/solver.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/check.h"
#include "engine/text.h"

namespace mote::sim {
namespace {

using engine::Backend;
using engine::Index;
using engine::Precision;

/// Numbers of bodies from which expansions are faster than direct sums at an accuracy of 1e-3
/// (docs/performance.md), and from which a direct step takes a second or more: too long for a
/// default.
struct Crossing {
  Index faster, slow;
};

constexpr Crossing crossing_of(Backend backend, Precision precision) {
  if (backend == Backend::cpu) return {12'000, 200'000};
  if (precision == Precision::double_) return {70'000, 500'000};
  return {70'000, 1'000'000};
}

}  // namespace

GravitySolver solver_of(const Gravity& parameters, bool periodic, Index count, Backend backend,
                        Precision precision) {
  const bool automatic = parameters.solver == "auto";
  const Crossing crossing = crossing_of(backend, precision);
  const double accuracy = parameters.accuracy.value_or(1e-3);
  bool multipole = parameters.solver == "multipole";
  std::string why;
  if (periodic)
    multipole = true, why = "the domain is periodic";
  else if (automatic && count >= crossing.slow)
    multipole = true, why = "from " + engine::with_thousands(crossing.slow) + " bodies on";
  else if (automatic && parameters.accuracy && count >= crossing.faster)
    multipole = true, why = "an accuracy is given, and it is faster from " +
                            engine::with_thousands(crossing.faster) + " bodies on";
  if (!multipole) {
    if (!automatic || !parameters.accuracy) return {};
    return {{},
            0,
            "gravity by direct sums: faster for fewer than " +
                engine::with_thousands(crossing.faster) + " bodies"};
  }
  GravitySolver solver;
  solver.accuracy = accuracy;
  solver.multipole = multipole_settings(accuracy, static_cast<int>(parameters.order.value_or(0)),
                                        static_cast<int>(parameters.leaf.value_or(0)), backend);
  solver.multipole->in_single = sums_in_single("gravity.accuracy", accuracy, precision);
  solver.reason = fmt::format(
      "gravity by multipole expansions{}{}: errors of 99 % of the forces below {:g} (order {}, "
      "leaves of {})",
      why.empty() ? "" : ", ", why, accuracy, solver.multipole->order, solver.multipole->leaf);
  return solver;
}

}  // namespace mote::sim
