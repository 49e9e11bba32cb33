#pragma once

#include "engine/math/lanes.h"
#include "engine/math/number_simd.h"
#include "sim/gravity/gravity_formula.h"
#include "sim/gravity/multipole/multipole_kernel.h"
#include "sim/gravity/multipole/shift_simd.h"

namespace mote::sim::multipole_simd {

using engine::Index;
using engine::Lanes;
using engine::Vec3;

/// Exchanges rows and columns: rows[i] holds element i of what each row was.
template <class T>
MOTE_FORMULA void transpose(T (&rows)[static_cast<std::size_t>(Lanes<T>::width)]) {
  constexpr int width = static_cast<int>(Lanes<T>::width);
  if constexpr (width > 1) {
    using Register = typename T::register_type;
    const auto exchange = [&]<int step, std::size_t... lane>(std::integral_constant<int, step>,
                                                             std::index_sequence<lane...>) {
      for (int i = 0; i < width; ++i) {
        if (i & step) continue;
        const Register a = rows[i], b = rows[i + step];
        rows[i] = T(__builtin_shufflevector(
            a, b, (int(lane) & step ? width + int(lane) - step : int(lane))...));
        rows[i + step] = T(__builtin_shufflevector(
            a, b, (int(lane) & step ? width + int(lane) : int(lane) + step)...));
      }
    };
    constexpr auto lanes = std::make_index_sequence<static_cast<std::size_t>(width)>{};
    exchange(std::integral_constant<int, 1>{}, lanes);
    if constexpr (width > 2) exchange(std::integral_constant<int, 2>{}, lanes);
    if constexpr (width > 4) exchange(std::integral_constant<int, 4>{}, lanes);
    if constexpr (width > 8) exchange(std::integral_constant<int, 8>{}, lanes);
  }
}

/// Coefficients of one order that are found at once, so that their sums hide the latency of an
/// addition and share the moments that are loaded: a divisor of how many there are.
constexpr int found_at_once(int order) {
  const int count = expansion::count_of(order) - expansion::count_below(order);
  for (const int some : {7, 6, 5})
    if (count % some == 0) return some;
  return count;
}

/// Adds sum_n M_n D_{n+k} to `some` coefficients from k on, all of one order, for n from `first` to
/// before `last`. The one of n = 0 is the first of a sum.
template <int p, int k, int first, int last, int some, class T>
MOTE_FORMULA void contract(const T* moments, const T* d, T (&a)[some]) {
  using N = engine::Number<T>;
  expansion::unrolled<last - first>([&]<int step>(expansion::Constant<step>) {
    constexpr int n = first + step;
    const T moment = moments[n];
    expansion::unrolled<some>([&]<int i>(expansion::Constant<i>) {
      constexpr int at = expansion::products<p>.sum[expansion::products<p>.first[k + i] + n];
      if constexpr (n == 0)
        a[i] = moment * d[at];
      else
        a[i] = N::multiply_add(moment, d[at], a[i]);
    });
  });
}

/// Those of order 1, which charges of either sign have.
template <int p, int k, class T>
MOTE_FORMULA T contracted_dipoles(const T* moments, const T* d) {
  using N = engine::Number<T>;
  constexpr const unsigned char* sum = expansion::products<p>.sum + expansion::products<p>.first[k];
  return N::multiply_add(moments[1], d[sum[1]],
                         N::multiply_add(moments[2], d[sum[2]], moments[3] * d[sum[3]]));
}

/// Adds the lanes of each sum, from the first to the last.
template <int count, class T>
MOTE_FORMULA void add_sums_of_lanes(double* to, const T* sums) {
  using L = Lanes<T>;
  constexpr int width = static_cast<int>(L::width);
  typename L::Real lanes[width];
  double total[width];
  for (int first = 0; first < count; first += width) {
    T rows[width];
    for (int k = 0; k < width; ++k) rows[k] = first + k < count ? sums[first + k] : T(0);
    transpose(rows);
    for (int k = 0; k < width; ++k) total[k] = 0;
    for (int lane = 0; lane < width; ++lane) {
      L::store(lanes, rows[lane]);
      for (int k = 0; k < width; ++k) total[k] += static_cast<double>(lanes[k]);
    }
    for (int k = 0; k < width && first + k < count; ++k) to[first + k] += total[k];
  }
}

/// Lanes are sources. Lengths are divided by the distance, so that the derivatives are of order 1.
template <int p, class T, class Real>
void far(const CellColumns& cells, const Real* rows, const engine::Vec3d* images,
         const SourceCell* sources, Index count, const CellFrame& target, double squared_softening,
         bool dipoles, bool potential, double* locals) {
  using N = engine::Number<T>;
  using L = Lanes<T>;
  constexpr int n = expansion::count_of(p), stride = padded_count(p);
  constexpr int width = static_cast<int>(L::width);
  constexpr int loaded = (n + width - 1) / width * width;
  if (count == 0) return;
  T sums[n], d[n], moments[loaded];
  for (int k = 0; k < n; ++k) sums[k] = T(0);
  alignas(64) Real x[width], y[width], z[width], scale[width];
  for (Index first = 0; first < count; first += width) {
    const int valid = count - first < width ? static_cast<int>(count - first) : width;
    for (int lane = 0; lane < width; ++lane) {
      const auto [s, image] = sources[lane < valid ? first + lane : first];
      const engine::Vec3d at = target.center - images[image];
      x[lane] = static_cast<Real>(at.x - cells.x[s]);
      y[lane] = static_cast<Real>(at.y - cells.y[s]);
      z[lane] = static_cast<Real>(at.z - cells.z[s]);
      scale[lane] = static_cast<Real>(cells.scale[s]);
    }
    for (int j = 0; j < loaded; j += width) {
      T block[width];
      for (int lane = 0; lane < width; ++lane)
        block[lane] = lane < valid
                          ? L::load(rows + std::size_t{sources[first + lane].cell} * stride + j)
                          : T(0);
      transpose(block);
      for (int row = 0; row < width; ++row) moments[j + row] = block[row];
    }
    Vec3<T> r{L::load(x), L::load(y), L::load(z)};
    const T inverse = N::rsqrt(dot(r, r));
    r = inverse * r;
    expansion::derivatives<p>(r, T(static_cast<Real>(squared_softening)) * inverse * inverse, d);
    const T source_ratio = L::load(scale) * inverse;
    T power = source_ratio;
    for (int order = 1, j = 1; order <= p; ++order, power = power * source_ratio)
      for (; j < expansion::count_of(order); ++j) moments[j] = moments[j] * power;
    const T target_ratio = T(static_cast<Real>(target.scale)) * inverse;
    T factor[p + 1];
    factor[0] = inverse;
    for (int order = 1; order <= p; ++order) factor[order] = factor[order - 1] * target_ratio;
    expansion::unrolled<p + 1>([&]<int order>(expansion::Constant<order>) {
      if (order == 0 && !potential) return;
      constexpr int begin = expansion::count_below(order), some = found_at_once(order),
                    terms = expansion::count_of(p - order);
      expansion::unrolled<(expansion::count_of(order) - begin) / some>(
          [&]<int block>(expansion::Constant<block>) {
            constexpr int k = begin + block * some;
            T a[some];
            const auto add = [&] {
              for (int i = 0; i < some; ++i)
                sums[k + i] = N::multiply_add(a[i], factor[order], sums[k + i]);
            };
            // Centers are centers of mass: moments of order 1 are zero, but for charges.
            contract<p, k, 0, 1>(moments, d, a);
            if constexpr (terms > 4) contract<p, k, 4, terms>(moments, d, a);
            add();
            if constexpr (terms > 1) {
              if (!dipoles) return;
              expansion::unrolled<some>([&]<int i>(expansion::Constant<i>) {
                a[i] = contracted_dipoles<p, k + i>(moments, d);
              });
              add();
            }
          });
    });
  }
  add_sums_of_lanes<n>(locals, sums);
}

/// Lanes are bodies.
template <int p, class T, class Real>
void evaluate(const double* locals, const NearBodies<Real>& t, bool potential,
              const NearSums& sums) {
  using N = engine::Number<T>;
  using L = Lanes<T>;
  constexpr int n = expansion::count_of(p);
  T at[n];
  for (Index i = 0; i < t.count; i += L::width) {
    const Vec3<T> x{L::load(t.x + i), L::load(t.y + i), L::load(t.z + i)};
    expansion::monomials<p>(x, at);
    T a[3] = {T(0), T(0), T(0)};
    expansion::unrolled<expansion::count_below(p)>([&]<int k>(expansion::Constant<k>) {
      constexpr expansion::MultiIndex m = expansion::tables.index[k];
      constexpr int along[3] = {expansion::index_of(m.x + 1, m.y, m.z),
                                expansion::index_of(m.x, m.y + 1, m.z),
                                expansion::index_of(m.x, m.y, m.z + 1)};
      for (int axis = 0; axis < 3; ++axis)
        a[axis] = N::multiply_add(at[k], T(static_cast<Real>(locals[along[axis]])), a[axis]);
    });
    add_lanes(sums.ax + i, a[0]);
    add_lanes(sums.ay + i, a[1]);
    add_lanes(sums.az + i, a[2]);
    if (!potential) continue;
    T phi(0);
    expansion::unrolled<n>([&]<int k>(expansion::Constant<k>) {
      phi = N::multiply_add(at[k], T(static_cast<Real>(locals[k])), phi);
    });
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
