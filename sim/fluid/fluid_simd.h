#pragma once

#include "engine/math/number_simd.h"
#include "sim/fluid/fluid_kernel.h"

namespace mote::sim::fluid_simd {

using engine::Index;

/// Loads and lane sums of a number type: a batch has `width` lanes, a scalar one.
template <class T>
struct Lanes {
  using Real = typename T::value_type;
  static constexpr Index width = static_cast<Index>(T::size);
  MOTE_FORMULA static T load(const Real* p) { return T::load_unaligned(p); }
  MOTE_FORMULA static bool any_positive(T a) { return xsimd::any(a > T(0)); }
  MOTE_FORMULA static Real sum(T a) {
    Real lane[width];
    a.store_unaligned(lane);
    Real total = 0;
    for (Index k = 0; k < width; ++k) total += lane[k];
    return total;
  }
};
template <class Real_>
struct PlainLanes {
  using Real = Real_;
  static constexpr Index width = 1;
  MOTE_FORMULA static Real load(const Real* p) { return *p; }
  MOTE_FORMULA static bool any_positive(Real a) { return a > 0; }
  MOTE_FORMULA static Real sum(Real a) { return a; }
};
template <>
struct Lanes<float> : PlainLanes<float> {};
template <>
struct Lanes<double> : PlainLanes<double> {};

template <class T, class Real>
MOTE_FORMULA Vec3<T> broadcast(Vec3<Real> a) {
  return {T(a.x), T(a.y), T(a.z)};
}
template <class T, class Real>
MOTE_FORMULA Vec3<T> load3(const Real* x, const Real* y, const Real* z, Index k) {
  using L = Lanes<T>;
  return {L::load(x + k), L::load(y + k), L::load(z + k)};
}
template <class Real, class T>
MOTE_FORMULA void add_lanes(Vec3<T> from, Vec3<Real>& to) {
  using L = Lanes<T>;
  to = to + Vec3<Real>{L::sum(from.x), L::sum(from.y), L::sum(from.z)};
}

/// Calls `use(k, d, at)` for each batch with a neighbour within the support of position `at_i`.
/// Returns the number of neighbours within the support.
template <bool shifted, class T, class Real, class Use>
MOTE_FORMULA Index for_each_neighbour_batch(const SmoothingKernel<T>& kernel,
                                            const FluidNeighbours<Real>& from, Vec3<T> at_i,
                                            Use&& use) {
  T within(0);
  for (Index k = 0; k < from.count; k += Lanes<T>::width) {
    Vec3<T> d = load3<T>(from.x, from.y, from.z, k) - at_i;
    // Shifted after the difference: bitwise antisymmetric in the two particles.
    if constexpr (shifted) d = d + load3<T>(from.shift_x, from.shift_y, from.shift_z, k);
    const KernelPoint<T> at = kernel_point(kernel, d);
    if (!Lanes<T>::any_positive(at.fall)) continue;
    within = within + engine::Number<T>::select_positive(at.fall, T(1));
    use(k, d, at);
  }
  return static_cast<Index>(Lanes<T>::sum(within));
}

template <class T, class Real>
MOTE_FORMULA SmoothingKernel<T> broadcast_kernel(const SmoothingKernel<Real>& k) {
  return {T(k.inverse_h2), T(k.value), T(k.gradient)};
}

template <FluidTerms terms, bool walls, bool shifted, class T, class Real>
void sum_pairs(const FluidConstants<Real>& c, const FluidNeighbours<Real>& from,
               const FluidTarget<Real>& to, FluidSums<Real>& total, Index& neighbours) {
  using L = Lanes<T>;
  const FluidConstants<T> constants{broadcast_kernel<T>(c.kernel), T(c.laminar), T(c.artificial)};
  const FluidPoint<T> i{broadcast<T>(to.point.v), T(to.point.volume), T(to.point.pressure),
                        T(to.point.dynamic)};
  const T none(0);
  FluidSums<T> sums{{none, none, none}, none, none, {none, none, none}, none, {none, none, none}};
  neighbours += for_each_neighbour_batch<shifted>(
      constants.kernel, from, broadcast<T>(to.at),
      [&](Index k, Vec3<T> d, const KernelPoint<T>& at) {
        FluidPoint<T> j{load3<T>(from.vx, from.vy, from.vz, k), L::load(from.volume + k),
                        L::load(from.pressure + k), none};
        if constexpr (terms.diffusion) j.dynamic = L::load(from.dynamic + k);
        const Vec3<T> w = j.v - i.v;
        if constexpr (walls)
          add_pair<terms>(constants, d, at, i, j, w, load3<T>(from.ux, from.uy, from.uz, k) - i.v,
                          sums);
        else
          add_pair<terms>(constants, d, at, i, j, w, w, sums);
      });
  add_lanes(sums.force, total.force);
  total.expansion += L::sum(sums.expansion);
  if constexpr (terms.diffusion) total.diffusion += L::sum(sums.diffusion);
  if constexpr (terms.shifting) {
    add_lanes(sums.minus_grad_c, total.minus_grad_c);
    total.support += L::sum(sums.support);
  }
  if constexpr (terms.xsph) add_lanes(sums.drift, total.drift);
}

template <FluidTerms terms, bool walls, class T, class Real>
void pairs(const FluidConstants<Real>& c, const FluidNeighbours<Real>& from,
           const FluidTarget<Real>& to, FluidSums<Real>& total, Index& neighbours) {
  if (from.shift_x)
    sum_pairs<terms, walls, true, T>(c, from, to, total, neighbours);
  else
    sum_pairs<terms, walls, false, T>(c, from, to, total, neighbours);
}

template <class T, class Real>
void wall(const SmoothingKernel<Real>& kernel, const FluidNeighbours<Real>& from, Vec3<Real> at_i,
          WallSums<Real>& total) {
  using L = Lanes<T>;
  const SmoothingKernel<T> k = broadcast_kernel<T>(kernel);
  const T none(0);
  WallSums<T> sums{none, none, {none, none, none}, {none, none, none}};
  const auto add = [&](Index n, Vec3<T> d, const KernelPoint<T>& at) {
    add_to_wall(k, d, at, L::load(from.pressure + n), load3<T>(from.vx, from.vy, from.vz, n), sums);
  };
  if (from.shift_x)
    for_each_neighbour_batch<true>(k, from, broadcast<T>(at_i), add);
  else
    for_each_neighbour_batch<false>(k, from, broadcast<T>(at_i), add);
  total.weight += L::sum(sums.weight);
  total.pressure += L::sum(sums.pressure);
  add_lanes(sums.arm, total.arm);
  add_lanes(sums.velocity, total.velocity);
}

/// Calls add(kernel, k, d, at, sum) for each batch, and adds the lanes of `sum` to `total`.
template <class T, class Real, class Add>
void sum_over_neighbours(const SmoothingKernel<Real>& kernel, const FluidNeighbours<Real>& from,
                         Vec3<Real> at_i, Vec3<Real>& total, Add&& add) {
  const SmoothingKernel<T> k = broadcast_kernel<T>(kernel);
  Vec3<T> sum{T(0), T(0), T(0)};
  const auto use = [&](Index n, Vec3<T> d, const KernelPoint<T>& at) { add(k, n, d, at, sum); };
  if (from.shift_x)
    for_each_neighbour_batch<true>(k, from, broadcast<T>(at_i), use);
  else
    for_each_neighbour_batch<false>(k, from, broadcast<T>(at_i), use);
  add_lanes(sum, total);
}

template <class T, class Real>
void gradient(const SmoothingKernel<Real>& kernel, const FluidNeighbours<Real>& from,
              Vec3<Real> at_i, Vec3<Real>& total) {
  sum_over_neighbours<T>(
      kernel, from, at_i, total,
      [&](const SmoothingKernel<T>& k, Index n, Vec3<T> d, const KernelPoint<T>& at, Vec3<T>& sum) {
        add_surface_gradient(k, d, at, Lanes<T>::load(from.volume + n), sum);
      });
}

template <class T, class Real>
void tension(const SmoothingKernel<Real>& kernel, Real link, const FluidNeighbours<Real>& from,
             const FluidTarget<Real>& to, const SurfaceStress<Real>& own, Vec3<Real>& total) {
  using L = Lanes<T>;
  const SurfaceStress<T> i{T(own.xx), T(own.xy), T(own.xz), T(own.yy), T(own.yz), T(own.zz)};
  const T volume(to.point.volume), strength(link);
  sum_over_neighbours<T>(
      kernel, from, to.at, total,
      [&](const SmoothingKernel<T>&, Index n, Vec3<T> d, const KernelPoint<T>& at, Vec3<T>& sum) {
        const auto load = [&](int part) { return L::load(from.stress[part] + n); };
        const SurfaceStress<T> j{load(0), load(1), load(2), load(3), load(4), load(5)};
        add_tension(strength, d, at, volume * L::load(from.volume + n), i, j, sum);
      });
}

template <int bits>
inline constexpr FluidTerms fluid_terms{true, (bits & 1) != 0, (bits & 2) != 0};
inline constexpr FluidTerms wall_terms{false, true, false};

template <class T, class Real>
constexpr FluidLoops<Real> loops() {
  return {{&pairs<fluid_terms<0>, false, T, Real>, &pairs<fluid_terms<1>, false, T, Real>,
           &pairs<fluid_terms<2>, false, T, Real>, &pairs<fluid_terms<3>, false, T, Real>},
          &pairs<wall_terms, true, T, Real>,
          &wall<T, Real>,
          &gradient<T, Real>,
          &tension<T, Real>};
}

template <class Single, class Double>
constexpr FluidKernels kernels() {
  return {loops<Single, float>(), loops<Double, double>()};
}

}  // namespace mote::sim::fluid_simd
