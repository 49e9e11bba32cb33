#include "engine/memory/block_pool.h"

#include <utility>

namespace mote::engine {

static_assert(BlockPool::smallest << 10 == BlockPool::largest);

BlockPool::BlockPool(std::function<void*(std::size_t)> take, std::function<void(void*)> give_back)
    : take_(std::move(take)), give_back_(std::move(give_back)) {}

std::size_t BlockPool::kind_of(std::size_t bytes) {
  std::size_t kind = 0;
  while (smallest << kind < bytes) ++kind;
  return kind;
}

void* BlockPool::allocate(std::size_t bytes) {
  if (bytes > largest) return take_(bytes);
  const std::size_t kind = kind_of(bytes), size = smallest << kind;
  const std::lock_guard lock(mutex_);
  void* block = nullptr;
  if (waiting_[kind].empty()) {
    // What is too little for this block stays unused: at most one block of the largest kind a
    // chunk.
    if (static_cast<std::size_t>(end_ - next_) < size) {
      next_ = static_cast<std::byte*>(take_(chunk));
      end_ = next_ + chunk;
      ++chunks_;
    }
    block = std::exchange(next_, next_ + size);
  } else {
    block = waiting_[kind].back();
    waiting_[kind].pop_back();
  }
  in_use_.emplace(block, kind);
  return block;
}

void BlockPool::free(void* p) noexcept {
  if (!p) return;
  {
    const std::lock_guard lock(mutex_);
    const auto found = in_use_.find(p);
    if (found != in_use_.end()) {
      waiting_[found->second].push_back(p);
      in_use_.erase(found);
      return;
    }
  }
  give_back_(p);
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
