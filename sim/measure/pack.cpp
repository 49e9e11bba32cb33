#include "sim/measure/pack.h"

#include "engine/exec/parallel.h"

namespace mote::sim {

void pack(const engine::Cpu& exec, const State<engine::Host>& state, const PackTarget& target) {
  MOTE_EXPECT(!target.on_device);
  state.visit([&](auto s) {
    const auto radius = radius_value(s, target);
    with_scalar(target.scalar, s, [&](auto value) {
      engine::parallel_chunks(exec.threads, s.count, [&](engine::Index begin, engine::Index end) {
        for (engine::Index i = begin; i < end; ++i) {
          target.positions[3 * i] =
              static_cast<float>(static_cast<double>(s.x[i]) - target.origin.x);
          target.positions[3 * i + 1] =
              static_cast<float>(static_cast<double>(s.y[i]) - target.origin.y);
          target.positions[3 * i + 2] =
              static_cast<float>(static_cast<double>(s.z[i]) - target.origin.z);
          target.scalars[i] = static_cast<float>(value(i));
          if (target.radii) target.radii[i] = radius(i);
        }
      });
    });
  });
}

}  // namespace mote::sim
