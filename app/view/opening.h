#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>

#include "sim/run/simulation.h"

namespace mote::app {

/// What is to be opened.
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
  double seconds = 0;  ///< that opening took
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
