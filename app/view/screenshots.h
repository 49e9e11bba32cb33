#pragma once

#include <chrono>

#include "app/view/window_state.h"

namespace mote::app {

/// Screenshots and the movie of a window, as in WindowState::requests; reports the file names.
class Screenshots {
 public:
  /// Writes the requested screenshot, if its `scene_only` matches.
  void screenshot(WindowState& model, const render::Surface& surface, bool scene_only);
  /// Starts or ends the movie on request and appends the drawn frame when due: 30 per second of the
  /// clock, or every frame of a script, at 60 frames/s. A change of the window size ends the movie.
  void movie(WindowState& model, const render::Surface& surface, bool every_frame);
  /// Completes a movie in progress.
  void finish(WindowState& model);

 private:
  void toggle(WindowState& model);

  std::chrono::steady_clock::time_point last_{};
  double rate_ = 0;
  int width_ = 0, height_ = 0;  ///< size of the movie
};

}  // namespace mote::app
