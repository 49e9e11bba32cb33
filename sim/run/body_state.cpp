#include "sim/run/body_state.h"

namespace mote::sim {

BodyState body_state(const State<engine::Host>& state, engine::Index index) {
  MOTE_EXPECT(index >= 0 && index < state.count());
  return state.visit([&](auto s) {
    const auto vector = [&](auto* x, auto* y, auto* z) {
      return engine::Vec3d{static_cast<double>(x[index]), static_cast<double>(y[index]),
                           static_cast<double>(z[index])};
    };
    return BodyState{s.id[index], static_cast<double>(s.mass[index]), vector(s.x, s.y, s.z),
                     vector(s.vx, s.vy, s.vz), vector(s.ax, s.ay, s.az)};
  });
}

}  // namespace mote::sim
