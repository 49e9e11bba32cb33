#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "api/mote.h"
#include "api/painter.h"
#include "sim/run/simulation.h"
#include "sim/script/run_loop.h"

namespace mote {

/// A simulation with its scene, hooks and health checks. Not movable: hooks reference it.
struct __attribute__((visibility("hidden"))) Simulation::Parts final : private sim::RunHost {
  /// Measures the initial energy and runs the hooks of the start. `past`: edits before the
  /// checkpoint that is resumed; `hook_data`: its contents of sim.data.
  Parts(sim::SceneDescription scene, const sim::Plan& plan,
        std::unique_ptr<sim::Simulation> simulation, std::vector<sim::Edit> past = {},
        const engine::JsonBox& hook_data = nullptr);
  ~Parts() { painter_of_this_process(); }  // releases a painter made before a fork

  /// Advances to step `target()`, evaluated again after each energy check and hook, since hooks may
  /// change dt. Stops early if `stop` returns true or a hook ends the run. Returns the number of
  /// steps taken. Throws UnhealthyError.
  std::uint64_t advance(const std::function<std::uint64_t()>& target, const StopWish& stop);
  /// The first step at or after `time`, with the current dt.
  std::uint64_t step_at(double time) const;
  /// Before the program changes the bodies. Throws UnhealthyError.
  void begin_change();
  /// A time of the scene from text, "10 Myr".
  double time_of(const std::string& text) const;
  /// The last step by the scene's `stop`.
  std::uint64_t last_step() const;
  /// Throws InputError if that sets no end.
  void expect_end() const;
  sim::Measurement measure() { return loop.measure(); }
  /// Throws UnhealthyError if the simulation has become unhealthy.
  void expect_healthy() const;
  /// True in a child process made by fork, for a simulation on a GPU.
  bool lost_by_fork() const;
  /// The painter, or null. One made before a fork is released without being destroyed, because its
  /// driver's threads exist only in the parent.
  std::unique_ptr<api::Painter>& painter_of_this_process();

  sim::SceneDescription scene;
  sim::Plan plan;
  std::unique_ptr<sim::Simulation> simulation;
  sim::RepeatedEdits steps;
  sim::RunLoop loop;
  std::string ended;      ///< the reason why a hook ended the run, or ""
  bool exported = false;  ///< a program may hold pointers to columns
  bool changed = false;   ///< a program has changed the bodies, so that columns are reallocated
  std::string problem;    ///< why the simulation is unhealthy, or ""
  std::unique_ptr<api::Painter> painter;
  std::atomic<std::thread::id> stepping{};  ///< the thread that steps, if one does

 private:
  int generation_;  ///< engine::fork_generation() at construction

  // RunHost. The library writes no run folder: rows, snapshots and pictures of hooks are dropped.
  std::uint64_t next_due(const sim::Clock&) override { return next_check_ = next_check(); }
  bool on_measurement(const sim::Measurement& measured) override {
    last_check_ = measured.step;
    return true;
  }
  /// Measures for the energy check, before hooks change the state.
  void on_steps(const sim::StepReport& report) override;

  /// Ends the run or fails, if the loop has found a reason.
  void handle_end();
  std::uint64_t next_check() const;

  std::uint64_t last_check_ = 0, next_check_ = 0;  // steps of measurements
};

}  // namespace mote
