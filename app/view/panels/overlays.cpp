#include <fmt/format.h>

#include <algorithm>

#include "app/view/actions.h"
#include "app/view/framing.h"
#include "app/view/panels.h"
#include "render/ui/caption.h"
#include "render/ui/widgets.h"

namespace mote::app {

namespace ui = render::ui;

namespace {

/// Why the simulation stopped by itself: shown until closed or until the run continues.
void halt_panel(WindowState& model, const ui::Rect& rect) {
  const std::string& why = model.status.halt;
  if (why.empty() || why == model.dismissed_halt) return;
  bool open = true;
  {
    const ui::Panel panel("halt", "The simulation has stopped", rect, &open);
    if (panel) {
      ui::error_text(why);
      ui::dim(model.status.mode == Mode::unhealthy
                  ? "Left goes back a step, Home to the start."
                  : "Space continues without stopping for this again; R goes back to the start.");
    }
  }
  if (!open) model.dismissed_halt = why;
}

ui::Legend legend_of(const WindowState& model) {
  const sim::SceneDescription& scene = model.session->scene();
  const api::ScalarLabel label = api::label_of(model.scalar, model.range, scene.units);
  ui::Legend legend{label.text, api::map_name(model.view), label.factor * model.range.low,
                    label.factor * model.range.high};
  if (model.scalar == sim::Scalar::species)
    for (const sim::Species& species : scene.species)
      legend.entries.push_back({species.name, render::color_of(species.color)});
  return legend;
}

}  // namespace

void message_panel(WindowState& model, const ui::Rect& rect) {
  if (model.status.halt.empty()) model.dismissed_halt.clear();
  if (model.error.empty()) return halt_panel(model, rect);
  bool open = true;
  {
    const ui::Panel panel("message", "This scene cannot be opened", rect, &open);
    if (panel) {
      ui::error_text(model.error);
      ui::dim(model.session
                  ? "The open scene continues. Correct the file and save it: it is read again."
                  : "Correct the file and save it: it is read again.");
    }
  }
  if (!open) model.error.clear();
}

void help_panel(WindowState& model) {
  std::vector<ui::HelpLine> lines;
  for (const Action& action : actions()) lines.push_back({action.shown(" or "), action.what});
  for (const MouseAction& action : mouse_actions()) lines.push_back({action.how, action.what});
  ui::help_window(lines, &model.panels.help);
}

void overlays(WindowState& model, const Layout& layout, int width, int height) {
  const float em = ui::em();
  if (model.session) {
    const engine::UnitSystem& units = model.session->scene().units;
    if (model.names)
      for (const ui::PlacedWords& tag : name_tags(model, width, height)) ui::name_tag(tag);
    const float room = layout.scene_right - layout.scene_left;
    const bool of_scalar = !render::all_colored(model.shown.appearance.own, model.shown.count);
    float right = layout.scene_right - em;
    if (model.legend && of_scalar && room > 18 * em)
      right = ui::legend(legend_of(model), right, layout.scene_bottom - em);
    if (model.scale_bar && !model.camera.flying())
      ui::scale_bar(model.camera.viewpoint({0, 0, 0}, 1, height).scale, units,
                    layout.scene_left + em, layout.scene_bottom - em, right - 0.5f * em);
    if (!model.panels.all) ui::label(em, em, api::time_label(model.shown.time, units), 0, 0.8f);
    if (model.movie)
      ui::notice(layout.scene_right - em, em,
                 fmt::format("recording, {} frames", model.movie->count()), 1);
  }
  const float middle = 0.5f * (layout.scene_left + layout.scene_right);
  if (model.opener.busy())
    ui::notice(middle, 2 * em, "opening " + model.opener.request().scene.string(), 0.5f);
  if (model.toast_seconds > 0)
    ui::notice(middle, layout.scene_bottom - 6.5f * em, model.toast, 0.5f,
               static_cast<float>(std::min(1.0, model.toast_seconds)));
}

}  // namespace mote::app
