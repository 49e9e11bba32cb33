#pragma once

#include <GL/glew.h>

#include <array>
#include <memory>
#include <string>

#include "render/shared_target.h"

namespace mote::render {

/// OpenGL names of a slot's buffers; `radii` 0: none.
struct SlotBuffers {
  GLuint positions = 0, scalars = 0, radii = 0;
};

/// Slots of SharedPoints as memory of the simulating GPU. Must be destroyed before the buffers, in
/// the thread whose context is current; a mapped slot is unmapped after the work preceding its
/// `done` event.
class CudaSlots {
 public:
  virtual ~CudaSlots() = default;

  /// Maps a slot for CUDA, ordered after the drawing submitted to OpenGL so far, without waiting
  /// for it. At most one slot at a time. Throws engine::SystemError.
  virtual SharedTarget map(int slot) = 0;
  /// Returns the slot to OpenGL, whose later commands are ordered after the target's `done` event.
  /// Does not wait.
  virtual void unmap(int slot) = 0;
  /// Whether the work preceding the `done` event, once recorded, has completed.
  virtual bool is_written() const = 0;
  virtual void wait_until_written() const = 0;
};

/// Slots, or a message for the user why there are none.
struct CudaSlotsAttempt {
  std::unique_ptr<CudaSlots> slots;
  std::string reason;
};

/// Why `device` cannot use buffers of the current context; "" if it may be tried. Reports CUDA
/// errors this way and never throws them.
std::string no_interop_reason(int device);

/// Registers the buffers, which must exist until the slots are destroyed.
CudaSlotsAttempt open_cuda_slots(int device, const std::array<SlotBuffers, 3>& buffers);

}  // namespace mote::render
