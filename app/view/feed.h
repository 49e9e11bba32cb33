#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/view/model.h"
#include "engine/check.h"

namespace mote::app {

/// Hands buffers of points to the session and takes them back written, so that the newest state is
/// what is drawn; and chooses the origin that their places are offsets from.
class Feed {
 public:
  /// For a session that has just been opened.
  Feed(const Session& session, const std::string& share);

  /// Takes over a frame that was written. True when what is shown has changed.
  bool take(Model& model);
  /// Whether the last one could not be written because bodies have become more: offer() then has
  /// room for them. Once.
  bool grew() { return std::exchange(grew_, false); }
  /// Asks for the next frame when what is shown is not what the model wants. False when one is
  /// wanted and there is no place for it yet.
  bool offer(Model& model);
  /// Why nothing new is shown any more, empty while all is well: the GPU that steps has failed.
  /// What was shown stays.
  const std::string& trouble() const { return trouble_; }
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
  std::unique_ptr<render::SharedPoints> make_shared_points() const;
  void grow(engine::Index count);
  void note(const engine::SystemError& error);
  bool take_written(Model& model);
  bool offer_wished(Model& model);
  render::SharedPoints& offering() { return larger_ ? *larger_ : *shared_; }

  std::optional<int> device_;
  render::ShareWish share_;
  bool radii_;                                    ///< bodies have a radius each
  engine::Index room_;                            ///< bodies that a place holds
  std::unique_ptr<render::SharedPoints> shared_;  ///< with what is shown
  std::unique_ptr<render::SharedPoints> larger_;  ///< takes over with its first frame
  bool grew_ = false;
  std::string trouble_;
  FrameWish wish_;
  bool offered_ = false;
  std::uint64_t offered_version_ = 0;
};

}  // namespace mote::app
