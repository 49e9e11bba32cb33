#include "sim/contact/contact_params.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace mote::sim {
namespace {

using engine::param;

}  // namespace

const engine::ParamTable<ContactParams>& contact_table() {
  static const engine::ParamTable<ContactParams> table{
      "contact",
      "Contacts of grains: springs and dashpots, friction, rolling resistance and adhesion.",
      {param(&ContactParams::model,
             {.name = "model",
              .help =
                  "hertz: elastic spheres (Hertz, Mindlin); linear: springs of constant stiffness",
              .choices = {"hertz", "linear"}}),
       param(&ContactParams::young_modulus,
             {.name = "young_modulus",
              .help = "Young's modulus of the grains, for hertz; a lower value than the real one "
                      "allows longer steps, as long as overlaps stay small",
              .unit = "pressure",
              .minimum = 0,
              .minimum_excluded = true}),
       param(&ContactParams::poisson, {.name = "poisson",
                                       .help = "Poisson's ratio of the grains, for hertz",
                                       .minimum = 0,
                                       .maximum = 0.5}),
       param(&ContactParams::stiffness, {.name = "stiffness",
                                         .help = "normal force over overlap, for linear",
                                         .unit = "stiffness",
                                         .minimum = 0,
                                         .minimum_excluded = true}),
       param(&ContactParams::stiffness_ratio,
             {.name = "stiffness_ratio",
              .help = "tangential stiffness over normal stiffness, for linear",
              .minimum = 0,
              .maximum = 1,
              .minimum_excluded = true}),
       param(&ContactParams::restitution,
             {.name = "restitution",
              .help = "speed after a head-on collision over the speed before",
              .minimum = 0,
              .maximum = 1}),
       param(&ContactParams::friction,
             {.name = "friction", .help = "Coulomb's coefficient", .minimum = 0}),
       param(&ContactParams::rolling_friction,
             {.name = "rolling_friction",
              .help = "largest torque against rolling, over normal force and radius",
              .minimum = 0,
              .maximum = 0.5}),
       param(&ContactParams::rolling_damping,
             {.name = "rolling_damping",
              .help = "damping of rolling oscillations, as a fraction of critical damping",
              .minimum = 0,
              .maximum = 1}),
       param(&ContactParams::cohesion,
             {.name = "cohesion",
              .help = "work of adhesion; the pull-off force of two grains is 2 pi times it times "
                      "their reduced radius",
              .unit = "surface energy",
              .minimum = 0})}};
  return table;
}

ContactStiffness contact_stiffness(const ContactParams& p) {
  if (p.model == "linear") return {p.stiffness, p.stiffness_ratio * p.stiffness};
  // G = E / (2 (1 + nu)), and G* = G / (2 (2 - nu)) of two grains of one material.
  const double shear = p.young_modulus / (4 * (1 + p.poisson) * (2 - p.poisson));
  return {p.young_modulus / (2 * (1 - p.poisson * p.poisson)), 8 * shear};
}

template <class T>
ContactLaw<T> contact_law(const ContactParams& p, const ContactStiffness& stiffness) {
  const bool hertz = p.model == "hertz";
  const double normal = stiffness.normal, tangential = stiffness.tangential;
  const double damping = damping_of_restitution(p.restitution) * (hertz ? hertz_damping : 1);
  // Along the surface the effective mass of two spheres is 2/7 of the reduced mass, because they
  // rotate too.
  constexpr double two_sevenths = 2.0 / 7;
  return {hertz,
          static_cast<T>(normal),
          static_cast<T>(tangential),
          static_cast<T>(2 * damping * std::sqrt(hertz ? 2 * normal : normal)),
          static_cast<T>(2 * damping * std::sqrt(tangential * two_sevenths)),
          static_cast<T>(p.friction),
          static_cast<T>(p.rolling_friction),
          static_cast<T>(p.rolling_damping),
          static_cast<T>(2 * std::numbers::pi * p.cohesion)};
}

ContactTimes contact_times(const ContactParams& p, double mass, double radius, double speed) {
  constexpr double none = std::numeric_limits<double>::infinity();
  const double reduced_mass = mass / 2, reduced_radius = radius / 2;
  ContactTimes t{none, none, none, none, 0};
  if (p.model == "linear") {
    // Damping is neglected: it makes the collision longer, which only allows longer steps.
    t.collision = linear_contact_time(p.stiffness, reduced_mass, 0);
    t.overlap = speed * std::sqrt(reduced_mass / p.stiffness) / radius;
  } else {
    const double density = mass / (4 * std::numbers::pi / 3 * radius * radius * radius);
    const double shear = p.young_modulus / (2 * (1 + p.poisson));
    t.rayleigh =
        std::numbers::pi * radius * std::sqrt(density / shear) / (0.1631 * p.poisson + 0.8766);
    const double modulus = contact_stiffness(p).normal;
    if (speed > 0) {
      t.collision = hertz_contact_time(modulus, reduced_mass, reduced_radius, speed);
      t.overlap = hertz_overlap(modulus, reduced_mass, reduced_radius, speed) / radius;
    }
  }
  t.good_step = std::min(t.collision / 20, t.rayleigh / 5);
  t.longest_step = std::min(t.collision / 5, t.rayleigh);
  return t;
}

template ContactLaw<float> contact_law(const ContactParams&, const ContactStiffness&);
template ContactLaw<double> contact_law(const ContactParams&, const ContactStiffness&);

}  // namespace mote::sim
