#include "sim/initial/isotropic_sphere.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/exec/parallel.h"

namespace mote::sim {
namespace {

constexpr std::size_t energy_nodes = 1024;

/// Integral of c / sqrt(energy - psi) over psi from `low` to `high` <= energy, with c linear
/// between its values at both ends.
double abel_integral(double energy, double low, double high, double at_low, double at_high) {
  const double a = std::sqrt(energy - low), b = std::sqrt(energy - high);
  const double width = high - low, difference = width / (a + b);  // a - b without cancellation
  return 2 * at_low * difference +
         (at_high - at_low) / width * (2.0 / 3) * difference * difference * (2 * a + b);
}

}  // namespace

IsotropicSphere::IsotropicSphere(const std::function<Local(double)>& local, double first,
                                 double last, int threads)
    : first_(first),
      radius_(energy_nodes),
      psi_(energy_nodes),
      distribution_(energy_nodes),
      highest_(energy_nodes) {
  const double step = std::log(last / first) / (energy_nodes - 1);
  per_log_radius_ = 1 / step;
  std::vector<double> curvature(energy_nodes);  // d^2 rho / d psi^2
  for (std::size_t i = 0; i < energy_nodes; ++i) {
    radius_[i] = first * std::exp(static_cast<double>(i) * step);
    const Local l = local(radius_[i]);
    psi_[i] = l.psi;
    curvature[i] = (l.density_curvature - l.density_slope * l.gravity_slope / l.gravity) /
                   (l.gravity * l.gravity);
  }
  const double factor = 1 / (std::sqrt(8.0) * std::numbers::pi * std::numbers::pi);
  engine::parallel_tasks(threads, energy_nodes, [&](engine::Index task) {
    const auto k = static_cast<std::size_t>(task);
    double sum = abel_integral(psi_[k], 0, psi_.back(), 0, curvature.back());
    for (std::size_t j = energy_nodes - 1; j > k; --j)
      sum += abel_integral(psi_[k], psi_[j], psi_[j - 1], curvature[j], curvature[j - 1]);
    distribution_[k] = factor * sum;
  });
  double level = 0;
  for (std::size_t i = energy_nodes; i-- > 0;)
    level = distribution_[i] = std::max(level, distribution_[i]);
  // An upper bound, not the maximum itself: between two energies neither v nor f exceeds the larger
  // of its values at the ends. It also holds further out, where psi is lower, because f increases
  // with energy.
  engine::parallel_tasks(threads, energy_nodes, [&](engine::Index task) {
    const auto k = static_cast<std::size_t>(task);
    for (std::size_t j = k; j < energy_nodes; ++j) {
      const double outer = j + 1 < energy_nodes ? psi_[j + 1] : 0;
      highest_[k] = std::max(highest_[k], 2 * (psi_[k] - outer) * distribution_[j]);
    }
  });
}

double IsotropicSphere::distribution(double energy) const {
  if (energy <= psi_.back()) return distribution_.back() * std::max(0.0, energy / psi_.back());
  if (energy >= psi_.front()) return distribution_.front();
  const auto below = std::lower_bound(psi_.begin(), psi_.end(), energy, std::greater<>());
  // psi_[i] <= energy < psi_[i - 1]
  const auto i = static_cast<std::size_t>(below - psi_.begin());
  const double t = (energy - psi_[i]) / (psi_[i - 1] - psi_[i]);
  return distribution_[i] + t * (distribution_[i - 1] - distribution_[i]);
}

double IsotropicSphere::draw_speed(engine::Random& random, double radius) const {
  const double index = std::clamp(std::log(radius / first_) * per_log_radius_, 0.0,
                                  static_cast<double>(energy_nodes - 2));
  const auto i = static_cast<std::size_t>(index);
  // Linear interpolation in r does not underestimate psi, which is convex; it stays below psi_[i],
  // so the bound of the inner node holds.
  const double t = std::clamp((radius - radius_[i]) / (radius_[i + 1] - radius_[i]), 0.0, 1.0);
  const double psi = psi_[i] + t * (psi_[i + 1] - psi_[i]);
  const double escape = std::sqrt(2 * psi);
  // Massless: at rest. With an overflowed bound no draw would ever be accepted.
  if (!(highest_[i] > 0) || !std::isfinite(highest_[i])) return 0;
  for (;;) {
    const double v = random.uniform(0, escape);
    if (random.uniform(0, highest_[i]) < v * v * distribution(psi - v * v / 2)) return v;
  }
}

}  // namespace mote::sim
