#pragma once

#include <memory>
#include <string>

#include "app/run/run_request.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// A Watcher shows a run while it goes on, and never changes it. The thread of the run calls it
/// between steps.
class Watcher {
 public:
  virtual ~Watcher() = default;

  /// A Run is what the watcher shows.
  struct Run {
    const HeadlessRequest& request;
    const sim::SceneDescription& scene;
    const sim::Plan& plan;
    std::filesystem::path folder;
    sim::Simulation& simulation;  ///< must live until `end` is called
  };
  /// The bodies are made.
  virtual void begin(const Run& run) = 0;
  /// Tells whether the run has to call `visit` now. It may be asked after every step.
  virtual bool wants_visit() const = 0;
  /// `last`: the last step of the run, as far as it is known.
  virtual void visit(std::uint64_t last) = 0;
  virtual void add_row(const sim::Measurement& measurement) = 0;
  /// `how`: how the run has ended, or why it has failed.
  virtual void end(const std::string& how) = 0;
};

/// Serves the window of a run to browsers, and prints how they get there. Throws like open_surface,
/// before anything of the run is written.
std::unique_ptr<Watcher> serve_run(const HeadlessRequest& request);

}  // namespace mote::app
