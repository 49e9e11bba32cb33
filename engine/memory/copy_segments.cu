#include "engine/memory/copy_segments.h"

#include <algorithm>
#include <cstdint>

#include "engine/exec/launch.cuh"

namespace mote::engine {
namespace {

constexpr unsigned threads = 256;
/// Bytes that the threads of a block copy at a time, and about the number of blocks of a launch:
/// enough to keep the links of a large device busy.
constexpr std::size_t at_a_time = sizeof(uint4) * threads, usual_blocks = 2112;

/// Segments of a launch: as many as fit the 4 KiB of its parameters. Each has blocks for its size.
struct Segments {
  static constexpr int most = 128;
  int count;
  Segment of[most];
  unsigned first_block[most + 1];
};
static_assert(sizeof(Segments) <= 4096);

/// Block `number` of `blocks` that copy a segment.
struct Share {
  unsigned number, blocks;

  /// Copies this block's part of the elements [begin, end) of type T.
  template <class T>
  __device__ __forceinline__ void copy(const Segment& segment, std::size_t begin,
                                       std::size_t end) const {
    const T* const from = static_cast<const T*>(segment.from);
    T* const to = static_cast<T*>(segment.to);
    const std::size_t stride = std::size_t{blocks} * threads;
    for (std::size_t k = begin + number * std::size_t{threads} + threadIdx.x; k < end; k += stride)
      to[k] = from[k];
  }
};

__global__ void __launch_bounds__(threads) copy(Segments segments) {
  constexpr std::size_t word = sizeof(std::uint32_t), wide = sizeof(uint4);
  int own = 0;  // the last segment whose first block is not after this one
  for (int step = Segments::most / 2; step > 0; step /= 2)
    if (own + step < segments.count && segments.first_block[own + step] <= blockIdx.x) own += step;
  const unsigned first = segments.first_block[own];
  const Share share{blockIdx.x - first, segments.first_block[own + 1] - first};
  Segment segment = segments.of[own];
  const auto to = reinterpret_cast<std::uintptr_t>(segment.to),
             from = reinterpret_cast<std::uintptr_t>(segment.from);
  const std::size_t words = segment.bytes / word;
  if ((to - from) % wide != 0) return share.copy<std::uint32_t>(segment, 0, words);
  // Words up to a multiple of 16 bytes, then 16 bytes at a time, then the remaining words.
  const std::size_t before = (wide - to % wide) % wide / word,
                    head = before < words ? before : words, body = (words - head) / (wide / word);
  share.copy<std::uint32_t>(segment, 0, head);
  share.copy<std::uint32_t>(segment, head + body * (wide / word), words);
  segment.to = static_cast<std::uint32_t*>(segment.to) + head;
  segment.from = static_cast<const std::uint32_t*>(segment.from) + head;
  share.copy<uint4>(segment, 0, body);
}

}  // namespace

void copy_segments(const Cuda& exec, std::span<const Segment> segments) {
  while (!segments.empty()) {
    const auto some = segments.first(std::min<std::size_t>(Segments::most, segments.size()));
    segments = segments.subspan(some.size());
    std::size_t bytes = 0;
    for (const Segment& segment : some) bytes += segment.bytes;
    // A multiple, above 0.
    const std::size_t of_block = (bytes / usual_blocks + at_a_time) / at_a_time * at_a_time;
    Segments launched{};
    launched.count = static_cast<int>(some.size());
    std::size_t blocks = 0;
    for (std::size_t k = 0; k < some.size(); ++k) {
      launched.of[k] = some[k];
      launched.first_block[k] = static_cast<unsigned>(blocks);
      blocks += (some[k].bytes + of_block - 1) / of_block;
    }
    launched.first_block[some.size()] = static_cast<unsigned>(blocks);
    launch(exec, {.blocks = static_cast<unsigned>(blocks), .threads = threads}, copy, launched);
  }
}

}  // namespace mote::engine
