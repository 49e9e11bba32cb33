#pragma once

#include <cmath>
#include <numbers>

#include "engine/math/random.h"
#include "engine/math/vec.h"

namespace mote::sim {

/// A vector of the given length in a random direction; on a sphere, z and azimuth are uniform.
inline engine::Vec3d draw_direction(engine::Random& random, double length) {
  const double z = random.uniform(-1, 1);
  const double azimuth = random.uniform(0, 2 * std::numbers::pi);
  const double across = length * std::sqrt(1 - z * z);
  return {across * std::cos(azimuth), across * std::sin(azimuth), length * z};
}

/// Three independent normal deviates of variance 1 (Box & Muller 1958, Ann. Math. Stat. 29, 610).
inline engine::Vec3d draw_normal(engine::Random& random) {
  // Separate statements: the evaluation order within one expression is unspecified.
  const double r = std::sqrt(-2 * std::log(random.uniform()));
  const double azimuth = random.uniform(0, 2 * std::numbers::pi);
  const double r2 = std::sqrt(-2 * std::log(random.uniform()));
  const double azimuth2 = random.uniform(0, 2 * std::numbers::pi);
  return {r * std::cos(azimuth), r * std::sin(azimuth), r2 * std::cos(azimuth2)};
}

}  // namespace mote::sim
