#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/view/window_state.h"
#include "engine/check.h"

namespace mote::app {

/// Offers point buffers to the session and receives them written, so that the newest state is
/// drawn. Chooses the origin of their positions.
class FrameFeed {
 public:
  /// Feeds frames of a newly opened session.
  FrameFeed(const Session& session, const std::string& share);

  /// Receives a written frame. True when the shown frame has changed. If the device has not
  /// finished writing it, returns false, and a later call receives it; with `wait`, waits for the
  /// device.
  bool receive(WindowState& model, bool wait = false);
  /// Whether the device is still writing a frame that the session has returned.
  bool pending() const { return pending_.has_value(); }
  /// Whether the last frame exceeded its capacity; the next offer() has enough. Resets the flag.
  bool resized() { return std::exchange(resized_, false); }
  /// Requests the next frame if the shown one is out of date. False if one is needed but no target
  /// is free yet.
  bool offer(WindowState& model);
  /// Why no new frames are shown, e.g. the GPU running the simulation has failed; "" otherwise. The
  /// last frame stays visible.
  const std::string& error() const { return error_; }
  /// Withdraws the offered target, before the session ends.
  void stop(Session& session);
  /// Call after the draw calls of every frame.
  void on_drawn(WindowState& model);

  /// The shown points, with the model's colour range.
  render::PointBuffers points(const WindowState& model) const;
  /// Whether the origin of the shown frame is the picked body.
  static bool origin_follows(const WindowState& model) {
    return model.shown.follow && model.shown.follow == model.picked;
  }
  void set_origin(engine::Vec3d origin) { request_.origin = origin; }

 private:
  std::unique_ptr<render::SharedPoints> make_shared_points() const;
  void grow(engine::Index count);
  void set_error(const engine::SystemError& error);
  bool receive_packed(WindowState& model, bool wait);
  bool offer_requested(WindowState& model);
  render::SharedPoints& offering() { return larger_ ? *larger_ : *shared_; }

  std::optional<int> device_;
  render::ShareRequest share_;
  bool radii_;                                    ///< each body has a radius
  engine::Index capacity_;                        ///< bodies that fit into a target
  std::unique_ptr<render::SharedPoints> shared_;  ///< holds the shown frame
  std::unique_ptr<render::SharedPoints> larger_;  ///< replaces `shared_` with its first frame
  bool resized_ = false;
  std::string error_;
  FrameRequest request_;
  bool offered_ = false;
  std::optional<PackedFrame> pending_;  ///< handed back by the session
  std::uint64_t offered_version_ = 0;
};

}  // namespace mote::app
