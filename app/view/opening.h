#pragma once

#include <atomic>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/history/edits.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// A request to open a scene, a checkpoint (.h5) to resume, or a table of bodies (.csv).
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
  std::vector<sim::Edit> edits = {};    ///< edits made before the checkpoint was written
  engine::JsonBox hook_data = nullptr;  ///< `sim.data` of the hooks of a checkpoint
  double seconds = 0;                   ///< duration of opening
  sim::Settings file_settings = {};     ///< values in the file, without the request's settings
};

Opened open(const OpenRequest& request);

/// Reserves one core for the window when the CPU runs the simulation, unless a number of threads
/// was given: threads poll between loops, and drawing would wait for them. Results do not depend on
/// threads.
void reserve_core(sim::RunOptions& options);

/// Opens scenes in a dedicated thread, so that a window responds while millions of bodies are made.
class Opener {
 public:
  ~Opener();
  /// One at a time: an opening in progress is cancelled first.
  void start(const OpenRequest& request);
  bool busy() const { return future_.valid(); }
  /// The last request.
  const OpenRequest& request() const { return request_; }
  /// Whether its file was written since it was read; false while opening.
  bool is_outdated() const;
  /// The opened scene, once; nothing while opening. Throws what opening threw.
  std::optional<Opened> poll();

 private:
  void begin();

  OpenRequest request_;
  bool restart_ = false;  ///< another scene was requested meanwhile
  std::filesystem::path file_;
  /// Write times of the files that the scene was read from.
  std::map<std::filesystem::path, std::filesystem::file_time_type> write_times_;
  std::atomic<bool> cancelled_{false};  ///< cancels the opening in progress
  std::future<Opened> future_;
};

}  // namespace mote::app
