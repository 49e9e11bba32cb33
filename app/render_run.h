#pragma once

#include <filesystem>

#include "app/typed_time.h"

namespace mote::app {

/// A movie or a picture from the snapshots of a run, as the command line asks for it.
struct RenderRequest {
  std::filesystem::path run;
  std::filesystem::path camera;  ///< JSON with keys of a path (camera_file.h); empty: the scene's
                                 ///< camera stands still
  std::filesystem::path file;  ///< .mp4 or .png; empty: render.mp4, or with `at` render.png, in the
                               ///< folder of the run
  TypedTime at;                ///< of a picture; nothing: the last snapshot
  int frames = 300;            ///< of a movie
  double rate = 30;            ///< frames a second
  int width = 1280, height = 720;
  bool force = false, quiet = false;
};

/// Draws bodies at times between snapshots where these put them (sim/io/between.h). Colours,
/// brightness and camera are those of the scene that ran. Throws InputError, before anything is
/// written, and SystemError.
void render_run(const RenderRequest& request);

}  // namespace mote::app
