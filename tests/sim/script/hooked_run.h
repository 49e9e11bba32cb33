#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/json.h"
#include "sim/output/checkpoint.h"
#include "sim/schedule.h"
#include "sim/script/run_loop.h"
#include "tests/support/backend.h"

namespace mote::test {

/// A scene with these hooks: a light cluster and a comet, steps of 1/64, so that times are exact.
inline std::string hooked_text(const std::string& hooks, const std::string& before = "") {
  return before + R"(
    return {
      gravity = { softening = 0.0625 },
      integrator = { "leapfrog", dt = 0.015625 },
      seed = 5,
      bodies = {
        { name = "comet", mass = 0, position = { 3, 0.5, 0 }, velocity = { 0, 0.25, 0.125 } },
        plummer { n = 15 },
      },
)" + hooks +
         "}";
}

/// A run that records what its hooks write as lines.
class HookedRun : private sim::RunHost {
 public:
  HookedRun(const sim::SceneDescription& scene, engine::Backend backend)
      : HookedRun(scene, sim::make_plan(scene, {.backend = backend,
                                                .precision = engine::Precision::double_,
                                                .threads = 1})) {}
  HookedRun(const sim::SceneDescription& scene, const sim::Plan& plan)
      : scene_(scene),
        plan_(plan),
        simulation_(sim::open_simulation(scene_, plan_)),
        steps_(*simulation_),
        loop_(scene_, *simulation_, steps_, *this, nullptr, sim::EnergyHealth(scene_)) {
    loop_.measure();
  }
  HookedRun(const sim::Checkpoint& checkpoint, engine::Backend backend)
      : scene_(sim::scene_of(checkpoint)),
        plan_(sim::make_plan(scene_, options_of(checkpoint, {.backend = backend, .threads = 1}))),
        simulation_(sim::open_checkpoint(checkpoint, scene_, plan_)),
        steps_(*simulation_, checkpoint.edits),
        loop_(scene_, *simulation_, steps_, *this, checkpoint.hook_data,
              sim::EnergyHealth(scene_)) {}

  /// Steps to `step`, at most `slice` steps at once; ends early if a hook requests it.
  HookedRun& to(std::uint64_t step, std::uint64_t slice = sim::never) {
    loop_.start();
    while (simulation_->step() < step && !loop_.ended()) {
      const std::uint64_t now = simulation_->step(), end = now + std::min(step - now, slice);
      loop_.advance([end] { return end; }, 0, {});
    }
    return *this;
  }
  void save(const std::filesystem::path& file) {
    sim::write_checkpoint(file, *simulation_, scene_, plan_, edits(), hooks().data());
  }

  sim::Simulation& simulation() { return *simulation_; }
  sim::Hooks& hooks() { return loop_.hooks(); }
  sim::RunLoop& loop() { return loop_; }
  const std::vector<std::string>& lines() const { return lines_; }
  std::string all() const {
    std::string text;
    for (const std::string& line : lines_) text += (text.empty() ? "" : "; ") + line;
    return text;
  }
  std::span<const sim::Edit> edits() const { return steps_.edits_so_far(); }

 private:
  void row(const std::string& name, const sim::HookRow& row) override {
    std::string line = name + "@" + std::to_string(simulation_->step());
    for (const auto& [column, value] : row) line += " " + column + "=" + engine::text_of(value);
    lines_.push_back(line);
  }
  void snapshot() override { lines_.push_back("snapshot@" + std::to_string(simulation_->step())); }
  void picture(const std::string& name) override { lines_.push_back("picture " + name); }

  sim::SceneDescription scene_;
  sim::Plan plan_;
  std::unique_ptr<sim::Simulation> simulation_;
  std::vector<std::string> lines_;
  sim::RepeatedEdits steps_;
  sim::RunLoop loop_;
};

}  // namespace mote::test
