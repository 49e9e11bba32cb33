#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/edits.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// What is to be opened: a scene, or a checkpoint (.h5) to go on from.
struct OpenRequest {
  std::filesystem::path scene;
  sim::Settings settings;
  sim::RunOptions options;
};

/// A scene that is ready to run.
struct Opened {
  OpenRequest request;
  sim::SceneDescription scene;
  sim::Plan plan;
  std::unique_ptr<sim::Simulation> simulation;
  std::vector<sim::Edit> past;  ///< of a checkpoint: made before it was written
  double seconds = 0;           ///< that opening took
};

Opened open(const OpenRequest& request);

/// Opens scenes in a thread of its own, so that a window answers while millions of bodies are made.
class Opener {
 public:
  ~Opener();
  /// One at a time: waits for the one before.
  void start(const OpenRequest& request);
  bool busy() const { return future_.valid(); }
  const OpenRequest& request() const { return request_; }
  /// Nothing while it works. Throws what opening threw.
  std::optional<Opened> take();

 private:
  OpenRequest request_;
  std::future<Opened> future_;
};

}  // namespace mote::app
