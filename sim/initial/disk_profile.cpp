#include "sim/initial/disk_profile.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/exec/parallel.h"
#include "sim/initial/thin_disk.h"

namespace mote::sim {
namespace {

using std::numbers::pi;

constexpr int nodes = 512;
constexpr double first = 1e-3;  // innermost node, in scale lengths
constexpr double beyond = 0.5;  // the outermost lies this far beyond the cutoff, in scale lengths
constexpr double calm = 0.5;    // the radial dispersion levels off inside this radius, in scale
                                // lengths

/// Two bodies of a sech^2(z/z0) sheet at the vertical distance d = |z - z'|, with the softened
/// distance D = sqrt(d^2 + eps^2): means over the pairs.
struct SheetPairs {
  double distance;  ///< <D>
  double support;   ///< <d^2 / D>
  double lever;     ///< <d^2> / <d^2 / D>, the distance at which a pull that is linear in D has its
                    ///< mean
};

/// z is logistic with width s = z0/2, so that d = s x has the density (x cosh(x/2) - 2 sinh(x/2)) /
/// (2 sinh^3(x/2)), x > 0.
SheetPairs sheet_pairs(double z0, double softening) {
  constexpr int points = 4000;
  constexpr double width = 40.0 / points;  // the density has fallen to e^-40
  SheetPairs sum{0, 0, 0};
  double squares = 0;
  for (int i = 0; i < points; ++i) {
    const double x = (i + 0.5) * width;
    const double c = std::cosh(0.5 * x), s = std::sinh(0.5 * x);
    const double weight = width * (x * c - 2 * s) / (2 * s * s * s);
    const double d = 0.5 * z0 * x, softened = std::sqrt(d * d + softening * softening);
    sum.distance += weight * softened;
    squares += weight * d * d;
    if (softened > 0) sum.support += weight * d * d / softened;
  }
  if (sum.support > 0) sum.lever = squares / sum.support;
  return sum;
}

/// A quantity at the nodes, which are equally spaced in ln R.
using Column = std::vector<double>;

/// dln f / dln R, of second order in `step` except at the two ends, where no bodies are to speak
/// of.
Column log_slope(const Column& f, double step) {
  Column slope(nodes, 0.0);
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::size_t low = i > 0 ? i - 1 : 0, high = i + 1 < nodes ? i + 1 : i;
    if (f[low] > 0 && f[high] > 0)
      slope[i] = std::log(f[high] / f[low]) / (static_cast<double>(high - low) * step);
  }
  return slope;
}

double at_place(const Column& f, double place) {
  const double inside = std::clamp(place, 0.0, nodes - 1.000001);
  const auto i = static_cast<std::size_t>(inside);
  return f[i] + (inside - static_cast<double>(i)) * (f[i + 1] - f[i]);
}

/// Toomre's dispersion, taken at the radius (R^4 + calm^4)^(1/4) and no larger than the greatest
/// circular velocity.
Column radial_dispersion(const Column& toomre, const Column& circular, double step) {
  const double limit = *std::max_element(circular.begin(), circular.end());
  Column sigma(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    const double shift = std::pow(calm / first, 4) * std::exp(-4 * step * static_cast<double>(i));
    const double place = static_cast<double>(i) + 0.25 * std::log1p(shift) / step;
    sigma[i] = std::min(at_place(toomre, place), limit);
  }
  return sigma;
}

}  // namespace

DiskProfile::DiskProfile(const Disk& disk, double gravitational, double softening, int threads)
    : DiskProfile(
          disk, gravitational, softening, threads,
          [g = gravitational, mass = disk.dark_mass,
           core2 = disk.dark_scale * disk.dark_scale + softening * softening](double radius) {
            return g * mass / std::pow(radius * radius + core2, 1.5);
          }) {}

DiskProfile::DiskProfile(const Disk& disk, double gravitational, double softening, int threads,
                         const std::function<double(double)>& round_omega2)
    : table_(nodes), scale_length_(disk.scale_length) {
  const double rd = disk.scale_length, z0 = disk.thickness * rd, g = gravitational;
  const double inside = 1 - (1 + disk.cutoff) * std::exp(-disk.cutoff);
  central_density_ = disk.mass / (2 * pi * rd * rd * inside);
  const double step = std::log((disk.cutoff + beyond) / first) / (nodes - 1);
  per_log_radius_ = 1 / step;

  const SheetPairs pairs = sheet_pairs(z0, softening);
  Column radius(nodes), density(nodes), circular(nodes);
  engine::parallel_tasks(threads, nodes, [&](engine::Index task) {
    const auto i = static_cast<std::size_t>(task);
    const double x = first * std::exp(static_cast<double>(task) * step);
    radius[i] = x * rd;
    density[i] = central_density_ * std::exp(-x);
    const double round = round_omega2(radius[i]);
    circular[i] =
        std::sqrt(g * central_density_ * rd * thin_disk_velocity_squared(x, pairs.distance / rd) +
                  round * radius[i] * radius[i]);
    const double own =
        0.5 * g * central_density_ * thin_disk_vertical_pull(x, pairs.lever / rd) * pairs.support;
    table_[i].sigma_vertical = std::sqrt(own + round * pi * pi * z0 * z0 / 12);
  });

  const Column slope = log_slope(circular, step);
  Column epicycle(nodes), toomre(nodes), pressure(nodes);  // epicycle: kappa / 2 Omega
  for (std::size_t i = 0; i < nodes; ++i) {
    epicycle[i] = std::sqrt(std::max(0.0, 1 + slope[i]) / 2);
    const double kappa = 2 * epicycle[i] * circular[i] / radius[i];
    toomre[i] = kappa > 0 ? 3.36 * disk.toomre_q * g * density[i] / kappa : 0;
  }
  const Column sigma = radial_dispersion(toomre, circular, step);
  for (std::size_t i = 0; i < nodes; ++i) pressure[i] = density[i] * sigma[i] * sigma[i];
  const Column pressure_slope = log_slope(pressure, step);
  for (std::size_t i = 0; i < nodes; ++i) {
    const double drift = sigma[i] * sigma[i] * (1 - epicycle[i] * epicycle[i] + pressure_slope[i]);
    table_[i].circular = circular[i];
    table_[i].rotation = std::sqrt(std::max(0.0, circular[i] * circular[i] + drift));
    table_[i].sigma_radial = sigma[i];
    table_[i].sigma_azimuthal = sigma[i] * epicycle[i];
  }
}

DiskVelocities DiskProfile::at(double radius) const {
  const double x = radius / (first * scale_length_);
  const double place =
      std::clamp(x > 1 ? std::log(x) * per_log_radius_ : 0.0, 0.0, nodes - 1.000001);
  const auto i = static_cast<std::size_t>(place);
  const double t = place - static_cast<double>(i), rigid = std::min(x, 1.0);
  const DiskVelocities &low = table_[i], &high = table_[i + 1];
  const auto mix = [t](double a, double b) { return a + t * (b - a); };
  return {rigid * mix(low.circular, high.circular), rigid * mix(low.rotation, high.rotation),
          mix(low.sigma_radial, high.sigma_radial), mix(low.sigma_azimuthal, high.sigma_azimuthal),
          mix(low.sigma_vertical, high.sigma_vertical)};
}

}  // namespace mote::sim
