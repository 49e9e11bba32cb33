#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace mote::engine {

/// Small blocks of memory that is slow to get and to give back, cut from large ones and kept for
/// the next who wants one of their size: a system of a few hundred bodies wants dozens, and
/// thousands of such systems come and go. Large blocks are handed through. Any thread may call.
class BlockPool {
 public:
  /// Blocks are on boundaries of this, and powers of two from it on.
  static constexpr std::size_t smallest = 256;
  static constexpr std::size_t largest = std::size_t{256} << 10;  ///< that is kept
  static constexpr std::size_t chunk = std::size_t{4} << 20;      ///< that small ones are cut from

  /// `take` gives memory on a boundary of `smallest`, or throws; `give_back` is for what was handed
  /// through. Chunks are never given back: a pool lives as long as its process.
  BlockPool(std::function<void*(std::size_t)> take, std::function<void(void*)> give_back);

  /// Throws what `take` throws.
  void* allocate(std::size_t bytes);
  /// Nobody may be at work in it any more.
  void free(void* p) noexcept;

  /// Whether a block is the pool's, and in use.
  bool owns(const void* p) const;
  /// Bytes taken, for blocks of the pool's own.
  std::size_t bytes() const;

 private:
  static constexpr std::size_t kinds = 11;  ///< 256 << 10 = largest
  static std::size_t kind_of(std::size_t bytes);

  std::function<void*(std::size_t)> take_;
  std::function<void(void*)> give_back_;
  mutable std::mutex mutex_;
  std::array<std::vector<void*>, kinds> waiting_;
  std::unordered_map<const void*, std::size_t> in_use_;  ///< kinds of blocks
  std::byte *next_ = nullptr, *end_ = nullptr;           ///< what is left of the last chunk
  std::size_t chunks_ = 0;
};

}  // namespace mote::engine
