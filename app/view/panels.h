#pragma once

#include <functional>

#include "app/view/window_state.h"
#include "render/ui/panel.h"

/// The panels of the window. Each displays the model and applies the user's input to it. Call
/// between Layer::begin and end.
namespace mote::app {

/// A panel that the user can move: its name and standard place, and what it shows.
struct MovablePanel {
  PanelPlace standard;
  std::function<std::string(const WindowState&)> title;
  void (*content)(WindowState&);
};
/// All of them: the single list, for layout, scripts and the file of the window.
const std::vector<MovablePanel>& movable_panels();
std::vector<PanelPlace> standard_places();

/// Rectangles [pixels].
struct Layout {
  std::vector<render::ui::Rect> panels;  ///< rectangles of Panels::places, empty for folded ones
  render::ui::Rect message;
  float scene_left = 0, scene_right = 0, scene_bottom = 0;  ///< area that panels leave free
  float free_left = 0, free_right = 0;                      ///< that nothing covers
};
Layout layout_for(const Panels& panels, int width, int height);

void scene_content(WindowState& model);
void parameter_rows(WindowState& model);
/// Where the panels are.
void place_rows(WindowState& model);
/// A list of the scene's scalars and a field for an expression. The quantity that the user chose
/// in this frame.
std::optional<sim::Quantity> choose_quantity(WindowState& model, const std::string& label,
                                             const sim::Quantity& shown);
void measurement_content(WindowState& model);
void time_content(WindowState& model);
std::string time_title(const WindowState& model);
void statistics_content(WindowState& model);
void log_content(WindowState& model);
void message_panel(WindowState& model, const render::ui::Rect& rect);
void help_panel(WindowState& model);
/// Names, scale bar, legend, notices, and the time when panels are hidden.
void overlays(WindowState& model, const Layout& layout, int width, int height);

/// All panels.
void panels(WindowState& model, int width, int height);

/// The scenes of the browser: those shipped with mote, and the open one.
std::vector<BrowserEntry> scenes_to_browse(const std::filesystem::path& open);

}  // namespace mote::app
