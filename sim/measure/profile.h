#pragma once

#include <vector>

#include "engine/math/vec.h"
#include "sim/state.h"

namespace mote::sim {

/// A shell about the centre of mass.
struct ProfileShell {
  double low = 0, high = 0;  ///< radii [length]
  double mass = 0;  ///< of the bodies with low <= radius < high, in the last shell also at its end
  engine::Index count = 0;  ///< of them

  double volume() const;   ///< [length^3]
  double density() const;  ///< mass / volume
};

/// Fewer bodies have no profile.
inline constexpr engine::Index least_for_profile = 32;

/// Mass in shells whose radii have one ratio, from the radius that holds a thousandth of the
/// bodies, eight at least, to the outermost body; the innermost part is a ball, the first shell
/// with low = 0. Bodies without mass and those that are not finite do not count. None where fewer
/// than `least_for_profile` bodies are left, or all are in one place.
std::vector<ProfileShell> density_profile(const State<engine::Host>& state);

}  // namespace mote::sim
