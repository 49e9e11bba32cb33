#pragma once

#include <chrono>

#include "app/view/model.h"

namespace mote::app {

/// Screenshots and the movie of a window, as in Model::requests; reports the file names.
class Screenshots {
 public:
  /// Writes the requested screenshot, if its `scene_only` matches.
  void screenshot(Model& model, const render::Surface& surface, bool scene_only);
  /// Starts or ends the movie on request and appends the drawn frame when due: 30 per second of the
  /// clock, or every frame of a script, at 60 frames/s. A change of the window size ends the movie.
  void movie(Model& model, const render::Surface& surface, bool every_frame);
  /// Completes a movie in progress.
  void finish(Model& model);

 private:
  void toggle(Model& model);

  std::chrono::steady_clock::time_point last_{};
  double rate_ = 0;
  int width_ = 0, height_ = 0;  ///< of the movie
};

}  // namespace mote::app
