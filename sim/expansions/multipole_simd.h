#pragma once

#include "engine/math/lanes.h"
#include "engine/math/number_simd.h"
#include "sim/expansions/far_simd.h"
#include "sim/expansions/gravity_formula.h"
#include "sim/expansions/multipole_kernel.h"
#include "sim/expansions/shift_simd.h"

namespace mote::sim::multipole_simd {

using engine::Index;
using engine::Lanes;
using engine::Vec3;

/// Lanes are bodies.
template <int p, class T, class Real>
void evaluate(const double* locals, const NearBodies<Real>& t, bool potential,
              const NearSums& sums) {
  using N = engine::Number<T>;
  using L = Lanes<T>;
  constexpr int n = expansion::count_of(p), below = expansion::count_below(p);
  Real gradient[below][3];
  for (int k = 0; k < below; ++k)
    for (int axis = 0; axis < 3; ++axis)
      gradient[k][axis] = static_cast<Real>(locals[expansion::tables.one_more[k][axis]]);
  T at[n];
  for (Index i = 0; i < t.count; i += L::width) {
    const Vec3<T> x{L::load(t.x + i), L::load(t.y + i), L::load(t.z + i)};
    expansion::monomials<p>(x, at);
    Vec3<T> a{T(0), T(0), T(0)};
    for (int k = 0; k < below; ++k) {
      a.x = N::multiply_add(at[k], T(gradient[k][0]), a.x);
      a.y = N::multiply_add(at[k], T(gradient[k][1]), a.y);
      a.z = N::multiply_add(at[k], T(gradient[k][2]), a.z);
    }
    add_lanes(sums.ax + i, a.x);
    add_lanes(sums.ay + i, a.y);
    add_lanes(sums.az + i, a.z);
    if (!potential) continue;
    T phi(0);
    for (int k = 0; k < n; ++k) phi = N::multiply_add(at[k], T(static_cast<Real>(locals[k])), phi);
    add_lanes(sums.potential + i, phi);
  }
}

/// Sources between two additions to the sums in double.
inline constexpr Index near_block = 1024;

/// Lanes are sources: a leaf has fewer bodies than a batch has lanes.
template <ZeroDistance guard, bool potential, int group, class T, class Real>
MOTE_FORMULA void near_group(const NearBodies<Real>& s, const NearBodies<Real>& t, Index i,
                             T squared_softening, const NearSums& sums) {
  using L = Lanes<T>;
  using N = engine::Number<T>;
  Vec3<T> at[group];
  for (int k = 0; k < group; ++k) at[k] = {T(t.x[i + k]), T(t.y[i + k]), T(t.z[i + k])};
  for (Index block = 0; block < s.count; block += near_block) {
    const Index end = block + near_block < s.count ? block + near_block : s.count;
    Vec3<T> a[group];
    T depth[group];
    for (int k = 0; k < group; ++k) a[k] = {T(0), T(0), T(0)}, depth[k] = T(0);
    for (Index j = block; j < end; j += L::width) {
      const Vec3<T> source{L::load(s.x + j), L::load(s.y + j), L::load(s.z + j)};
      const T mass = L::load(s.mass + j);
#pragma GCC unroll 4
      for (int k = 0; k < group; ++k) {
        const Vec3<T> d = source - at[k];
        add_attraction<guard>(d, mass, squared_softening, a[k]);
        if constexpr (potential)
          depth[k] = N::multiply_add(mass, inverse_distance(d, squared_softening), depth[k]);
      }
    }
    for (int k = 0; k < group; ++k) {
      sums.ax[i + k] += sum_of_lanes(a[k].x);
      sums.ay[i + k] += sum_of_lanes(a[k].y);
      sums.az[i + k] += sum_of_lanes(a[k].z);
      if constexpr (potential) sums.potential[i + k] += sum_of_lanes(depth[k]);
    }
  }
}

template <ZeroDistance guard, bool potential, class T, class Real>
void near_targets(const NearBodies<Real>& s, const NearBodies<Real>& t, Real squared_softening,
                  const NearSums& sums) {
  constexpr int group = 4;
  const T e2(squared_softening);
  Index i = 0;
  for (; i + group <= t.count; i += group)
    near_group<guard, potential, group, T>(s, t, i, e2, sums);
  for (; i < t.count; ++i) near_group<guard, potential, 1, T>(s, t, i, e2, sums);
}

template <class T, class Real>
void near(const NearBodies<Real>& s, const NearBodies<Real>& t, Real squared_softening,
          bool potential, const NearSums& sums) {
  const auto with = [&]<ZeroDistance guard>() {
    if (potential)
      near_targets<guard, true, T>(s, t, squared_softening, sums);
    else
      near_targets<guard, false, T>(s, t, squared_softening, sums);
  };
  switch (guard_for(squared_softening)) {
    case ZeroDistance::none:
      return with.template operator()<ZeroDistance::none>();
    case ZeroDistance::coincident:
      return with.template operator()<ZeroDistance::coincident>();
    case ZeroDistance::unsoftened:
      return with.template operator()<ZeroDistance::unsoftened>();
  }
}

template <class Single, class Double>
constexpr MultipoleKernels kernels() {
  MultipoleKernels k{};
  k.accepted = &accepted<Double>;
  expansion::unrolled<expansion::largest_order - expansion::smallest_order + 1>(
      [&]<int i>(expansion::Constant<i>) {
        constexpr int p = expansion::smallest_order + i;
        k.moments_of_bodies[p] = &moments_of_bodies<p, Double>;
        k.moments_of_children[p] = &moments_of_children<p, Double>;
        k.locals_of_children[p] = &locals_of_children<p, Double>;
        k.far_single[p] = &far<p, Single, float>;
        k.far_double[p] = &far<p, Double, double>;
        k.evaluate_single[p] = &evaluate<p, Single, float>;
        k.evaluate_double[p] = &evaluate<p, Double, double>;
      });
  k.near_single = &near<Single, float>;
  k.near_double = &near<Double, double>;
  return k;
}

}  // namespace mote::sim::multipole_simd
