#pragma once

#include <chrono>

#include "app/view/model.h"

namespace mote::app {

/// Screenshots and the movie of a window: does what Model::wanted asks for, and says where the
/// files are.
class CameraRoll {
 public:
  /// Writes the screenshot that is wanted, if `scene_only` is what it wants.
  void screenshot(Model& model, const render::Surface& surface, bool scene_only);
  /// Starts or ends the movie when that is wanted, and adds the frame that was drawn when it is
  /// time: 30 a second of the clock, or every frame of a script, 60 a second of the movie. A window
  /// that changes its size ends the movie.
  void movie(Model& model, const render::Surface& surface, bool every_frame);
  /// Makes a movie that is going on whole.
  void finish(Model& model);

 private:
  void toggle(Model& model);

  std::chrono::steady_clock::time_point last_{};
  double rate_ = 0;
  int width_ = 0, height_ = 0;  ///< of the movie
};

}  // namespace mote::app
