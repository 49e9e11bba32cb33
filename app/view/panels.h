#pragma once

#include "app/view/model.h"
#include "render/ui/panel.h"

/// The panels of the window. Each displays the model and applies the user's input to it. Call
/// between Layer::begin and end.
namespace mote::app {

/// Rectangles of the panels [pixels]. Left: the scene; right: measurements; bottom: time.
struct Layout {
  render::ui::Rect left, right, bottom, statistics, log, message;
  float scene_left = 0, scene_right = 0, scene_bottom = 0;  ///< area that panels leave free
  bool has_room = true;                                     ///< for panels beside the scene
  bool left_unfolded = true, right_unfolded = true;
};
Layout layout_for(const Model& model, int width, int height);

/// `open`: set to false when the user folds the panel.
void scene_panel(Model& model, const render::ui::Rect& rect, bool& open);
void parameter_rows(Model& model);
/// A list of the scene's scalars and a field for an expression. The quantity that the user chose
/// in this frame.
std::optional<sim::Quantity> choose_quantity(Model& model, const std::string& label,
                                             const sim::Quantity& shown);
void measurement_panel(Model& model, const render::ui::Rect& rect, bool& open);
void time_panel(Model& model, const render::ui::Rect& rect);
void statistics_panel(Model& model, const render::ui::Rect& rect);
void log_panel(Model& model, const render::ui::Rect& rect);
void message_panel(Model& model, const render::ui::Rect& rect);
void help_panel(Model& model);
/// Names, scale bar, legend, notices, and the time when panels are hidden.
void overlays(Model& model, const Layout& layout, int width, int height);

/// All panels.
void panels(Model& model, int width, int height);

/// The scenes of the browser: those shipped with mote, and the open one.
std::vector<BrowserEntry> scenes_to_browse(const std::filesystem::path& open);

}  // namespace mote::app
