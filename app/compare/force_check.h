#pragma once

#include <vector>

#include "engine/math/vec.h"
#include "sim/state.h"

namespace mote::app {

/// Errors of accelerations, relative to the sum of the magnitudes of their terms, to which
/// round-off is proportional. Infinite if an acceleration is NaN.
struct ForceErrors {
  double p90 = 0, worst = 0;
};

/// Reference forces on the bodies of a state, or on an evenly spread sample of them: a plain loop
/// over the formula in double precision, G = 1. All kernels are compared with this.
class ForceReference {
 public:
  ForceReference(int threads, const sim::State<engine::Host>& state, double softening,
                 engine::Index bodies_at_most = 4096);

  /// `state`: the same bodies at the same positions, with the accelerations to check.
  ForceErrors errors_of(const sim::State<engine::Host>& state) const;

 private:
  struct Reference {
    engine::Index body;
    engine::Vec3d acceleration;
    double magnitude;
  };
  std::vector<Reference> references_;
};

/// Largest 90th percentile that round-off explains, for up to a few million bodies.
double largest_force_error(engine::Precision precision);

/// -sum m_i m_j / r_ij over pairs i < j, by a plain loop in double precision. G = 1.
double reference_potential(int threads, const sim::State<engine::Host>& state, double softening);

}  // namespace mote::app
