#include "engine/memory/device_memory.h"

#include <cuda_runtime_api.h>

#include <array>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/exec/cuda_check.h"
#include "engine/exec/stream.h"
#include "engine/memory/block_pool.h"

namespace mote::engine {

namespace {

/// Whether small blocks come from pools: not where a tool looks for accesses past the end of a
/// block, which then has to be the driver's own, nor on the emulated device, which is such a tool.
/// MOTE_MEMORY_POOL=off (there: on) decides.
bool pooled() {
#if defined(MOTE_CUDA_EMULATED)
  const char* const word = std::getenv("MOTE_MEMORY_POOL");
  return word && std::string_view(word) == "on";
#else
  static const bool wanted = [] {
    const char* const word = std::getenv("MOTE_MEMORY_POOL");
    return !word || std::string_view(word) != "off";
  }();
  return wanted;
#endif
}

void* take_device(std::size_t bytes) {
  void* p = nullptr;
  cuda_check(cudaMalloc(&p, bytes), "cudaMalloc");
  return p;
}
void give_device(void* p) {
  note_failure(cudaFree(p), "cudaFree");
}
void* take_pinned(std::size_t bytes) {
  void* p = nullptr;
  cuda_check(cudaMallocHost(&p, bytes), "cudaMallocHost");
  return p;
}
void give_pinned(void* p) {
  note_failure(cudaFreeHost(p), "cudaFreeHost");
}

/// A pool for each device. They outlive everything that is freed at the end of the process.
constexpr int most_devices = 64;
BlockPool& device_pool(int device) {
  static auto& pools = *new std::array<std::optional<BlockPool>, most_devices>;
  static std::once_flag made[most_devices];
  const auto k = static_cast<std::size_t>(device);
  std::call_once(made[k], [&] { pools[k].emplace(take_device, give_device); });
  return *pools[k];
}
BlockPool& pinned_pool(int) {
  static auto& pool = *new BlockPool(take_pinned, give_pinned);
  return pool;
}

/// Of a block that is in use: whose work may be in it, and whether it is a pool's.
struct Use {
  Work work;
  bool pooled;
};
class Uses {
 public:
  void add(void* p, Use use) {
    const std::lock_guard lock(mutex_);
    all_.emplace(p, std::move(use));
  }
  Use remove(void* p) {
    const std::lock_guard lock(mutex_);
    return std::move(all_.extract(p).mapped());
  }

 private:
  std::mutex mutex_;
  std::unordered_map<void*, Use> all_;
};
Uses& uses() {
  static auto& one = *new Uses;
  return one;
}

/// A block belongs to the stream that its thread works for. Where there is none, the end of the
/// work in it is unknown, so it is none of a pool.
template <class Take>
void* allocate_from(BlockPool& (*pool)(int), Take take, std::size_t bytes) {
  Use use{work_of_thread(), false};
  use.pooled = pooled() && use.work.stream && use.work.device < most_devices;
  void* const p = use.pooled ? pool(use.work.device).allocate(bytes) : take(bytes);
  uses().add(p, std::move(use));
  return p;
}

/// What was started may still be at work in a block: its stream is waited for, and no other, for a
/// wait for all of the device spoils what other threads record. A block that does not come to rest
/// is never used again.
template <class Give>
void free_to(BlockPool& (*pool)(int), Give give, void* p) noexcept {
  if (!p) return;
  const Use use = uses().remove(p);
  if (!come_to_rest(use.work)) return;
  use.pooled ? pool(use.work.device).free(p) : give(p);
}

}  // namespace

void* Memory<Device>::allocate(std::size_t bytes) {
  return allocate_from(device_pool, take_device, bytes);
}
void Memory<Device>::free(void* p) noexcept {
  free_to(device_pool, give_device, p);
}

void* Memory<Pinned>::allocate(std::size_t bytes) {
  return allocate_from(pinned_pool, take_pinned, bytes);
}
void Memory<Pinned>::free(void* p) noexcept {
  free_to(pinned_pool, give_pinned, p);
}

void copy_bytes_to_device(void* to, const void* from, std::size_t bytes, CUstream_st* stream) {
  if (bytes > 0)
    cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "copy to device");
}
void copy_bytes_to_host(void* to, const void* from, std::size_t bytes, CUstream_st* stream) {
  if (bytes > 0)
    cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "copy to host");
}
void copy_bytes_on_device(void* to, const void* from, std::size_t bytes, CUstream_st* stream) {
  if (bytes > 0)
    cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream),
               "copy on device");
}
void fill_bytes(void* to, int value, std::size_t bytes, CUstream_st* stream) {
  if (bytes > 0) cuda_check(cudaMemsetAsync(to, value, bytes, stream), "cudaMemset");
}

}  // namespace mote::engine
