#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

#include "sim/run/plan.h"

namespace mote::app {

/// Texts name=value as settings. Throws InputError for one without "=".
sim::Settings settings_of(const std::vector<std::string>& set);

/// Options that say which scene, and what is different about it: shared by every command that reads
/// one.
struct SceneOptions {
  std::string scene;
  std::vector<std::string> set;
  std::optional<std::string> seed;
  sim::Trust trust = sim::Trust::no;

  void add_to(CLI::App& command, bool scene_required);
  /// --set and --seed as settings. Throws InputError for one without "=".
  sim::Settings settings() const;
};

/// Options that say how to compute: shared by every command that runs something.
struct ComputeOptions {
  std::string backend = "auto";
  std::string stepping = "auto";
  std::optional<std::string> precision, simd;
  std::optional<int> threads, device;
  sim::Lockstep* lockstep = nullptr;  ///< no option: of several runs in one process

  void add_to(CLI::App& command);
  sim::RunOptions options() const;
};

}  // namespace mote::app
