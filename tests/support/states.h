#pragma once

#include "engine/math/random.h"
#include "sim/state.h"

namespace mote::test {

/// Random positions in a cube of side 2, random velocities, masses between 0.5 / count and
/// 1.5 / count; species 0 to 3 in turn if `with_species`.
inline sim::State<engine::Host> random_state(engine::Index count, engine::Precision precision,
                                             std::uint64_t seed = 7, bool with_species = false) {
  sim::State<engine::Host> state(count, precision, {.species = with_species});
  state.visit([&]<class Real>(sim::StateView<Real> s) {
    for (engine::Index i = 0; i < count; ++i) {
      engine::Random random(seed, 0, static_cast<std::uint64_t>(i));
      state.id()[i] = static_cast<std::uint32_t>(i);
      if (with_species) state.species()[i] = static_cast<std::uint8_t>(i % 4);
      for (Real* column : {s.x, s.y, s.z, s.vx, s.vy, s.vz})
        column[i] = static_cast<Real>(random.uniform(-1, 1));
      s.mass[i] = static_cast<Real>(random.uniform(0.5, 1.5) / static_cast<double>(count));
    }
  });
  return state;
}

}  // namespace mote::test
