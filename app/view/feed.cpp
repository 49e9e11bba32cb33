#include "app/view/feed.h"

#include <algorithm>

#include "api/present.h"
#include "engine/check.h"
#include "engine/log.h"

namespace mote::app {
namespace {

render::ShareWish share_wish(const std::string& word) {
  return word == "interop" ? render::ShareWish::interop
         : word == "copy"  ? render::ShareWish::copy
                           : render::ShareWish::automatic;
}

std::optional<int> device_of(const sim::Plan& plan) {
  return plan.backend == engine::Backend::cuda ? std::optional<int>(plan.device) : std::nullopt;
}

/// Places are floats: the origin must not be further from what is looked at than this many times
/// its distance.
constexpr double farthest_origin = 1e3;

}  // namespace

Feed::Feed(const Session& session, const std::string& share)
    : device_(device_of(session.plan())),
      share_(device_ ? share_wish(share) : render::ShareWish::automatic),
      radii_(session.scene().grains || api::walls_of(session.scene())),
      room_(session.count()),
      shared_(make_shared_points()) {}

std::unique_ptr<render::SharedPoints> Feed::make_shared_points() const {
  return std::make_unique<render::SharedPoints>(room_, device_, share_, radii_);
}

/// What is shown stays: neither the GPU that steps nor room for more points is needed for drawing
/// it.
void Feed::note(const engine::SystemError& error) {
  trouble_ = gpu_words(error.what()).value_or(error.what());
  engine::log().warn("{}", trouble_);
}

bool Feed::take(Model& model) {
  if (!trouble_.empty()) return false;
  try {
    return take_written(model);
  } catch (const engine::SystemError& e) {
    note(e);
    return false;
  }
}

bool Feed::take_written(Model& model) {
  auto packed = model.session->take_packed();
  if (!packed) return false;
  offered_ = false;
  if (!packed->written) {
    offering().give_up(packed->place);
    if (packed->count > room_) grow(packed->count);
    return false;
  }
  offering().end(packed->place);
  if (larger_) shared_ = std::move(larger_);
  model.shown = std::move(*packed);
  return true;
}

/// What is shown stays until a larger place has been written, and where there is none to be had.
void Feed::grow(engine::Index count) {
  larger_.reset();
  room_ = render::room_to_grow(count);
  try {
    larger_ = make_shared_points();
  } catch (const engine::SystemError& e) {
    if (room_ == count || gpu_words(e.what())) throw;
    room_ = count;
    larger_ = make_shared_points();
  }
  offered_version_ = 0;
  grew_ = true;
}

bool Feed::offer(Model& model) {
  if (!trouble_.empty()) return true;
  try {
    return offer_wished(model);
  } catch (const engine::SystemError& e) {
    note(e);
    return true;
  }
}

bool Feed::offer_wished(Model& model) {
  const auto& camera = model.camera.camera();
  const engine::Vec3d target{camera.target.x, camera.target.y, camera.target.z};
  FrameWish wish = wish_;
  wish.scalar = model.scalar;
  wish.follow = model.following ? model.picked : std::nullopt;
  wish.room = room_;
  wish.contacts = model.view.contacts;
  const bool follows = wish.follow && !model.shown.lost;
  if (!follows && length(target - wish.origin) > farthest_origin * camera.distance)
    wish.origin = target;
  const bool moved = !follows && length(wish.origin - model.shown.origin) > 0;
  const bool changed = wish.scalar != wish_.scalar || wish.follow != wish_.follow ||
                       wish.contacts != wish_.contacts || moved;
  if (offered_ ||
      (!changed && model.status.version == offered_version_ && model.shown.place.slot >= 0))
    return true;
  const auto place = offering().begin();
  if (!place) return false;
  wish_ = wish;
  offered_ = true;
  offered_version_ = model.status.version;
  model.session->offer(*place, wish);
  return true;
}

void Feed::stop(Session& session) {
  session.withdraw();
  session.take_packed();
}

void Feed::drawn(Model& model) {
  shared_->drawn();
  model.share = shared_->status();
}

render::PointBuffers Feed::points(const Model& model) const {
  render::PointBuffers p = shared_->shown();
  p.count = std::min(p.count, model.shown.count);
  p.scalar_low = static_cast<float>(model.range.low);
  p.scalar_high = static_cast<float>(model.range.high);
  return p;
}

}  // namespace mote::app
