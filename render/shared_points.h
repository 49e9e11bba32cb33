#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/types.h"
#include "render/point_buffers.h"
#include "render/shared_target.h"

namespace mote::render {

/// Transport of particle data from the simulation to OpenGL.
enum class SharePath {
  mapped,   ///< the CPU writes into persistently mapped OpenGL buffers
  interop,  ///< CUDA writes into OpenGL buffers; nothing passes through the host
  copy      ///< data are copied through the host, because interop is unavailable
};
enum class ShareRequest { automatic, interop, copy };

struct ShareStatus {
  SharePath path = SharePath::mapped;
  std::string reason = {};       ///< why it is `copy` and not `interop`; "" otherwise
  std::uint64_t frames = 0;      ///< completed so far
  std::uint64_t host_bytes = 0;  ///< particle data that passed through host memory so far
};

inline constexpr engine::Index floats_of_position = 3;
/// Largest number of points in a picture: drivers allow buffers of more than 4 GiB but do not draw
/// them correctly.
inline constexpr engine::Index max_shown =
    (engine::Index{1} << 32) / (floats_of_position * static_cast<engine::Index>(sizeof(float))) - 1;
/// Buffer capacity for a growing number of points: half as many again, up to max_shown.
constexpr engine::Index grown_capacity(engine::Index count) {
  const engine::Index more = count + count / 2 < max_shown ? count + count / 2 : max_shown;
  return count > more ? count : more;
}

/// Triple-buffered points that a simulation writes and OpenGL draws, so that neither waits for the
/// other. All functions are called by the thread whose OpenGL context is current; the memory of a
/// SharedTarget may be written by any other. In builds without CUDA the CUDA half
/// (shared_points_cuda.cpp) is replaced by a stub that always fails.
class SharedPoints {
 public:
  /// `radii`: each point also has a radius. `device`: the GPU that runs the simulation, or nothing
  /// for the CPU. `automatic` falls back to `copy`, warns, and keeps the reason. `interop` throws
  /// engine::SystemError when it is unavailable, and InputError when the simulation runs on the
  /// CPU. Throws SystemError when the driver has no memory for three frames of `count` >= 0 points,
  /// or for more than 357 million points.
  SharedPoints(engine::Index count, std::optional<int> device, ShareRequest request,
               bool radii = false);
  /// Also releases an outstanding target: its memory may no longer be written, but device work
  /// enqueued before `done` may still be in flight.
  ~SharedPoints();
  SharedPoints(const SharedPoints&) = delete;
  SharedPoints& operator=(const SharedPoints&) = delete;

  /// A target for the next frame: neither the one shown nor one still read by OpenGL. Nothing when
  /// none is free yet or one is outstanding. Its content is undefined until written.
  std::optional<SharedTarget> begin();
  /// Whether the outstanding target is completely written; call after the writer has returned it.
  /// On a device the write may still be queued after steps, which drawing it would wait for.
  bool is_written() const;
  /// Waits for that.
  void wait_until_written() const;
  /// Call when the target has been written (on the device: `done` has been recorded). It is shown
  /// from now on.
  void end(const SharedTarget& target);
  /// Discards the target; the shown frame is kept.
  void cancel(const SharedTarget& target);

  /// The newest completed frame, to be drawn before the next `end`; count 0 before the first. The
  /// caller sets the colour range.
  PointBuffers shown() const;
  /// Call after the draw calls of every frame.
  void drawn();

  const ShareStatus& status() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render
