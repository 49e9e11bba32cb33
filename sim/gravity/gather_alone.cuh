#pragma once

#include "sim/gravity/gather.cuh"

namespace mote::sim::direct {

/// The attraction of all sources, over G, at one body, by one thread, in the order in which the 32
/// lanes of a warp sum it who share the sources: the same bits as `gather` and `sum_over_lanes` for
/// up to `flush_sources` sources. All threads of a warp read the same source at a time.
///
/// Lane l of such a warp has the sources l, l + 32, ... The sum over the lanes adds those that are
/// 16 apart, then pairs of these sums that are 8 apart, then 4, 2, 1. Here `together` lanes, 16 and
/// (of four) 8 apart, are summed at a time, next to each other for their independence; the sums of
/// such groups wait until their neighbour's is there.
template <Precision precision, Guard guard, int together>
__device__ __forceinline__ Vec3<Total<precision>> gather_alone(
    SourceView<precision> sources, const typename Pairs<precision>::Body& body,
    typename Pairs<precision>::Term squared_softening) {
  static_assert(together == 2 || together == 4);
  using P = Pairs<precision>;
  using Term = typename P::Term;
  using Sum = Vec3<Total<precision>>;
  constexpr int levels = together == 4 ? 3 : 4, groups = 1 << levels;
  constexpr int lane_of[4] = {0, 16, 8, 24};
  const auto added = [](Sum a, const Sum& b) {
    add_to(a, b);
    return a;
  };

  Sum waiting[levels]{}, all{};
#pragma unroll 1
  for (int group = 0; group < groups; ++group) {
    int lane = 0;  // the bits of the group's number in reverse
#pragma unroll
    for (int bit = 0; bit < levels; ++bit) lane |= (group >> bit & 1) << (levels - 1 - bit);

    Vec3<Term> sum[together]{};
    const auto meet = [&](int j, int k) {
      const typename P::Body source = sources.body(j + lane_of[k]);
      const Vec3<Term> d = P::separation(body, source);
      add_weighted(d, attraction_weight<guard>(d, source.mass, squared_softening), sum[k]);
    };
    int j = lane;
#pragma unroll 2
    for (; j + lane_of[together - 1] < sources.count; j += 32)
#pragma unroll
      for (int k = 0; k < together; ++k) meet(j, k);
#pragma unroll
    for (int k = 0; k + 1 < together; ++k)
      if (j + lane_of[k] < sources.count) meet(j, k);

    Sum total[together]{};
    flush(sum, total);
    all = added(total[0], total[1]);
    if constexpr (together == 4) all = added(all, added(total[2], total[3]));
    bool neighbour = true;  // has been there, on all levels up to here
#pragma unroll
    for (int level = 0; level < levels; ++level) {
      const bool second = (group >> level & 1) != 0;
      if (neighbour && second) all = added(waiting[level], all);
      if (neighbour && !second) waiting[level] = all;
      neighbour = neighbour && second;
    }
  }
  return all;
}

}  // namespace mote::sim::direct
