#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/params.h"
#include "sim/molecular/bond_formula.h"

namespace mote::sim {

/// A kind of bonds, as a scene describes it.
struct BondKind {
  std::string form = "harmonic";         ///< harmonic or fene
  double stiffness = 0;                  ///< [energy / length^2] > 0
  std::optional<double> length = {};     ///< [length] > 0, of harmonic
  std::optional<double> extension = {};  ///< [length] > 0, of fene
  double damping = 0;                    ///< [mass / time] >= 0
  std::string name = {};
};

/// A kind of angles between two bonds.
struct AngleKind {
  std::string form = "harmonic";  ///< harmonic or cosine
  double stiffness = 0;           ///< [energy] > 0
  double angle = 180;             ///< degrees, 0 to 180
  std::string name = {};
};

const engine::ParamTable<BondKind>& bond_kind_table();
const engine::ParamTable<AngleKind>& angle_kind_table();

/// Two bodies by their ids, a < b, and the number of the kind.
struct Bond {
  std::uint32_t a, b;
  std::uint32_t kind;
  bool operator==(const Bond&) const = default;
};

/// Three bodies by their ids, first < last: the angle at the vertex between the arms to the other
/// two.
struct Angle {
  std::uint32_t first, vertex, last;
  std::uint32_t kind;
  bool operator==(const Angle&) const = default;
};

/// All bonds of a scene. Ids are those of the bodies at its start: bonds vanish with any of their
/// bodies, and never get others.
struct BondForces {
  std::vector<BondKind> bond_kinds;
  std::vector<AngleKind> angle_kinds;
  std::vector<Bond> bonds;
  std::vector<Angle> angles;

  /// Whether forces depend on velocities.
  bool damped() const;
};

BondCoefficients<double> coefficients_of(const BondKind& kind);
AngleCoefficients<double> coefficients_of(const AngleKind& kind);

/// Coefficients in another number type.
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

/// A bond as one of its bodies has it.
struct BondEntry {
  std::int32_t partner;  ///< column of the state
  std::int32_t kind;
};

/// An angle as one of its bodies has it: all three have it in the same words, so that they find the
/// same forces.
struct AngleEntry {
  std::int32_t first, vertex, last;  ///< columns of the state
  std::int32_t kind;
};

/// The bonds of the bodies that are there: who has some, and which. Each body has its own in the
/// order of the scene, so that its sum has the same bits every time.
struct BondLists {
  std::vector<std::int32_t> body;         ///< columns of all that have a bond or an angle, rising
  std::vector<std::int32_t> bond_begin;   ///< into `bond`, by place in `body`; one more for the end
  std::vector<std::int32_t> angle_begin;  ///< into `angle`
  std::vector<BondEntry> bond;
  std::vector<AngleEntry> angle;
};

/// `ids`: of the columns, rising; `count` of them.
BondLists lists_of(const BondForces& forces, const std::uint32_t* ids, engine::Index count);

}  // namespace mote::sim
