// Handles input that no panel consumes.
#include <fmt/format.h>

#include <cmath>

#include "app/view/actions.h"
#include "app/view/frame_loop.h"
#include "app/view/framing.h"
#include "app/view/hands.h"

namespace mote::app {

void FrameLoop::handle(const render::InputEvent& event) {
  using Kind = render::InputEvent::Kind;
  switch (event.kind) {
    case Kind::close:
      model_.requests.quit = true;
      return;
    case Kind::key_down:
    case Kind::key_repeat:
      if (layer_->wants_keyboard()) return;
      if (model_.camera.flying() && !event.modifiers.control)
        model_.camera.handle(event, surface_->width(), surface_->height());
      act(model_, event.key, event.modifiers);
      return;
    case Kind::key_up:
    case Kind::mouse_up:
      if (event.kind == Kind::mouse_up && event.button == 0) release_hand(model_);
      model_.camera.handle(event, surface_->width(), surface_->height());
      return;
    case Kind::mouse_down:
      if (layer_->wants_mouse()) return;
      if (event.button == 0 && event.modifiers.control)
        return press_hand(model_, event, body_at(event.x, event.y), surface_->width(),
                          surface_->height());
      click(event);
      model_.camera.handle(event, surface_->width(), surface_->height());
      return;
    case Kind::mouse_move:
      model_.hand.x = event.x, model_.hand.y = event.y;
      model_.camera.handle(event, surface_->width(), surface_->height());
      return;
    case Kind::wheel:
      if (!layer_->wants_mouse())
        model_.camera.handle(event, surface_->width(), surface_->height());
      return;
    case Kind::drop:
      return drop(event.path);
    case Kind::text:
      return;
  }
}

/// Opens a file that was dropped on the window.
void FrameLoop::drop(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".lua" || ending == ".json" || ending == ".h5" || ending == ".csv")
    return model_.open_scene(file);
  model_.notify(file.filename().string() +
                " is not a scene (.lua, .json), a checkpoint (.h5) or a table of bodies (.csv)");
}

void FrameLoop::click(const render::InputEvent& event) {
  const bool twice = event.button == 0 && now_ - last_click_ < 0.4 &&
                     std::hypot(event.x - click_x_, event.y - click_y_) < 6;
  last_click_ = now_;
  click_x_ = twice ? -100 : event.x;
  click_y_ = event.y;
  if (twice) pick(event.x, event.y);
}

std::optional<std::uint32_t> FrameLoop::body_at(double x, double y) {
  const render::PointBuffers shown = points();
  if (shown.count == 0) return std::nullopt;
  const auto index =
      view_->pick(shown, viewpoint_in(model_, surface_->width(), surface_->height()), {x, y},
                  12 * surface_->scale(), surface_->width(), surface_->height());
  return index ? std::optional(sim::id_of(model_.shown.ids, *index)) : std::nullopt;
}

void FrameLoop::pick(double x, double y) {
  const auto body = body_at(x, y);
  model_.follow(body, true);
  model_.notify(body ? fmt::format("body {}", *body) : "no body here");
}

}  // namespace mote::app
