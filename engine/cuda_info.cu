#include <cuda_runtime.h>

#include <string>

#include "engine/machine.h"

namespace mote::engine {
namespace {

__global__ void answer(int* out) {
  *out = 42;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Empty when a kernel of this build runs on the current device.
std::string trial_run() {
  int* on_device = nullptr;
  int value = 0;
  cudaError_t error = cudaMalloc(&on_device, sizeof(int));
  if (error == cudaSuccess) {
    answer<<<1, 1>>>(on_device);
    error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaMemcpy(&value, on_device, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(on_device);
  }
  if (error != cudaSuccess) return std::string("a trial kernel failed: ") + cudaGetErrorString(error);
  return value == 42 ? "" : "a trial kernel gave a wrong answer";
}

CudaDevice describe(int index) {
  cudaDeviceProp p{};
  cudaGetDeviceProperties(&p, index);
  int cooperative = 0;
  cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, index);
  return {p.name, std::to_string(p.major) + "." + std::to_string(p.minor), p.totalGlobalMem,
          p.multiProcessorCount, cooperative != 0};
}

}  // namespace

CudaInfo cuda_info() {
  CudaInfo info;
  info.runtime = version_text(CUDART_VERSION);
  int driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0) info.driver = version_text(driver);
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0) {
    info.problem = error != cudaSuccess ? cudaGetErrorString(error) : "no CUDA device";
    return info;
  }
  for (int i = 0; i < count; ++i) info.devices.push_back(describe(i));
  info.problem = trial_run();
  return info;
}

}  // namespace mote::engine
