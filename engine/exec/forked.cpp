#include "engine/exec/forked.h"

#include <pthread.h>

#include <atomic>

namespace mote::engine {
namespace {

std::atomic<int> generation{0};

[[maybe_unused]] const int registered =
    pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1, std::memory_order_relaxed); });

}  // namespace

int fork_generation() {
  return generation.load(std::memory_order_relaxed);
}

}  // namespace mote::engine
