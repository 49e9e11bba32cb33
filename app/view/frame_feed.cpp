#include "app/view/frame_feed.h"

#include <algorithm>

#include "api/present.h"
#include "engine/check.h"
#include "engine/log.h"

namespace mote::app {
namespace {

render::ShareRequest share_request(const std::string& word) {
  return word == "interop" ? render::ShareRequest::interop
         : word == "copy"  ? render::ShareRequest::copy
                           : render::ShareRequest::automatic;
}

std::optional<int> device_of(const sim::Plan& plan) {
  return plan.backend == engine::Backend::cuda ? std::optional<int>(plan.device) : std::nullopt;
}

/// Positions are floats: largest distance of the origin from the camera's target, in units of the
/// camera's distance.
constexpr double max_origin_ratio = 1e3;

}  // namespace

FrameFeed::FrameFeed(const Session& session, const std::string& share)
    : device_(device_of(session.plan())),
      share_(device_ ? share_request(share) : render::ShareRequest::automatic),
      radii_(sim::has_radii(session.scene()) || sim::species_radii(session.scene())),
      capacity_(session.count()),
      shared_(make_shared_points()) {}

std::unique_ptr<render::SharedPoints> FrameFeed::make_shared_points() const {
  return std::make_unique<render::SharedPoints>(capacity_, device_, share_, radii_);
}

/// The shown frame stays: drawing it needs neither the GPU of the simulation nor more memory.
void FrameFeed::set_error(const engine::SystemError& error) {
  error_ = gpu_error_message(error.what()).value_or(error.what());
  engine::log().warn("{}", error_);
}

bool FrameFeed::receive(WindowState& model, bool wait) {
  if (!error_.empty()) return false;
  try {
    return receive_packed(model, wait);
  } catch (const engine::SystemError& e) {
    set_error(e);
    return false;
  }
}

bool FrameFeed::receive_packed(WindowState& model, bool wait) {
  if (!pending_) pending_ = model.session->pop_packed();
  if (!pending_) return false;
  if (pending_->written && !offering().is_written()) {
    if (!wait) return false;
    offering().wait_until_written();
  }
  std::optional<PackedFrame> packed = std::exchange(pending_, std::nullopt);
  offered_ = false;
  if (!packed->written) {
    offering().cancel(packed->target);
    if (packed->count > capacity_) grow(packed->count);
    return false;
  }
  offering().end(packed->target);
  if (larger_) shared_ = std::move(larger_);
  model.shown = std::move(*packed);
  return true;
}

/// The shown frame stays until a larger target is written, or for good if none can be allocated.
void FrameFeed::grow(engine::Index count) {
  larger_.reset();
  capacity_ = render::grown_capacity(count);
  try {
    larger_ = make_shared_points();
  } catch (const engine::SystemError& e) {
    if (capacity_ == count || gpu_error_message(e.what())) throw;
    capacity_ = count;
    larger_ = make_shared_points();
  }
  offered_version_ = 0;
  resized_ = true;
}

bool FrameFeed::offer(WindowState& model) {
  if (!error_.empty()) return true;
  try {
    return offer_requested(model);
  } catch (const engine::SystemError& e) {
    set_error(e);
    return true;
  }
}

bool FrameFeed::offer_requested(WindowState& model) {
  const auto& camera = model.camera.camera();
  const engine::Vec3d target{camera.target.x, camera.target.y, camera.target.z};
  FrameRequest request = request_;
  request.scalar = model.scalar;
  request.follow = model.following ? model.picked : std::nullopt;
  request.capacity = capacity_;
  request.contacts = model.view.contacts;
  request.kinds = render::any_look(model.looks);
  request.show = model.view.show;
  request.mesh = model.view.bodies != "stars";
  const bool follows = request.follow && !model.shown.lost;
  if (!follows && length(target - request.origin) > max_origin_ratio * camera.distance)
    request.origin = target;
  const bool moved = !follows && length(request.origin - model.shown.origin) > 0;
  const bool changed = request.scalar != request_.scalar || request.follow != request_.follow ||
                       request.contacts != request_.contacts || request.kinds != request_.kinds ||
                       request.show != request_.show || request.mesh != request_.mesh || moved;
  if (offered_ ||
      (!changed && model.status.version == offered_version_ && model.shown.target.slot >= 0))
    return true;
  const auto buffer = offering().begin();
  if (!buffer) return false;
  request_ = request;
  offered_ = true;
  offered_version_ = model.status.version;
  model.session->offer(*buffer, request);
  return true;
}

void FrameFeed::stop(Session& session) {
  session.withdraw();
  session.pop_packed();
  pending_.reset();
}

void FrameFeed::on_drawn(WindowState& model) {
  shared_->drawn();
  model.share = shared_->status();
}

render::PointBuffers FrameFeed::points(const WindowState& model) const {
  render::PointBuffers p = shared_->shown();
  p.count = std::min(p.count, model.shown.count);
  p.scalar_low = static_cast<float>(model.range.low);
  p.scalar_high = static_cast<float>(model.range.high);
  return p;
}

}  // namespace mote::app
