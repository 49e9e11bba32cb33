#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "engine/exec/launch.cuh"
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
  cudaError_t error = cudaMalloc(reinterpret_cast<void**>(&on_device), sizeof(int));
  if (error == cudaSuccess) {
    cudaLaunchConfig_t config{};
    config.gridDim = config.blockDim = dim3(1);
    error = cudaLaunchKernelEx(&config, answer, on_device);
    if (error == cudaSuccess) error = cudaMemcpy(&value, on_device, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(on_device);
  }
  cudaGetLastError();
  if (error != cudaSuccess) return std::string("a trial kernel failed: ") + cudaGetErrorString(error);
  return value == 42 ? "" : "a trial kernel gave a wrong answer";
}

int attribute(cudaDeviceAttr what, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, what, device) == cudaSuccess ? value : 0;
}

/// What never changes is asked for once: drivers take their time over it.
CudaDevice describe(int index) {
  static std::mutex mutex;
  static std::map<int, CudaDevice> known;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(index); found != known.end()) return found->second;
  cudaDeviceProp p{};
  cudaGetDeviceProperties(&p, index);
  return known[index] = {.name = p.name,
                         .compute_capability = std::to_string(p.major) + "." + std::to_string(p.minor),
                         .memory = p.totalGlobalMem,
                         .memory_free = 0,
                         .multiprocessors = p.multiProcessorCount,
                         .clock_mhz = attribute(cudaDevAttrClockRate, index) / 1000,
                         .cooperative_launch = attribute(cudaDevAttrCooperativeLaunch, index) != 0};
}

/// Why there is no device to list.
void explain_none(cudaError_t error, CudaInfo& info) {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (info.driver.empty()) {
    info.problem = "no NVIDIA driver is running";
    info.remedy = "install it, or use --backend cpu";
  } else if (error == cudaErrorInsufficientDriver) {
    info.problem = "the NVIDIA driver supports CUDA " + info.driver + ", this build needs " + info.runtime;
    info.remedy = "update the driver, or use --backend cpu";
  } else if (visible != nullptr) {
    info.problem = "CUDA_VISIBLE_DEVICES=" + std::string(visible) + " leaves no GPU";
    info.remedy = "unset it, or use --backend cpu";
  } else {
    info.problem = error == cudaSuccess || error == cudaErrorNoDevice ? "there is no CUDA GPU"
                                                                      : cudaGetErrorString(error);
    info.remedy = "use --backend cpu";
  }
}

}  // namespace

CudaInfo cuda_info(int device) {
  CudaInfo info;
  info.runtime = version_text(CUDART_VERSION);
  int driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0) info.driver = version_text(driver);
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0) {
    cudaGetLastError();
    explain_none(error, info);
    return info;
  }
  for (int i = 0; i < count; ++i) info.devices.push_back(describe(i));
  if (device < 0 || device >= count) return info;
  std::size_t free = 0, total = 0;
  if (cudaSetDevice(device) == cudaSuccess && cudaMemGetInfo(&free, &total) == cudaSuccess)
    info.devices[static_cast<std::size_t>(device)].memory_free = free;
  // Where a kernel has run, others do.
  static std::atomic<bool> proven[64];
  const bool known = device < 64 && proven[device];
  if (!known) info.problem = trial_run();
  if (device < 64 && info.problem.empty()) proven[device] = true;
  if (!info.problem.empty())
    info.remedy = "build for this GPU with -DCMAKE_CUDA_ARCHITECTURES=native, or use --backend cpu";
  return info;
}

}  // namespace mote::engine
