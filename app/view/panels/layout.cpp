#include <algorithm>

#include "app/view/panels.h"

namespace mote::app {

namespace ui = render::ui;

Layout layout_for(const Model& model, int width, int height) {
  const float em = ui::em(), gap = 0.5f * em;
  const auto w = static_cast<float>(width), h = static_cast<float>(height);
  Layout l;
  const float bottom = 2 * ui::row() + 3.2f * em;
  const float left = std::min(21 * em, 0.4f * w), right = std::min(22.5f * em, 0.4f * w);
  l.bottom = {gap, h - bottom - gap, w - 2 * gap, bottom};
  const float side_height = h - bottom - 3 * gap;
  l.left = {gap, gap, left, side_height};
  l.right = {w - right - gap, gap, right, side_height};
  l.scene_left = model.panels.all ? left + 2 * gap : gap;
  l.scene_right = model.panels.all ? w - right - 2 * gap : w - gap;
  l.scene_bottom = model.panels.all ? h - bottom - 2 * gap : h - gap;
  l.statistics = {l.scene_left, gap, std::min(23 * em, l.scene_right - l.scene_left),
                  std::min(27 * em, side_height)};
  const float wide = std::max(10 * em, l.scene_right - l.scene_left);
  l.log = {l.scene_left, l.scene_bottom - 11 * em, wide, 11 * em};
  l.message = {l.scene_left + 0.1f * wide, gap, 0.8f * wide, 9 * em};
  return l;
}

void panels(Model& model, int width, int height) {
  const Layout layout = layout_for(model, width, height);
  overlays(model, layout, width, height);
  if (model.panels.all) {
    scene_panel(model, layout.left);
    measurement_panel(model, layout.right);
    time_panel(model, layout.bottom);
    if (model.panels.statistics) statistics_panel(model, layout.statistics);
    if (model.panels.log) log_panel(model, layout.log);
  }
  message_panel(model, layout.message);
  if (model.panels.help) help_panel(model);
}

}  // namespace mote::app
