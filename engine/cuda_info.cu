#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "engine/exec/forked.h"
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

/// Why a kernel of this build does not run on a device, and what to do; empty when it does.
struct Trouble {
  std::string problem, remedy;
};
Trouble trouble(const std::string& what, cudaError_t error) {
  cudaGetLastError();
  return {what + ": " + cudaGetErrorName(error) + ", " + cudaGetErrorString(error),
          cuda_remedy(error)};
}
/// On a stream of its own: the implicit one gets in the way of graphs that other threads record.
Trouble trial_run() {
  cudaStream_t stream = nullptr;
  int* on_device = nullptr;
  int value = 0;
  cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  if (error == cudaSuccess) error = cudaMalloc(reinterpret_cast<void**>(&on_device), sizeof(int));
  if (error == cudaSuccess) {
    cudaLaunchConfig_t config{};
    config.gridDim = config.blockDim = dim3(1);
    config.stream = stream;
    error = cudaLaunchKernelEx(&config, answer, on_device);
  }
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(&value, on_device, sizeof(int), cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  if (on_device) note_failure(cudaFree(on_device), "cudaFree");
  if (stream) note_failure(cudaStreamDestroy(stream), "cudaStreamDestroy");
  if (error != cudaSuccess) return trouble("a trial kernel failed", error);
  if (value == 42) return {};
  return {"a trial kernel gave a wrong answer",
          "see `mote doctor`; --backend cpu runs without a GPU"};
}

/// Asks for the free memory of a device, which becomes the current one. Where a kernel has run,
/// others do; but a device that was lost since, by a fault of a kernel or of its own, answers
/// nothing that needs its context.
Trouble look_at(int device, std::uint64_t& memory_free) {
  std::size_t free = 0, total = 0;
  cudaError_t error = cudaSetDevice(device);
  if (error == cudaSuccess) error = cudaMemGetInfo(&free, &total);
  if (error != cudaSuccess)
    return trouble("GPU " + std::to_string(device) + " does not answer", error);
  memory_free = free;
  static std::atomic<bool> proven[64];
  if (device < 64 && proven[device]) return {};
  Trouble found = trial_run();
  if (device < 64 && found.problem.empty()) proven[device] = true;
  return found;
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
  return known[index] = {
             .name = p.name,
             .compute_capability = std::to_string(p.major) + "." + std::to_string(p.minor),
             .memory = p.totalGlobalMem,
             .memory_free = 0,
             .multiprocessors = p.multiProcessorCount,
             .clock_mhz = attribute(cudaDevAttrClockRate, index) / 1000,
             .cooperative_launch = attribute(cudaDevAttrCooperativeLaunch, index) != 0,
             .draws_a_display = attribute(cudaDevAttrKernelExecTimeout, index) != 0};
}

/// Why there is no device to list.
void explain_none(cudaError_t error, CudaInfo& info) {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (info.driver.empty()) {
    info.problem = "no NVIDIA driver is running";
    info.remedy = "install it, or use --backend cpu";
  } else if (error == cudaErrorInsufficientDriver) {
    info.problem =
        "the NVIDIA driver supports CUDA " + info.driver + ", this build needs " + info.runtime;
    info.remedy = "update the driver, or use --backend cpu";
  } else if (error != cudaSuccess && error != cudaErrorNoDevice &&
             error != cudaErrorInvalidDevice) {
    const Trouble found = trouble("CUDA does not begin", error);
    info.problem = found.problem, info.remedy = found.remedy;
  } else if (visible != nullptr) {
    info.problem = "CUDA_VISIBLE_DEVICES=" + std::string(visible) + " leaves no GPU";
    info.remedy = "unset it, or use --backend cpu";
  } else {
    info.problem = "there is no CUDA GPU";
    info.remedy = "use --backend cpu";
  }
}

}  // namespace

CudaInfo cuda_info(int device) {
  CudaInfo info;
  info.runtime = version_text(CUDART_VERSION);
  static const int began_in = fork_generation();  // CUDA does not survive a fork of the process
                                                  // that it began in
  if (began_in != fork_generation()) {
    info.problem =
        "this process was forked from one that had looked for a GPU, which CUDA does not survive";
    info.remedy = "start it with spawn or exec instead of fork, or use --backend cpu";
    return info;
  }
  int driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0)
    info.driver = version_text(driver);
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0) {
    cudaGetLastError();
    explain_none(error, info);
    return info;
  }
  for (int i = 0; i < count; ++i) info.devices.push_back(describe(i));
  if (device < 0 || device >= count) return info;
  const Trouble found = look_at(device, info.devices[static_cast<std::size_t>(device)].memory_free);
  info.problem = found.problem, info.remedy = found.remedy;
  return info;
}

}  // namespace mote::engine
