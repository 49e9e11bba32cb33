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

/// True if small blocks come from pools. Tools that detect out-of-bounds accesses need blocks from
/// the driver: MOTE_MEMORY_POOL=off. The emulated device is such a tool; there pools are off unless
/// MOTE_MEMORY_POOL=on.
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

void* malloc_device(std::size_t bytes) {
  void* p = nullptr;
  cuda_check(cudaMalloc(&p, bytes), "cudaMalloc");
  return p;
}
void free_device(void* p) {
  log_failure(cudaFree(p), "cudaFree");
}
void* malloc_pinned(std::size_t bytes) {
  void* p = nullptr;
  cuda_check(cudaMallocHost(&p, bytes), "cudaMallocHost");
  return p;
}
void free_pinned(void* p) {
  log_failure(cudaFreeHost(p), "cudaFreeHost");
}

/// One pool per device. Never destroyed: buffers may be freed as late as at exit.
constexpr int max_devices = 64;
BlockPool& device_pool(int device) {
  static auto& pools = *new std::array<std::optional<BlockPool>, max_devices>;
  static std::once_flag made[max_devices];
  const auto k = static_cast<std::size_t>(device);
  std::call_once(made[k], [&] { pools[k].emplace(malloc_device, free_device); });
  return *pools[k];
}
BlockPool& pinned_pool(int) {
  static auto& pool = *new BlockPool(malloc_pinned, free_pinned);
  return pool;
}

/// A block in use: the stream whose work may access it, and whether it is from a pool.
struct Allocation {
  CurrentStream owner;
  bool pooled;
};
class Allocations {
 public:
  void add(void* p, Allocation allocation) {
    const std::lock_guard lock(mutex_);
    all_.emplace(p, std::move(allocation));
  }
  Allocation remove(void* p) {
    const std::lock_guard lock(mutex_);
    return std::move(all_.extract(p).mapped());
  }

 private:
  std::mutex mutex_;
  std::unordered_map<void*, Allocation> all_;
};
Allocations& allocations() {
  static auto& one = *new Allocations;
  return one;
}

/// A block belongs to the current stream of the thread. Without one, the end of its use is unknown,
/// so it does not come from a pool.
template <class Allocate>
void* allocate_from(BlockPool& (*pool)(int), Allocate allocate, std::size_t bytes) {
  Allocation allocation{current_stream(), false};
  const CurrentStream& owner = allocation.owner;
  allocation.pooled = pooled() && owner.stream && owner.device < max_devices;
  void* const p = allocation.pooled ? pool(owner.device).allocate(bytes) : allocate(bytes);
  allocations().add(p, std::move(allocation));
  return p;
}

/// Waits for the block's stream, whose work may still access it, and for no other: waiting for the
/// device would invalidate the captures of other threads. If the wait fails, the block is leaked.
template <class Release>
void free_to(BlockPool& (*pool)(int), Release release, void* p) noexcept {
  if (!p) return;
  const Allocation allocation = allocations().remove(p);
  if (!drain(allocation.owner)) return;
  allocation.pooled ? pool(allocation.owner.device).free(p) : release(p);
}

}  // namespace

void* Memory<Device>::allocate(std::size_t bytes) {
  return allocate_from(device_pool, malloc_device, bytes);
}
void Memory<Device>::free(void* p) noexcept {
  free_to(device_pool, free_device, p);
}

void* Memory<Pinned>::allocate(std::size_t bytes) {
  return allocate_from(pinned_pool, malloc_pinned, bytes);
}
void Memory<Pinned>::free(void* p) noexcept {
  free_to(pinned_pool, free_pinned, p);
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
