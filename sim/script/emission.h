#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/model/body_events.h"
#include "sim/run/simulation.h"
#include "sim/script/hook_host.h"

namespace mote::sim {

/// The BodyEvents of all modules of a scene, run between the steps of a simulation.
class Emission {
 public:
  /// `stop`: time at which the run ends. All references outlive this. Throws InputError when memory
  /// cannot hold the bodies to be added.
  Emission(const Model& model, std::optional<double> stop, Simulation& simulation, HookHost& host);

  /// The first step after the present one at which bodies may be added or removed; `never` if none.
  std::uint64_t next() const;
  /// Runs what is due at the present step. Throws InputError when bodies cannot be added.
  void run_due();

 private:
  std::vector<std::unique_ptr<BodyEvents>> events_;
  Simulation& simulation_;
  HookHost& host_;
};

/// True if bodies appear or vanish by themselves.
bool changes_bodies(const Model& model);

}  // namespace mote::sim
