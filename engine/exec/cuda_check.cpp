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
    // These stay until the process ends.
    case cudaErrorECCUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
      return "this process can use the GPU no more: start again, with --backend cpu if it happens "
             "again";
    case cudaErrorCooperativeLaunchTooLarge:
      return "this process has too small a share of the GPU for it; --backend cpu runs without a "
             "GPU";
    case cudaErrorDevicesUnavailable:
      return "another process has this GPU for itself: end that, choose another GPU with --device, "
             "or use "
             "--backend cpu";
    case cudaErrorSystemNotReady:
      return "start NVIDIA's fabric manager, which this machine's GPUs need, or use --backend cpu";
    case cudaErrorSystemDriverMismatch:
      return "restart the machine: its NVIDIA driver was updated while in use; or use --backend "
             "cpu";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
      return "`mote doctor` says what is missing; --backend cpu runs without a GPU";
    default:
      return "see `mote doctor`; if it happens again, run with --backend cpu and report it";
  }
}

void cuda_check(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // a refused call must not be reported a second time by the next one
  throw SystemError(std::string("CUDA: ") + call,
                    std::string(cudaGetErrorName(error)) + ", " + cudaGetErrorString(error),
                    cuda_remedy(error), file, line);
}

bool had_room(cudaError_t error, const char* call, const char* file, int line) {
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

bool note_failure(cudaError_t error, const char* call) noexcept {
  if (error == cudaSuccess) return true;
  cudaGetLastError();
  static std::atomic<cudaError_t> last{cudaSuccess};
  if (error == cudaErrorCudartUnloading || last.exchange(error) == error) return false;
  try {
    log().warn("CUDA: {}: {}, {}", call, cudaGetErrorName(error), cudaGetErrorString(error));
  } catch (...) {  // what cannot be said is not said
  }
  return false;
}

}  // namespace mote::engine
