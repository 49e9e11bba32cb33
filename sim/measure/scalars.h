#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/check.h"
#include "engine/math/vec.h"
#include "engine/platform.h"
#include "engine/units.h"
#include "sim/state.h"

namespace mote::sim {

/// A scalar quantity of a body.
enum class Scalar {
  speed,
  radius,
  x,
  y,
  z,
  mass,
  acceleration,
  id,
  species,
  force,
  density,
  potential,
  expression
};

/// True if it takes more than a body's own columns and a formula: such values are computed on the
/// host (Simulation::computed).
constexpr bool is_computed(Scalar scalar) {
  return scalar >= Scalar::density;
}

/// A quantity that bodies are coloured by and counted by: a scalar that has a name, or an
/// expression of the language of fields (docs/physics/fields.md).
struct Quantity {
  Scalar kind = Scalar::speed;
  std::string expression = {};  ///< Scalar::expression: its text; others: ""

  Quantity() = default;
  Quantity(Scalar named) : kind(named) {}
  /// The scalar of this name, or else the expression, which is not checked here.
  explicit Quantity(std::string_view text);
  /// An expression, whether or not a scalar has its name.
  static Quantity of_expression(std::string text) {
    Quantity quantity(Scalar::expression);
    quantity.expression = std::move(text);
    return quantity;
  }
  bool operator==(const Quantity&) const = default;
};

/// Description of a scalar, for help, errors, file names and headers.
struct ScalarInfo {
  Scalar scalar;
  std::string name;
  std::string quantity;  ///< length, velocity, mass, acceleration, force, or "" if dimensionless
  std::string help;
};

/// All that have names.
const std::vector<ScalarInfo>& scalars();
const ScalarInfo& scalar_info(Scalar scalar);
/// That of an expression has its text as the name, and no quantity.
ScalarInfo scalar_info(const Quantity& quantity);
/// Null when no scalar has this name.
const ScalarInfo* scalar_named(std::string_view name);
/// "speed, radius, x, ...".
std::string scalar_names();
/// "km/s", or "" for dimensionless units.
std::string unit_text(const ScalarInfo& scalar, const engine::UnitSystem& units);

/// Elements of a column.
template <class Real>
struct ColumnValue {
  const Real* column;
  MOTE_FORMULA double operator()(engine::Index i) const { return static_cast<double>(column[i]); }
};

/// Length of a vector whose components are columns, in double.
template <class Real>
struct LengthValue {
  const Real *x, *y, *z;
  MOTE_FORMULA double operator()(engine::Index i) const {
    const double a = static_cast<double>(x[i]), b = static_cast<double>(y[i]),
                 c = static_cast<double>(z[i]);
    return std::sqrt(a * a + b * b + c * c);
  }
};

/// Distance from a point, in double.
template <class Real>
struct DistanceValue {
  const Real *x, *y, *z;
  engine::Vec3d from;
  MOTE_FORMULA double operator()(engine::Index i) const {
    const double a = static_cast<double>(x[i]) - from.x, b = static_cast<double>(y[i]) - from.y,
                 c = static_cast<double>(z[i]) - from.z;
    return std::sqrt(a * a + b * b + c * c);
  }
};

/// Magnitude of the force: mass times acceleration.
template <class Real>
struct ForceValue {
  const Real* mass;
  LengthValue<Real> acceleration;
  MOTE_FORMULA double operator()(engine::Index i) const {
    return static_cast<double>(mass[i]) * acceleration(i);
  }
};

/// Species index; 0 without species.
struct SpeciesValue {
  const std::uint8_t* column;
  MOTE_FORMULA double operator()(engine::Index i) const { return column ? column[i] : 0; }
};

/// Calls use(value), where value(i) is the scalar of body i, with the same bits on host and device.
/// Radii are relative to `center`. Not for computed scalars.
template <class Const, class Use>
decltype(auto) with_scalar(Scalar scalar, const StateView<Const>& s, Use&& use,
                           engine::Vec3d center = {}) {
  using Real = std::remove_const_t<Const>;
  MOTE_EXPECT(!is_computed(scalar));
  switch (scalar) {
    case Scalar::speed:
      return use(LengthValue<Real>{s.vx, s.vy, s.vz});
    case Scalar::radius:
      return use(DistanceValue<Real>{s.x, s.y, s.z, center});
    case Scalar::x:
      return use(ColumnValue<Real>{s.x});
    case Scalar::y:
      return use(ColumnValue<Real>{s.y});
    case Scalar::z:
      return use(ColumnValue<Real>{s.z});
    case Scalar::mass:
      return use(ColumnValue<Real>{s.mass});
    case Scalar::id:
      return use(ColumnValue<std::uint32_t>{s.id});
    case Scalar::species:
      return use(SpeciesValue{s.species});
    case Scalar::force:
      return use(ForceValue<Real>{s.mass, {s.ax, s.ay, s.az}});
    case Scalar::acceleration:
    case Scalar::density:
    case Scalar::potential:
    case Scalar::expression:
      break;
  }
  return use(LengthValue<Real>{s.ax, s.ay, s.az});
}

}  // namespace mote::sim
