#pragma once

#include <cuda_pipeline.h>

#include <cmath>
#include <type_traits>

#include "engine/algo/warp.cuh"
#include "sim/gravity/pairs.cuh"

namespace mote::sim::direct {

/// Forces for few bodies: a warp owns a handful of bodies and its 32 lanes divide the sources; lane
/// l sums sources l, l + 32, ... Sums of terms are flushed to totals every `flush_sources` sources
/// (but see `one_flush`), and the totals are summed over the lanes in a butterfly. The bits of a
/// force depend on the sources alone, not on which warp owns the body, or with how many others.
inline constexpr int tile_words = 1024;
inline constexpr int tile_stages = 4;
inline constexpr int flush_sources = 2048;
inline constexpr std::size_t tile_ring_bytes = std::size_t{tile_words} * tile_stages * 16;

template <Precision precision>
inline constexpr int tile_sources = tile_words / Pairs<precision>::words;

/// In single precision the few terms of a lane are flushed once.
template <Precision precision>
inline constexpr bool one_flush = precision == Precision::single;

/// Totals are double, except in single precision: there few terms and a butterfly keep the error in
/// float about as small, and conversions and double sums would cost as much as the forces.
template <Precision precision>
using Total = std::conditional_t<precision == Precision::single, float, double>;

/// Multiplies totals by G. In float, G is a sum of two floats, so that it is not rounded to one,
/// times two powers of two, because in kilograms and kiloparsecs it is outside the range of float.
template <Precision precision>
class Factor {
 public:
  using Real = typename Pairs<precision>::Real;
  using Sum = Total<precision>;

  Factor() = default;
  explicit Factor(double value) : value_(value) {
    if (precision != Precision::single || !(value > 0)) return;
    const int exponent = std::ilogb(value), half = exponent / 2;
    first_ = static_cast<Sum>(std::exp2(half));
    last_ = static_cast<Sum>(std::exp2(exponent - half));
    const double digits = value / std::exp2(half) / std::exp2(exponent - half);
    high_ = static_cast<Sum>(digits);
    low_ = static_cast<Sum>(digits - static_cast<double>(high_));
  }
  __device__ __forceinline__ Real operator()(Sum total) const {
    if constexpr (precision == Precision::single) {
      const Sum t = first_ * total;
      return last_ * engine::Number<Sum>::multiply_add(t, high_, t * low_);
    } else {
      return value_ * total;
    }
  }

 private:
  double value_ = 0;
  Sum first_ = 1, last_ = 1, high_ = 0, low_ = 0;
};

/// Ring buffer of source tiles in shared memory: four tiles, copied asynchronously while earlier
/// ones are summed. All threads of the block take part.
template <Precision precision>
class TileRing {
 public:
  using Word = typename Pairs<precision>::Word;

  __device__ TileRing(SourceView<precision> sources, Word* shared)
      : sources_(sources), shared_(shared), tiles_((sources.count + tile - 1) / tile) {
    for (int t = 0; t < tile_stages; ++t) load(t);
  }

  __device__ int tiles() const { return tiles_; }
  /// Sources of tile t.
  __device__ int count(int t) const { return min(tile, sources_.count - t * tile); }
  /// Waits for tile t. Each tile once, in order.
  __device__ const Word* wait_for(int t) {
    __pipeline_wait_prior(tile_stages - 1);
    __syncthreads();
    return shared_ + t % tile_stages * tile_words;
  }
  /// Releases the buffer of tile t and starts to copy the next one into it.
  __device__ void release(int t) {
    if (t + tile_stages < tiles_) __syncthreads();
    load(t + tile_stages);
  }

 private:
  static constexpr int tile = tile_sources<precision>;

  __device__ void load(int t) {
    if (t < tiles_) {
      Word* const to = shared_ + t % tile_stages * tile_words;
      const int n = count(t);
      for (int k = static_cast<int>(threadIdx.x); k < n; k += static_cast<int>(blockDim.x)) {
        __pipeline_memcpy_async(to + k, sources_.first() + t * tile + k, sizeof(Word));
        if constexpr (Pairs<precision>::words == 2)
          __pipeline_memcpy_async(to + tile + k, sources_.second() + t * tile + k, sizeof(Word));
      }
    }
    __pipeline_commit();
  }

  SourceView<precision> sources_;
  Word* shared_;
  int tiles_;
};

/// Adds to `sum`, for each of `bodies`, the attraction by the lane's part of `count` sources in
/// shared memory.
template <Precision precision, ZeroDistance guard, int bodies>
__device__ __forceinline__ void add_lane_attraction(
    const typename Pairs<precision>::Word* first, const typename Pairs<precision>::Word* second,
    int count, int lane, const typename Pairs<precision>::Body (&body)[bodies],
    typename Pairs<precision>::Term squared_softening,
    Vec3<typename Pairs<precision>::Term> (&sum)[bodies]) {
  using P = Pairs<precision>;
  using Term = typename P::Term;
  // Sources evaluated in an interleaved fashion: with few warps per multiprocessor this hides the
  // latency of the root.
  constexpr int together = P::words == 2 ? 2 : bodies == 1 ? 4 : 2;
  const auto add_terms = [&]<int n>(int j) {
    Vec3<Term> d[n][bodies];
    Term weight[n][bodies];
#pragma unroll
    for (int u = 0; u < n; ++u) {
      const typename P::Body source = P::body(first[j + 32 * u], second[j + 32 * u]);
#pragma unroll
      for (int k = 0; k < bodies; ++k) {
        d[u][k] = P::separation(body[k], source);
        weight[u][k] = source.mass;
      }
    }
#pragma unroll
    for (int u = 0; u < n; ++u)
#pragma unroll
      for (int k = 0; k < bodies; ++k)
        weight[u][k] = attraction_weight<guard>(d[u][k], weight[u][k], squared_softening);
#pragma unroll
    for (int u = 0; u < n; ++u)
#pragma unroll
      for (int k = 0; k < bodies; ++k) add_weighted(d[u][k], weight[u][k], sum[k]);
  };
  int j = lane;
#pragma unroll 2
  for (; j + 32 * (together - 1) < count; j += 32 * together)
    add_terms.template operator()<together>(j);
#pragma unroll 1
  for (; j < count; j += 32) add_terms.template operator()<1>(j);
}

template <class Term, class Sum, int bodies>
__device__ __forceinline__ void flush(Vec3<Term> (&sum)[bodies], Vec3<Sum> (&total)[bodies]) {
#pragma unroll
  for (int k = 0; k < bodies; ++k) {
    add_to(total[k], sum[k]);
    sum[k] = {Term(0), Term(0), Term(0)};
  }
}

/// Sums over the lanes; all lanes receive the totals.
template <class Sum, int bodies>
__device__ __forceinline__ void sum_over_lanes(Vec3<Sum> (&total)[bodies]) {
#pragma unroll
  for (int k = 0; k < bodies; ++k)
    total[k] = {engine::warp_sum(total[k].x), engine::warp_sum(total[k].y),
                engine::warp_sum(total[k].z)};
}

/// Attraction of the bodies of this warp by all sources, without G. All threads of the block take
/// part.
template <Precision precision, ZeroDistance guard, int bodies>
__device__ void warp_attraction(SourceView<precision> sources,
                                typename Pairs<precision>::Word* shared, int lane,
                                const typename Pairs<precision>::Body (&body)[bodies],
                                typename Pairs<precision>::Term squared_softening,
                                Vec3<Total<precision>> (&total)[bodies]) {
  using Term = typename Pairs<precision>::Term;
  constexpr int tile = tile_sources<precision>;
  static_assert(flush_sources % tile == 0);
  Vec3<Term> sum[bodies]{};
  for (int k = 0; k < bodies; ++k) total[k] = {0, 0, 0};
  TileRing<precision> ring(sources, shared);
  for (int t = 0; t < ring.tiles(); ++t) {
    const auto* words = ring.wait_for(t);
    add_lane_attraction<precision, guard>(words, words + (Pairs<precision>::words - 1) * tile,
                                          ring.count(t), lane, body, squared_softening, sum);
    if ((!one_flush<precision> && (t + 1) * tile % flush_sources == 0) || t + 1 == ring.tiles())
      flush(sum, total);
    ring.release(t);
  }
  sum_over_lanes(total);
}

}  // namespace mote::sim::direct
