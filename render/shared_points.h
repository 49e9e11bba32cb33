#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/types.h"
#include "render/point_buffers.h"

struct CUevent_st;

namespace mote::render {

/// How particle data gets from the simulation to OpenGL.
enum class SharePath {
  mapped,   ///< the CPU writes into buffers of the driver that stay mapped
  interop,  ///< CUDA writes into OpenGL's buffers; nothing passes through the host
  copy      ///< the GPU's data are copied through the host, because interop is not to be had
};
enum class ShareWish { automatic, interop, copy };

struct ShareStatus {
  SharePath path = SharePath::mapped;
  std::string reason = {};       ///< why it is `copy` and not `interop`; "" otherwise
  std::uint64_t frames = 0;      ///< finished so far
  std::uint64_t host_bytes = 0;  ///< particle data that passed through host memory so far
};

inline constexpr engine::Index floats_of_position = 3;
/// Points of a picture: drivers make buffers of more than 4 GiB, but do not draw right from them.
inline constexpr engine::Index most_shown =
    (engine::Index{1} << 32) / (floats_of_position * static_cast<engine::Index>(sizeof(float))) - 1;
/// Points to make room for when there are so many: half as many again, as far as they can be shown.
constexpr engine::Index room_to_grow(engine::Index count) {
  const engine::Index more = count + count / 2 < most_shown ? count + count / 2 : most_shown;
  return count > more ? count : more;
}

/// Where a simulation writes its next frame. Positions: 3 floats a point, scalars: one, radii: one
/// or null where there are none. On the device, the writer's stream waits for `ready` before it
/// writes and records `done` behind; on the host both are null.
struct SharedPlace {
  int slot = -1;
  float* positions = nullptr;
  float* scalars = nullptr;
  float* radii = nullptr;
  bool on_device = false;
  CUevent_st* ready = nullptr;
  CUevent_st* done = nullptr;
};

/// Buffers of points that a simulation writes and OpenGL draws, three of each, so that neither
/// waits for the other. All functions are called by the thread whose OpenGL context is current;
/// what a SharedPlace points to is written by any other. The CUDA half (shared_points_cuda.cpp) is
/// replaced by one that always says no in builds without CUDA.
class SharedPoints {
 public:
  /// `radii`: points have a radius each, too. `device`: the GPU that steps, or nothing when the CPU
  /// does. `automatic` falls back to `copy`, warns, and keeps the reason. With `interop` throws
  /// engine::SystemError when it cannot be had, and InputError when no GPU steps. Throws
  /// SystemError when the driver has no memory for three frames of `count` >= 0 points, or they are
  /// more than 357 million.
  SharedPoints(engine::Index count, std::optional<int> device, ShareWish wish, bool radii = false);
  /// A place that is still handed out goes too: nobody may write there any more, but on the device
  /// what is enqueued before `done` may still be under way.
  ~SharedPoints();
  SharedPoints(const SharedPoints&) = delete;
  SharedPoints& operator=(const SharedPoints&) = delete;

  /// A place for the next frame: not the one that is shown, and no longer read by OpenGL. Nothing
  /// when there is none yet, or while one is handed out. What stands there before it is written is
  /// undefined.
  std::optional<SharedPlace> begin();
  /// The place that `begin` gave has been written (on the device: `done` has been recorded). From
  /// now on it is shown.
  void end(const SharedPlace& place);
  /// The place was not written; what was shown stays so.
  void give_up(const SharedPlace& place);

  /// The newest finished frame, to be drawn before the next `end`; count 0 before the first. Colour
  /// range is left to the caller.
  PointBuffers shown() const;
  /// Drawing of what is shown has been given to the driver. Call after the draw calls of every
  /// frame.
  void drawn();

  const ShareStatus& status() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render
