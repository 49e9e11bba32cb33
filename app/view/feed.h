#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/view/model.h"

namespace mote::app {

/// Hands buffers of points to the session and takes them back written, so that the newest state is what is drawn; and
/// chooses the origin that their places are offsets from.
class Feed {
 public:
  /// For a session that has just been opened.
  Feed(const Session& session, const std::string& share);

  /// Takes over a frame that was written. True when what is shown has changed.
  bool take(Model& model);
  /// Asks for the next frame when what is shown is not what the model wants. False when one is wanted and there is no
  /// place for it yet.
  bool offer(Model& model);
  /// Takes back what was handed out, before the session goes.
  void stop(Session& session);
  /// Drawing of what is shown has been given to the driver.
  void drawn(Model& model);

  /// The points that are shown, with the model's range of colours.
  render::PointBuffers points(const Model& model) const;
  /// Whether the origin of what is shown is the body that is followed.
  static bool origin_follows(const Model& model) {
    return model.shown.follow && model.shown.follow == model.picked;
  }
  void set_origin(engine::Vec3d origin) { wish_.origin = origin; }

 private:
  render::SharedPoints shared_;
  FrameWish wish_;
  bool offered_ = false;
  std::uint64_t offered_version_ = 0;
};

}  // namespace mote::app
