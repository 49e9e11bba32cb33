#pragma once

#include <functional>
#include <vector>

#include "engine/math/random.h"

namespace mote::sim {

/// A spherical density in a spherical potential, in general not its own, with isotropic velocities
/// from Eddington's inversion (1916, MNRAS 76, 572; Binney & Tremaine 2008, eq. 4.46a):
///
///   f(E) = 1 / (sqrt 8 pi^2) int_0^E d^2 rho / d psi^2 d psi / sqrt(E - psi)
///
/// psi is the relative potential (minus the potential), 0 at infinity, where the density must
/// vanish faster than psi. The second derivative is tabulated at 1,024 radii equally spaced in ln r
/// and linear in psi between them; f is accurate to 1e-3. Where the inversion gives a negative f or
/// one that falls towards the centre, which no equilibrium in a steep enough potential has, f is
/// kept constant instead.
class IsotropicSphere {
 public:
  /// Input at one radius.
  struct Local {
    double density, density_slope, density_curvature;  ///< rho, d rho / dr, d^2 rho / dr^2
    double psi;                                        ///< psi
    double gravity, gravity_slope;                     ///< -d psi / dr > 0 and its derivative
  };

  /// Tabulates between two radii, which should be far inside and far outside all scales.
  IsotropicSphere(const std::function<Local(double radius)>& local, double first, double last,
                  int threads);

  /// The distribution function (phase-space mass density) at `energy` = psi - v^2 / 2 >= 0.
  double distribution(double energy) const;

  /// Draws a speed at a radius; inside the first radius, as at the first radius.
  double draw_speed(engine::Random& random, double radius) const;

 private:
  double per_log_radius_, first_;
  std::vector<double> radius_;        ///< ascending
  std::vector<double> psi_;           ///< at the radii, descending
  std::vector<double> distribution_;  ///< at the energies `psi_`, descending
  std::vector<double> highest_;       ///< upper bound of v^2 f(psi - v^2/2) at and beyond a radius
};

}  // namespace mote::sim
