#pragma once

#include <utility>
#include <vector>

#include "engine/algo/reduce.h"
#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/memory/buffer.h"

namespace mote::engine {

/// Elements per block. Fixed, as is the order within a block: the same bits on every device.
inline constexpr int reduce_chunk = 4096;
inline constexpr int reduce_threads = 256;

/// Reduces the values of the block's threads; thread 0 gets the result. `Term::combine(k, a, b)`
/// combines two of the k-th numbers.
template <class Term, int K>
__device__ Values<K> reduce_block(Values<K> value) {
  auto* const warps = shared_memory<Values<K>>();
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (int k = 0; k < K; ++k)
    for (int distance = 16; distance > 0; distance /= 2)
      value.v[k] = Term::combine(k, value.v[k], __shfl_xor_sync(all_lanes, value.v[k], distance));
  if (lane == 0) warps[warp] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 1; w < static_cast<int>(blockDim.x) / 32; ++w)
      for (int k = 0; k < K; ++k) value.v[k] = Term::combine(k, value.v[k], warps[w].v[k]);
  return value;
}

/// Reduces chunk blockIdx.x, elements [blockIdx.x x reduce_chunk, ...), to out[blockIdx.x].
template <int K, class Term>
__global__ void __launch_bounds__(reduce_threads)
    reduce_chunks(Term term, Index count, Values<K>* out) {
  const Index begin = static_cast<Index>(blockIdx.x) * reduce_chunk;
  const Index end = begin + reduce_chunk < count ? begin + reduce_chunk : count;
  Values<K> value = Term::nothing();
  for (Index i = begin + threadIdx.x; i < end; i += reduce_threads) {
    const Values<K> one = term(i);
    for (int k = 0; k < K; ++k) value.v[k] = Term::combine(k, value.v[k], one.v[k]);
  }
  value = reduce_block<Term>(value);
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

/// Reduces `count` values in memory, in one block.
template <int K, class Term>
__global__ void __launch_bounds__(reduce_threads)
    reduce_stored(const Values<K>* parts, Index count, Values<K>* total) {
  Values<K> value = Term::nothing();
  for (Index i = threadIdx.x; i < count; i += reduce_threads)
    for (int k = 0; k < K; ++k) value.v[k] = Term::combine(k, value.v[k], parts[i].v[k]);
  value = reduce_block<Term>(value);
  if (threadIdx.x == 0) *total = value;
}

/// Reduces a Term (reduce.h), which is copied to the device.
template <int K>
class Reduction {
 public:
  explicit Reduction(Index largest_count) : parts_(chunks(largest_count) + 1), result_(1) {}

  static std::uint64_t bytes(Index count) {
    return static_cast<std::uint64_t>(chunks(count) + 1) * sizeof(Values<K>);
  }

  /// The result of this rank alone. Does not wait. Returns where the result will be in device
  /// memory, until the next reduction.
  template <class Term>
  const Values<K>* enqueue(const Cuda& exec, const Term& term, Index count) {
    const Index blocks = chunks(count);
    launch(exec, {static_cast<unsigned>(blocks), reduce_threads, shared_bytes},
           reduce_chunks<K, Term>, term, count, parts_.data());
    reduce_parts<Term>(exec, blocks);
    return parts_.data() + parts_.size() - 1;
  }

  /// Waits for the result, which is that of all ranks (reduce.h).
  template <class Term>
  Values<K> run(const Cuda& exec, const Term& term, Index count) {
    const Values<K>* const total =
        exec.ranks ? run_with_others(exec, term, count) : enqueue(exec, term, count);
    copy_to_host(result_.data(), total, 1, exec.stream);
    wait(exec);
    return result_.data()[0];
  }

 private:
  template <class Term>
  const Values<K>* run_with_others(const Cuda& exec, const Term& term, Index count) {
    enqueue(exec, term, count);
    std::vector<Values<K>> parts(static_cast<std::size_t>(chunks(count)));
    copy_to_host(parts.data(), parts_.data(), chunks(count), exec.stream);
    wait(exec);
    parts = gather(exec.ranks, std::move(parts));
    const auto all = static_cast<Index>(parts.size());
    if (parts_.size() < all + 1) parts_ = Buffer<Values<K>, Device>(all + 1);
    copy_to_device(parts_.data(), parts.data(), all, exec.stream);
    reduce_parts<Term>(exec, all);
    wait(exec);
    return parts_.data() + parts_.size() - 1;
  }
  /// Reduces the first `count` parts into the last element.
  template <class Term>
  void reduce_parts(const Cuda& exec, Index count) {
    launch(exec, {1, reduce_threads, shared_bytes}, reduce_stored<K, Term>, parts_.data(), count,
           parts_.data() + parts_.size() - 1);
  }
  static constexpr std::size_t shared_bytes = reduce_threads / 32 * sizeof(Values<K>);
  static Index chunks(Index count) { return (count + reduce_chunk - 1) / reduce_chunk; }

  Buffer<Values<K>, Device> parts_;
  Buffer<Values<K>, Pinned> result_;
};

template <int K>
class Reducer<Cuda, K> : public Reduction<K> {
 public:
  using Reduction<K>::Reduction;
};

}  // namespace mote::engine
