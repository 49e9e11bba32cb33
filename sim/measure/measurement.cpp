#include "sim/measure/measurement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "engine/algo/reduce.h"
#include "engine/math/hash.h"
#include "sim/measure/displacement.h"
#include "sim/measure/shells.h"
#include "sim/space/ball_fields.h"
#include "sim/space/ball_formula.h"
#include "sim/space/fixed_field.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Vec3d;

struct Sums : BodySums {
  Sums() : BodySums{} {
    constexpr double far = std::numeric_limits<double>::infinity();
    low = {far, far, far};
    high = {-far, -far, -far};
  }
  Sums& operator+=(const Sums& o) {
    mass += o.mass;
    kinetic += o.kinetic;
    momentum += o.momentum;
    angular_momentum += o.angular_momentum;
    moment += o.moment;
    position += o.position;
    low = {std::min(low.x, o.low.x), std::min(low.y, o.low.y), std::min(low.z, o.low.z)};
    high = {std::max(high.x, o.high.x), std::max(high.y, o.high.y), std::max(high.z, o.high.z)};
    fastest_squared = std::max(fastest_squared, o.fastest_squared);
    squared_displacement += o.squared_displacement;
    free_kinetic += o.free_kinetic;
    fixed += o.fixed;
    return *this;
  }
};

template <class Real>
Sums sums_over(const StateView<Real>& s, Vec3d period, Index begin, Index end) {
  const DisplacementValue<std::remove_const_t<Real>> displacement(s, period);
  const VectorColumns<Real> spin = s[fields::spin];
  const Real *const radius = s[fields::radius], *const fixed = s[fields::fixed];
  Sums sums;
  for (Index i = begin; i < end; ++i) {
    const double m = s.mass[i];
    const Vec3d x{s.x[i], s.y[i], s.z[i]};
    const Vec3d v{s.vx[i], s.vy[i], s.vz[i]};
    Sums one;
    one.mass = m;
    one.kinetic = 0.5 * m * dot(v, v);
    one.momentum = m * v;
    one.angular_momentum = m * cross(x, v);
    if (spin[0]) {
      const Vec3d w{spin[0][i], spin[1][i], spin[2][i]};
      const double inertia = moment_of_inertia(m, double(radius[i]));
      one.kinetic += 0.5 * inertia * dot(w, w);
      one.angular_momentum += inertia * w;
    }
    one.moment = m * x;
    one.position = one.low = one.high = x;
    one.fastest_squared = dot(v, v);
    one.squared_displacement = displacement(i);
    if (fixed && fixed[i] != 0)
      one.fixed = 1;
    else
      one.free_kinetic = one.kinetic;
    sums += one;
  }
  return sums;
}

}  // namespace

Measurement measure(const Cpu& exec, const State<Host>& state, double potential, Vec3d period) {
  return state.visit([&]<class Real>(StateView<Real> view) {
    const Sums sums = engine::ordered_sum(exec, view.count, Sums{}, [&](Index begin, Index end) {
      return sums_over(view, period, begin, end);
    });
    Measurement m = measurement_of(sums, engine::count_over(exec.ranks, view.count), potential);
    if (m.mass > 0 && std::isfinite(m.mass))
      m.lagrangian_radii = shell_radii(exec, ShellBodies<Real>{view, m.center_of_mass, m.mass},
                                       lagrangian_fractions);
    return m;
  });
}

Measurement measurement_of(const BodySums& sums, Index count, double potential) {
  Measurement m;
  m.kinetic = sums.kinetic;
  m.free_kinetic = sums.free_kinetic;
  m.fixed_bodies = static_cast<Index>(sums.fixed);
  m.potential = potential;
  m.energy = m.kinetic + m.potential;
  m.virial_ratio = potential != 0 ? 2 * m.kinetic / std::fabs(potential) : 0;
  m.mass = sums.mass;
  m.momentum = sums.momentum;
  m.angular_momentum = sums.angular_momentum;
  if (count == 0) return m;
  m.center_of_mass = sums.mass > 0 ? (1 / sums.mass) * sums.moment
                                   : (1 / static_cast<double>(count)) * sums.position;
  m.low = sums.low;
  m.high = sums.high;
  m.fastest = std::sqrt(sums.fastest_squared);
  m.displacement = sums.squared_displacement / static_cast<double>(count);
  return m;
}

double relative_error(double now, double first) {
  return first != 0 ? (now - first) / std::fabs(first) : now - first;
}

std::uint64_t state_hash(const Cpu& exec, const State<Host>& state, double time,
                         std::uint64_t step) {
  return state_hash(exec, state, time, step, state.layout().hashed_fields());
}

std::uint64_t state_hash(const Cpu& exec, const State<Host>& state, double time, std::uint64_t step,
                         const FieldList& hashed) {
  using engine::bits_of;
  using engine::hash_word;
  const std::uint64_t bodies = state.visit([&]<class Real>(StateView<Real> s) {
    std::vector<Real*> columns;
    for (const FieldInfo* field : hashed) columns.push_back(s[*field]);
    return engine::ordered_sum(exec, s.count, std::uint64_t{0}, [&](Index begin, Index end) {
      std::uint64_t sum = 0;
      for (Index i = begin; i < end; ++i) {
        std::uint64_t h = hash_word(0, s.id[i]);
        for (auto value : {s.mass[i], s.x[i], s.y[i], s.z[i], s.vx[i], s.vy[i], s.vz[i]})
          h = hash_word(h, bits_of(value));
        for (const Real* column : columns) h = hash_word(h, bits_of(column[i]));
        sum += h;
      }
      return sum;
    });
  });
  std::uint64_t hash = bodies;
  for (int k = 0; k < state.layout().global_count(); ++k)
    hash = hash_word(hash, bits_of(state.globals()[k]));
  return hash_word(hash_word(hash, bits_of(time)), step);
}

std::int64_t first_not_finite(const Cpu& exec, const State<Host>& state) {
  return state.visit([&](auto s) {
    const Index chunks = (s.count + engine::loop_chunk - 1) / engine::loop_chunk;
    constexpr std::int64_t no_id = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> least(static_cast<std::size_t>(chunks), no_id);
    engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
      // 0 * x is 0 for every finite x and NaN otherwise: one sum tests a hash chunk without a
      // branch.
      decltype(s.x[0] * s.x[0]) zero = 0;
      for (Index i = begin; i < end; ++i)
        zero += 0 * s.x[i] + 0 * s.y[i] + 0 * s.z[i] + 0 * s.vx[i] + 0 * s.vy[i] + 0 * s.vz[i] +
                0 * s.ax[i] + 0 * s.ay[i] + 0 * s.az[i];
      if (zero == 0) return;
      std::int64_t& id = least[static_cast<std::size_t>(begin / engine::loop_chunk)];
      for (Index i = begin; i < end; ++i)
        for (auto value :
             {s.x[i], s.y[i], s.z[i], s.vx[i], s.vy[i], s.vz[i], s.ax[i], s.ay[i], s.az[i]})
          if (!std::isfinite(value)) id = std::min<std::int64_t>(id, s.id[i]);
    });
    least.push_back(no_id);
    const std::int64_t first =
        engine::least_of(exec.ranks, *std::min_element(least.begin(), least.end()));
    return first == no_id ? std::int64_t{-1} : first;
  });
}

}  // namespace mote::sim
