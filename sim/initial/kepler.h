#pragma once

#include "engine/math/vec.h"

namespace mote::sim {

/// The two-body problem: Murray & Dermott (1999), Solar System Dynamics, ch. 2.

/// Eccentric anomaly E in [-pi, pi] of the mean anomaly M = E - e sin E (eq. 2.52), for 0 <= e < 1
/// and any finite M. Accurate to a few ULP for every e below 1, free of cancellation.
double eccentric_anomaly(double eccentricity, double mean_anomaly);

/// Hyperbolic anomaly F of M = e sinh F - F, e > 1.
double hyperbolic_anomaly(double eccentricity, double mean_anomaly);

/// Position and velocity relative to the primary.
struct OrbitState {
  engine::Vec3d position;
  engine::Vec3d velocity;
};

/// The state in the orbital plane, x axis towards the periapsis, counter-clockwise. `periapsis` is
/// the periapsis distance, > 0; `mu` = G times the sum of both masses, > 0. The mean anomaly
/// requires e != 1; the true anomaly requires 1 + e cos(true anomaly) > 0, for any e >= 0. Angles
/// in radians.
OrbitState state_at_mean_anomaly(double mu, double periapsis, double eccentricity,
                                 double mean_anomaly);
OrbitState state_at_true_anomaly(double mu, double periapsis, double eccentricity,
                                 double true_anomaly);

}  // namespace mote::sim
