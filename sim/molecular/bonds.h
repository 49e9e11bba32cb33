#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/params.h"
#include "sim/molecular/bond_formula.h"

namespace mote::sim {

/// Scene parameters of a kind of bonds.
struct BondKind {
  std::string form = "harmonic";         ///< harmonic, fene or rigid
  std::optional<double> stiffness = {};  ///< [energy / length^2] > 0; not of rigid
  std::optional<double> length = {};     ///< length of rigid, rest length of harmonic [length] >= 0
  std::optional<double> extension = {};  ///< largest length of fene [length] > 0
  double damping = 0;                    ///< [mass / time] >= 0
  std::string name = {};
};

/// Scene parameters of a kind of angles between two bonds.
struct AngleKind {
  std::string form = "harmonic";  ///< harmonic or cosine
  double stiffness = 0;           ///< [energy] > 0
  double angle = 180;             ///< degrees, 0 to 180
  std::string name = {};
};

const engine::ParamTable<BondKind>& bond_kind_table();
const engine::ParamTable<AngleKind>& angle_kind_table();

/// Ids of two bodies, a < b, and index of the kind.
struct Bond {
  std::uint32_t a, b;
  std::uint32_t kind;
  bool operator==(const Bond&) const = default;
};

/// Ids of three bodies, first < last: the angle at the vertex between the arms to the other two.
struct Angle {
  std::uint32_t first, vertex, last;
  std::uint32_t kind;
  bool operator==(const Angle&) const = default;
};

/// True for rods (rod_formula.h), which are no forces.
inline bool is_rigid(const BondKind& kind) {
  return kind.form == "rigid";
}

/// All bonds of a scene, by the ids of its initial bodies. A bond vanishes with any of its bodies.
struct BondForces {
  std::vector<BondKind> bond_kinds;
  std::vector<AngleKind> angle_kinds;
  std::vector<Bond> bonds;
  std::vector<Angle> angles;

  /// True if forces depend on velocities.
  bool damped() const;
  bool any_rigid() const;
  /// All but the rods.
  BondForces flexible() const;
};

/// Not of rigid bonds.
BondCoefficients<double> coefficients_of(const BondKind& kind);
AngleCoefficients<double> coefficients_of(const AngleKind& kind);

/// Coefficients rounded to another number type.
template <class T>
BondCoefficients<T> rounded(const BondCoefficients<double>& c) {
  const auto t = [](double value) { return static_cast<T>(value); };
  return {t(c.stiffness), t(c.length), t(c.squared_extension), t(c.damping)};
}
template <class T>
AngleCoefficients<T> rounded(const AngleCoefficients<double>& c) {
  const auto t = [](double value) { return static_cast<T>(value); };
  return {t(c.stiffness), t(c.rest), t(c.cosine), t(c.sine), c.straight, c.harmonic};
}

/// A bond in the list of one of its bodies.
struct BondEntry {
  std::int32_t partner;  ///< body index
  std::int32_t kind;
};

/// An angle, identical in the lists of its three bodies, so that they compute the same forces.
struct AngleEntry {
  std::int32_t first, vertex, last;  ///< body indices
  std::int32_t kind;
};

/// Bonds and angles of each present body that has any, in the order of the scene, so that sums are
/// bitwise repeatable.
struct BondLists {
  std::vector<std::int32_t> body;         ///< body index by slot, ascending
  std::vector<std::int32_t> bond_begin;   ///< first entry of each slot in `bond`, then its size
  std::vector<std::int32_t> angle_begin;  ///< the same for `angle`
  std::vector<BondEntry> bond;
  std::vector<AngleEntry> angle;
};

/// `ids`: of the `count` bodies, ascending.
BondLists make_bond_lists(const BondForces& forces, const std::uint32_t* ids, engine::Index count);

}  // namespace mote::sim
