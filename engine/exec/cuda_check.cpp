#include "engine/exec/cuda_check.h"

#include <atomic>
#include <string>

#include "engine/check.h"
#include "engine/log.h"

namespace mote::engine {

const char* cuda_remedy(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation:
      return "use fewer bodies, or close other programs on this GPU";
    case cudaErrorNoKernelImageForDevice:
      return "this build has no code for this GPU: build with -DCMAKE_CUDA_ARCHITECTURES=native";
    // Sticky errors: the context is lost until the process ends.
    case cudaErrorECCUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
      return "this process can no longer use the GPU: start again, with --backend cpu if it "
             "happens again";
    case cudaErrorCooperativeLaunchTooLarge:
      return "this process may use too small a part of the GPU for it; --backend cpu runs without "
             "a GPU";
    case cudaErrorDevicesUnavailable:
      return "another process has exclusive use of this GPU: end it, choose another GPU with "
             "--device, or use --backend cpu";
    case cudaErrorSystemNotReady:
      return "start NVIDIA's fabric manager, which this machine's GPUs need, or use --backend cpu";
    case cudaErrorSystemDriverMismatch:
      return "restart the machine: its NVIDIA driver was updated while in use; or use --backend "
             "cpu";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
      return "`mote doctor` shows what is missing; --backend cpu runs without a GPU";
    default:
      return "see `mote doctor`; if it happens again, run with --backend cpu and report it";
  }
}

void cuda_check(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // clears it, so that the next call does not report it again
  throw SystemError(std::string("CUDA: ") + call,
                    std::string(cudaGetErrorName(error)) + ", " + cudaGetErrorString(error),
                    cuda_remedy(error), file, line);
}

bool fits_device(cudaError_t error, const char* call, const char* file, int line) {
  switch (error) {
    case cudaErrorCooperativeLaunchTooLarge:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorInvalidClusterSize:
    case cudaErrorNotSupported:
      cudaGetLastError();
      return false;
    default:
      cuda_check(error, call, file, line);
      return true;
  }
}

bool log_failure(cudaError_t error, const char* call) noexcept {
  if (error == cudaSuccess) return true;
  cudaGetLastError();
  static std::atomic<cudaError_t> last{cudaSuccess};
  if (error == cudaErrorCudartUnloading || last.exchange(error) == error) return false;
  try {
    log().warn("CUDA: {}: {}, {}", call, cudaGetErrorName(error), cudaGetErrorString(error));
  } catch (...) {  // logging failed: nothing left to do
  }
  return false;
}

}  // namespace mote::engine
