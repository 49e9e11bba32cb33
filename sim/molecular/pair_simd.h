#pragma once

#include <cstddef>
#include <utility>

#include "engine/math/lanes.h"
#include "engine/math/number_simd.h"
#include "sim/molecular/pair_kernel.h"
#include "sim/space/image_formula.h"

namespace mote::sim::pair_simd {

using engine::Index;
using engine::Lanes;

/// Neighbours gathered at a time: separations stay in L1, and most bodies have fewer.
inline constexpr int block = 128;

/// Separations and pair indices of one block of neighbours.
template <class Real>
struct Block {
  alignas(64) Real d[3][block];
  alignas(64) std::int32_t pair[block];  ///< index into the table
};

/// Gathers and subtracts without branches, so that the compiler can vectorise. Lanes past the last
/// neighbour get separations beyond every cutoff.
template <class StateReal, class Real>
MOTE_FORMULA void gather_separations(const PairLoop<StateReal, Real>& loop, Index p,
                                     const std::int32_t* neighbour, int count, int padded,
                                     Block<Real>& to) {
  const StateReal* const from[3] = {loop.neighbours.x, loop.neighbours.y, loop.neighbours.z};
  StateReal other[block];
  for (int axis = 0; axis < 3; ++axis) {
    const StateReal own = from[axis][p], length = loop.neighbours.length[axis],
                    inverse = loop.neighbours.inverse[axis];
    for (int k = 0; k < count; ++k) other[k] = from[axis][neighbour[k]];
    for (int k = 0; k < count; ++k)
      to.d[axis][k] = static_cast<Real>(nearest_image(own - other[k], length, inverse));
    for (int k = count; k < padded; ++k) to.d[axis][k] = Real(1e15);
  }
  if (!loop.kind) return;
  const int row = loop.kind[p] * loop.kinds;
  for (int k = 0; k < count; ++k) to.pair[k] = row + loop.kind[neighbour[k]];
  for (int k = count; k < padded; ++k) to.pair[k] = row;
}

/// Gathers the coefficients of one SIMD register of neighbours; the table of a few kinds is in L1.
template <PairTerms terms, class T, class Real>
MOTE_FORMULA PairCoefficients<T> coefficients(const PairCoefficients<Real>* table,
                                              const std::int32_t* pair) {
  constexpr int width = static_cast<int>(Lanes<T>::width);
  const auto lane = [&](Real PairCoefficients<Real>::*member) {
    Real values[width];
    for (int k = 0; k < width; ++k) values[k] = table[pair[k]].*member;
    return Lanes<T>::load(values);
  };
  using C = PairCoefficients<Real>;
  PairCoefficients<T> c{};
  c.repulsion = lane(&C::repulsion), c.attraction = lane(&C::attraction);
  c.squared_cutoff = lane(&C::squared_cutoff), c.shift = lane(&C::shift);
  if constexpr (terms.switched)
    c.switch_from = lane(&C::switch_from), c.switch_scale = lane(&C::switch_scale);
  if constexpr (terms.electric != Electric::none) {
    c.charges = lane(&C::charges), c.squared_electric = lane(&C::squared_electric);
    c.electric_shift = lane(&C::electric_shift);
  }
  if constexpr (terms.electric == Electric::reaction_field) c.field = lane(&C::field);
  if constexpr (terms.electric == Electric::yukawa) c.screening = lane(&C::screening);
  return c;
}

template <class T>
MOTE_FORMULA double sum_lanes(T value) {
  typename Lanes<T>::Real lanes[Lanes<T>::width];
  Lanes<T>::store(lanes, value);
  double sum = 0;
  for (Index k = 0; k < Lanes<T>::width; ++k) sum += static_cast<double>(lanes[k]);
  return sum;
}

template <PairTerms terms, bool measured, bool uniform, class T, class StateReal, class Real>
void sum_slots(const PairLoop<StateReal, Real>& loop, const PairSums& sums, Index begin,
               Index end) {
  constexpr int width = static_cast<int>(Lanes<T>::width);
  const PairCoefficients<T> same = converted<T>(loop.table[0], [](Real value) { return T(value); });
  Block<Real> b;
  for (Index p = begin; p < end; ++p) {
    T fx(0), fy(0), fz(0), energy(0), virial(0);
    for (std::int64_t first = loop.neighbours.begin[p]; first < loop.neighbours.begin[p + 1];
         first += block) {
      const std::int64_t left = loop.neighbours.begin[p + 1] - first;
      const int count = left < block ? static_cast<int>(left) : block;
      const int padded = (count + width - 1) / width * width;
      gather_separations(loop, p, loop.neighbours.neighbour + first, count, padded, b);
      for (int k = 0; k < padded; k += width) {
        const T dx = Lanes<T>::load(b.d[0] + k), dy = Lanes<T>::load(b.d[1] + k),
                dz = Lanes<T>::load(b.d[2] + k);
        const T q = engine::Number<T>::multiply_add(
            dz, dz, engine::Number<T>::multiply_add(dy, dy, dx * dx));
        PairTerm<T> term;
        if constexpr (uniform)
          term = pair_term<terms>(same, q);
        else
          term = pair_term<terms>(coefficients<terms, T>(loop.table, b.pair + k), q);
        fx = engine::Number<T>::multiply_add(term.force, dx, fx);
        fy = engine::Number<T>::multiply_add(term.force, dy, fy);
        fz = engine::Number<T>::multiply_add(term.force, dz, fz);
        if constexpr (measured) {
          energy = energy + term.energy;
          virial = engine::Number<T>::multiply_add(term.force, q, virial);
        }
      }
    }
    sums.fx[p] = sum_lanes(fx), sums.fy[p] = sum_lanes(fy), sums.fz[p] = sum_lanes(fz);
    if constexpr (measured)
      sums.energy[p] = 0.5 * sum_lanes(energy), sums.virial[p] = 0.5 * sum_lanes(virial);
  }
}

template <PairTerms terms, class T, class StateReal, class Real>
void run(const PairLoop<StateReal, Real>& loop, const PairSums& sums, Index begin, Index end) {
  if constexpr (sizeof(Real) == sizeof(double)) {
    if (sums.energy && loop.kind) return sum_slots<terms, true, false, T>(loop, sums, begin, end);
    if (sums.energy) return sum_slots<terms, true, true, T>(loop, sums, begin, end);
  }
  if (loop.kind) return sum_slots<terms, false, false, T>(loop, sums, begin, end);
  sum_slots<terms, false, true, T>(loop, sums, begin, end);
}

template <class T, class StateReal, class Real>
constexpr void fill(PairKernel<StateReal, Real> (&kernels)[pair_terms_count]) {
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    ((kernels[k] = &run<all_pair_terms[k], T, StateReal, Real>), ...);
  }
  (std::make_index_sequence<pair_terms_count>{});
}

template <class Single, class Double>
constexpr PairKernels kernels() {
  PairKernels all{};
  fill<Single, float, float>(all.single);
  fill<Single, double, float>(all.mixed);
  fill<Double, double, double>(all.double_);
  return all;
}

}  // namespace mote::sim::pair_simd
