#include "render/serve/served_surface.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "engine/check.h"
#include "engine/log.h"

namespace mote::render::serve {
namespace {

/// Browsers show no more than 60 pictures a second, and what is drawn is taken from the simulation.
constexpr std::chrono::duration<double> shortest_frame(1.0 / 60);
/// The window waits this long for a page that can take a frame [s]; input ends the wait.
constexpr double room_timeout = 0.25;
/// A picture that has not changed for so long is sent again, sharp.
constexpr std::chrono::duration<double> still_after(0.15);
/// A picture has at most this many pixels, which is a little more than 4K.
constexpr double most_pixels = 3840.0 * 2400;
constexpr int smallest_side = 64, largest_side = 8192;

const char* pointer_name(Pointer pointer) {
  switch (pointer) {
    case Pointer::text:
      return "text";
    case Pointer::hand:
      return "pointer";
    case Pointer::sideways:
      return "ew-resize";
    case Pointer::up_down:
      return "ns-resize";
    case Pointer::arrow:
      break;
  }
  return "default";
}

}  // namespace

ServedSurface::ServedSurface(const SurfaceOptions& options, const ServerOptions& server)
    : requested_scale_(requested_scale(options)),
      picture_(open_offscreen(options)),
      site_(exchange_, server.takes_files),
      server_(server, site_, &exchange_) {}

double ServedSurface::scale() const {
  return usable_scale(requested_scale_.value_or(ratio_));
}

std::vector<InputEvent> ServedSurface::poll(double seconds) {
  std::this_thread::sleep_until(shown_ +
                                std::chrono::duration_cast<Clock::duration>(shortest_frame));
  const Demand demand = exchange_.demand();
  const bool full = demand.watched && !demand.room;
  if (full) seconds = std::max(seconds, room_timeout);
  std::vector<InputEvent> events;
  for (Input& input : exchange_.take(seconds, full || behind_)) {
    if (auto* event = std::get_if<InputEvent>(&input)) events.push_back(std::move(*event));
    if (const auto* size = std::get_if<ViewSize>(&input)) fit_to(*size);
    if (const auto* pasted = std::get_if<Clipboard>(&input)) Surface::set_clipboard(pasted->text);
  }
  return events;
}

/// Gives the picture the size of the page that steers. One that is too large is scaled down, with
/// what is in it.
void ServedSurface::fit_to(const ViewSize& page) {
  const double pixels = static_cast<double>(page.width) * page.height;
  const double factor = std::min(1.0, std::sqrt(most_pixels / std::max(pixels, 1.0)));
  const auto side = [&](int length) {
    return std::clamp(static_cast<int>(std::lround(factor * length)), smallest_side, largest_side);
  };
  ratio_ = factor * page.ratio;
  if (side(page.width) == width() && side(page.height) == height()) return;
  try {
    resize(side(page.width), side(page.height));
  } catch (const engine::SystemError& e) {  // the old picture is left, and the run goes on
    engine::log().error("the picture of the page: {}", e.what());
  }
}

void ServedSurface::show() {
  picture_->show();
  shown_ = Clock::now();
  const Demand demand = exchange_.demand();
  if (!demand.watched) return;
  behind_ = !demand.room;
  if (behind_) return;
  Image image = read();
  const bool same =
      image.width == sent_.width && image.height == sent_.height && image.rgb == sent_.rgb;
  if (!same) {
    changed_ = shown_;
    send(image, demand.h264 ? FrameKind::h264 : FrameKind::jpeg, demand.key_frame);
    sent_ = std::move(image);
  } else if (!sharp_ && shown_ - changed_ > still_after) {
    send(image, FrameKind::still);
  }
}

void ServedSurface::send(const Image& image, FrameKind kind, bool key) {
  try {
    server_.send(encoder_.encode(image, kind, key));
  } catch (const engine::SystemError& e) {  // the run goes on without the picture
    engine::log().error("the picture of the page: {}", e.what());
  }
  sharp_ = kind == FrameKind::still;
}

void ServedSurface::set_title(const std::string& title) {
  news_.title = title;
  server_.tell(news_);
}

void ServedSurface::set_pointer(Pointer pointer) {
  if (std::exchange(news_.pointer, pointer_name(pointer)) != pointer_name(pointer))
    server_.tell(news_);
}

void ServedSurface::set_state(const std::string& mode, const std::string& trouble) {
  if (news_.mode == mode && news_.trouble == trouble) return;
  news_.mode = mode;
  news_.trouble = trouble;
  server_.tell(news_);
}

void ServedSurface::set_clipboard(const std::string& text) {
  Surface::set_clipboard(text);
  server_.copy(text);
}

Served open_served(const SurfaceOptions& options, const ServerOptions& server) {
  auto surface = std::make_unique<ServedSurface>(options, server);
  const Directions directions = surface->directions();
  return {std::move(surface), directions};
}

std::string report() {
  return Encoder::name() + ", " + Server::libraries();
}

}  // namespace mote::render::serve
