#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "engine/algo/warp.cuh"
#include "engine/check.h"
#include "engine/math/vec.h"
#include "sim/molecular/pair_view.h"
#include "sim/space/cell_walk.cuh"

/// Shared by the kernels with pair forces.
namespace mote::sim {

/// Force on a slot [force], the same in all of its lanes; zero past the last slot. Called by all
/// lanes of a warp.
template <PairTerms terms, bool uniform, int lanes, class Real, class StateReal>
__device__ __forceinline__ engine::Vec3<Real> pair_forces(
    const DeviceNeighbourView<StateReal>& neighbours, const PairCoefficientsView<Real>& pairs,
    int slot, int lane) {
  const PairCoefficients<Real>* row = nullptr;
  if constexpr (!uniform)
    row = pairs.table + neighbours.position[slot < neighbours.count ? slot : 0].kind * pairs.kinds;
  engine::Vec3<Real> sum{0, 0, 0};
  for_each_neighbour<lanes>(
      neighbours, slot, lane, [&](int, int kind, StateReal sx, StateReal sy, StateReal sz) {
        const auto dx = static_cast<Real>(sx), dy = static_cast<Real>(sy),
                   dz = static_cast<Real>(sz);
        using N = engine::Number<Real>;
        const Real q = N::multiply_add(dz, dz, N::multiply_add(dy, dy, dx * dx));
        const Real force =
            pair_term<terms>(uniform ? pairs.same : row[uniform ? 0 : kind], q).force;
        sum.x = N::multiply_add(force, dx, sum.x);
        sum.y = N::multiply_add(force, dy, sum.y);
        sum.z = N::multiply_add(force, dz, sum.z);
      });
  return engine::sum_of_lanes<lanes>(sum);
}

/// Calls `use` with the terms as a constant.
template <class Use>
void with_terms(PairTerms terms, Use&& use) {
  const auto use_if = [&]<PairTerms one>(std::integral_constant<PairTerms, one> constant) {
    if (terms == one) use(constant);
    return terms == one;
  };
  [[maybe_unused]] const bool found = [&]<std::size_t... k>(std::index_sequence<k...>) {
    return (use_if(std::integral_constant<PairTerms, all_pair_terms[k]>{}) || ...);
  }
  (std::make_index_sequence<pair_terms_count>{});
  MOTE_EXPECT(found);
}

/// Calls `use` with a constant: whether all bodies are of one kind, whose coefficients then stay in
/// registers. To limit compile time such kernels exist only for neutral bodies in single precision.
template <PairTerms terms, class StateReal, class Use>
void with_uniform(int kinds, Use&& use) {
  if constexpr (terms.electric == Electric::none && sizeof(StateReal) == 4)
    if (kinds == 1) return use(std::true_type{});
  use(std::false_type{});
}

/// Calls `use` with the number of lanes as a constant.
template <class Use>
void with_lanes(int lanes, Use&& use) {
  switch (lanes) {
    case 1:
      return use(std::integral_constant<int, 1>{});
    case 4:
      return use(std::integral_constant<int, 4>{});
    default:
      return use(std::integral_constant<int, 8>{});
  }
}

}  // namespace mote::sim
