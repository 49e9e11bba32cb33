#pragma once

#include <optional>
#include <string>

#include "engine/types.h"
#include "sim/gravity/direct.h"
#include "sim/gravity/multipole/multipole.h"

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
