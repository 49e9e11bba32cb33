#pragma once

#include <filesystem>

#include "app/run/parse_time.h"
#include "engine/math/vec.h"
#include "sim/source/source.h"

namespace mote::app {

/// Options of `mote render`: a movie or a picture from the snapshots of a run.
struct RenderRequest {
  std::filesystem::path run;
  std::filesystem::path camera;  ///< camera path, JSON (camera_file.h); empty: the scene's camera,
                                 ///< at rest
  std::filesystem::path file;    ///< .mp4 or .png; empty: in the run folder, render.mp4, or
                                 ///< render.png with `at`
  TypedTime at;                  ///< time of a picture; nothing: the last snapshot
  int frames = 300;              ///< number in a movie
  double rate = 30;              ///< frames per second
  int width = 1280, height = 720;
  std::optional<std::string> overlay;  ///< replaces the scene's `view.overlay`
  std::optional<std::string> color;    ///< replaces the scene's `view.color`
  std::optional<std::string> show;     ///< replaces the scene's `view.show`
  /// How the two were asked for, for messages.
  std::string color_option = "--color ", show_option = "--show ";
  struct Clip {
    engine::Vec3d normal;
    double offset;
  };
  std::optional<Clip> clip;  ///< replaces the scene's `view.clip`
  sim::Settings view;        ///< any other key of `view`, by its path
  bool force = false, quiet = false;
};

/// Draws a stored run, interpolating between snapshots (sim/io/interpolate.h). Colours, brightness
/// and camera are those of the scene that ran. Throws InputError before anything is written, and
/// SystemError.
void render_run(const RenderRequest& request);

}  // namespace mote::app
