#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/field/fields.h"
#include "sim/state.h"

namespace mote::sim {

/// Whether expressions can be evaluated on a GPU here.
struct ExpressionSupport {
  std::string problem, remedy;  ///< why not; empty if they can
  std::string note;             ///< how they are evaluated, in one line
};

/// Expressions of a scene on a GPU: CUDA source is generated, compiled by NVRTC when a scene opens,
/// and loaded as a library of kernels. On the emulated device the CPU code evaluates them. All
/// calls are asynchronous. `t`: the time, in device memory.
class ExpressionKernels {
 public:
  /// The support on GPUs of a compute capability ("9.0").
  static ExpressionSupport support(const std::string& compute_capability);

  ExpressionKernels(const engine::Cuda& exec, const std::vector<Field>& fields,
                    engine::Precision precision, int evaluations);
  ~ExpressionKernels();
  ExpressionKernels(ExpressionKernels&&) noexcept;

  /// Adds the expressions that do not depend on velocities to the accelerations.
  void add(const engine::Cuda& exec, State<engine::Device>& state, const double* t);
  /// Kicks by the accelerations and the velocity-dependent expressions; does nothing if *halted is
  /// not 0.
  void kick(const engine::Cuda& exec, State<engine::Device>& state, double h, const double* t,
            const unsigned* halted);
  /// Adds the potentials to `phi`, by body index.
  void add_potentials(const engine::Cuda& exec, const State<engine::Device>& state, const double* t,
                      double* phi);

 private:
  struct Loaded;
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace mote::sim
