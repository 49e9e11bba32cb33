#include "app/compare/force_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/exec/parallel.h"
#include "sim/gravity/gravity_formula.h"

namespace mote::app {

using engine::Host;
using engine::Index;
using engine::Vec3d;

namespace {

template <class Real>
Vec3d place_of(const sim::StateView<Real>& s, Index i) {
  return {static_cast<double>(s.x[i]), static_cast<double>(s.y[i]), static_cast<double>(s.z[i])};
}

}  // namespace

ForceTruth::ForceTruth(int threads, const sim::State<Host>& state, double softening,
                       Index bodies_at_most) {
  const Index count = std::min(state.count(), bodies_at_most);
  truths_.resize(static_cast<std::size_t>(count));
  const double e2 = softening * softening;
  state.visit([&](auto s) {
    engine::parallel_tasks(threads, count, [&](Index k) {
      // Spread evenly, but not in equal strides: those would look at the same lane of every block
      // of threads.
      const Index begin = k * s.count / count, end = (k + 1) * s.count / count;
      Truth truth{begin + k * 37 % (end - begin), {0, 0, 0}, 0};
      const Vec3d at = place_of(s, truth.body);
      for (Index j = 0; j < s.count; ++j) {
        Vec3d part{0, 0, 0};
        sim::add_attraction<sim::Guard::coincident>(place_of(s, j) - at,
                                                    static_cast<double>(s.mass[j]), e2, part);
        truth.acceleration += part;
        truth.magnitude += std::sqrt(dot(part, part));
      }
      truths_[static_cast<std::size_t>(k)] = truth;
    });
  });
}

ForceErrors ForceTruth::errors_of(const sim::State<Host>& state) const {
  std::vector<double> errors;
  state.visit([&](auto s) {
    for (const Truth& truth : truths_) {
      const Index i = truth.body;
      const Vec3d a{static_cast<double>(s.ax[i]), static_cast<double>(s.ay[i]),
                    static_cast<double>(s.az[i])};
      const Vec3d d = a - truth.acceleration;
      const double error = std::sqrt(dot(d, d));
      const double relative = error == 0 ? 0 : error / truth.magnitude;
      errors.push_back(std::isnan(relative) ? std::numeric_limits<double>::infinity() : relative);
    }
  });
  if (errors.empty()) return {};
  std::sort(errors.begin(), errors.end());
  return {errors[errors.size() * 9 / 10], errors.back()};
}

double largest_force_error(engine::Precision precision) {
  return precision == engine::Precision::full ? 1e-13 : 3e-6;
}

double plain_potential(int threads, const sim::State<Host>& state, double softening) {
  std::vector<double> of_body(static_cast<std::size_t>(state.count()));
  state.visit([&](auto s) {
    engine::parallel_tasks(threads, s.count, [&](Index i) {
      const Vec3d at = place_of(s, i);
      double sum = 0;
      for (Index j = 0; j < i; ++j)
        sum += static_cast<double>(s.mass[j]) *
               sim::inverse_distance(place_of(s, j) - at, softening * softening);
      of_body[static_cast<std::size_t>(i)] = static_cast<double>(s.mass[i]) * sum;
    });
  });
  double sum = 0;
  for (double one : of_body) sum += one;
  return -sum;
}

}  // namespace mote::app
