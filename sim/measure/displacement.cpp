#include "sim/measure/displacement.h"

#include <algorithm>

namespace mote::sim {

void start_displacement(State<engine::Host>& state, engine::Index first) {
  if (!state.layout().has(Extra::start_x)) return;
  state.visit([&](const auto& s) {
    std::copy(s.x + first, s.x + s.count, s[Extra::start_x] + first);
    std::copy(s.y + first, s.y + s.count, s[Extra::start_y] + first);
    std::copy(s.z + first, s.z + s.count, s[Extra::start_z] + first);
  });
}

}  // namespace mote::sim
