#pragma once

#include <string>

#include "engine/params.h"
#include "sim/contact/contact_formula.h"

namespace mote::sim {

/// What grains are made of, and how they touch. Formulas and sources: contact_formula.h.
struct ContactParams {
  std::string model = "hertz";  ///< or linear
  double young_modulus = 1e7;   ///< [pressure]
  double poisson = 0.3;
  double stiffness = 1e4;  ///< [force / length], of the linear model
  double stiffness_ratio = 2.0 / 7;
  double restitution = 0.8;
  double friction = 0.5;
  double rolling_friction = 0;
  double rolling_damping = 0.3;
  double cohesion = 0;  ///< work of adhesion [energy / length^2]
};

const engine::ParamTable<ContactParams>& contact_table();

/// E* of two grains of the same material [pressure].
double contact_modulus(const ContactParams& params);

/// The constants of loops. `friction` and `restitution` are those of the surface that grains touch.
template <class T>
ContactLaw<T> contact_law(const ContactParams& params, double friction, double restitution);

/// How fast the fastest contact is.
struct ContactTimes {
  double collision;  ///< of two of the smallest grains, at this speed [time]
  double rayleigh;   ///< in which a wave runs along the surface of the smallest; infinite for the
                     ///< linear model
  double good_step;  ///< a twentieth of the collision, and a fifth of the Rayleigh time
  double longest_step;  ///< above it, nothing is right: a fifth of the collision, and the Rayleigh
                        ///< time
  double overlap;  ///< at this speed, in radii of the smallest; above a tenth grains are too soft
};

/// For grains whose smallest has this mass and radius, colliding at up to this relative speed.
ContactTimes contact_times(const ContactParams& params, double mass, double radius, double speed);

}  // namespace mote::sim
