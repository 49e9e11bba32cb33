#pragma once

#include <cuda_pipeline.h>

#include "engine/exec/launch.cuh"
#include "sim/gravity/pairs.cuh"

namespace mote::sim::direct {

/// The split kernel: a thread owns four bodies, so that one read of a source from shared memory
/// serves four pairs; the sources are split over blocks, so that few bodies fill a large GPU. Tiles
/// are copied asynchronously, double-buffered. Terms are summed to double every `split_flush`
/// sources; each split stores its sums in double, and `fold_splits` adds them in order.
inline constexpr int split_threads = 128;
inline constexpr int split_bodies = 4;
inline constexpr int split_tile = 256;
inline constexpr int split_flush = 1024;

template <Precision precision>
inline constexpr std::size_t split_shared =
    2 * split_tile* Pairs<precision>::words* std::size_t{16};

/// Length of a split of `sources` sources for `targets` bodies, a multiple of `split_flush`: enough
/// blocks for the largest GPUs, as a function of these numbers alone, so that the bits do not
/// depend on the GPU's size.
inline engine::Index split_length(engine::Index targets, engine::Index sources) {
  constexpr engine::Index blocks_wanted = 1056;
  const engine::Index blocks =
      (targets + split_threads * split_bodies - 1) / (split_threads * split_bodies);
  const engine::Index splits = (blocks_wanted + blocks - 1) / (blocks > 0 ? blocks : 1);
  const engine::Index length = (sources + splits - 1) / splits;
  return (length + split_flush - 1) / split_flush * split_flush;
}

/// Sources [begin, end) of each split that one launch processes, multiples of split_flush. Later
/// launches resume (`resumed`) from the stored sums, so that cutting changes no bit.
struct SplitPart {
  int begin, end;
};

/// Sums of a pass: component `axis` of split `split` starts at (split x components + axis) x
/// stride.
struct Partials {
  double* sums;
  int stride, components;
};

template <Precision precision, ZeroDistance guard, GravityQuantity quantity, bool resumed,
          class Targets>
__global__ void __launch_bounds__(split_threads)
    split_forces(SourceView<precision> sources, Targets targets, int length, int blocks_of_targets,
                 SplitPart part, Partials partials,
                 typename Pairs<precision>::Term squared_softening) {
  using P = Pairs<precision>;
  using Term = typename P::Term;
  using Word = typename P::Word;
  constexpr int tile_size = split_tile * P::words;
  Word* const shared = engine::shared_memory<Word>();
  const int thread = static_cast<int>(threadIdx.x);
  const int split = static_cast<int>(blockIdx.x) / blocks_of_targets;
  const int base =
      static_cast<int>(blockIdx.x) % blocks_of_targets * split_threads * split_bodies + thread;
  const int begin = split * length + part.begin,
            end = min(split * length + part.end, sources.count);
  if (resumed && begin >= end) return;

  typename P::Body body[split_bodies];
#pragma unroll
  for (int k = 0; k < split_bodies; ++k) {
    body[k] = targets.body(min(base + k * split_threads, targets.count() - 1));
  }
  const auto load = [&](int start, int stage) {
    for (int k = thread; k < split_tile && start + k < end; k += split_threads) {
      __pipeline_memcpy_async(shared + stage * tile_size + k, sources.first() + start + k,
                              sizeof(Word));
      if constexpr (P::words == 2)
        __pipeline_memcpy_async(shared + stage * tile_size + split_tile + k,
                                sources.second() + start + k, sizeof(Word));
    }
    __pipeline_commit();
  };

  Vec3<Term> sum[split_bodies]{};
  Term potential[split_bodies]{};
  Vec3d total[split_bodies]{};
  double total_potential[split_bodies]{};
  const auto sums_of = [&](int i) {
    return partials.sums + static_cast<std::size_t>(split) * partials.components * partials.stride +
           i;
  };
  if constexpr (resumed) {
#pragma unroll
    for (int k = 0; k < split_bodies; ++k) {
      const int i = base + k * split_threads;
      if (i >= targets.count()) continue;
      const double* const stored = sums_of(i);
      if constexpr (quantity == GravityQuantity::attraction)
        total[k] = {stored[0], stored[partials.stride],
                    stored[2 * static_cast<std::size_t>(partials.stride)]};
      else
        total_potential[k] = stored[0];
    }
  }
  load(begin, 0);
  int stage = 0;
  for (int start = begin; start < end; start += split_tile, stage ^= 1) {
    load(start + split_tile, stage ^ 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    const Word* const first = shared + stage * tile_size;
    const Word* const second = first + (P::words - 1) * split_tile;
    const int count = min(split_tile, end - start);
#pragma unroll 4
    for (int j = 0; j < count; ++j) {
      const typename P::Body source = P::body(first[j], second[j]);
#pragma unroll
      for (int k = 0; k < split_bodies; ++k) {
        const Vec3<Term> d = P::separation(body[k], source);
        if constexpr (quantity == GravityQuantity::attraction)
          add_attraction<guard>(d, source.mass, squared_softening, sum[k]);
        else
          potential[k] = engine::Number<Term>::multiply_add(
              source.mass, inverse_distance(d, squared_softening), potential[k]);
      }
    }
    if ((start + split_tile - begin) % split_flush == 0 || start + split_tile >= end) {
#pragma unroll
      for (int k = 0; k < split_bodies; ++k) {
        add_to(total[k], sum[k]);
        total_potential[k] += static_cast<double>(potential[k]);
        sum[k] = {Term(0), Term(0), Term(0)};
        potential[k] = 0;
      }
    }
    __syncthreads();  // before the tile after the next one overwrites this one
  }
  __pipeline_wait_prior(0);
#pragma unroll
  for (int k = 0; k < split_bodies; ++k) {
    const int i = base + k * split_threads;
    if (i >= targets.count()) continue;
    double* const out = sums_of(i);
    if constexpr (quantity == GravityQuantity::attraction) {
      out[0] = total[k].x;
      out[partials.stride] = total[k].y;
      out[2 * static_cast<std::size_t>(partials.stride)] = total[k].z;
    } else {
      out[0] = total_potential[k];
    }
  }
}

}  // namespace mote::sim::direct
