#include "sim/expansions/multipole_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/check.h"
#include "sim/expansions/expansion.h"
#include "sim/expansions/periodic_images.h"

namespace mote::sim {
namespace {

using engine::Backend;
using engine::Precision;

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
  // Each order has the largest fraction that keeps the accuracy, less a tenth or more, for 99 % of
  // the forces in Plummer spheres, cubes, discs and two clusters of 20,000 and 200,000 bodies, as
  // measured. More bodies have smaller errors.
  constexpr double of_accuracy[expansion::largest_order + 1] = {0,   0,   0,   0.33, 0.4,
                                                                0.6, 1.4, 1.2, 1.2};
  settings.fraction = of_accuracy[settings.order] * accuracy;
  // The field scale of a GPU is a lower bound (DeviceMultipoleSolver): its errors are smaller, as
  // measured for the orders that are chosen.
  if (backend == Backend::cuda && settings.order >= 6) settings.fraction *= 2;
  // Measured for order 6 and waves of a quarter on lattices of 8,000 to 125,000 bodies on a CPU,
  // and of up to a million on a GPU, where W is a lower bound too (decision 0065).
  settings.of_pulls = backend == Backend::cuda ? 2 : 10;
  settings.accuracy = accuracy;
  return settings;
}

}  // namespace mote::sim
