#include "engine/exec/launch.cuh"
#include "sim/fixed/fixed.h"
#include "sim/space/ball_fields.h"

namespace mote::sim {
namespace {

constexpr unsigned fixed_threads = 256;

template <class Real>
__global__ void __launch_bounds__(fixed_threads)
    hold_all(StateView<Real> s, const Real* fixed, VectorColumns<Real> spin_rate) {
  const auto i = static_cast<engine::Index>(blockIdx.x) * fixed_threads + threadIdx.x;
  if (i < s.count) hold(s, fixed, spin_rate, i);
}

}  // namespace

void DeviceFixedForce::run(const engine::Cuda& exec, State<engine::Device>& state, StepReport&) {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    const auto blocks = engine::blocks_for(s.count, fixed_threads);
    engine::launch(exec, {blocks, fixed_threads}, hold_all<Real>, s,
                   static_cast<const Real*>(s[fields::fixed]),
                   VectorColumns<Real>(s[fields::spin_rate]));
  });
}

}  // namespace mote::sim
