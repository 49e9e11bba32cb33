#pragma once

#include <vector>

#include "engine/exec/policy.h"
#include "sim/field/expression_fields.h"
#include "sim/field/fields.h"
#include "sim/module.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// External fields: accelerations that do not come from the other bodies. Bitwise repeatable for
/// any number of threads.
///
/// Fields that are functions of place, mass and time add to the accelerations. Those that depend on
/// velocities (drag, the Coriolis force, expressions of vx, vy, vz) act in the kick, at fixed
/// places and time, so that accelerations stay a function of the positions: half of the exact flow
/// of drag and turn, the kick, the other half. Where expressions of velocities are among the
/// fields, the kick is the implicit midpoint rule, solved by a fixed number of iterations. Each
/// part is symmetric in time, and so is the step made of them: of second order, and of the order of
/// the composition for yoshida4 and yoshida6 (Hairer, Lubich & Wanner 2006, II.5 and V.3;
/// docs/physics/fields.md).
class FieldForce {
 public:
  /// `gravitational`: G in the scene's units. `order`: that of the scheme.
  FieldForce(const std::vector<Field>& fields, double gravitational, int order);

  static const ModuleInfo& info();

  /// Adds to the accelerations of all bodies.
  void run(const engine::Cpu& exec, State<engine::Host>& state, const StageTime& time,
           StepReport& report);

  /// Whether fields depend on velocities: then `kick` takes the place of the plain one, and kicks
  /// are not shared.
  bool kicks() const { return flows_ || expressions_.kicks(); }
  /// velocities' over a time h, by the accelerations and all that depends on velocities.
  void kick(const engine::Cpu& exec, State<engine::Host>& state, double h, const StageTime& time);

  /// Energy of all bodies in fields that have a potential, in double.
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state,
                          const StageTime& time);

 private:
  std::vector<Field> fields_;
  double gravitational_;
  bool flows_;
  ExpressionFields expressions_;
};

}  // namespace mote::sim
