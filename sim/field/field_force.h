#pragma once

#include <vector>

#include "engine/exec/policy.h"
#include "sim/division.h"
#include "sim/field/expression_fields.h"
#include "sim/field/fields.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// External fields: accelerations that do not depend on other bodies. Bitwise reproducible for any
/// number of threads.
///
/// Functions of position, mass and time add to the accelerations. Velocity-dependent fields (drag,
/// the Coriolis force, expressions of vx, vy, vz) act in the kick, at fixed positions and time, so
/// that accelerations remain functions of the positions: half of the exact flow of drag and
/// rotation, the kick, the other half. With expressions of velocities, the kick is the implicit
/// midpoint rule, solved by a fixed number of iterations. Each part is symmetric in time, and so is
/// the step: of second order, and of the order of the composition for yoshida4 and yoshida6
/// (Hairer, Lubich & Wanner 2006, II.5 and V.3; docs/physics/fields.md).
class FieldForce {
 public:
  /// Keeps no slots of bodies (Force::follows_order).
  static constexpr bool follows_order = true;
  static constexpr CopiesNeeded copies_needed = CopiesNeeded::none;

  /// `gravitational`: G in the scene's units. `order`: of the integration scheme.
  FieldForce(const std::vector<Field>& fields, double gravitational, int order);

  /// The parameters of the fields have changed, their kinds and expressions have not.
  void change(const std::vector<Field>& fields) { fields_ = fields; }

  /// Adds to the accelerations of all bodies.
  void run(const engine::Cpu& exec, State<engine::Host>& state, const StageTime& time,
           StepReport& report);

  /// Whether fields depend on velocities: then `kick` replaces the plain kick, and successive kicks
  /// are not merged.
  bool velocity_dependent() const { return flows_ || expressions_.velocity_dependent(); }
  /// Kicks over a time h, by the accelerations and the velocity-dependent fields.
  void kick(const engine::Cpu& exec, State<engine::Host>& state, double h, const StageTime& time);

  /// Adds what depends on velocities to the accelerations, for integrators without kicks.
  void add_velocity_terms(const engine::Cpu& exec, State<engine::Host>& state,
                          const StageTime& time);

  /// Potential energy of all bodies, in fields that have a potential; in double.
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state,
                          const StageTime& time);

 private:
  std::vector<Field> fields_;
  double gravitational_;
  bool flows_;
  ExpressionFields expressions_;
};

}  // namespace mote::sim
