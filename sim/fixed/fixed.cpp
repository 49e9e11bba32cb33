#include "sim/fixed/fixed.h"

namespace mote::sim {

void FixedForce::run(const engine::Cpu& exec, State<engine::Host>& state,
                     const ForceRequest& request, StepReport&) {
  hold_fixed(exec, state, request);
}

}  // namespace mote::sim
