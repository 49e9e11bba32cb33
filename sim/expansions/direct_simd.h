#pragma once

#include "engine/math/lanes.h"
#include "engine/math/number_simd.h"
#include "sim/expansions/chosen_simd.h"
#include "sim/expansions/direct_kernel.h"
#include "sim/expansions/gravity_formula.h"

namespace mote::sim::direct_simd {

using engine::Index;
using engine::Lanes;
using engine::Vec3;

/// Sources of one block: 1,024 of four floats fill half of the smallest L1 cache of the supported
/// processors (32 KiB), and stay there for all targets of a task.
template <class Real>
inline constexpr Index source_block = sizeof(Real) == 4 ? 1024 : 512;

/// Groups of lanes that pass over the sources together: hides the latency of the root, while the
/// positions and sums of all groups stay in registers.
template <class T>
inline constexpr int groups = 2;

template <class T>
struct Group {
  Vec3<T> high, low, sum;
};

template <bool two_floats, class T, class Real>
MOTE_FORMULA Group<T> load_group(const Targets<Real>& t, Index i) {
  using L = Lanes<T>;
  Group<T> g{{L::load(t.x + i), L::load(t.y + i), L::load(t.z + i)},
             {T(0), T(0), T(0)},
             {T(0), T(0), T(0)}};
  if constexpr (two_floats)
    g.low = {L::load(t.x_low + i), L::load(t.y_low + i), L::load(t.z_low + i)};
  return g;
}

/// Adds a group's sums over one block to the targets' sums in double.
template <class T>
MOTE_FORMULA void flush(const Vec3<T>& sum, double* ax, double* ay, double* az) {
  using L = Lanes<T>;
  typename L::Real x[L::width], y[L::width], z[L::width];
  L::store(x, sum.x);
  L::store(y, sum.y);
  L::store(z, sum.z);
  for (Index k = 0; k < L::width; ++k) {
    ax[k] += x[k];
    ay[k] += y[k];
    az[k] += z[k];
  }
}

/// One pass of `count` groups over sources [first, last).
template <ZeroDistance guard, bool two_floats, int count, class T, class Real>
MOTE_FORMULA void pass(const Sources<Real>& s, const Targets<Real>& t, Index i, Index first,
                       Index last, T squared_softening) {
  constexpr Index width = Lanes<T>::width;
  Group<T> g[count];
  for (int k = 0; k < count; ++k) g[k] = load_group<two_floats, T>(t, i + k * width);
  for (Index j = first; j < last; ++j) {
    const Vec3<T> high{T(s.x[j]), T(s.y[j]), T(s.z[j])};
    Vec3<T> low{T(0), T(0), T(0)};
    if constexpr (two_floats) low = {T(s.x_low[j]), T(s.y_low[j]), T(s.z_low[j])};
    const T mass(s.mass[j]);
#pragma GCC unroll 8
    for (int k = 0; k < count; ++k) {
      Vec3<T> d;
      if constexpr (two_floats)
        d = separation(g[k].high, g[k].low, high, low);
      else
        d = high - g[k].high;
      add_attraction<guard>(d, mass, squared_softening, g[k].sum);
    }
  }
  for (int k = 0; k < count; ++k)
    flush(g[k].sum, t.ax + i + k * width, t.ay + i + k * width, t.az + i + k * width);
}

template <ZeroDistance guard, bool two_floats, class T, class Real>
void accelerations(const Sources<Real>& s, const Targets<Real>& t, Index begin, Index end,
                   Real squared_softening) {
  constexpr Index width = Lanes<T>::width;
  constexpr Index stride = width * groups<T>;
  const Index padded_end = (end + width - 1) / width * width;
  for (Index i = begin; i < padded_end; ++i) t.ax[i] = t.ay[i] = t.az[i] = 0;
  const T e2(squared_softening);
  for (Index first = 0; first < s.count; first += source_block<Real>) {
    const Index last = first + source_block<Real> < s.count ? first + source_block<Real> : s.count;
    Index i = begin;
    for (; i + stride <= padded_end; i += stride)
      pass<guard, two_floats, groups<T>, T>(s, t, i, first, last, e2);
    for (; i < padded_end; i += width) pass<guard, two_floats, 1, T>(s, t, i, first, last, e2);
  }
}

template <bool two_floats, class T, class Real>
void run(const Sources<Real>& s, const Targets<Real>& t, Index begin, Index end,
         Real squared_softening) {
  switch (guard_for(squared_softening)) {
    case ZeroDistance::none:
      return accelerations<ZeroDistance::none, two_floats, T>(s, t, begin, end, squared_softening);
    case ZeroDistance::coincident:
      return accelerations<ZeroDistance::coincident, two_floats, T>(s, t, begin, end,
                                                                    squared_softening);
    case ZeroDistance::unsoftened:
      return accelerations<ZeroDistance::unsoftened, two_floats, T>(s, t, begin, end,
                                                                    squared_softening);
  }
}

/// Each pair once: lanes hold i, the loop runs over sources j > i. Within the group's own bodies
/// lanes with i >= j are masked.
template <class T>
double pair_potential(const Sources<double>& s, Index begin, Index end, double squared_softening) {
  using L = Lanes<T>;
  const T e2(squared_softening);
  double total = 0;
  for (Index i = begin; i < end; i += L::width) {
    const Vec3<T> origin{L::load(s.x + i), L::load(s.y + i), L::load(s.z + i)};
    const auto term = [&](Index j) {
      const Vec3<T> d = Vec3<T>{T(s.x[j]), T(s.y[j]), T(s.z[j])} - origin;
      return T(s.mass[j]) * inverse_distance(d, e2);
    };
    T sum(0);
    const Index own_end = i + L::width < s.count ? i + L::width : s.count;
    for (Index j = i + 1; j < own_end; ++j)
      sum = sum + engine::Number<T>::select_positive(T(static_cast<double>(j - i)) - L::indices(),
                                                     term(j));
    for (Index j = own_end; j < s.count; ++j) sum = sum + term(j);
    double lanes[L::width];
    L::store(lanes, sum);
    for (Index k = 0; k < L::width && i + k < end; ++k) total += s.mass[i + k] * lanes[k];
  }
  return total;
}

/// The potential at each target over -G: lanes hold targets, the loop runs over all sources.
template <class T>
void potentials(const Sources<double>& s, const Targets<double>& t, Index begin, Index end,
                double squared_softening) {
  using L = Lanes<T>;
  const T e2(squared_softening);
  for (Index i = begin; i < end; i += L::width) {
    const Vec3<T> at{L::load(t.x + i), L::load(t.y + i), L::load(t.z + i)};
    T sum(0);
    for (Index j = 0; j < s.count; ++j) {
      const Vec3<T> d = Vec3<T>{T(s.x[j]), T(s.y[j]), T(s.z[j])} - at;
      sum = sum + T(s.mass[j]) * inverse_distance(d, e2);
    }
    L::store(t.ax + i, sum);
  }
}

template <class Single, class Double>
constexpr DirectKernels kernels() {
  return {&run<false, Single, float>,
          &run<true, Single, float>,
          &run<false, Double, double>,
          &chosen_simd::run<false, Single, float>,
          &chosen_simd::run<true, Single, float>,
          &chosen_simd::run<false, Double, double>,
          &pair_potential<Double>,
          &potentials<Double>};
}

}  // namespace mote::sim::direct_simd
