#pragma once

#include <cstdint>
#include <functional>

#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/math/random.h"
#include "sim/initial/bodies.h"

namespace mote::sim {

/// Position and velocity of one body.
struct PhasePoint {
  engine::Vec3d position;
  engine::Vec3d velocity;
};

/// Draws one body of a model; depends on the random sequence only.
using Sampler = std::function<PhasePoint(engine::Random&)>;

/// `n` bodies of equal mass, `mass` in total, at rest at the origin.
inline Bodies equal_masses(std::int64_t n, double mass) {
  MOTE_EXPECT(n >= 1 && mass >= 0);
  Bodies bodies;
  bodies.mass.assign(static_cast<std::size_t>(n), mass / static_cast<double>(n));
  bodies.position.resize(static_cast<std::size_t>(n));
  bodies.velocity.resize(static_cast<std::size_t>(n));
  return bodies;
}

/// Sets positions and velocities of the bodies [first, last) from `draw(random, index)`, each with
/// its own random sequence. The result is the same bit for bit for every number of threads.
template <class Draw>
void draw_bodies(Bodies& bodies, engine::Index first, engine::Index last,
                 const MakeContext& context, Draw&& draw) {
  engine::parallel_chunks(
      context.threads, last - first, [&](engine::Index begin, engine::Index end) {
        for (engine::Index i = first + begin; i < first + end; ++i) {
          engine::Random random(context.seed, context.stream, static_cast<std::uint64_t>(i));
          const PhasePoint phase = draw(random, i);
          bodies.position[static_cast<std::size_t>(i)] = phase.position;
          bodies.velocity[static_cast<std::size_t>(i)] = phase.velocity;
        }
      });
}

/// `n` bodies of equal mass, `mass` in total, each from `draw(random)`, centred if
/// `context.centre`.
template <class Draw>
Bodies generate(std::int64_t n, double mass, const MakeContext& context, Draw&& draw) {
  Bodies bodies = equal_masses(n, mass);
  draw_bodies(bodies, 0, n, context,
              [&](engine::Random& random, engine::Index) { return draw(random); });
  if (context.centre) center(bodies, context.threads);
  return bodies;
}

}  // namespace mote::sim
