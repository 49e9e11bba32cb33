#pragma once

#include "app/view/model.h"
#include "render/ui/panel.h"

/// The panels of the window: each looks at the model, and asks it for what the user wants. Between
/// Layer::begin and end.
namespace mote::app {

/// Where everything stands, for a surface of this size. Left: the scene; right: measurements;
/// below: time.
struct Layout {
  render::ui::Rect left, right, bottom, statistics, log, message;
  float scene_left = 0, scene_right = 0, scene_bottom = 0;  ///< what panels leave free
};
Layout layout_for(const Model& model, int width, int height);

void scene_panel(Model& model, const render::ui::Rect& place);
void parameter_rows(Model& model);
void measurement_panel(Model& model, const render::ui::Rect& place);
void time_panel(Model& model, const render::ui::Rect& place);
void statistics_panel(Model& model, const render::ui::Rect& place);
void log_panel(Model& model, const render::ui::Rect& place);
void message_panel(Model& model, const render::ui::Rect& place);
void help_panel(Model& model);
/// Legend, scale bar, and what is shown when panels are hidden.
void overlays(Model& model, const Layout& layout, int width, int height);

/// All of them.
void panels(Model& model, int width, int height);

/// Adds up the scenes that can be opened: those that come with mote, and the neighbours of the open
/// one.
std::vector<BrowserEntry> scenes_to_browse(const std::filesystem::path& open);

}  // namespace mote::app
