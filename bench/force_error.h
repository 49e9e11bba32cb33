#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/oracle.h"

namespace mote::bench {

/// Errors of a state's accelerations against a direct sum in double.
struct ForceErrors {
  double p90 = 0, worst = 0;                ///< |a - truth| / sum of the magnitudes of all terms
  double p90_of_sum = 0, worst_of_sum = 0;  ///< |a - truth| / |truth|: large where terms cancel
};

/// Evaluates about `bodies` bodies, equally spaced in index, or all.
inline ForceErrors force_errors(const sim::State<engine::Host>& state, double softening,
                                engine::Index bodies) {
  std::vector<double> of_terms, of_sum;
  // A NaN counts as an infinite error.
  const auto relative = [](double error, double scale) {
    const double ratio = error == 0 ? 0 : error / scale;
    return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
  };
  const engine::Index stride = std::max<engine::Index>(1, state.count() / bodies);
  state.visit([&](auto s) {
    for (engine::Index i = 0; i < s.count; i += stride) {
      const test::OracleForce truth = test::oracle_force(s, i, softening);
      const engine::Vec3d d = engine::Vec3d{s.ax[i], s.ay[i], s.az[i]} - truth.acceleration;
      const double error = std::sqrt(dot(d, d)),
                   sum = std::sqrt(dot(truth.acceleration, truth.acceleration));
      of_terms.push_back(relative(error, truth.magnitude));
      of_sum.push_back(relative(error, sum));
    }
  });
  std::sort(of_terms.begin(), of_terms.end());
  std::sort(of_sum.begin(), of_sum.end());
  const std::size_t p90 = of_terms.size() * 9 / 10;
  return {of_terms[p90], of_terms.back(), of_sum[p90], of_sum.back()};
}

}  // namespace mote::bench
