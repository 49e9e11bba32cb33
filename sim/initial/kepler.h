#pragma once

#include "engine/math/vec.h"

namespace mote::sim {

/// Motion of two bodies about each other: Murray & Dermott (1999), Solar System Dynamics, ch. 2.

/// Eccentric anomaly E in [-pi, pi] of the mean anomaly M = E - e sin E (eq. 2.52), for 0 <= e < 1
/// and any finite M. Within a few roundings for every e below 1: differences of almost equal
/// numbers do not occur.
double eccentric_anomaly(double eccentricity, double mean_anomaly);

/// The same for a hyperbola: F of M = e sinh F - F, e > 1.
double hyperbolic_anomaly(double eccentricity, double mean_anomaly);

/// Where a body is relative to the one that it goes about.
struct OrbitState {
  engine::Vec3d position;
  engine::Vec3d velocity;
};

/// In the plane of the orbit, x axis towards the periapsis, counter-clockwise. `periapsis` is its
/// distance, > 0, `mu` = G times the sum of both masses, > 0. The mean anomaly needs e other than
/// 1; the true anomaly any e >= 0, and 1 + e cos(true anomaly) > 0. Angles in radians.
OrbitState state_at_mean_anomaly(double mu, double periapsis, double eccentricity,
                                 double mean_anomaly);
OrbitState state_at_true_anomaly(double mu, double periapsis, double eccentricity,
                                 double true_anomaly);

}  // namespace mote::sim
