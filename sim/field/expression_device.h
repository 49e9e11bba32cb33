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
  std::string problem, remedy;  ///< why not; empty when they can
  std::string note;             ///< how, in one line
};

/// Expressions of a scene on a GPU: the generated source, compiled when a scene opens and loaded as
/// a library of kernels. A build for the emulated device evaluates them as the CPU does. Nothing
/// waits. `t`: the time, on the device.
class ExpressionKernels {
 public:
  /// On GPUs of a compute capability ("9.0").
  static ExpressionSupport support(const std::string& compute_capability);

  ExpressionKernels(const engine::Cuda& exec, const std::vector<Field>& fields,
                    engine::Precision precision, int evaluations);
  ~ExpressionKernels();
  ExpressionKernels(ExpressionKernels&&) noexcept;

  /// Adds those that do not depend on velocities to the accelerations.
  void add(const engine::Cuda& exec, State<engine::Device>& state, const double* t);
  /// Kicks by the accelerations and those that do; nobody, when the number at `halted` is not zero.
  void kick(const engine::Cuda& exec, State<engine::Device>& state, double h, const double* t,
            const unsigned* halted);
  /// Adds the potentials to `phi`, one a body.
  void add_potentials(const engine::Cuda& exec, const State<engine::Device>& state, const double* t,
                      double* phi);

 private:
  struct Loaded;
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace mote::sim
