#pragma once

#include <cuda_pipeline.h>

#include <type_traits>

#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "sim/gravity/pairs.cuh"

namespace mote::sim::direct {

/// The symmetric kernel evaluates each pair once (Newton's third law). The bodies form T blocks of
/// 32 x R x W. A thread block of W warps owns one of them, R bodies per lane in registers, and
/// streams later blocks through shared memory in chunks of W tiles of 32. The warps take turns with
/// the tiles, one warp per tile at a time. At rotation r lane l evaluates body (l + r) mod 32 of
/// its tile; the tile's sums rotate through the lanes along with its bodies. When a tile passes to
/// the next warp its sums are added to shared memory, always in the same order. There are no
/// atomics: every partial sum has its own slot, and `fold_round` adds the slots in order.
///
/// Blocks are paired in a ring: block I with I, I+1, ..., I + T/2 (mod T), for even T the last
/// offset only for the first half of the blocks. Block I with itself is evaluated in both
/// directions.
///
/// Narrow blocks spread ten thousand bodies evenly over many multiprocessors; wide blocks cost less
/// per pair. With `equal` masses the pair terms omit them.
enum class Width { narrow, wide };

template <Precision p, Width width, bool equal_masses>
struct SymmetricShape {
  static constexpr Precision precision = p;
  static constexpr bool equal = equal_masses, wide = width == Width::wide,
                        single = p == Precision::single;
  static constexpr int bodies = p == Precision::double_    ? 4
                                : single && wide && !equal ? 16
                                                           : 8;  ///< R, per lane
  static constexpr int warps = wide ? 4 : 1;                     ///< W, per block
  static constexpr int threads = 32 * warps;
  static constexpr int resident = bodies == 16 ? 3 : 16 / warps;  ///< blocks per multiprocessor
  static constexpr int unrolled = bodies == 16 ? 2 : 4;           ///< unrolled rotations
  static constexpr int chunk = 32 * warps;                        ///< bodies streamed together
  static constexpr int block = chunk * bodies;       ///< bodies per block; `bodies` chunks
  static constexpr int flush_chunks = 1024 / chunk;  ///< between flushes of the sums to double
  using Pair = Pairs<precision>;
  using Term = typename Pair::Term;
  using Word = typename Pair::Word;
  /// Sums of float terms are flushed to totals in double.
  static constexpr bool totals = std::is_same_v<Term, float>;
  static constexpr std::size_t tile_bytes = std::size_t{2} * Pair::words * warps * 64 * 16;
  static constexpr std::size_t sums_bytes = std::size_t{chunk} * 3 * sizeof(Term);
  static constexpr std::size_t totals_bytes = totals ? std::size_t{block} * 3 * sizeof(double) : 0;
  static constexpr std::size_t shared_bytes = tile_bytes + sums_bytes + totals_bytes;
};

/// One round: offsets [begin, end) in the ring, in runs of `run` chunks per thread block.
///
/// Its runs are numbered block by block, and thread blocks take one each. Its sums are in slots by
/// the block of bodies that they are of. With ranks, each takes a range of the runs, and others
/// receive the slots of their own bodies. One rank takes the first runs of all blocks, then the
/// second ones, and so on: shorter ones are the last then.
struct SymmetricRound {
  int blocks;      ///< T
  int begin, end;  ///< offsets
  int bodies;      ///< chunks of a block
  int run, runs;   ///< chunks per run, most runs per block
  int stride;      ///< bodies, padded: T x block
  int first;       ///< thread block of the round with which a launch begins
  bool alone;      ///< there is one rank

  /// Whether block i is paired with block i + offset.
  MOTE_HOST_DEVICE bool paired(int i, int offset) const {
    return 2 * offset != blocks || i < blocks / 2;
  }
  /// Chunks that a block is paired with.
  MOTE_HOST_DEVICE int chunks_of(int block) const {
    return (end - begin - (paired(block, end - 1) ? 0 : 1)) * bodies;
  }
  MOTE_HOST_DEVICE int runs_of(int block) const { return (chunks_of(block) + run - 1) / run; }
  /// Number of the first run of a block; that of block T is the number of all runs.
  MOTE_HOST_DEVICE int first_run(int block) const {
    const int longer = paired(blocks - 1, end - 1) ? blocks : blocks / 2;
    return block <= longer ? block * runs : longer * runs + (block - longer) * runs_of(blocks - 1);
  }
  /// The block that has the run of a number.
  MOTE_HOST_DEVICE int block_of(int number) const {
    const int longer = paired(blocks - 1, end - 1) ? blocks : blocks / 2;
    return number < longer * runs ? number / runs
                                  : longer + (number - longer * runs) / runs_of(blocks - 1);
  }
  /// Offsets that give sums of streamed bodies.
  MOTE_HOST_DEVICE int first_streamed() const { return begin > 1 ? begin : 1; }
  MOTE_HOST_DEVICE int streamed() const {
    return end > first_streamed() ? end - first_streamed() : 0;
  }
  /// Slots of a block of bodies, of three times as many numbers as it has bodies: of its own sums
  /// in a run, and of its sums where it is streamed at an offset.
  MOTE_HOST_DEVICE std::size_t own_slot(int block, int of_run) const {
    return static_cast<std::size_t>(block) * runs + of_run;
  }
  MOTE_HOST_DEVICE std::size_t streamed_slot(int block, int offset) const {
    return static_cast<std::size_t>(block) * streamed() + (offset - first_streamed());
  }
};

/// A lane's own bodies and the sums of their terms.
template <class Shape>
struct SymmetricOwn {
  using Term = typename Shape::Term;
  typename Shape::Pair::Body body[Shape::bodies];
  Vec3<Term> sum[Shape::bodies];
};

/// One warp and one tile: all pairs of the warp's 32 x R bodies with the tile's 32. `mutual`: also
/// sums the attraction of the tile, and returns that of its body `lane`.
template <class Shape, ZeroDistance guard, bool mutual>
__device__ __forceinline__ Vec3<typename Shape::Term> sum_tile_pairs(
    SymmetricOwn<Shape>& own, const typename Shape::Word* first, const typename Shape::Word* second,
    int lane, typename Shape::Term squared_softening) {
  using P = typename Shape::Pair;
  using Term = typename Shape::Term;
  Vec3<Term> pulled{};
#pragma unroll Shape::unrolled
  for (int r = 0; r < 32; ++r) {
    const typename P::Body source = P::body(first[lane + r], second[lane + r]);
#pragma unroll
    for (int k = 0; k < Shape::bodies; ++k) {
      const auto d = P::separation(own.body[k], source);
      const Term mass = Shape::equal ? Term(1) : own.body[k].mass;
      const Term mass_of_source = Shape::equal ? Term(1) : source.mass;
      if constexpr (mutual)
        add_mutual_attraction<guard>(d, mass, mass_of_source, squared_softening, own.sum[k],
                                     pulled);
      else
        add_attraction<guard>(d, mass_of_source, squared_softening, own.sum[k]);
    }
    if constexpr (mutual) {
      const int from = (lane + 1) & 31;
      pulled = {__shfl_sync(engine::all_lanes, pulled.x, from),
                __shfl_sync(engine::all_lanes, pulled.y, from),
                __shfl_sync(engine::all_lanes, pulled.z, from)};
    }
  }
  return pulled;
}

/// Writes the sums of a block's own bodies and those of streamed bodies to their slots, by axis and
/// then by body.
template <class Shape, ZeroDistance guard>
__global__ void __launch_bounds__(Shape::threads, Shape::resident)
    symmetric_forces(SourceView<Shape::precision> sources, SymmetricRound round, double* own_sums,
                     typename Shape::Term* streamed_sums, typename Shape::Term squared_softening) {
  using Term = typename Shape::Term;
  using Word = typename Shape::Word;
  constexpr int words = Shape::Pair::words;
  constexpr int stage_words = words * Shape::warps * 64;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const int number = round.first + static_cast<int>(blockIdx.x),
            block = round.alone ? number % round.blocks : round.block_of(number),
            run = round.alone ? number / round.blocks : number - round.first_run(block),
            begin = run * round.run, end = min(begin + round.run, round.chunks_of(block));
  if (begin >= end) return;

  Word* const tiles = engine::shared_memory<Word>();
  auto* const streamed = reinterpret_cast<Term*>(tiles + 2 * stage_words);
  auto* const totals = reinterpret_cast<double*>(streamed + Shape::chunk * 3);
  const auto offset_of = [&](int chunk) { return round.begin + chunk / Shape::bodies; };
  const auto streamed_block = [&](int chunk) { return (block + offset_of(chunk)) % round.blocks; };
  // Each tile is stored twice in a row, so that lane + r needs no modulus.
  const auto load = [&](int chunk, int stage) {
    if (chunk < end) {
      const int j =
          streamed_block(chunk) * Shape::block + chunk % Shape::bodies * Shape::chunk + thread;
      Word* const to = tiles + stage * stage_words + warp * 64 + lane;
      for (int copy = 0; copy < 64; copy += 32) {
        __pipeline_memcpy_async(to + copy, sources.first() + j, sizeof(Word));
        if constexpr (words == 2)
          __pipeline_memcpy_async(to + Shape::warps * 64 + copy, sources.second() + j,
                                  sizeof(Word));
      }
    }
    __pipeline_commit();
  };

  load(begin, 0);
  SymmetricOwn<Shape> own;
#pragma unroll
  for (int k = 0; k < Shape::bodies; ++k) {
    own.body[k] = sources.body(block * Shape::block + k * Shape::chunk + thread);
    own.sum[k] = {Term(0), Term(0), Term(0)};
    if constexpr (Shape::totals)
      for (int axis = 0; axis < 3; ++axis) totals[(k * 3 + axis) * Shape::threads + thread] = 0;
  }
  for (int axis = 0; axis < 3; ++axis) streamed[axis * Shape::chunk + thread] = 0;

  for (int chunk = begin; chunk < end; ++chunk) {
    const int stage = (chunk - begin) & 1, offset = offset_of(chunk);
    load(chunk + 1, stage ^ 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    const Word* const first = tiles + stage * stage_words;
    const Word* const second = first + (words - 1) * Shape::warps * 64;
    for (int turn = 0; turn < Shape::warps; ++turn) {
      const int tile = (warp + turn) % Shape::warps;
      if (offset == 0) {
        sum_tile_pairs<Shape, guard, false>(own, first + tile * 64, second + tile * 64, lane,
                                            squared_softening);
      } else {
        const Vec3<Term> pulled = sum_tile_pairs<Shape, guard, true>(
            own, first + tile * 64, second + tile * 64, lane, squared_softening);
        Term* const sum = streamed + tile * 32 + lane;
        sum[0] += pulled.x;
        sum[Shape::chunk] += pulled.y;
        sum[2 * Shape::chunk] += pulled.z;
        __syncthreads();
      }
    }
    if (offset == 0) {
      __syncthreads();  // before the chunk after the next one overwrites this one
    } else {
      Term* const out = streamed_sums +
                        round.streamed_slot(streamed_block(chunk), offset) * 3 * Shape::block +
                        chunk % Shape::bodies * Shape::chunk + thread;
      for (int axis = 0; axis < 3; ++axis) {
        Term& sum = streamed[axis * Shape::chunk + thread];
        out[axis * Shape::block] = sum;
        sum = 0;
      }
      // No barrier: the next chunk begins with one, before it adds to these sums.
    }
    if constexpr (Shape::totals)
      if ((chunk + 1 - begin) % Shape::flush_chunks == 0 || chunk + 1 == end) {
#pragma unroll
        for (int k = 0; k < Shape::bodies; ++k) {
          double* const total = totals + k * 3 * Shape::threads + thread;
          total[0] += static_cast<double>(own.sum[k].x);
          total[Shape::threads] += static_cast<double>(own.sum[k].y);
          total[2 * Shape::threads] += static_cast<double>(own.sum[k].z);
          own.sum[k] = {Term(0), Term(0), Term(0)};
        }
      }
  }
  __pipeline_wait_prior(0);
#pragma unroll
  for (int k = 0; k < Shape::bodies; ++k) {
    double* const out =
        own_sums + round.own_slot(block, run) * 3 * Shape::block + k * Shape::chunk + thread;
    if constexpr (Shape::totals) {
      const double* const total = totals + k * 3 * Shape::threads + thread;
      for (int axis = 0; axis < 3; ++axis) out[axis * Shape::block] = total[axis * Shape::threads];
    } else {
      out[0] = own.sum[k].x;
      out[Shape::block] = own.sum[k].y;
      out[2 * Shape::block] = own.sum[k].z;
    }
  }
}

/// Adds the sums of one round to those of earlier rounds (`totals`, three components of `stride`,
/// initialised by the first round); the last round adds G times the totals to the accelerations.
/// One thread per body and axis. `s`: own bodies, from the body `own_begin` of all on.
template <class Shape>
__global__ void fold_round(SymmetricRound round, const double* own_sums,
                           const typename Shape::Term* streamed_sums, double* totals,
                           StateView<typename Shape::Pair::Real> s, int own_begin,
                           double gravitational) {
  const int own = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (own >= s.count) return;
  const int body = own_begin + own, block = body / Shape::block, within = body % Shape::block;
  const int runs = round.runs_of(block);
  const int axis = static_cast<int>(blockIdx.y), of_axis = axis * Shape::block + within;
  double sum = round.begin == 0 ? 0 : totals[static_cast<std::size_t>(axis) * round.stride + body];
#pragma unroll 8
  for (int run = 0; run < runs; ++run)
    sum += own_sums[round.own_slot(block, run) * 3 * Shape::block + of_axis];
  // At the last offset of an even ring only half of the blocks are paired: the slot may be unused.
  const bool all =
      round.paired((block - (round.end - 1) + round.blocks) % round.blocks, round.end - 1);
  const int offsets = round.streamed() - (all || round.streamed() == 0 ? 0 : 1);
  const typename Shape::Term* const streamed =
      streamed_sums + round.streamed_slot(block, round.first_streamed()) * 3 * Shape::block +
      of_axis;
#pragma unroll 8
  for (int slot = 0; slot < offsets; ++slot)
    sum += static_cast<double>(streamed[static_cast<std::size_t>(slot) * 3 * Shape::block]);
  if (round.end <= round.blocks / 2)
    totals[static_cast<std::size_t>(axis) * round.stride + body] = sum;
  else
    (axis == 0   ? s.ax
     : axis == 1 ? s.ay
                 : s.az)[own] += static_cast<typename Shape::Pair::Real>(gravitational * sum);
}

}  // namespace mote::sim::direct
