#include "sim/measure/displacement.h"

#include <algorithm>

namespace mote::sim {

void start_displacement(State<engine::Host>& state, engine::Index first) {
  if (!state.layout().has(fields::start)) return;
  state.visit([&](const auto& s) {
    const auto start = s[fields::start];
    std::copy(s.x + first, s.x + s.count, start[0] + first);
    std::copy(s.y + first, s.y + s.count, start[1] + first);
    std::copy(s.z + first, s.z + s.count, start[2] + first);
  });
}

}  // namespace mote::sim
