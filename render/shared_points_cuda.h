#pragma once

#include <GL/glew.h>

#include <array>
#include <memory>
#include <string>

#include "render/shared_points.h"

namespace mote::render {

/// OpenGL's names of the buffers of a slot; `radii` may be 0: there is none.
struct SlotBuffers {
  GLuint positions = 0, scalars = 0, radii = 0;
};

/// Slots of SharedPoints as memory of the GPU that steps. Destroyed before the buffers are, in the
/// thread whose context is current; a slot that is mapped is unmapped behind the work that `done`
/// stands for.
class CudaSlots {
 public:
  virtual ~CudaSlots() = default;

  /// Puts a slot into the hands of CUDA: behind the drawing that was given to OpenGL so far,
  /// without waiting for it. At most one slot at a time. Throws engine::SystemError.
  virtual SharedPlace map(int slot) = 0;
  /// Gives it back to OpenGL, whose later commands come behind what the place's `done` stands for.
  /// Does not wait.
  virtual void unmap(int slot) = 0;
};

/// Slots, or why there are none, in the user's words.
struct CudaSlotsAttempt {
  std::unique_ptr<CudaSlots> slots;
  std::string reason;
};

/// Why `device` cannot use buffers of the current context; "" when it may be tried. Never throws
/// for reasons of CUDA.
std::string no_interop_reason(int device);

/// Registers the buffers, which must exist until the slots are destroyed.
CudaSlotsAttempt open_cuda_slots(int device, const std::array<SlotBuffers, 3>& buffers);

}  // namespace mote::render
