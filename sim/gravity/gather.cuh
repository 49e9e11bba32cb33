#pragma once

#include <cuda_pipeline.h>

#include "engine/algo/warp.cuh"
#include "sim/gravity/pairs.cuh"

namespace mote::sim::direct {

/// Forces for few bodies: a warp owns a handful of bodies and its 32 lanes share the sources; lane l takes sources
/// l, l + 32, ... Sums of terms go to double every `flush_sources` sources and over the lanes in a butterfly: the
/// bits of a body's force depend on the sources alone, not on which warp owns it or with how many others.
inline constexpr int tile_words = 1024;
inline constexpr int tile_stages = 4;
inline constexpr int flush_sources = 2048;
inline constexpr std::size_t tile_ring_bytes = std::size_t{tile_words} * tile_stages * 16;

template <Precision precision>
inline constexpr int tile_sources = tile_words / Pairs<precision>::words;

/// Sources on their way through shared memory: four tiles, copied asynchronously while earlier ones are summed.
/// All threads of the block take part.
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
  /// Waits for tile t. Tiles are taken in order, each once.
  __device__ const Word* take(int t) {
    __pipeline_wait_prior(tile_stages - 1);
    __syncthreads();
    return shared_ + t % tile_stages * tile_words;
  }
  /// Gives the place of tile t to the next one.
  __device__ void give_back(int t) {
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

/// Adds to `sum` what the lane's share of `count` sources in shared memory pulls at each of `bodies`.
template <Precision precision, Guard guard, int bodies>
__device__ __forceinline__ void gather(const typename Pairs<precision>::Word* first,
                                       const typename Pairs<precision>::Word* second, int count, int lane,
                                       const typename Pairs<precision>::Body (&body)[bodies],
                                       typename Pairs<precision>::Term squared_softening,
                                       Vec3<typename Pairs<precision>::Term> (&sum)[bodies]) {
  using P = Pairs<precision>;
#pragma unroll 4
  for (int j = lane; j < count; j += 32) {
    const typename P::Body source = P::body(first[j], second[j]);
#pragma unroll
    for (int k = 0; k < bodies; ++k)
      add_attraction<guard>(P::separation(body[k], source), source.mass, squared_softening, sum[k]);
  }
}

template <class Term, int bodies>
__device__ __forceinline__ void flush(Vec3<Term> (&sum)[bodies], Vec3d (&total)[bodies]) {
#pragma unroll
  for (int k = 0; k < bodies; ++k) {
    add_to(total[k], sum[k]);
    sum[k] = {Term(0), Term(0), Term(0)};
  }
}

/// Sums over the lanes; all lanes get the totals.
template <int bodies>
__device__ __forceinline__ void sum_over_lanes(Vec3d (&total)[bodies]) {
#pragma unroll
  for (int k = 0; k < bodies; ++k)
    total[k] = {engine::warp_sum(total[k].x), engine::warp_sum(total[k].y), engine::warp_sum(total[k].z)};
}

/// The attraction of all sources, over G, at the bodies of this warp. All threads of the block take part.
template <Precision precision, Guard guard, int bodies>
__device__ void gather_all(SourceView<precision> sources, typename Pairs<precision>::Word* shared, int lane,
                           const typename Pairs<precision>::Body (&body)[bodies],
                           typename Pairs<precision>::Term squared_softening, Vec3d (&total)[bodies]) {
  using Term = typename Pairs<precision>::Term;
  constexpr int tile = tile_sources<precision>;
  static_assert(flush_sources % tile == 0);
  Vec3<Term> sum[bodies]{};
  for (int k = 0; k < bodies; ++k) total[k] = {0, 0, 0};
  TileRing<precision> ring(sources, shared);
  for (int t = 0; t < ring.tiles(); ++t) {
    const auto* words = ring.take(t);
    gather<precision, guard>(words, words + (Pairs<precision>::words - 1) * tile, ring.count(t), lane, body,
                             squared_softening, sum);
    if ((t + 1) * tile % flush_sources == 0 || t + 1 == ring.tiles()) flush(sum, total);
    ring.give_back(t);
  }
  sum_over_lanes(total);
}

}  // namespace mote::sim::direct
