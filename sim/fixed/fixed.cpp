#include "sim/fixed/fixed.h"

#include "engine/exec/parallel.h"
#include "sim/space/ball_fields.h"

namespace mote::sim {

void FixedForce::run(const engine::Cpu& exec, State<engine::Host>& state, StepReport&) {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    const Real* const fixed = s[fields::fixed];
    const VectorColumns<Real> spin_rate = s[fields::spin_rate];
    engine::parallel_chunks(exec.threads, s.count, [&](engine::Index begin, engine::Index end) {
      for (engine::Index i = begin; i < end; ++i) hold(s, fixed, spin_rate, i);
    });
  });
}

}  // namespace mote::sim
