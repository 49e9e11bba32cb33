#pragma once

#include <optional>
#include <string>

#include "engine/types.h"
#include "sim/expansions/multipole_settings.h"
#include "sim/gravity/direct.h"

namespace mote::sim {

/// How the forces of gravity are evaluated.
struct GravitySolver {
  std::optional<MultipoleSettings> multipole;  ///< empty: direct sums
  double accuracy = 0;  ///< relative error of 99 % of the forces; 0: round-off alone
  std::string reason;   ///< a line for the plan; "" where there was no choice
};

/// A function of the parameters, the number of bodies, precision and backend: never of the machine,
/// so that a scene has one solver. `periodic`: images of the bodies act too, by expansions. Throws
/// InputError for an accuracy that this precision cannot keep.
GravitySolver solver_of(const Gravity& parameters, bool periodic, engine::Index count,
                        engine::Backend backend, engine::Precision precision);

}  // namespace mote::sim
