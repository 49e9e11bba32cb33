#pragma once

#include <atomic>
#include <filesystem>
#include <future>
#include <map>
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
  sim::Trust trust = sim::Trust::no;
};

/// A scene that is ready to run.
struct Opened {
  OpenRequest request;
  sim::SceneDescription scene;
  sim::Plan plan;
  std::unique_ptr<sim::Simulation> simulation;
  std::vector<sim::Edit> past = {};     ///< of a checkpoint: made before it was written
  engine::JsonBox hook_data = nullptr;  ///< and what hooks kept
  double seconds = 0;                   ///< that opening took
  sim::Settings in_file = {};  ///< what the file itself says where something may have been set
  std::map<std::string, std::string> same = {};  ///< parameters of the scene that are live ones and
                                                 ///< nothing else
};

Opened open(const OpenRequest& request);

/// Where the CPU steps, one core is for the window, unless threads were asked for: else drawing
/// waits behind threads that never sleep. Numbers do not depend on threads.
void leave_a_core(sim::RunOptions& options);

/// Opens scenes in a thread of its own, so that a window answers while millions of bodies are made.
class Opener {
 public:
  ~Opener();
  /// One at a time: what is being opened is cancelled first.
  void start(const OpenRequest& request);
  bool busy() const { return future_.valid(); }
  /// The last one.
  const OpenRequest& request() const { return request_; }
  /// Whether its file was written since it was read; false while that is going on.
  bool is_outdated() const;
  /// Nothing while it works. Throws what opening threw.
  std::optional<Opened> take();

 private:
  void begin();

  OpenRequest request_;
  bool again_ = false;  ///< another one was asked for meanwhile
  std::filesystem::path file_;
  std::map<std::filesystem::path, std::filesystem::file_time_type> written_;  ///< the files it was
                                                                              ///< read from, and
                                                                              ///< when
  std::atomic<bool> cancelled_{false};  ///< what is being opened is not wanted any more
  std::future<Opened> future_;
};

}  // namespace mote::app
