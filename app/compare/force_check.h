#pragma once

#include <vector>

#include "engine/math/vec.h"
#include "sim/state.h"

namespace mote::app {

/// Errors of accelerations, relative to the sum of the magnitudes of their parts: what rounding is
/// proportional to. Infinite where an acceleration is not a number.
struct ForceErrors {
  double p90 = 0, worst = 0;
};

/// The forces on the bodies of a state, or on some spread over it, summed by a plain loop over the
/// formula in double, G = 1. Every other way to sum them is judged by this one.
class ForceTruth {
 public:
  ForceTruth(int threads, const sim::State<engine::Host>& state, double softening,
             engine::Index bodies_at_most = 4096);

  /// `state`: the same bodies in the same places, with the accelerations to judge.
  ForceErrors errors_of(const sim::State<engine::Host>& state) const;

 private:
  struct Truth {
    engine::Index body;
    engine::Vec3d acceleration;
    double magnitude;
  };
  std::vector<Truth> truths_;
};

/// The largest 90th percentile that rounding explains, for a few million bodies at most.
double largest_force_error(engine::Precision precision);

/// -sum over pairs of m m / r, each pair once, by a plain loop in double. G = 1.
double plain_potential(int threads, const sim::State<engine::Host>& state, double softening);

}  // namespace mote::app
