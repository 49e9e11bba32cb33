#include "sim/measure/pack.h"

#include "engine/exec/parallel.h"

namespace mote::sim {

void pack(const engine::Cpu& exec, const State<engine::Host>& state, const engine::PointFrame& to,
          const PackRequest& request) {
  MOTE_EXPECT(!to.on_device);
  state.visit([&](auto s) {
    const auto radius = radius_value(s, request);
    with_scalar(request.scalar, s, [&](auto value) {
      engine::parallel_chunks(exec.threads, s.count, [&](engine::Index begin, engine::Index end) {
        for (engine::Index i = begin; i < end; ++i) {
          to.positions[3 * i] = static_cast<float>(static_cast<double>(s.x[i]) - request.origin.x);
          to.positions[3 * i + 1] =
              static_cast<float>(static_cast<double>(s.y[i]) - request.origin.y);
          to.positions[3 * i + 2] =
              static_cast<float>(static_cast<double>(s.z[i]) - request.origin.z);
          to.scalars[i] = static_cast<float>(value(i));
          if (to.radii) to.radii[i] = radius(i);
        }
      });
    });
  });
}

}  // namespace mote::sim
