#pragma once

#include <cstdint>

#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/math/random.h"
#include "sim/initial/bodies.h"

namespace mote::sim {

/// Position and velocity of one body.
struct Phase {
  engine::Vec3d position;
  engine::Vec3d velocity;
};

/// `n` bodies of equal mass, `mass` in all, each from `draw(random)` with its own random sequence, and
/// centred. The result has the same bits for every number of threads.
template <class Draw>
Bodies generate(std::int64_t n, double mass, const MakeContext& context, Draw&& draw) {
  MOTE_EXPECT(n >= 1 && mass >= 0);
  Bodies bodies;
  bodies.mass.assign(static_cast<std::size_t>(n), mass / static_cast<double>(n));
  bodies.position.resize(static_cast<std::size_t>(n));
  bodies.velocity.resize(static_cast<std::size_t>(n));
  engine::parallel_chunks(context.threads, n, [&](engine::Index begin, engine::Index end) {
    for (engine::Index i = begin; i < end; ++i) {
      engine::Random random(context.seed, context.stream, static_cast<std::uint64_t>(i));
      const Phase phase = draw(random);
      bodies.position[static_cast<std::size_t>(i)] = phase.position;
      bodies.velocity[static_cast<std::size_t>(i)] = phase.velocity;
    }
  });
  center(bodies);
  return bodies;
}

}  // namespace mote::sim
