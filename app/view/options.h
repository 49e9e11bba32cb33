#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/typed_time.h"
#include "app/view/opening.h"

namespace mote::app {

/// What `mote view` was asked for.
struct ViewOptions {
  OpenRequest open;  ///< `scene` empty: the scene browser
  int width = 1280, height = 720;
  TypedTime until;  ///< stop there, at first, instead of where the scene says
  std::optional<std::int64_t> steps;
  bool offscreen = false;                          ///< draw into memory, without a window
  bool paused = false;                             ///< do not start running
  std::string share = "auto";                      ///< auto, interop, copy
  std::string splat = "auto";                      ///< auto, raster, compute
  std::uint64_t history = std::uint64_t{1} << 30;  ///< bytes
  double ui_scale = 0;                             ///< size of the panels; 0: that of the display
  std::filesystem::path drive;                     ///< a script of input; empty: none
  std::optional<std::int64_t> frames;              ///< end after so many
  std::optional<std::filesystem::path> record;     ///< folder of the run; empty: out, out-2, ...
  bool force = false;
  std::vector<std::string> command_line;
};

}  // namespace mote::app
