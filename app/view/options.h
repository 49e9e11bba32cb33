#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/run/parse_time.h"
#include "app/view/opening.h"
#include "render/serve/address.h"

namespace mote::app {

/// Options of `mote view`.
struct ViewOptions {
  OpenRequest open;  ///< `scene` empty: the scene browser
  int width = 1280, height = 720;
  TypedTime until;  ///< pauses there first, instead of at the scene's stop
  std::optional<std::int64_t> steps;
  bool offscreen = false;                          ///< draws into memory, without a window
  bool paused = false;                             ///< does not start running
  std::string share = "auto";                      ///< auto, interop, copy
  std::string splat = "auto";                      ///< auto, raster, compute
  std::uint64_t history = std::uint64_t{1} << 30;  ///< bytes
  double ui_scale = 0;  ///< scale of panels and text; 0: that of the display
  /// File of the places of panels, or empty for none; by default the user's, and none for scripts
  /// and pictures, which shall be the same on every machine.
  std::optional<std::filesystem::path> layout;
  std::filesystem::path drive;                        ///< script to play; empty: none
  std::optional<render::serve::ServerOptions> serve;  ///< to browsers, in place of a window
  bool addresses_on_stderr = false;                   ///< since standard output has JSON
  std::optional<std::int64_t> frames;                 ///< ends after so many
  std::optional<std::filesystem::path> record;        ///< folder of the run; empty: out, out-2, ...
  bool force = false;
  std::vector<std::string> command_line;
};

}  // namespace mote::app
