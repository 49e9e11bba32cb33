#pragma once

#include <functional>
#include <vector>

#include "engine/math/random.h"

namespace mote::sim {

/// A spherical density in a spherical gravity that it need not make alone, and its isotropic
/// velocities by Eddington's inversion (1916, MNRAS 76, 572; Binney & Tremaine 2008, eq. 4.46a):
///
///   f(E) = 1 / (sqrt 8 pi^2) int_0^E d^2 rho / d psi^2 d psi / sqrt(E - psi)
///
/// psi is the potential with the sign turned, 0 at infinity, where the density has to vanish faster
/// than psi. The second derivative is tabulated at 1,024 radii equally spaced in ln r and taken to
/// be linear in psi between them: f is right to 1e-3. Where the inversion would give a distribution
/// function that falls towards the centre or is negative, which no equilibrium in a steep enough
/// potential has, it is kept level instead.
class IsotropicSphere {
 public:
  /// What is needed at one radius.
  struct Local {
    double density, density_slope, density_curvature;  ///< rho, d rho / dr, d^2 rho / dr^2
    double well;                                       ///< psi
    double pull, pull_slope;                           ///< -d psi / dr > 0 and its derivative
  };

  /// Between two radii, which should be far inside and far outside of all scales.
  IsotropicSphere(const std::function<Local(double radius)>& local, double first, double last,
                  int threads);

  /// The distribution function, mass in phase space, for 0 <= energy (psi - v^2 / 2).
  double distribution(double energy) const;

  /// A speed at a radius. Inside the first radius as there.
  double draw_speed(engine::Random& random, double radius) const;

 private:
  double per_log_radius_, first_;
  std::vector<double> radius_;        ///< outwards
  std::vector<double> well_;          ///< at the radii, falling
  std::vector<double> distribution_;  ///< at the energies `well_`, falling
  std::vector<double> highest_;       ///< of v^2 f(psi - v^2/2) at a radius and beyond
};

}  // namespace mote::sim
