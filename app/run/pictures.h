#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sim/run/extent.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// The pictures requested of a run.
struct PictureRequest {
  std::filesystem::path picture;  ///< PNG of the final state; empty: none
  std::filesystem::path movie;    ///< MP4; empty: none
  int frames = 240;               ///< number in the movie, evenly spaced in time
  double rate = 30;               ///< frames per second
  int width = 1280, height = 720;

  bool any() const { return !picture.empty() || !movie.empty(); }
};

/// Draws a simulation with OpenGL. Builds without rendering have no implementation.
class Pictures {
 public:
  virtual ~Pictures() = default;
  virtual void movie_frame(sim::Simulation& simulation) = 0;
  virtual void picture(sim::Simulation& simulation, const std::filesystem::path& file) = 0;
  /// Progress of a movie, as stored in checkpoints.
  struct MoviePosition {
    int pictures = 0;
    std::vector<int> parts = {};  ///< pictures in each part
    sim::ValueRange range = {};   ///< current colour range
    bool finished = false;        ///< a finished movie has just these pictures
  };
  /// Closes the current part of the movie, so that another process can resume it.
  virtual MoviePosition suspend_movie() = 0;
  /// Resumes a suspended movie. `first`: the simulation at the first frame, which fixed camera and
  /// exposure.
  virtual void resume_movie(sim::Simulation& first, MoviePosition position) = 0;
  /// Completes the movie and returns its path, empty if there is none. Keeps its parts if
  /// `resumable`.
  virtual std::filesystem::path finish_movie(bool resumable) = 0;
  /// Removes the parts of a finished movie; it cannot be resumed afterwards.
  virtual void discard_movie_parts() = 0;
  /// Name of the OpenGL driver.
  virtual std::string renderer() const = 0;
};

/// Throws SystemError if this machine cannot draw, InputError if this build cannot.
std::unique_ptr<Pictures> make_pictures(const sim::SceneDescription& scene,
                                        const PictureRequest& request);

/// The OpenGL driver, or why there is none, for `mote doctor`.
std::string describe_renderer();
/// Returns what --serve is built with, or why it is not.
std::string describe_server();

}  // namespace mote::app
