#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace mote::engine {

/// Pool of small blocks of memory that is slow to allocate and free. Blocks are cut from chunks and
/// reused by size class: a system of a few hundred bodies needs dozens, and thousands of such
/// systems come and go. Large blocks go to the underlying allocator. Thread-safe.
class BlockPool {
 public:
  /// Alignment and smallest block size [bytes]; size classes are powers of two from it.
  static constexpr std::size_t smallest = 256;
  static constexpr std::size_t largest = std::size_t{256} << 10;  ///< largest pooled block [bytes]
  static constexpr std::size_t chunk = std::size_t{4} << 20;      ///< size of a chunk [bytes]

  /// `allocate` returns memory aligned to `smallest`, or throws; `release` frees large blocks.
  /// Chunks are never freed: a pool lives as long as its process.
  BlockPool(std::function<void*(std::size_t)> allocate, std::function<void(void*)> release);

  /// Throws what the underlying allocator throws.
  void* allocate(std::size_t bytes);
  /// All work in the block must have ended.
  void free(void* p) noexcept;

  /// True if a block is from this pool and in use.
  bool owns(const void* p) const;
  /// Total size of the chunks.
  std::size_t bytes() const;

 private:
  static constexpr std::size_t classes = 11;  ///< 256 << 10 = largest
  static std::size_t size_class(std::size_t bytes);

  std::function<void*(std::size_t)> allocate_;
  std::function<void(void*)> release_;
  mutable std::mutex mutex_;
  std::array<std::vector<void*>, classes> free_blocks_;
  std::unordered_map<const void*, std::size_t> in_use_;  ///< size classes of blocks
  std::byte *next_ = nullptr, *end_ = nullptr;           ///< rest of the last chunk
  std::size_t chunks_ = 0;
};

}  // namespace mote::engine
