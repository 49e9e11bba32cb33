#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

#include "sim/run/plan.h"

namespace mote::app {

/// Parses name=value assignments. Throws InputError for one without "=".
sim::Settings settings_of(const std::vector<std::string>& set);

/// Options that select and modify a scene, shared by every command that reads one.
struct SceneOptions {
  std::string scene;
  std::vector<std::string> set;
  std::optional<std::string> seed;
  sim::Trust trust = sim::Trust::no;

  void add_to(CLI::App& command, bool scene_required);
  /// --set and --seed as settings. Throws InputError for an assignment without "=".
  sim::Settings settings() const;
};

/// Options for backend, precision and threads, shared by every command that steps.
struct ComputeOptions {
  std::string backend = "auto";
  std::string stepping = "auto";
  std::optional<std::string> precision, simd, devices;
  std::optional<int> threads, device;
  engine::Lockstep* lockstep = nullptr;  ///< not an option: set for batched runs in one process

  void add_to(CLI::App& command);
  sim::RunOptions options() const;
};

}  // namespace mote::app
