#pragma once

#include "sim/gravity/warp_per_body.cuh"

namespace mote::sim::direct {

/// Attraction of one body by all sources, without G, summed by one thread in the order in which
/// the 32 lanes of a warp would sum it: for up to `flush_sources` sources the same bits as
/// `add_lane_attraction` and `sum_over_lanes`. All threads of a warp read the same source at a
/// time.
///
/// Lane l of such a warp sums the sources l, l + 32, ... The butterfly over the lanes adds sums
/// that are 16 apart, then 8, 4, 2, 1. Here `together` lanes, 16 and (of four) 8 apart, are summed
/// at a time, interleaved for independence; the sum of such a group waits for that of its
/// neighbour.
template <Precision precision, ZeroDistance guard, int together>
__device__ __forceinline__ Vec3<Total<precision>> thread_attraction(
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
    int lane = 0;  // the bits of `group` reversed
#pragma unroll
    for (int bit = 0; bit < levels; ++bit) lane |= (group >> bit & 1) << (levels - 1 - bit);

    Vec3<Term> sum[together]{};
    const auto add_term = [&](int j, int k) {
      const typename P::Body source = sources.body(j + lane_of[k]);
      const Vec3<Term> d = P::separation(body, source);
      add_weighted(d, attraction_weight<guard>(d, source.mass, squared_softening), sum[k]);
    };
    int j = lane;
#pragma unroll 2
    for (; j + lane_of[together - 1] < sources.count; j += 32)
#pragma unroll
      for (int k = 0; k < together; ++k) add_term(j, k);
#pragma unroll
    for (int k = 0; k + 1 < together; ++k)
      if (j + lane_of[k] < sources.count) add_term(j, k);

    Sum total[together]{};
    flush(sum, total);
    all = added(total[0], total[1]);
    if constexpr (together == 4) all = added(all, added(total[2], total[3]));
    bool complete = true;  // the neighbour's sum exists on all levels so far
#pragma unroll
    for (int level = 0; level < levels; ++level) {
      const bool second = (group >> level & 1) != 0;
      if (complete && second) all = added(waiting[level], all);
      if (complete && !second) waiting[level] = all;
      complete = complete && second;
    }
  }
  return all;
}

}  // namespace mote::sim::direct
