#include "engine/exec/cuda_check.h"

#include <string>

#include "engine/check.h"

namespace mote::engine {
namespace {

const char* remedy_for(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation:
      return "use fewer bodies, or close other programs on this GPU";
    case cudaErrorNoKernelImageForDevice:
      return "this build has no code for this GPU: build with -DCMAKE_CUDA_ARCHITECTURES=native";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
      return "`mote doctor` says what is missing; --backend cpu runs without a GPU";
    default:
      return "see `mote doctor`; if it happens again, run with --backend cpu and report it";
  }
}

}  // namespace

void cuda_check(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // a refused call must not be reported a second time by the next one
  throw SystemError(std::string("CUDA: ") + call,
                    std::string(cudaGetErrorName(error)) + ", " + cudaGetErrorString(error),
                    remedy_for(error), file, line);
}

}  // namespace mote::engine
