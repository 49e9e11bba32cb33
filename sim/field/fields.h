#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "engine/params.h"
#include "sim/field/expression.h"
#include "sim/field/field_formula.h"

namespace mote::sim {

/// Fields of a scene, as it writes them. Their formulas and sources are in field_formula.h.
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

const engine::ParamTable<UniformField>& uniform_field_table();
const engine::ParamTable<PointMass>& point_mass_table();
const engine::ParamTable<LogarithmicHalo>& logarithmic_halo_table();
const engine::ParamTable<MiyamotoNagai>& miyamoto_nagai_table();
const engine::ParamTable<HarmonicTrap>& harmonic_trap_table();
const engine::ParamTable<Drag>& drag_table();
const engine::ParamTable<RotatingFrame>& rotating_frame_table();

/// A field given by formulas: accelerations per unit mass, and a potential when it has one.
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

/// What a scene calls it: "uniform", "drag", "field".
const char* name_of(const Field& field);

/// Whether bodies feel it by how they move, so that it acts in kicks and not in the accelerations.
bool depends_on_velocity(const Field& field);

/// Why kinetic energy and potentials do not add up to a constant, or "".
std::string energy_problem(const Field& field);

/// Fields that are a function of the place, with their constants in the number type of a loop.
template <class T>
using PlaceFormula =
    std::variant<UniformFormula<T>, PointMassFormula<T>, LogarithmicHaloFormula<T>,
                 MiyamotoNagaiFormula<T>, HarmonicTrapFormula<T>, CentrifugalFormula<T>>;

/// The formulas of all fields that have one, in their order. `gravitational`: G in the scene's
/// units.
template <class T>
std::vector<PlaceFormula<T>> place_formulas(const std::vector<Field>& fields, double gravitational);

/// All drags and the turning frame, over a time h.
template <class T>
VelocityFlow<T> velocity_flow(const std::vector<Field>& fields, double h);
bool has_velocity_flow(const std::vector<Field>& fields);

/// Those that are expressions and depend on velocities, or that do not.
std::vector<const ExpressionField*> expressions_of(const std::vector<Field>& fields,
                                                   bool with_velocity);

/// How often a kick evaluates expressions of velocities, for a scheme of this order: each time
/// makes the velocity in its middle right to one more order, and two more than the scheme has keep
/// it symmetric in time that much better.
constexpr int evaluations_of_kick(int order) {
  return order + 2;
}

}  // namespace mote::sim
