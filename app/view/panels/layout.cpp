#include <algorithm>

#include "app/view/panels.h"

namespace mote::app {

namespace ui = render::ui;

namespace {

/// Window width from which panels at the sides are unfolded by themselves, in font sizes: 1,100
/// pixels on an ordinary display.
constexpr float least_width = 1100.0f / 15;

}  // namespace

Layout layout_for(const Model& model, int width, int height) {
  const float em = ui::em(), gap = 0.5f * em;
  const auto w = static_cast<float>(width), h = static_cast<float>(height);
  Layout l;
  const float bottom = 2 * ui::row() + 3.2f * em;
  const float left = std::min(21 * em, 0.45f * w), right = std::min(22.5f * em, 0.45f * w);
  l.bottom = {gap, h - bottom - gap, w - 2 * gap, bottom};
  const float side_height = h - bottom - 3 * gap;
  l.left = {gap, gap, left, side_height};
  l.right = {w - right - gap, gap, right, side_height};
  l.has_room = w >= least_width * em;
  l.left_unfolded = model.panels.left.value_or(l.has_room);
  l.right_unfolded = model.panels.right.value_or(l.has_room);
  // In a narrow window, panels are unfolded over the scene.
  const bool beside = model.panels.all && l.has_room;
  l.scene_left = beside && l.left_unfolded ? left + 2 * gap : gap;
  l.scene_right = w - (beside && l.right_unfolded ? right + 2 * gap : gap);
  l.scene_bottom = model.panels.all ? h - bottom - 2 * gap : h - gap;
  // Beside the button of a folded panel.
  const float beside_button = l.left_unfolded ? 0 : 5 * em + gap;
  l.statistics = {l.scene_left + beside_button, gap,
                  std::min(23 * em, l.scene_right - l.scene_left), std::min(27 * em, side_height)};
  const float wide = std::max(10 * em, l.scene_right - l.scene_left);
  l.log = {l.scene_left, l.scene_bottom - 11 * em, wide, 11 * em};
  l.message = {l.scene_left + 0.1f * wide, gap, 0.8f * wide, 9 * em};
  return l;
}

namespace {

/// A panel at a side, or the button that unfolds it.
template <class Show>
void foldable(std::optional<bool>& unfolded, bool shown, const ui::Rect& button, const char* name,
              const Show& show) {
  if (!shown) {
    if (ui::floating_button(name, button)) unfolded = true;
    return;
  }
  bool open = true;
  show(open);
  if (!open) unfolded = false;
}

}  // namespace

void panels(Model& model, int width, int height) {
  const Layout layout = layout_for(model, width, height);
  overlays(model, layout, width, height);
  if (model.panels.all) {
    const float em = ui::em();
    const ui::Rect left{layout.left.x, layout.left.y, 5 * em, 2 * em},
        right{static_cast<float>(width) - 9.5f * em, layout.right.y, 9 * em, 2 * em};
    foldable(model.panels.left, layout.left_unfolded, left, "Scene",
             [&](bool& open) { scene_panel(model, layout.left, open); });
    foldable(model.panels.right, layout.right_unfolded, right, "Measurements",
             [&](bool& open) { measurement_panel(model, layout.right, open); });
    time_panel(model, layout.bottom);
    if (model.panels.statistics) statistics_panel(model, layout.statistics);
    if (model.panels.log) log_panel(model, layout.log);
  }
  message_panel(model, layout.message);
  if (model.panels.help) help_panel(model);
}

}  // namespace mote::app
