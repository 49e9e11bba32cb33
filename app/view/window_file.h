#pragma once

#include <filesystem>
#include <vector>

#include "app/view/panel_places.h"

namespace mote::app {

/// Where the window keeps the places of its panels: mote/window.json in $XDG_CONFIG_HOME or
/// ~/.config; empty if neither is set.
std::filesystem::path usual_window_file();

/// The file of the window. Its problems are logged and never end the program.
class WindowFile {
 public:
  /// Reads the file if there is one; an empty path: nothing is read or written.
  WindowFile(std::filesystem::path path, Panels& panels);
  /// Writes the places once they have changed, and no longer change from call to call as while a
  /// panel is dragged.
  void update(const Panels& panels);
  /// Writes a last change.
  void finish(const Panels& panels);

 private:
  void write(const Panels& panels);

  std::filesystem::path path_;
  std::vector<PanelPlace> written_, last_;
};

}  // namespace mote::app
