#pragma once

#include <vector>

#include "sim/expression/expression_block.h"
#include "sim/field/fields.h"
#include "sim/state.h"

namespace mote::sim {

/// Expressions of a scene on the host. Each call evaluates the bodies [begin, end) at time t on the
/// calling thread.
class ExpressionFields {
 public:
  /// `evaluations`: see evaluations_of_kick().
  ExpressionFields(const std::vector<Field>& fields, int evaluations);

  /// Whether some expression depends on velocities.
  bool velocity_dependent() const { return !velocity_programs_.empty(); }

  /// Adds the expressions that do not depend on velocities to the accelerations.
  template <class Real>
  void add(const StateView<Real>& state, double t, engine::Index begin, engine::Index end) const;

  /// Adds the expressions that do depend on them, at the velocities of the state.
  template <class Real>
  void add_velocity_terms(const StateView<Real>& state, double t, engine::Index begin,
                          engine::Index end) const;

  /// Kicks by the implicit midpoint rule: v' = v + h F(u), u = v + h/2 F(u), by `evaluations`
  /// fixed-point iterations from u = v. F: the accelerations plus the velocity-dependent
  /// expressions.
  template <class Real>
  void kick(const StateView<Real>& state, double h, double t, engine::Index begin,
            engine::Index end) const;

  /// Adds the potentials, in double, to phi[0 .. end - begin).
  template <class Real>
  void add_potentials(const StateView<const Real>& state, double t, engine::Index begin,
                      engine::Index end, double* phi) const;

 private:
  template <class Real>
  static void add(const std::vector<BlockProgram>& programs, const StateView<Real>& state, double t,
                  engine::Index begin, engine::Index end);

  int evaluations_;
  std::vector<BlockProgram> position_programs_, velocity_programs_, potentials_;
};

}  // namespace mote::sim
