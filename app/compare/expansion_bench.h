#pragma once

#include <cstdint>
#include <memory>

#include "engine/exec/policy.h"
#include "sim/expansions/multipole.h"
#include "sim/state.h"

namespace mote::app {

/// Forces by multipole expansions on one backend, to compare and time them. G = 1.
class ExpansionBench {
 public:
  virtual ~ExpansionBench() = default;

  /// Evaluates the forces `runs` times; returns the time on the backend's clock [s].
  virtual double time_forces(std::uint64_t runs) = 0;
  /// Evaluates the forces, and compares a sample with direct sums in double.
  virtual sim::ForceErrors errors() = 0;
  /// Counts of the last evaluation.
  virtual sim::MultipoleSolver::Counts counts() const = 0;
};

std::unique_ptr<ExpansionBench> host_expansions(const engine::Cpu& exec,
                                                const sim::State<engine::Host>& bodies,
                                                double softening,
                                                const sim::MultipoleSettings& settings);

/// Throws SystemError in a build without CUDA.
std::unique_ptr<ExpansionBench> device_expansions(int device,
                                                  const sim::State<engine::Host>& bodies,
                                                  double softening,
                                                  const sim::MultipoleSettings& settings);

}  // namespace mote::app
