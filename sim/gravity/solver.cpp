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

/// The least error that positions in single precision leave, with a margin.
constexpr double least_in_single = 1e-5;
/// Below this, sums of float terms are not accurate enough, and positions in double are summed in
/// double.
constexpr double least_of_float_sums = 3e-6;

}  // namespace

bool sums_in_single(const std::string& key, double accuracy, Precision precision) {
  if (precision == Precision::single && accuracy < least_in_single)
    throw engine::InputError(
        key,
        fmt::format("{:g} is less than single precision can keep, {:g}", accuracy, least_in_single),
        "use mixed or double precision");
  return precision == Precision::single ||
         (precision == Precision::mixed && accuracy >= least_of_float_sums);
}

std::optional<ImagesProblem> problem_of_images(const Domain& domain) {
  const bool any = domain.periodic[0] || domain.periodic[1] || domain.periodic[2];
  if (!any) return {};
  if (!sums_images(domain))
    return ImagesProblem{"", "needs a domain that is periodic along all axes, or along none",
                         "use domain.boundary = \"periodic\" for all axes, or walls or open axes"};
  const auto& [x, y, z] = domain.length;
  if (std::max({x, y, z}) > PeriodicImages::longest * std::min({x, y, z}))
    return ImagesProblem{"domain.size",
                         fmt::format("has sides of ratios above {:g}, for which not all images can "
                                     "be summed",
                                     PeriodicImages::longest),
                         "make the sides more equal"};
  return {};
}

MultipoleSettings multipole_settings(double accuracy, int order, int leaf, Backend backend) {
  MultipoleSettings settings;
  // The order that takes least time at this accuracy.
  settings.order = order > 0 ? order : accuracy >= 3e-4 ? 6 : accuracy >= 3e-5 ? 7 : 8;
  // Larger leaves are faster on a GPU: it sums pairs of bodies faster than it walks through cells.
  const int fastest = settings.order <= 4 ? 32 : 64;
  settings.leaf = leaf > 0 ? leaf : backend == Backend::cuda ? fastest + fastest / 2 : fastest;
  // By the order, from measurements of the errors of 99 % of the forces in Plummer spheres, cubes,
  // discs and two clusters of 20,000 and 200,000 bodies: the largest of these that keeps the
  // accuracy in all of them, less a tenth or more. More bodies have smaller errors.
  constexpr double of_accuracy[expansion::largest_order + 1] = {0,   0,   0,   0.33, 0.4,
                                                                0.6, 1.4, 1.2, 1.2};
  settings.fraction = of_accuracy[settings.order] * accuracy;
  // The field scale of a GPU is a lower bound (DeviceMultipoleGravity): its errors are smaller, as
  // measured for the orders that are chosen.
  if (backend == Backend::cuda && settings.order >= 6) settings.fraction *= 2;
  // Measured for small waves on lattices of 8,000 to 125,000 bodies on a CPU, and of up to a
  // million on a GPU, where W is a lower bound too (decision 0065).
  settings.of_pulls = backend == Backend::cuda ? 2 : 10;
  settings.accuracy = accuracy;
  return settings;
}

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
