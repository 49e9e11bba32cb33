#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

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

/// Why kernels of this build do not run on a device, and what to do; empty if they do.
struct Trouble {
  std::string problem, remedy;
};
Trouble trouble(const std::string& what, cudaError_t error) {
  cudaGetLastError();
  return {what + ": " + cudaGetErrorName(error) + ", " + cudaGetErrorString(error),
          cuda_remedy(error)};
}
/// Uses its own stream: the default stream would interfere with graphs that other threads capture.
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
  if (on_device) log_failure(cudaFree(on_device), "cudaFree");
  if (stream) log_failure(cudaStreamDestroy(stream), "cudaStreamDestroy");
  if (error != cudaSuccess) return trouble("a trial kernel failed", error);
  if (value == 42) return {};
  return {"a trial kernel returned a wrong result",
          "see `mote doctor`; --backend cpu runs without a GPU"};
}

/// Makes a device current and queries its free memory. The trial kernel runs once per device; a
/// device lost later (a fault of a kernel or of the device) fails the memory query.
Trouble probe(int device, std::uint64_t& memory_free) {
  std::size_t free = 0, total = 0;
  cudaError_t error = cudaSetDevice(device);
  if (error == cudaSuccess) error = cudaMemGetInfo(&free, &total);
  if (error != cudaSuccess)
    return trouble("GPU " + std::to_string(device) + " does not respond", error);
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

/// The other GPUs whose memory this one can read.
std::vector<int> reached_from(int device) {
  std::vector<int> reached;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  for (int other = 0; other < count; ++other) {
    int can = 0;
    if (other != device && cudaDeviceCanAccessPeer(&can, device, other) == cudaSuccess && can != 0)
      reached.push_back(other);
  }
  cudaGetLastError();
  return reached;
}

/// Queries the constant properties once: drivers are slow to return them.
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
             .drives_display = attribute(cudaDevAttrKernelExecTimeout, index) != 0,
             .reaches = reached_from(index)};
}

/// Sets why there are no devices.
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
    const Trouble found = trouble("CUDA cannot be initialised", error);
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
  static const int initialised_in = fork_generation();
  if (initialised_in != fork_generation()) {
    info.problem =
        "this process was forked from one that had initialised CUDA; CUDA does not survive a fork";
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
  const Trouble found = probe(device, info.devices[static_cast<std::size_t>(device)].memory_free);
  info.problem = found.problem, info.remedy = found.remedy;
  return info;
}

}  // namespace mote::engine
