#include "engine/memory/device_memory.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string_view>

#include "engine/exec/cuda_check.h"
#include "engine/memory/block_pool.h"

namespace mote::engine {

namespace {

/// Whether small blocks come from pools: not where a tool looks for accesses past the end of a block, which then has to
/// be the driver's own. MOTE_MEMORY_POOL=off in the environment is for such tools.
bool pooled() {
#if defined(MOTE_CUDA_EMULATED)
  return false;
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
  cudaFree(p);
}
void* take_pinned(std::size_t bytes) {
  void* p = nullptr;
  cuda_check(cudaMallocHost(&p, bytes), "cudaMallocHost");
  return p;
}
void give_pinned(void* p) {
  cudaFreeHost(p);
}

/// A pool for each device: of the current one. They outlive everything that is freed at the end of the process.
constexpr int most_devices = 64;
int current_device() {
  int device = 0;
  return cudaGetDevice(&device) == cudaSuccess && device >= 0 && device < most_devices ? device : -1;
}
BlockPool& device_pool(int device) {
  static auto& pools = *new std::array<std::optional<BlockPool>, most_devices>;
  static std::once_flag made[most_devices];
  const auto k = static_cast<std::size_t>(device);
  std::call_once(made[k], [&] { pools[k].emplace(take_device, give_device); });
  return *pools[k];
}
BlockPool& pinned_pool() {
  static auto& pool = *new BlockPool(take_pinned, give_pinned);
  return pool;
}

/// What was started may still be at work in a block: freeing waits for it, as it does in the runtime.
void wait_for_device() {
  cudaDeviceSynchronize();
}

}  // namespace

void* Memory<Device>::allocate(std::size_t bytes) {
  const int device = current_device();
  return pooled() && device >= 0 ? device_pool(device).allocate(bytes) : take_device(bytes);
}
void Memory<Device>::free(void* p) noexcept {
  const int device = current_device();
  if (!p || !pooled() || device < 0) return give_device(p);
  if (device_pool(device).owns(p)) {
    wait_for_device();
    return device_pool(device).free(p);
  }
  int count = 0;
  cudaGetDeviceCount(&count);
  for (int other = 0; other < std::min(count, most_devices); ++other) {
    if (other == device || !device_pool(other).owns(p)) continue;
    cudaSetDevice(other);
    wait_for_device();
    cudaSetDevice(device);
    return device_pool(other).free(p);
  }
  give_device(p);
}

void* Memory<Pinned>::allocate(std::size_t bytes) {
  return pooled() ? pinned_pool().allocate(bytes) : take_pinned(bytes);
}
void Memory<Pinned>::free(void* p) noexcept {
  if (!p || !pooled()) return give_pinned(p);
  wait_for_device();
  pinned_pool().free(p);
}

void copy_bytes_to_device(void* to, const void* from, std::size_t bytes, CUstream_st* stream) {
  if (bytes > 0)
    cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "copy to device");
}
void copy_bytes_to_host(void* to, const void* from, std::size_t bytes, CUstream_st* stream) {
  if (bytes > 0) cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "copy to host");
}
void copy_bytes_on_device(void* to, const void* from, std::size_t bytes, CUstream_st* stream) {
  if (bytes > 0)
    cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "copy on device");
}
void fill_bytes(void* to, int value, std::size_t bytes, CUstream_st* stream) {
  if (bytes > 0) cuda_check(cudaMemsetAsync(to, value, bytes, stream), "cudaMemset");
}

}  // namespace mote::engine
