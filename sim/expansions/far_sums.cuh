#pragma once

#include <cuda_pipeline.h>

#include <cstring>

#include "sim/expansions/walk.cuh"

/// Expansions of far cells: a warp per target. Lanes are sources, so a lane has all derivatives and
/// sums in registers; at the end lanes exchange halves of their sums until each has some whole
/// ones.
namespace mote::sim::far_sums {

using engine::all_lanes;
using engine::Vec3;

/// Words of 16 bytes in a row of moments in shared memory: an odd number, so that lanes which read
/// their own rows use all banks.
template <int p, class T>
inline constexpr int row_words = (expansion::count_of(p) * int(sizeof(T)) + 15) / 16;
template <int p, class T>
inline constexpr int row_pitch = row_words<p, T> | 1;

template <int p, class T>
inline constexpr std::size_t shared_bytes = 32 * 16 * row_pitch<p, T>;

struct alignas(16) Word {
  unsigned char bytes[16];
};

/// Orders of the sums that fit the registers together with the derivatives: first, last of each
/// pass.
template <class T>
constexpr int last_of_pass(int p, int first) {
  if (sizeof(T) == 4) {
    if (p <= 6) return p;
    return first == 0 ? 5 : first == 6 ? 7 : p;
  }
  return first == 0 && p > 4 ? 4 : p;
}

/// v[i] of all lanes are added; lane k receives sums k n / 32, ... in v[0], ...
template <int n, class T>
__device__ __forceinline__ void sum_across_lanes(T (&v)[n], int lane) {
  static_assert(n % 32 == 0);
  expansion::unrolled<5>([&]<int stage>(expansion::Constant<stage>) {
    constexpr int half = (n >> stage) / 2, distance = 16 >> stage;
    const bool upper = (lane & distance) != 0;
    expansion::unrolled<half>([&]<int i>(expansion::Constant<i>) {
      const T sent = upper ? v[i] : v[i + half], kept = upper ? v[i + half] : v[i];
      v[i] = kept + __shfl_xor_sync(all_lanes, sent, distance);
    });
  });
}

/// The coefficients of orders `first` to `last` of a target's expansion, from a chunk of its list.
template <int p, int first, int last, class T>
__device__ __forceinline__ void sum_sources(const DeviceTreeView& tree, const ExpansionView<T>& e,
                                            std::uint32_t target, const ListView::Chunk& chunk,
                                            T* to, Word* rows, int lane) {
  using N = engine::Number<T>;
  constexpr int begin = expansion::count_below(first), count = expansion::count_of(last) - begin;
  constexpr int padded = (count + 31) / 32 * 32;
  const double x = tree.x[target], y = tree.y[target], z = tree.z[target];
  const int level = tree.level[target];
  const auto side = static_cast<T>(ldexp(1.0, -level)),
             softening2 = static_cast<T>(walk::squared_softening(tree, e));
  T sum[padded];
  expansion::unrolled<padded>([&]<int k>(expansion::Constant<k>) { sum[k] = T(0); });
  walk::for_chunk(chunk, lane, [&](std::uint32_t s, bool valid) {
    constexpr int words = row_words<p, T>, pitch = row_pitch<p, T>;
    const std::uint32_t cell = e.images.cell(s);
    __syncwarp();
    // Rows one after another, a word by each lane; they arrive while derivatives are found.
    const Word* const words_of_lane = reinterpret_cast<const Word*>(e.moments) + lane;
    const auto stride = static_cast<std::size_t>(e.stride) * sizeof(T) / sizeof(Word);
#pragma unroll
    for (int row = 0; row < 32; ++row) {
      const Word* const from = words_of_lane + __shfl_sync(all_lanes, cell, row) * stride;
#pragma unroll
      for (int word = 0; word < words; word += 32)
        if (word + lane < words)
          __pipeline_memcpy_async(rows + row * pitch + word + lane, from + word, sizeof(Word));
    }
    __pipeline_commit();
    const engine::Vec3d place = e.images.relative({x, y, z}, s, tree.control->unit);
    Vec3<T> r{static_cast<T>(place.x - tree.x[cell]), static_cast<T>(place.y - tree.y[cell]),
              static_cast<T>(place.z - tree.z[cell])};
    const T inverse = N::rsqrt(dot(r, r));
    r = inverse * r;
    T d[expansion::count_of(p)];
    expansion::derivatives<p>(r, softening2 * inverse * inverse, d);
    // Lengths were divided by the distance: now by the side of the target.
    const T ratio = side * inverse;
    T factor = valid ? inverse : T(0);
    expansion::unrolled<p + 1>([&]<int o>(expansion::Constant<o>) {
      constexpr int from = expansion::count_below(o);
      expansion::unrolled<expansion::count_of(o) - from>(
          [&]<int i>(expansion::Constant<i>) { d[from + i] = d[from + i] * factor; });
      factor = factor * ratio;
    });
    // Moments are in units of the side of the source.
    const T relative = static_cast<T>(ldexp(1.0, level - tree.level[cell]));
    T power[p + 1];
    power[0] = T(1);
    expansion::unrolled<p>(
        [&]<int o>(expansion::Constant<o>) { power[o + 1] = power[o] * relative; });
    __pipeline_wait_prior(0);
    __syncwarp();
    const Word* const own = rows + lane * pitch;
    constexpr int per_word = 16 / int(sizeof(T)), moments = expansion::count_of(p - first);
    expansion::unrolled<(moments + per_word - 1) / per_word>([&]<int w>(expansion::Constant<w>) {
      T of_word[per_word];
      const uint4 bits = *reinterpret_cast<const uint4*>(own + w);
      memcpy(of_word, &bits, sizeof(bits));
      expansion::unrolled<per_word>([&]<int i>(expansion::Constant<i>) {
        constexpr int n = w * per_word + i;
        if constexpr (n < moments) {
          if (n >= 1 && n <= 3 && !e.charged) return;  // moments of order 1 are zero
          constexpr expansion::MultiIndex of = expansion::tables.index[n];
          constexpr int order = of.order(), most = p - order < last ? p - order : last;
          const T moment = of_word[i] * power[order];
          if constexpr (most >= first)
            expansion::unrolled<expansion::count_of(most) - begin>(
                [&]<int k>(expansion::Constant<k>) {
                  constexpr expansion::MultiIndex m = expansion::tables.index[begin + k];
                  constexpr int at = expansion::index_of(of.x + m.x, of.y + m.y, of.z + m.z);
                  sum[k] = N::multiply_add(moment, d[at], sum[k]);
                });
        }
      });
    });
  });
  sum_across_lanes(sum, lane);
  constexpr int each = padded / 32;
  expansion::unrolled<each>([&]<int i>(expansion::Constant<i>) {
    if (const int k = lane * each + i; k < count) to[begin + k] = sum[i];
  });
  if constexpr (last < p)
    sum_sources<p, last + 1, last_of_pass<T>(p, last + 1)>(tree, e, target, chunk, to, rows, lane);
}

template <int p, class T>
__global__ void __launch_bounds__(walk::sum_threads)
    sum_far_cells(DeviceTreeView tree, ExpansionView<T> e) {
  const auto lane = static_cast<int>(threadIdx.x);
  auto* const rows = engine::shared_memory<Word>();
  const Targets& targets = tree.control->targets;
  const walk::WorkItem item(targets.row[Targets::levels], tree.control->extra_far);
  if (!item.is_valid) return;
  const std::uint32_t k = item.number;
  const std::uint32_t target =
      item.is_extra ? e.lists.extra_far[k].cell : walk::target_of(targets, k, lane).cell;
  const std::uint32_t unit = item.is_extra ? e.lists.extra_far[k].unit : e.lists.far[target];
  T* const to =
      (item.is_extra ? e.extra_locals : e.locals) + static_cast<std::size_t>(k) * e.stride;
  if (unit != 0)
    return sum_sources<p, 0, last_of_pass<T>(p, 0)>(tree, e, target, e.lists.chunk(unit), to, rows,
                                                    lane);
  for (int i = lane; i < expansion::count_of(p); i += 32) to[i] = T(0);
}

}  // namespace mote::sim::far_sums
