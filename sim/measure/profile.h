#pragma once

#include <vector>

#include "engine/math/vec.h"
#include "sim/state.h"

namespace mote::sim {

/// A shell about the centre of mass.
struct ProfileShell {
  double low = 0, high = 0;  ///< radii [length]
  double mass = 0;           ///< mass where low <= radius < high; the last shell includes high
  engine::Index count = 0;   ///< bodies in the shell

  double volume() const;   ///< [length^3]
  double density() const;  ///< mass / volume
};

/// Smallest number of bodies for a profile.
inline constexpr engine::Index least_for_profile = 32;

/// Mass in logarithmic shells, from the radius that contains a thousandth of the bodies (at least
/// eight) to the outermost body; the first shell is the ball inside, with low = 0. Ignores massless
/// and non-finite bodies. Empty for fewer than `least_for_profile` bodies, or if all coincide.
std::vector<ProfileShell> density_profile(const State<engine::Host>& state);

}  // namespace mote::sim
