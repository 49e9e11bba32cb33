#pragma once

#include <optional>
#include <vector>

#include "sim/contact/contact_params.h"
#include "sim/space/obstacles.h"

namespace mote::sim {

/// Own values of the grains of a species; unset ones are those of `grains`.
struct SpeciesMaterial {
  std::optional<double> density = {};  ///< [mass / length^3]
  std::optional<double> young_modulus = {}, poisson = {}, stiffness = {}, stiffness_ratio = {},
                        restitution = {}, friction = {}, rolling_friction = {},
                        rolling_damping = {}, cohesion = {};

  /// Whether its contacts differ: any but the density is set.
  bool has_contacts() const;
};

/// Contacts of two species (0: bodies without species) that override the rules of mixing.
struct ContactOverride {
  int a = 0, b = 0;
  std::optional<double> restitution = {}, friction = {}, rolling_friction = {},
                        rolling_damping = {}, cohesion = {};
};

/// The materials of a simulation by kind: 0 is that of bodies without species, k that of species k.
/// One kind only: all bodies have the same.
struct ContactMaterials {
  std::vector<ContactParams> of_kind;
  std::vector<ContactOverride> overrides = {};

  ContactMaterials(const ContactParams& one) : of_kind{one} {}
  /// `species`: by number, from 1; if none has values of its own, and nothing is overridden, there
  /// is one kind.
  ContactMaterials(const ContactParams& standard, const std::vector<SpeciesMaterial>& species,
                   const std::vector<ContactOverride>& overridden);

  int kinds() const { return static_cast<int>(of_kind.size()); }
  bool uniform() const { return of_kind.size() == 1; }
  const ContactParams& standard() const { return of_kind[0]; }
  /// The material of a body of this species, 0 without.
  const ContactParams& of(int species) const {
    return of_kind[uniform() ? 0 : static_cast<std::size_t>(species)];
  }
};

/// Constants of contacts between all kinds, kinds x kinds, symmetric. Stiffnesses are those of two
/// springs in series (in a Hertz contact 1 / E* = sum of (1 - nu^2) / E, 1 / G* = sum of
/// (2 - nu) / G; Johnson 1985, Contact Mechanics, 4.2 and 7.3); coefficients of restitution, of
/// friction and of rolling, and the work of adhesion (Girifalco & Good 1957, J. Phys. Chem. 61,
/// 904) are geometric means.
template <class T>
std::vector<ContactLaw<T>> laws_of_pairs(const ContactMaterials& materials);

/// Constants of contacts with obstacles, kinds x obstacles: grains on a surface of their own
/// material, with the friction and restitution of the obstacle where it has its own.
template <class T>
std::vector<ContactLaw<T>> laws_at_obstacles(const ContactMaterials& materials,
                                             const Obstacles& obstacles);

}  // namespace mote::sim
