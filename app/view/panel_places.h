#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/params.h"

namespace mote::app {

/// Where the user has put a panel. The window keeps it between runs.
struct PanelPlace {
  std::string panel;  ///< its name, as in scripts
  std::string edge = "left";
  double width = 21, height = 16;  ///< at the sides, at the lower edge [heights of text]
  bool folded = false;             ///< into its button, or hidden if it has none
  std::string button = {};         ///< label of its button; empty: none, a key shows it
  bool operator==(const PanelPlace&) const = default;
};
/// The parameters of a place that the user may change, for the file of the window and for its panel
/// of places.
const engine::ParamTable<PanelPlace>& place_table();

/// Visibility and places of the panels.
struct Panels {
  bool all = true;  ///< Tab
  bool browser = true, histogram = true;
  bool help = false;
  std::vector<PanelPlace> standard;  ///< places of all panels
  /// Panels in stacking order: from the top at the sides, from the bottom at the lower edge.
  std::vector<PanelPlace> places;
  bool has_room = true;        ///< the window is wide enough for panels beside the scene
  std::set<std::string> over;  ///< panels unfolded over the scene where there is no room

  PanelPlace& place(const std::string& panel);
  const PanelPlace& place(const std::string& panel) const;
  /// Whether a panel is unfolded in this window. Where there is no room, panels at the sides that
  /// have a button are folded by themselves.
  bool shown(const PanelPlace& place) const;
  bool shown(const std::string& panel) const { return shown(place(panel)); }
  void show(const std::string& panel, bool on);
  void toggle(const std::string& panel) { show(panel, !shown(panel)); }
  /// Moves a panel to an edge, before the panel that is now at this index of `places`; it takes the
  /// size of the panels that are there.
  void move(const std::string& panel, const std::string& edge, std::size_t before);
  /// Sets the size at its edge; panels at one side share their width.
  void resize(const std::string& panel, double size);
  /// Puts all panels into their standard places.
  void reset();

 private:
  bool folds_by_itself(const PanelPlace& place) const;
  /// A shown panel at an edge other than `except`, or null.
  const PanelPlace* neighbour(const std::string& edge, const std::string& except) const;
};

/// Writes places as JSON, for the file of the window.
std::string text_of(const std::vector<PanelPlace>& places);
/// Reads such a text, for panels with these standard places. Panels that it lacks keep their
/// standard places; what this version does not know is ignored, since another one may have written
/// it. Throws InputError at `location` for anything else that is wrong.
std::vector<PanelPlace> places_in(const std::string& text, const std::string& location,
                                  std::vector<PanelPlace> standard);

}  // namespace mote::app
