#pragma once

#include <optional>
#include <string>

#include "engine/types.h"
#include "sim/domain.h"

namespace mote::sim {

/// How finely the expansions are used.
struct MultipoleSettings {
  int order = 5;           ///< p, of the expansions: 3 to 8
  double fraction = 1e-3;  ///< that of Acceptance
  int leaf = 32;           ///< most bodies of a leaf
  double accuracy = 0;     ///< that they were chosen for (ForceErrors::asked)
  /// Sums and expansions in single precision, from positions in that of the state.
  bool in_single = false;
  /// On a GPU: bodies whose lists and expansions are in memory at a time. Results do not depend on
  /// it.
  engine::Index targets = 1 << 24;
  double of_pulls = 10;  ///< c of Acceptance, of masses in a periodic domain
};

/// Settings that keep this relative error for 99 % of the bodies. `order`, `leaf`: 0 to choose.
MultipoleSettings multipole_settings(double accuracy, int order, int leaf, engine::Backend backend);

/// Whether expansions of this accuracy are in single precision. Throws InputError, at the path
/// `key`, for an accuracy that this precision cannot keep.
bool sums_in_single(const std::string& key, double accuracy, engine::Precision precision);

/// Images of bodies act: the domain is periodic along all axes.
inline bool sums_images(const Domain& domain) {
  return domain.periodic[0] && domain.periodic[1] && domain.periodic[2];
}
/// Why expansions cannot sum the images of a domain, with the key to blame ("": that of the
/// forces).
struct ImagesProblem {
  std::string key, problem, remedy;
};
std::optional<ImagesProblem> problem_of_images(const Domain& domain);

}  // namespace mote::sim
