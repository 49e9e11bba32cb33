#pragma once

#include <vector>

#include "sim/field/expression_block.h"
#include "sim/field/fields.h"
#include "sim/state.h"

namespace mote::sim {

/// The expressions of a scene on the host. Every function is for the bodies [begin, end), by one
/// thread, at the time t.
class ExpressionFields {
 public:
  /// `evaluations`: of a kick, evaluations_of_kick.
  ExpressionFields(const std::vector<Field>& fields, int evaluations);

  /// Whether there are expressions that depend on velocities.
  bool kicks() const { return !moving_.empty(); }
  bool has_potentials() const { return !potentials_.empty(); }

  /// Adds those that do not depend on velocities to the accelerations.
  template <class Real>
  void add(const StateView<Real>& state, double t, engine::Index begin, engine::Index end) const;

  /// The implicit midpoint rule: v' = v + h F(u), u = v + h/2 F(u), with F the accelerations and
  /// the expressions that depend on velocities, by `evaluations` iterations from u = v.
  template <class Real>
  void kick(const StateView<Real>& state, double h, double t, engine::Index begin,
            engine::Index end) const;

  /// Adds the potentials, in double, to phi[0 .. end - begin).
  template <class Real>
  void add_potentials(const StateView<const Real>& state, double t, engine::Index begin,
                      engine::Index end, double* phi) const;

 private:
  int evaluations_;
  std::vector<BlockProgram> still_, moving_, potentials_;
};

}  // namespace mote::sim
