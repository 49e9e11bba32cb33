#include "engine/algo/for_each.cuh"
#include "sim/fixed/fixed.h"

namespace mote::sim {

void DeviceFixedForce::run(const engine::Cuda& exec, State<engine::Device>& state,
                           const ForceRequest& request, StepReport&) {
  hold_fixed(exec, state, request);
}

}  // namespace mote::sim
