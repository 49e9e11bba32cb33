#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sim/run/extent.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// What pictures a run makes.
struct PictureRequest {
  std::filesystem::path picture;  ///< PNG of the final state; empty: none
  std::filesystem::path movie;    ///< MP4; empty: none
  int frames = 240;               ///< of the movie, evenly spread over the run
  double rate = 30;               ///< frames a second
  int width = 1280, height = 720;

  bool any() const { return !picture.empty() || !movie.empty(); }
};

/// Draws a simulation. Two implementations: one on OpenGL, and one for builds without pictures.
class Pictures {
 public:
  virtual ~Pictures() = default;
  virtual void movie_frame(sim::Simulation& simulation) = 0;
  virtual void picture(sim::Simulation& simulation, const std::filesystem::path& file) = 0;
  /// Puts the movie by so far, to go on in another process; returns how far it is.
  struct MoviePosition {
    int pictures = 0;
    std::vector<int> parts = {};  ///< pictures in each
    sim::ValueRange range = {};   ///< of its colours by now
  };
  virtual MoviePosition put_movie_by() = 0;
  /// Goes on with a movie that was put by. `first` as it was at its first frame, which decided how
  /// it looks.
  virtual void go_on(sim::Simulation& first, MoviePosition position) = 0;
  /// Completes the movie; returns where it is, or an empty path. With `may_go_on` it still can go
  /// on.
  virtual std::filesystem::path finish_movie(bool may_go_on) = 0;
  /// A finished movie does not go on any more.
  virtual void settle_movie() = 0;
  /// The driver that draws.
  virtual std::string renderer() const = 0;
};

/// Throws SystemError when nothing can be drawn on this machine, InputError when this build cannot
/// draw.
std::unique_ptr<Pictures> make_pictures(const sim::SceneDescription& scene,
                                        const PictureRequest& request);

/// Lines for `mote doctor`: what draws, or why nothing does.
std::string describe_renderer();

}  // namespace mote::app
