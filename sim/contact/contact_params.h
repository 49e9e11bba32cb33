#pragma once

#include <string>

#include "engine/params.h"
#include "sim/contact/contact_formula.h"

namespace mote::sim {

/// Material and contact model of grains. Formulas and sources: contact_formula.h.
struct ContactParams {
  std::string model = "hertz";  ///< or linear
  double young_modulus = 1e7;   ///< [pressure]
  double poisson = 0.3;
  double stiffness = 1e4;  ///< [force / length], linear model
  double stiffness_ratio = 2.0 / 7;
  double restitution = 0.8;
  double friction = 0.5;
  double rolling_friction = 0;
  double rolling_damping = 0.3;
  double cohesion = 0;  ///< work of adhesion [energy / length^2]
};

const engine::ParamTable<ContactParams>& contact_table();

/// Elastic constants of two grains that touch.
struct ContactStiffness {
  double normal;      ///< E* [pressure], or the spring stiffness [force / length]
  double tangential;  ///< 8 G*, or likewise
};
/// The stiffness of a contact of two grains of the same material.
ContactStiffness contact_stiffness(const ContactParams& params);

/// Constants of the force loops, for a surface with the other values of `params`.
template <class T>
ContactLaw<T> contact_law(const ContactParams& params, const ContactStiffness& stiffness);

/// Time scales of the fastest contact.
struct ContactTimes {
  double collision;  ///< collision time of two of the smallest grains at this speed [time]
  /// Time of a Rayleigh wave over the smallest grain; infinite for the linear model.
  double rayleigh;
  double good_step;     ///< min(collision / 20, rayleigh / 5)
  double longest_step;  ///< min(collision / 5, rayleigh): longer steps give wrong results
  double overlap;       ///< at this speed, in radii of the smallest; above 0.1 grains are too soft
};

/// The times of contacts of grains whose smallest has this mass and radius, colliding at up to this
/// relative speed.
ContactTimes contact_times(const ContactParams& params, double mass, double radius, double speed);

}  // namespace mote::sim
