#pragma once

#include "engine/math/lanes.h"
#include "engine/math/number_simd.h"
#include "sim/expansions/direct_kernel.h"
#include "sim/expansions/gravity_formula.h"

namespace mote::sim::chosen_simd {

using engine::Index;
using engine::Lanes;
using engine::Vec3;

/// Sources of one block, which stays in the L1 cache for the targets of a task. Their terms are
/// summed in the number type of a pair, in as many sums as there are lanes; blocks in double.
template <class Real>
inline constexpr Index source_block = sizeof(Real) == 4 ? 1024 : 512;

/// Targets that pass over the sources together: hides the latency of the root.
inline constexpr int targets_together = 2;

template <class T>
double sum_of_lanes(const T& lanes) {
  typename Lanes<T>::Real each[Lanes<T>::width];
  Lanes<T>::store(each, lanes);
  double sum = 0;
  for (const auto one : each) sum += static_cast<double>(one);
  return sum;
}

/// Lanes hold sources, so that few targets fill them, too: the sum of a target depends on the
/// sources alone, not on which others are chosen.
template <ZeroDistance guard, bool two_floats, bool jerks, int count, class T, class Real>
MOTE_FORMULA void pass(const MovingSources<Real>& s, const ChosenTargets<Real>& t, Index i,
                       Index first, Index last, T squared_softening) {
  using L = Lanes<T>;
  const auto three = [](const Real* const(&of)[3], Index k) {
    return Vec3<T>{T(of[0][k]), T(of[1][k]), T(of[2][k])};
  };
  const auto load = [](const Real* const(&of)[3], Index k) {
    return Vec3<T>{L::load(of[0] + k), L::load(of[1] + k), L::load(of[2] + k)};
  };
  const Vec3<T> zero{T(0), T(0), T(0)};
  Vec3<T> high[count], low[count], velocity[count], a[count], jerk[count];
  for (int k = 0; k < count; ++k) {
    high[k] = three(t.high, i + k), a[k] = jerk[k] = zero;
    if constexpr (two_floats) low[k] = three(t.low, i + k);
    if constexpr (jerks) velocity[k] = three(t.velocity, i + k);
  }
  for (Index j = first; j < last; j += L::width) {
    const Vec3<T> source = load(s.high, j);
    const T mass = L::load(s.mass + j);
    Vec3<T> source_low = zero, source_velocity = zero;
    if constexpr (two_floats) source_low = load(s.low, j);
    if constexpr (jerks) source_velocity = load(s.velocity, j);
#pragma GCC unroll 8
    for (int k = 0; k < count; ++k) {
      Vec3<T> d;
      if constexpr (two_floats)
        d = separation(high[k], low[k], source, source_low);
      else
        d = source - high[k];
      if constexpr (jerks)
        add_attraction_and_jerk<guard>(d, source_velocity - velocity[k], mass, squared_softening,
                                       a[k], jerk[k]);
      else
        add_attraction<guard>(d, mass, squared_softening, a[k]);
    }
  }
  for (int k = 0; k < count; ++k) {
    t.a[0][i + k] += sum_of_lanes(a[k].x);
    t.a[1][i + k] += sum_of_lanes(a[k].y);
    t.a[2][i + k] += sum_of_lanes(a[k].z);
    if constexpr (jerks) {
      t.jerk[0][i + k] += sum_of_lanes(jerk[k].x);
      t.jerk[1][i + k] += sum_of_lanes(jerk[k].y);
      t.jerk[2][i + k] += sum_of_lanes(jerk[k].z);
    }
  }
}

template <ZeroDistance guard, bool two_floats, bool jerks, class T, class Real>
void sum(const MovingSources<Real>& s, const ChosenTargets<Real>& t, Index begin, Index end,
         Real squared_softening) {
  for (int axis = 0; axis < 3; ++axis)
    for (Index i = begin; i < end; ++i) {
      t.a[axis][i] = 0;
      if constexpr (jerks) t.jerk[axis][i] = 0;
    }
  const T e2(squared_softening);
  for (Index first = 0; first < s.count; first += source_block<Real>) {
    const Index last = first + source_block<Real> < s.count ? first + source_block<Real> : s.count;
    Index i = begin;
    for (; i + targets_together <= end; i += targets_together)
      pass<guard, two_floats, jerks, targets_together, T>(s, t, i, first, last, e2);
    for (; i < end; ++i) pass<guard, two_floats, jerks, 1, T>(s, t, i, first, last, e2);
  }
}

template <bool two_floats, class T, class Real>
void run(const MovingSources<Real>& s, const ChosenTargets<Real>& t, Index begin, Index end,
         Real squared_softening) {
  const auto with = [&]<ZeroDistance guard>() {
    if (t.jerk[0])
      sum<guard, two_floats, true, T>(s, t, begin, end, squared_softening);
    else
      sum<guard, two_floats, false, T>(s, t, begin, end, squared_softening);
  };
  // Without softening, `coincident` adds zero to the squared distance.
  if (guard_for(squared_softening) == ZeroDistance::none)
    with.template operator()<ZeroDistance::none>();
  else
    with.template operator()<ZeroDistance::coincident>();
}

}  // namespace mote::sim::chosen_simd
