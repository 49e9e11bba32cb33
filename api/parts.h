#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mote.h"
#include "api/painter.h"
#include "sim/run/edits.h"
#include "sim/run/energy_health.h"
#include "sim/run/hooks.h"
#include "sim/run/simulation.h"

namespace mote {

/// A simulation and all around it. Stays where it is in memory: hooks hold on to it.
struct __attribute__((visibility("hidden"))) Simulation::Parts final : private sim::HookHost {
  /// `past`: edits made before a checkpoint; `hook_data` of it.
  Parts(sim::SceneDescription scene, const sim::Plan& plan,
        std::unique_ptr<sim::Simulation> simulation, std::vector<sim::Edit> past = {},
        const engine::JsonBox& hook_data = nullptr);
  ~Parts() { painter_of_this_process(); }

  /// Steps while `target`, which may change on the way, is ahead.
  std::uint64_t advance(const std::function<std::uint64_t()>& target, const StopWish& stop);
  /// The first step at or past a time.
  std::uint64_t step_at(double time) const;
  void change(const std::string& path, const engine::ParamValue& value);
  sim::Measurement measure();
  /// Throws UnhealthyError when the simulation has become so.
  void expect_healthy() const;
  /// Whether this is a copy that fork made of a simulation on a GPU.
  bool lost_by_fork() const;
  /// `painter`; one that was made before a fork is left as it is, because the threads of its driver
  /// are its parent's.
  std::unique_ptr<api::Painter>& painter_of_this_process();

  sim::SceneDescription scene;
  sim::Plan plan;
  std::unique_ptr<sim::Simulation> simulation;
  std::vector<sim::Edit> edits;
  sim::Hooks hooks;
  std::string ended, trouble;  ///< trouble: why the simulation is unhealthy, or ""
  sim::EnergyHealth energy;
  std::unique_ptr<api::Painter> painter;

 private:
  int generation_;  ///< of forks, in which this was made

  // What hooks ask for. There is no folder of a run: rows, snapshots and pictures of hooks are left
  // out.
  void edit(const std::string& path, const engine::ParamValue& value) override {
    change(path, value);
  }
  void change_bodies(const sim::BodyChange& change) override { simulation->change_bodies(change); }
  void row(const std::string&, const sim::HookRow&) override {}
  void snapshot() override {}
  void picture(const std::string&) override {}

  void obey_hooks();
  void check(const sim::StepReport& report);
  std::uint64_t next_look() const;
  void expect_energy();
  [[noreturn]] void fail(std::string why);

  std::uint64_t looked_ = 0;  // step of the last measurement
};

}  // namespace mote
