#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/math/vec.h"
#include "sim/initial/bodies.h"

namespace mote::test {

/// Kolmogorov-Smirnov distance between a sample and a cumulative distribution function.
template <class Cumulative>
double ks_distance(std::vector<double> sample, Cumulative&& cumulative) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double worst = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double expected = cumulative(sample[i]);
    const double below = static_cast<double>(i) / n, above = static_cast<double>(i + 1) / n;
    worst = std::max({worst, expected - below, above - expected});
  }
  return worst;
}

/// Number of bodies of samples that are compared with their distribution.
inline constexpr std::int64_t many = 200000;

/// The distance that a correct sample of n exceeds with probability 1e-6: sqrt(ln(2 / 1e-6) / 2n)
/// (Massart 1990, Ann. Probab. 18, 1269; valid for every n).
inline double ks_bound(std::size_t n) {
  return std::sqrt(std::log(2e6) / (2 * static_cast<double>(n)));
}

/// Mean of a sample and its standard error. Tests allow 5 standard errors, which a correct sample
/// exceeds with probability 6e-7.
struct Mean {
  double value;
  double error;
};

inline Mean mean_of(const std::vector<double>& sample) {
  const auto n = static_cast<double>(sample.size());
  double sum = 0, squares = 0;
  for (double x : sample) sum += x;
  for (double x : sample) squares += (x - sum / n) * (x - sum / n);
  return {sum / n, std::sqrt(squares / (n * (n - 1)))};
}

/// Integral by the midpoint rule.
template <class Function>
double integral(double low, double high, int points, Function&& f) {
  const double width = (high - low) / points;
  double sum = 0;
  for (int i = 0; i < points; ++i) sum += f(low + (i + 0.5) * width);
  return sum * width;
}

inline double length_of(engine::Vec3d v) {
  return std::sqrt(dot(v, v));
}

/// f(position, velocity) of each body.
template <class Function>
std::vector<double> each(const sim::Bodies& bodies, Function&& f) {
  std::vector<double> values;
  for (std::size_t i = 0; i < bodies.mass.size(); ++i)
    values.push_back(f(bodies.position[i], bodies.velocity[i]));
  return values;
}

}  // namespace mote::test
