#include "app/compare/force_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/exec/parallel.h"
#include "sim/expansions/gravity_formula.h"

namespace mote::app {

using engine::Host;
using engine::Index;
using engine::Vec3d;

namespace {

template <class Real>
Vec3d position(const sim::StateView<Real>& s, Index i) {
  return {static_cast<double>(s.x[i]), static_cast<double>(s.y[i]), static_cast<double>(s.z[i])};
}

}  // namespace

ForceReference::ForceReference(int threads, const sim::State<Host>& state, double softening,
                               Index bodies_at_most) {
  const Index count = std::min(state.count(), bodies_at_most);
  references_.resize(static_cast<std::size_t>(count));
  const double e2 = softening * softening;
  state.visit([&](auto s) {
    engine::parallel_tasks(threads, count, [&](Index k) {
      // Evenly spread, but not at a constant stride, which would sample the same lane of every
      // block.
      const Index begin = k * s.count / count, end = (k + 1) * s.count / count;
      Reference reference{begin + k * 37 % (end - begin), {0, 0, 0}, 0};
      const Vec3d at = position(s, reference.body);
      for (Index j = 0; j < s.count; ++j) {
        Vec3d part{0, 0, 0};
        sim::add_attraction<sim::ZeroDistance::coincident>(
            position(s, j) - at, static_cast<double>(s.mass[j]), e2, part);
        reference.acceleration += part;
        reference.magnitude += std::sqrt(dot(part, part));
      }
      references_[static_cast<std::size_t>(k)] = reference;
    });
  });
}

ForceErrors ForceReference::errors_of(const sim::State<Host>& state) const {
  std::vector<double> errors;
  state.visit([&](auto s) {
    for (const Reference& reference : references_) {
      const Index i = reference.body;
      const Vec3d a{static_cast<double>(s.ax[i]), static_cast<double>(s.ay[i]),
                    static_cast<double>(s.az[i])};
      const Vec3d d = a - reference.acceleration;
      const double error = std::sqrt(dot(d, d));
      const double relative = error == 0 ? 0 : error / reference.magnitude;
      errors.push_back(std::isnan(relative) ? std::numeric_limits<double>::infinity() : relative);
    }
  });
  if (errors.empty()) return {};
  std::sort(errors.begin(), errors.end());
  return {errors[errors.size() * 9 / 10], errors.back()};
}

double largest_force_error(engine::Precision precision) {
  return precision == engine::Precision::double_ ? 1e-13 : 3e-6;
}

double reference_potential(int threads, const sim::State<Host>& state, double softening) {
  std::vector<double> of_body(static_cast<std::size_t>(state.count()));
  state.visit([&](auto s) {
    engine::parallel_tasks(threads, s.count, [&](Index i) {
      const Vec3d at = position(s, i);
      double sum = 0;
      for (Index j = 0; j < i; ++j)
        sum += static_cast<double>(s.mass[j]) *
               sim::inverse_distance(position(s, j) - at, softening * softening);
      of_body[static_cast<std::size_t>(i)] = static_cast<double>(s.mass[i]) * sum;
    });
  });
  double sum = 0;
  for (double one : of_body) sum += one;
  return -sum;
}

}  // namespace mote::app
