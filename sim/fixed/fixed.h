#pragma once

#include "engine/algo/for_each.h"
#include "engine/exec/policy.h"
#include "sim/division.h"
#include "sim/force_request.h"
#include "sim/space/ball_fields.h"
#include "sim/space/fixed_field.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Clears the accelerations of the k-th body that is asked for, if it is fixed.
template <class Real>
struct Hold {
  StateView<Real> s;
  const Real* fixed;
  VectorColumns<Real> spin_rate;
  const std::uint32_t* slots;
  VectorColumns<double> jerks;
  MOTE_HOST_DEVICE void operator()(engine::Index k) const {
    const engine::Index i = chosen_slot(slots, k);
    if (fixed[i] == 0) return;
    s.ax[i] = s.ay[i] = s.az[i] = 0;
    if (spin_rate[0]) spin_rate[0][i] = spin_rate[1][i] = spin_rate[2][i] = 0;
    if (jerks[0]) jerks[0][i] = jerks[1][i] = jerks[2][i] = 0;
  }
};

/// Calls for_each() with the Hold of a request.
template <class Exec>
void hold_fixed(const Exec& exec, State<typename Exec::Space>& state, const ForceRequest& request) {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    for_each(exec, request.targets.of(s.count),
             Hold<Real>{s, s[fields::fixed], s[fields::spin_rate], request.targets.slots,
                        request.jerks});
  });
}

/// Fixed bodies on the CPU, by fields::fixed. Runs after all other forces. What they exert on
/// others is unchanged.
struct FixedForce {
  static constexpr bool follows_order = true;
  static constexpr CopiesNeeded copies_needed = CopiesNeeded::none;
  void run(const engine::Cpu& exec, State<engine::Host>& state, const ForceRequest& request,
           StepReport& report);
};

/// FixedForce on a GPU.
struct DeviceFixedForce {
  static constexpr bool follows_order = true;
  static constexpr CopiesNeeded copies_needed = CopiesNeeded::none;
  void run(const engine::Cuda& exec, State<engine::Device>& state, const ForceRequest& request,
           StepReport& report);
};

}  // namespace mote::sim
