#include "engine/memory/device_memory.h"

#include <cuda_runtime_api.h>

#include "engine/exec/cuda_check.h"

namespace mote::engine {

void* Memory<Device>::allocate(std::size_t bytes) {
  void* p = nullptr;
  cuda_check(cudaMalloc(&p, bytes), "cudaMalloc");
  return p;
}
void Memory<Device>::free(void* p) noexcept {
  cudaFree(p);
}

void* Memory<Pinned>::allocate(std::size_t bytes) {
  void* p = nullptr;
  cuda_check(cudaMallocHost(&p, bytes), "cudaMallocHost");
  return p;
}
void Memory<Pinned>::free(void* p) noexcept {
  cudaFreeHost(p);
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
