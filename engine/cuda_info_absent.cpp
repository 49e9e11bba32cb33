#include "engine/machine.h"

namespace mote::engine {

CudaInfo cuda_info(int) {
  CudaInfo info;
  info.problem =
      "this build has no CUDA (no nvcc was found, or it was disabled with -DMOTE_CUDA=OFF)";
  info.remedy = "use --backend cpu, or build with CUDA";
  return info;
}

}  // namespace mote::engine
