#include "sim/field/fields.h"

#include <cmath>
#include <type_traits>

namespace mote::sim {
namespace {

using engine::param;
using engine::ParamTable;
using engine::Vec3d;

template <class Owner>
engine::Param<Owner> position_param() {
  return param(&Owner::position,
               {.name = "position", .help = "position of the centre", .unit = "length"});
}

template <class T>
Vec3<T> to(Vec3d v) {
  return {static_cast<T>(v.x), static_cast<T>(v.y), static_cast<T>(v.z)};
}

template <class... Functions>
struct Overload : Functions... {
  using Functions::operator()...;
};

/// Appends the formula of a field that is a function of position.
template <class T>
struct FormulaAppender {
  double gravitational;
  std::vector<PositionFormula<T>>& all;

  static T real(double value) { return static_cast<T>(value); }
  void operator()(const UniformField& f) const {
    all.push_back(UniformFormula<T>{to<T>(f.acceleration)});
  }
  void operator()(const PointMass& f) const {
    all.push_back(PointMassFormula<T>{to<T>(f.position), real(gravitational * f.mass),
                                      real(f.softening * f.softening)});
  }
  void operator()(const LogarithmicHalo& f) const {
    all.push_back(LogarithmicHaloFormula<T>{to<T>(f.position), real(f.speed * f.speed),
                                            real(f.core_radius * f.core_radius),
                                            real(1 / (f.flattening * f.flattening))});
  }
  void operator()(const MiyamotoNagai& f) const {
    all.push_back(MiyamotoNagaiFormula<T>{to<T>(f.position), real(gravitational * f.mass),
                                          real(f.scale_length),
                                          real(f.scale_height * f.scale_height)});
  }
  void operator()(const HarmonicTrap& f) const {
    const Vec3d w = f.rates;
    all.push_back(
        HarmonicTrapFormula<T>{to<T>(f.position), to<T>({w.x * w.x, w.y * w.y, w.z * w.z})});
  }
  void operator()(const RotatingFrame& f) const {
    all.push_back(CentrifugalFormula<T>{to<T>(f.angular_velocity)});
  }
  void operator()(const Drag&) const {}
  void operator()(const ExpressionField&) const {}
};

}  // namespace

template <>
const ParamTable<UniformField>& field_table<UniformField>() {
  static const ParamTable<UniformField> table{
      "uniform",
      "The same acceleration everywhere, in `fields`.",
      {param(&UniformField::acceleration, {.name = "acceleration",
                                           .help = "acceleration",
                                           .unit = "acceleration",
                                           .required = true})}};
  return table;
}

template <>
const ParamTable<PointMass>& field_table<PointMass>() {
  static const ParamTable<PointMass> table{
      "point_mass",
      "The gravity of a fixed point mass, in `fields`.",
      {param(&PointMass::mass, {.name = "mass",
                                .help = "mass",
                                .unit = "mass",
                                .minimum = 0,
                                .required = true,
                                .live = true}),
       param(&PointMass::softening, {.name = "softening",
                                     .help = "Plummer softening length",
                                     .unit = "length",
                                     .minimum = 0,
                                     .live = true}),
       position_param<PointMass>()}};
  return table;
}

template <>
const ParamTable<LogarithmicHalo>& field_table<LogarithmicHalo>() {
  static const ParamTable<LogarithmicHalo> table{
      "logarithmic_halo",
      "A dark halo with a flat rotation curve (Binney & Tremaine 2008, eq. 2.71a), in `fields`.",
      {param(&LogarithmicHalo::speed, {.name = "speed",
                                       .help = "circular speed far outside the core",
                                       .unit = "velocity",
                                       .minimum = 0,
                                       .required = true,
                                       .live = true}),
       param(&LogarithmicHalo::core_radius, {.name = "core_radius",
                                             .help = "core radius",
                                             .unit = "length",
                                             .minimum = 0,
                                             .live = true}),
       param(&LogarithmicHalo::flattening, {.name = "flattening",
                                            .help = "axis ratio of the potential, z to x; below "
                                                    "0.707 the density is negative somewhere",
                                            .minimum = 0,
                                            .maximum = 10,
                                            .minimum_excluded = true,
                                            .live = true}),
       position_param<LogarithmicHalo>()}};
  return table;
}

template <>
const ParamTable<MiyamotoNagai>& field_table<MiyamotoNagai>() {
  static const ParamTable<MiyamotoNagai> table{
      "miyamoto_nagai",
      "The gravity of a thick disc about the z axis (Miyamoto & Nagai 1975), in `fields`.",
      {param(&MiyamotoNagai::mass, {.name = "mass",
                                    .help = "mass",
                                    .unit = "mass",
                                    .minimum = 0,
                                    .required = true,
                                    .live = true}),
       param(&MiyamotoNagai::scale_length, {.name = "scale_length",
                                            .help = "scale length a; 0: a Plummer sphere",
                                            .unit = "length",
                                            .minimum = 0,
                                            .required = true,
                                            .live = true}),
       param(&MiyamotoNagai::scale_height, {.name = "scale_height",
                                            .help = "scale height b; 0: an infinitely thin disc",
                                            .unit = "length",
                                            .minimum = 0,
                                            .required = true,
                                            .live = true}),
       position_param<MiyamotoNagai>()}};
  return table;
}

template <>
const ParamTable<HarmonicTrap>& field_table<HarmonicTrap>() {
  static const ParamTable<HarmonicTrap> table{
      "harmonic_trap",
      "A spring along each axis, in `fields`.",
      {param(&HarmonicTrap::rates,
             {.name = "rates",
              .help = "angular frequency of the oscillation along each axis, in radians / time",
              .unit = "angular velocity",
              .minimum = 0,
              .required = true}),
       position_param<HarmonicTrap>()}};
  return table;
}

template <>
const ParamTable<Drag>& field_table<Drag>() {
  static const ParamTable<Drag> table{
      "drag",
      "Drag of a medium at rest, in `fields`: dv/dt = -linear v - quadratic |v| v. Energy is lost.",
      {param(&Drag::linear,
             {.name = "linear", .help = "rate", .unit = "rate", .minimum = 0, .live = true}),
       param(&Drag::quadratic, {.name = "quadratic",
                                .help = "rate at speed 1",
                                .unit = "inverse length",
                                .minimum = 0,
                                .live = true})}};
  return table;
}

template <>
const ParamTable<RotatingFrame>& field_table<RotatingFrame>() {
  static const ParamTable<RotatingFrame> table{
      "rotating_frame",
      "Centrifugal and Coriolis forces of a frame that rotates about the origin, in `fields`. "
      "Energies are measured in this frame: their sum is Jacobi's constant.",
      {param(&RotatingFrame::angular_velocity,
             {.name = "angular_velocity",
              .help = "angular velocity of the frame, in radians / time, along the rotation axis",
              .unit = "angular velocity",
              .required = true})}};
  return table;
}

bool ExpressionField::depends_on_velocity() const {
  for (const Expressions::Index a : acceleration)
    if (graph.depends_on_velocity(a)) return true;
  return false;
}

bool ExpressionField::depends_on_time() const {
  for (const Expressions::Index a : acceleration)
    if (graph.depends(a, Operation::t)) return true;
  return has_potential && graph.depends(potential, Operation::t);
}

const char* name_of(const Field& field) {
  constexpr const char* names[] = {"uniform",        "point_mass",    "logarithmic_halo",
                                   "miyamoto_nagai", "harmonic_trap", "drag",
                                   "rotating_frame", "field"};
  static_assert(std::size(names) == std::variant_size_v<Field>);
  return names[field.index()];
}

bool depends_on_velocity(const Field& field) {
  if (const auto* expression = std::get_if<ExpressionField>(&field))
    return expression->depends_on_velocity();
  return std::holds_alternative<Drag>(field) || std::holds_alternative<RotatingFrame>(field);
}

std::string energy_problem(const Field& field, const Domain& domain) {
  if (std::holds_alternative<Drag>(field)) return "drag has no potential";
  if (const auto* uniform = std::get_if<UniformField>(&field)) {
    const Vec3d a = uniform->acceleration;
    const double along[3] = {a.x, a.y, a.z};
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (domain.periodic[axis] && along[axis] != 0)
        return "along a periodic axis bodies fall without end";
  }
  const auto* expression = std::get_if<ExpressionField>(&field);
  if (!expression) return "";
  if (!expression->has_potential) return "it has no `potential`";
  return expression->depends_on_time() ? "it depends on time" : "";
}

template <class T>
std::vector<PositionFormula<T>> position_formulas(const std::vector<Field>& fields,
                                                  double gravitational) {
  std::vector<PositionFormula<T>> all;
  for (const Field& field : fields) std::visit(FormulaAppender<T>{gravitational, all}, field);
  return all;
}

template <class T>
VelocityAcceleration<T> velocity_acceleration(const std::vector<Field>& fields) {
  double linear = 0, quadratic = 0;
  Vec3d w{0, 0, 0};
  for (const Field& field : fields) {
    if (const auto* drag = std::get_if<Drag>(&field)) {
      linear += drag->linear;
      quadratic += drag->quadratic;
    }
    if (const auto* frame = std::get_if<RotatingFrame>(&field)) w += frame->angular_velocity;
  }
  return {static_cast<T>(linear), static_cast<T>(quadratic), to<T>(w)};
}

template <class T>
VelocityFlow<T> velocity_flow(const std::vector<Field>& fields, double h) {
  const auto [linear, quadratic, w] = velocity_acceleration<double>(fields);
  const double rate = engine::length(w), angle = -2 * rate * h, half = std::sin(0.5 * angle);
  const double less = std::expm1(-linear * h);
  const double drag_time = linear != 0 ? -less / linear : h;
  VelocityFlow<T> flow{};
  if (rate > 0) flow.axis = to<T>((1 / rate) * w);
  flow.sine = static_cast<T>(std::sin(angle));
  flow.less_cosine = static_cast<T>(2 * half * half);
  flow.less = static_cast<T>(less);
  flow.quadratic = static_cast<T>(quadratic * drag_time);
  return flow;
}

bool has_velocity_flow(const std::vector<Field>& fields) {
  for (const Field& field : fields)
    if (depends_on_velocity(field) && !std::holds_alternative<ExpressionField>(field)) return true;
  return false;
}

std::vector<const ExpressionField*> expressions_of(const std::vector<Field>& fields,
                                                   bool with_velocity) {
  std::vector<const ExpressionField*> all;
  for (const Field& field : fields)
    if (const auto* expression = std::get_if<ExpressionField>(&field))
      if (expression->depends_on_velocity() == with_velocity) all.push_back(expression);
  return all;
}

template std::vector<PositionFormula<float>> position_formulas<float>(const std::vector<Field>&,
                                                                      double);
template std::vector<PositionFormula<double>> position_formulas<double>(const std::vector<Field>&,
                                                                        double);
template VelocityAcceleration<float> velocity_acceleration<float>(const std::vector<Field>&);
template VelocityAcceleration<double> velocity_acceleration<double>(const std::vector<Field>&);
template VelocityFlow<float> velocity_flow<float>(const std::vector<Field>&, double);
template VelocityFlow<double> velocity_flow<double>(const std::vector<Field>&, double);

}  // namespace mote::sim
