#include "sim/initial/disk_profile.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/exec/parallel.h"
#include "sim/initial/thin_disk.h"

namespace mote::sim {
namespace {

using std::numbers::pi;

constexpr int radial_nodes = 512;
constexpr double innermost = 1e-3;  // innermost node, in scale lengths
constexpr double margin = 0.5;      // outermost node beyond the cutoff, in scale lengths
constexpr double core = 0.5;        // radius inside which sigma_R levels off, in scale lengths

/// Means over pairs of bodies in a sech^2(z/z0) sheet, with vertical distance d = |z - z'| and
/// softened distance D = sqrt(d^2 + eps^2).
struct SheetPairs {
  double distance;  ///< <D>
  double support;   ///< <d^2 / D>
  /// <d^2> / <d^2 / D>, where a vertical gravity linear in D takes its mean.
  double effective_distance;
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
  if (sum.support > 0) sum.effective_distance = squares / sum.support;
  return sum;
}

/// A quantity at the radial_nodes; these are equally spaced in ln R.
using NodeValues = std::vector<double>;

/// dln f / dln R, second order in `step` except at the two ends, where there are hardly any bodies.
NodeValues log_slope(const NodeValues& f, double step) {
  NodeValues slope(radial_nodes, 0.0);
  for (std::size_t i = 0; i < radial_nodes; ++i) {
    const std::size_t low = i > 0 ? i - 1 : 0, high = i + 1 < radial_nodes ? i + 1 : i;
    if (f[low] > 0 && f[high] > 0)
      slope[i] = std::log(f[high] / f[low]) / (static_cast<double>(high - low) * step);
  }
  return slope;
}

double interpolate(const NodeValues& f, double index) {
  const double inside = std::clamp(index, 0.0, radial_nodes - 1.000001);
  const auto i = static_cast<std::size_t>(inside);
  return f[i] + (inside - static_cast<double>(i)) * (f[i + 1] - f[i]);
}

/// Toomre's dispersion at radius (R^4 + core^4)^(1/4), limited to the maximum circular velocity.
NodeValues radial_dispersion(const NodeValues& toomre, const NodeValues& circular, double step) {
  const double limit = *std::max_element(circular.begin(), circular.end());
  NodeValues sigma(radial_nodes);
  for (std::size_t i = 0; i < radial_nodes; ++i) {
    const double shift =
        std::pow(core / innermost, 4) * std::exp(-4 * step * static_cast<double>(i));
    const double index = static_cast<double>(i) + 0.25 * std::log1p(shift) / step;
    sigma[i] = std::min(interpolate(toomre, index), limit);
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
                         const std::function<double(double)>& spherical_omega2)
    : table_(radial_nodes), scale_length_(disk.scale_length) {
  const double rd = disk.scale_length, z0 = disk.thickness * rd, g = gravitational;
  const double inside = 1 - (1 + disk.cutoff) * std::exp(-disk.cutoff);
  central_density_ = disk.mass / (2 * pi * rd * rd * inside);
  const double step = std::log((disk.cutoff + margin) / innermost) / (radial_nodes - 1);
  per_log_radius_ = 1 / step;

  const SheetPairs pairs = sheet_pairs(z0, softening);
  NodeValues radius(radial_nodes), density(radial_nodes), circular(radial_nodes);
  engine::parallel_tasks(threads, radial_nodes, [&](engine::Index task) {
    const auto i = static_cast<std::size_t>(task);
    const double x = innermost * std::exp(static_cast<double>(task) * step);
    radius[i] = x * rd;
    density[i] = central_density_ * std::exp(-x);
    const double spherical = spherical_omega2(radius[i]);
    circular[i] =
        std::sqrt(g * central_density_ * rd * thin_disk_velocity_squared(x, pairs.distance / rd) +
                  spherical * radius[i] * radius[i]);
    const double disk_part = 0.5 * g * central_density_ *
                             thin_disk_vertical_gravity(x, pairs.effective_distance / rd) *
                             pairs.support;
    table_[i].sigma_vertical = std::sqrt(disk_part + spherical * pi * pi * z0 * z0 / 12);
  });

  const NodeValues slope = log_slope(circular, step);
  NodeValues epicycle(radial_nodes), toomre(radial_nodes), pressure(radial_nodes);  // epicycle:
                                                                                    // kappa / 2
                                                                                    // Omega
  for (std::size_t i = 0; i < radial_nodes; ++i) {
    epicycle[i] = std::sqrt(std::max(0.0, 1 + slope[i]) / 2);
    const double kappa = 2 * epicycle[i] * circular[i] / radius[i];
    toomre[i] = kappa > 0 ? 3.36 * disk.toomre_q * g * density[i] / kappa : 0;
  }
  const NodeValues sigma = radial_dispersion(toomre, circular, step);
  for (std::size_t i = 0; i < radial_nodes; ++i) pressure[i] = density[i] * sigma[i] * sigma[i];
  const NodeValues pressure_slope = log_slope(pressure, step);
  for (std::size_t i = 0; i < radial_nodes; ++i) {
    const double drift = sigma[i] * sigma[i] * (1 - epicycle[i] * epicycle[i] + pressure_slope[i]);
    table_[i].circular = circular[i];
    table_[i].rotation = std::sqrt(std::max(0.0, circular[i] * circular[i] + drift));
    table_[i].sigma_radial = sigma[i];
    table_[i].sigma_azimuthal = sigma[i] * epicycle[i];
  }
}

DiskVelocities DiskProfile::at(double radius) const {
  const double x = radius / (innermost * scale_length_);
  const double index =
      std::clamp(x > 1 ? std::log(x) * per_log_radius_ : 0.0, 0.0, radial_nodes - 1.000001);
  const auto i = static_cast<std::size_t>(index);
  const double t = index - static_cast<double>(i), rigid = std::min(x, 1.0);
  const DiskVelocities &low = table_[i], &high = table_[i + 1];
  const auto mix = [t](double a, double b) { return a + t * (b - a); };
  return {rigid * mix(low.circular, high.circular), rigid * mix(low.rotation, high.rotation),
          mix(low.sigma_radial, high.sigma_radial), mix(low.sigma_azimuthal, high.sigma_azimuthal),
          mix(low.sigma_vertical, high.sigma_vertical)};
}

}  // namespace mote::sim
