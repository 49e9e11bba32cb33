#include "sim/contact/materials.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace mote::sim {
namespace {

/// With the values of a surface that are set.
template <class Owner>
void set_surface(const Owner& own, ContactParams& p) {
  p.restitution = own.restitution.value_or(p.restitution);
  p.friction = own.friction.value_or(p.friction);
  p.rolling_friction = own.rolling_friction.value_or(p.rolling_friction);
  p.rolling_damping = own.rolling_damping.value_or(p.rolling_damping);
  p.cohesion = own.cohesion.value_or(p.cohesion);
}

ContactParams material_of(ContactParams p, const SpeciesMaterial& own) {
  p.young_modulus = own.young_modulus.value_or(p.young_modulus);
  p.poisson = own.poisson.value_or(p.poisson);
  p.stiffness = own.stiffness.value_or(p.stiffness);
  p.stiffness_ratio = own.stiffness_ratio.value_or(p.stiffness_ratio);
  set_surface(own, p);
  return p;
}

double mean_in_series(double a, double b) {
  return a == b ? a : 2 * a * b / (a + b);
}

double geometric_mean(double a, double b) {
  return a == b ? a : std::sqrt(a * b);
}

ContactParams surface_between(ContactParams a, const ContactParams& b) {
  a.restitution = geometric_mean(a.restitution, b.restitution);
  a.friction = geometric_mean(a.friction, b.friction);
  a.rolling_friction = geometric_mean(a.rolling_friction, b.rolling_friction);
  a.rolling_damping = geometric_mean(a.rolling_damping, b.rolling_damping);
  a.cohesion = geometric_mean(a.cohesion, b.cohesion);
  return a;
}

}  // namespace

bool SpeciesMaterial::has_contacts() const {
  return young_modulus || poisson || stiffness || stiffness_ratio || restitution || friction ||
         rolling_friction || rolling_damping || cohesion;
}

ContactMaterials::ContactMaterials(const ContactParams& standard,
                                   const std::vector<SpeciesMaterial>& species,
                                   const std::vector<ContactOverride>& overridden)
    : of_kind{standard}, overrides(overridden) {
  if (overridden.empty() &&
      std::none_of(species.begin(), species.end(), std::mem_fn(&SpeciesMaterial::has_contacts)))
    return;
  for (const SpeciesMaterial& own : species) of_kind.push_back(material_of(standard, own));
}

template <class T>
std::vector<ContactLaw<T>> laws_of_pairs(const ContactMaterials& materials) {
  std::vector<ContactLaw<T>> laws;
  for (int a = 0; a < materials.kinds(); ++a)
    for (int b = 0; b < materials.kinds(); ++b) {
      const ContactParams &one = materials.of(a), &other = materials.of(b);
      const ContactStiffness i = contact_stiffness(one), j = contact_stiffness(other);
      ContactParams surface = surface_between(one, other);
      for (const ContactOverride& o : materials.overrides)
        if ((o.a == a && o.b == b) || (o.a == b && o.b == a)) set_surface(o, surface);
      laws.push_back(contact_law<T>(surface, {mean_in_series(i.normal, j.normal),
                                              mean_in_series(i.tangential, j.tangential)}));
    }
  return laws;
}
template std::vector<ContactLaw<float>> laws_of_pairs(const ContactMaterials&);
template std::vector<ContactLaw<double>> laws_of_pairs(const ContactMaterials&);

template <class T>
std::vector<ContactLaw<T>> laws_at_obstacles(const ContactMaterials& materials,
                                             const Obstacles& obstacles) {
  std::vector<ContactLaw<T>> laws;
  for (const ContactParams& material : materials.of_kind)
    for (int k = 0; k < obstacles.count(); ++k) {
      const OwnSurface& own = obstacles.own_surface(k);
      ContactParams surface = material;
      surface.friction = own.friction.value_or(material.friction);
      surface.restitution = own.restitution.value_or(material.restitution);
      laws.push_back(contact_law<T>(surface, contact_stiffness(material)));
    }
  return laws;
}
template std::vector<ContactLaw<float>> laws_at_obstacles(const ContactMaterials&,
                                                          const Obstacles&);
template std::vector<ContactLaw<double>> laws_at_obstacles(const ContactMaterials&,
                                                           const Obstacles&);

}  // namespace mote::sim
