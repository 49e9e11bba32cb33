#include <cuda_runtime_api.h>
#include <emulated/execution.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "tests/emulator/emulator.h"
#include "tests/emulator/runtime.h"

/// Device memory is host memory registered by address, so that a copy in the wrong direction or
/// past the end of an allocation fails as in CUDA.
namespace emulator {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t default_memory = std::size_t{4} << 30;

class Allocations {
 public:
  void* add(std::size_t bytes, int device) {
    void* memory = nullptr;
    if (posix_memalign(&memory, alignment, bytes) != 0) return nullptr;
    std::memset(memory, uninitialised, bytes);
    blocks_[reinterpret_cast<std::uintptr_t>(memory)] = {bytes, device};
    totals_[device] += bytes;
    return memory;
  }
  bool remove(void* pointer) {
    const auto found = blocks_.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (found == blocks_.end()) return false;
    totals_[found->second.device] -= found->second.bytes;
    blocks_.erase(found);
    std::free(pointer);
    return true;
  }
  /// Bytes from `pointer` to the end of its allocation; 0 if there is none.
  std::size_t bytes_from(const void* pointer) const {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) return 0;
    const auto& [start, block] = *--after;
    return address < start + block.bytes ? start + block.bytes - address : 0;
  }
  std::size_t total(int device) { return totals_[device]; }

 private:
  struct Block {
    std::size_t bytes = 0;
    int device = 0;
  };
  std::map<std::uintptr_t, Block> blocks_;
  std::map<int, std::size_t> totals_;
};

// Never destroyed: memory may be freed as late as at exit.
Allocations& device = *new Allocations;
Allocations& pinned = *new Allocations;
std::map<const void*, Mark>& lent = *new std::map<const void*, Mark>;
std::mutex memory_mutex;
std::size_t capacity = default_memory;

cudaError_t allocate(Allocations& from, void** pointer, std::size_t bytes) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const std::lock_guard lock(memory_mutex);
  if (&from == &device && (bytes > capacity || device.total(current_device()) > capacity - bytes))
    return cudaErrorMemoryAllocation;
  *pointer = from.add(bytes, current_device());
  return *pointer != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t release(Allocations& from, void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  const std::lock_guard lock(memory_mutex);
  return from.remove(pointer) ? cudaSuccess : cudaErrorInvalidValue;
}

bool is_on_device(const void* pointer, std::size_t bytes) {
  return device.bytes_from(pointer) >= bytes;
}

bool is_on_host(const void* pointer) {
  return pointer != nullptr && device.bytes_from(pointer) == 0;
}

cudaError_t check_copy(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (const cudaError_t state = context_state(); state != cudaSuccess) return state;
  if (bytes == 0) return cudaSuccess;
  const std::lock_guard lock(memory_mutex);
  const bool to_device = is_on_device(to, bytes), from_device = is_on_device(from, bytes);
  const bool to_host = is_on_host(to), from_host = is_on_host(from);
  switch (kind) {
    case cudaMemcpyHostToHost:
      return to_host && from_host ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemcpyHostToDevice:
      return to_device && from_host ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemcpyDeviceToHost:
      return to_host && from_device ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemcpyDeviceToDevice:
      return to_device && from_device ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemcpyDefault:
      return (to_device || to_host) && (from_device || from_host) ? cudaSuccess
                                                                  : cudaErrorInvalidValue;
  }
  return cudaErrorInvalidMemcpyDirection;
}

cudaError_t check_set(const void* to, std::size_t bytes) {
  if (const cudaError_t state = context_state(); state != cudaSuccess) return state;
  const std::lock_guard lock(memory_mutex);
  const bool inside = bytes == 0 || is_on_device(to, bytes) || pinned.bytes_from(to) >= bytes;
  return inside ? cudaSuccess : cudaErrorInvalidValue;
}

/// Lent memory may be used only by streams that are ordered after the lending.
void check_order(const void* pointer, cudaStream_t stream) {
  const std::lock_guard lock(memory_mutex);
  auto after = lent.upper_bound(pointer);
  if (after == lent.begin()) return;
  const auto& [start, from] = *--after;
  const auto* end = static_cast<const char*>(start) + device.bytes_from(start);
  if (pointer < end && !is_after(stream, from))
    fail("a stream uses memory that was mapped on another stream, without waiting for it");
}

/// Check for calls that stream capture cannot record and that are therefore forbidden while the
/// calling thread captures. Captures of other threads are not affected.
cudaError_t check_synchronous_call() {
  const cudaError_t state = context_state();
  return state != cudaSuccess ? state : check_no_capture();
}

}  // namespace

void* lend_to_device(std::size_t bytes, const Mark& from) {
  const std::lock_guard lock(memory_mutex);
  void* memory = device.add(bytes, current_device());
  lent[memory] = from;
  return memory;
}

void reclaim_from_device(void* memory) {
  const std::lock_guard lock(memory_mutex);
  lent.erase(memory);
  device.remove(memory);
}

void set_memory(std::size_t bytes) {
  const std::lock_guard lock(memory_mutex);
  capacity = bytes;
}

std::size_t device_capacity() {
  const std::lock_guard lock(memory_mutex);
  return capacity;
}

void reset_memory() {
  set_memory(default_memory);
}

}  // namespace emulator

using namespace emulator;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  const cudaError_t state = check_synchronous_call();
  return report(state != cudaSuccess ? state : allocate(device, pointer, bytes));
}

cudaError_t cudaFree(void* pointer) {
  const cudaError_t state = check_synchronous_call();
  return report(state != cudaSuccess ? state : release(device, pointer));
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  const cudaError_t state = check_stream(stream);
  return report(state != cudaSuccess ? state : cudaMalloc(pointer, bytes));
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  const cudaError_t state = check_stream(stream);
  return report(state != cudaSuccess ? state : cudaFree(pointer));
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  const cudaError_t state = check_synchronous_call();
  return report(state != cudaSuccess ? state : allocate(pinned, pointer, bytes));
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void* pointer) {
  const cudaError_t state = check_synchronous_call();
  return report(state != cudaSuccess ? state : release(pinned, pointer));
}

cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* total) {
  if (const cudaError_t state = context_state(); state != cudaSuccess) return report(state);
  const std::lock_guard lock(memory_mutex);
  *total = capacity;
  const std::size_t taken = device.total(current_device());
  *available = capacity > taken ? capacity - taken : 0;
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaError_t error = check_copy(to, from, bytes, kind);
  if (error == cudaSuccess) error = check_no_capture();
  if (error == cudaSuccess && bytes != 0) std::memmove(to, from, bytes);
  return report(error);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  const cudaError_t error = check_copy(to, from, bytes, kind);
  if (error != cudaSuccess || bytes == 0) return report(error);
  for (const void* pointer : {static_cast<const void*>(to), from}) check_order(pointer, stream);
  return report(enqueue(stream, [=] { std::memmove(to, from, bytes); }));
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  cudaError_t error = check_set(to, bytes);
  if (error == cudaSuccess) error = check_no_capture();
  if (error == cudaSuccess && bytes != 0) std::memset(to, value, bytes);
  return report(error);
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  const cudaError_t error = check_set(to, bytes);
  if (error != cudaSuccess || bytes == 0) return report(error);
  check_order(to, stream);
  return report(enqueue(stream, [=] { std::memset(to, value, bytes); }));
}
