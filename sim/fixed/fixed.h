#pragma once

#include "engine/exec/policy.h"
#include "sim/space/fixed_field.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Clears the accelerations of a body that is fixed.
template <class Real>
MOTE_HOST_DEVICE void hold(const StateView<Real>& s, const Real* fixed,
                           const VectorColumns<Real>& spin_rate, engine::Index i) {
  if (fixed[i] == 0) return;
  s.ax[i] = s.ay[i] = s.az[i] = 0;
  if (spin_rate[0]) spin_rate[0][i] = spin_rate[1][i] = spin_rate[2][i] = 0;
}

/// Fixed bodies on the CPU, by fields::fixed. Runs after all other forces. What they exert on
/// others is unchanged.
struct FixedForce {
  static constexpr bool follows_order = true;
  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport& report);
};

/// FixedForce on a GPU.
struct DeviceFixedForce {
  static constexpr bool follows_order = true;
  void run(const engine::Cuda& exec, State<engine::Device>& state, StepReport& report);
};

}  // namespace mote::sim
