#include "render/shared_points_cuda.h"

namespace mote::render {

std::string no_interop_reason(int) {
  return "this build of mote has no CUDA";
}

CudaSlotsAttempt open_cuda_slots(int device, const std::array<SlotBuffers, 3>&) {
  return {nullptr, no_interop_reason(device)};
}

}  // namespace mote::render
