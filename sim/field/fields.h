#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "engine/params.h"
#include "sim/domain.h"
#include "sim/expression/expression.h"
#include "sim/field/field_formula.h"

namespace mote::sim {

/// Fields of a scene, with the parameters it gives. Formulas and sources: field_formula.h.
struct UniformField {
  engine::Vec3d acceleration{0, 0, 0};
};
struct PointMass {
  double mass = 0, softening = 0;
  engine::Vec3d position{0, 0, 0};
};
struct LogarithmicHalo {
  double speed = 0, core_radius = 0, flattening = 1;
  engine::Vec3d position{0, 0, 0};
};
struct MiyamotoNagai {
  double mass = 0, scale_length = 0, scale_height = 0;
  engine::Vec3d position{0, 0, 0};
};
struct HarmonicTrap {
  engine::Vec3d rates{0, 0, 0};
  engine::Vec3d position{0, 0, 0};
};
struct Drag {
  double linear = 0, quadratic = 0;
};
struct RotatingFrame {
  engine::Vec3d angular_velocity{0, 0, 0};
};

/// Their parameters in a scene; the name is that of the kind.
template <class BuiltIn>
const engine::ParamTable<BuiltIn>& field_table();
template <>
const engine::ParamTable<UniformField>& field_table<UniformField>();
template <>
const engine::ParamTable<PointMass>& field_table<PointMass>();
template <>
const engine::ParamTable<LogarithmicHalo>& field_table<LogarithmicHalo>();
template <>
const engine::ParamTable<MiyamotoNagai>& field_table<MiyamotoNagai>();
template <>
const engine::ParamTable<HarmonicTrap>& field_table<HarmonicTrap>();
template <>
const engine::ParamTable<Drag>& field_table<Drag>();
template <>
const engine::ParamTable<RotatingFrame>& field_table<RotatingFrame>();

/// A field given by expressions: accelerations, and optionally a potential per unit mass.
struct ExpressionField {
  Expressions graph;
  std::array<Expressions::Index, 3> acceleration{};
  Expressions::Index potential = 0;
  bool has_potential = false;

  bool depends_on_velocity() const;
  bool depends_on_time() const;
};

using Field = std::variant<UniformField, PointMass, LogarithmicHalo, MiyamotoNagai, HarmonicTrap,
                           Drag, RotatingFrame, ExpressionField>;

/// Its kind in scenes: "uniform", "drag", "field".
const char* name_of(const Field& field);

/// Whether it depends on velocities; then it acts in kicks instead of the accelerations.
bool depends_on_velocity(const Field& field);

/// Why the total energy is not constant in this field, or "".
std::string energy_problem(const Field& field, const Domain& domain);

/// Formulas of fields that are functions of position, with constants in the number type of the
/// loop.
template <class T>
using PositionFormula =
    std::variant<UniformFormula<T>, PointMassFormula<T>, LogarithmicHaloFormula<T>,
                 MiyamotoNagaiFormula<T>, HarmonicTrapFormula<T>, CentrifugalFormula<T>>;

/// The position formulas among the fields, in order. `gravitational`: G in the scene's units.
template <class T>
std::vector<PositionFormula<T>> position_formulas(const std::vector<Field>& fields,
                                                  double gravitational);

/// The flow of all drags and the rotating frame over a time h.
template <class T>
VelocityFlow<T> velocity_flow(const std::vector<Field>& fields, double h);
/// Their acceleration.
template <class T>
VelocityAcceleration<T> velocity_acceleration(const std::vector<Field>& fields);
bool has_velocity_flow(const std::vector<Field>& fields);

/// The expression fields that depend on velocities, or those that do not.
std::vector<const ExpressionField*> expressions_of(const std::vector<Field>& fields,
                                                   bool with_velocity);

/// Evaluations of velocity-dependent expressions a kick, for a scheme of this order: each raises
/// the order of accuracy of the midpoint velocity by one; two beyond the order of the scheme keep
/// the kick nearly time-symmetric.
constexpr int evaluations_of_kick(int order) {
  return order + 2;
}

}  // namespace mote::sim
