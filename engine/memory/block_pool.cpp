#include "engine/memory/block_pool.h"

#include <utility>

namespace mote::engine {

static_assert(BlockPool::smallest << 10 == BlockPool::largest);

BlockPool::BlockPool(std::function<void*(std::size_t)> allocate, std::function<void(void*)> release)
    : allocate_(std::move(allocate)), release_(std::move(release)) {}

std::size_t BlockPool::size_class(std::size_t bytes) {
  std::size_t k = 0;
  while (smallest << k < bytes) ++k;
  return k;
}

void* BlockPool::allocate(std::size_t bytes) {
  if (bytes > largest) return allocate_(bytes);
  const std::size_t k = size_class(bytes), size = smallest << k;
  const std::lock_guard lock(mutex_);
  void* block = nullptr;
  if (free_blocks_[k].empty()) {
    // A rest too small for this block is wasted: at most one block of the largest class per chunk.
    if (static_cast<std::size_t>(end_ - next_) < size) {
      next_ = static_cast<std::byte*>(allocate_(chunk));
      end_ = next_ + chunk;
      ++chunks_;
    }
    block = std::exchange(next_, next_ + size);
  } else {
    block = free_blocks_[k].back();
    free_blocks_[k].pop_back();
  }
  in_use_.emplace(block, k);
  return block;
}

void BlockPool::free(void* p) noexcept {
  if (!p) return;
  {
    const std::lock_guard lock(mutex_);
    const auto found = in_use_.find(p);
    if (found != in_use_.end()) {
      free_blocks_[found->second].push_back(p);
      in_use_.erase(found);
      return;
    }
  }
  release_(p);
}

bool BlockPool::owns(const void* p) const {
  const std::lock_guard lock(mutex_);
  return in_use_.contains(p);
}

std::size_t BlockPool::bytes() const {
  const std::lock_guard lock(mutex_);
  return chunks_ * chunk;
}

}  // namespace mote::engine
