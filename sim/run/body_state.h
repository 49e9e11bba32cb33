#pragma once

#include <cstdint>

#include "engine/math/vec.h"
#include "sim/state.h"

namespace mote::sim {

/// The state of one body.
struct BodyState {
  std::uint32_t id = 0;
  double mass = 0;
  engine::Vec3d position{}, velocity{}, acceleration{};
};

BodyState body_state(const State<engine::Host>& state, engine::Index index);

}  // namespace mote::sim
