#include "engine/memory/copy_segments.h"

#include <algorithm>
#include <cstdint>

#include "engine/exec/launch.cuh"

namespace mote::engine {
namespace {

constexpr unsigned threads = 256;
/// Blocks of a launch: enough to keep the links of a large device busy.
constexpr std::size_t most_blocks = 1056;

/// Segments of a launch: as many as fit the 4 KiB of its parameters.
struct Segments {
  static constexpr std::size_t most = 128;
  Segment of[most];
};

/// Copies elements [begin, end) of type T, by all threads of a row of blocks.
template <class T>
__device__ __forceinline__ void copy_elements(const Segment& segment, std::size_t begin,
                                              std::size_t end) {
  const T* const from = static_cast<const T*>(segment.from);
  T* const to = static_cast<T*>(segment.to);
  const std::size_t stride = std::size_t{gridDim.x} * threads;
  for (std::size_t k = begin + blockIdx.x * std::size_t{threads} + threadIdx.x; k < end;
       k += stride)
    to[k] = from[k];
}

/// Copies a segment with each row of blocks.
__global__ void __launch_bounds__(threads) copy(Segments segments) {
  constexpr std::size_t word = sizeof(std::uint32_t), wide = sizeof(uint4);
  Segment segment = segments.of[blockIdx.y];
  const auto to = reinterpret_cast<std::uintptr_t>(segment.to),
             from = reinterpret_cast<std::uintptr_t>(segment.from);
  const std::size_t words = segment.bytes / word;
  if ((to - from) % wide != 0) return copy_elements<std::uint32_t>(segment, 0, words);
  // Words up to a multiple of 16 bytes, then 16 bytes at a time, then the remaining words.
  const std::size_t before = (wide - to % wide) % wide / word,
                    head = before < words ? before : words, body = (words - head) / (wide / word);
  copy_elements<std::uint32_t>(segment, 0, head);
  copy_elements<std::uint32_t>(segment, head + body * (wide / word), words);
  segment.to = static_cast<std::uint32_t*>(segment.to) + head;
  segment.from = static_cast<const std::uint32_t*>(segment.from) + head;
  copy_elements<uint4>(segment, 0, body);
}

}  // namespace

void copy_segments(const Cuda& exec, std::span<const Segment> segments) {
  for (; !segments.empty();
       segments = segments.subspan(std::min(Segments::most, segments.size()))) {
    const auto some = segments.first(std::min(Segments::most, segments.size()));
    Segments launched{};
    std::copy(some.begin(), some.end(), launched.of);
    std::size_t largest = 0;
    for (const Segment& segment : some) largest = std::max(largest, segment.bytes);
    const std::size_t blocks = (largest + sizeof(uint4) * threads - 1) / (sizeof(uint4) * threads),
                      most = (most_blocks + some.size() - 1) / some.size();
    launch(exec,
           {.blocks = static_cast<unsigned>(std::min(blocks, most)),
            .threads = threads,
            .blocks_y = static_cast<unsigned>(some.size())},
           copy, launched);
  }
}

}  // namespace mote::engine
