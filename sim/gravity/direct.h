#pragma once

#include <cstdint>
#include <optional>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "engine/params.h"
#include "sim/module.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Parameters of gravity.
struct Gravity {
  double softening = 0;                 ///< [length], >= 0; may be exactly zero
  std::optional<double> constant = {};  ///< G, when a scene overrides that of its units
};

const engine::ParamTable<Gravity>& gravity_table();

/// Gravity by direct summation over all pairs: exact up to rounding, O(N^2). Massless bodies feel
/// and do not pull; bodies at the same place do not attract each other. Bitwise repeatable for any
/// number of threads.
///
/// Errors against an exact sum: single 1.2e-6 at worst for N to 1e5 (float positions and pair
/// terms, sums flushed to double every 1,024 sources); mixed the same pair terms but separations
/// from double positions; double 1e-14.
class DirectGravity {
 public:
  using Parameters = Gravity;

  /// `gravitational`: G in the scene's units, used when `parameters` does not override it.
  DirectGravity(const Gravity& parameters, double gravitational, engine::Index count,
                engine::Precision precision);

  static const ModuleInfo& info();

  /// Bytes of scratch that a simulation of `count` bodies takes.
  static std::uint64_t scratch_bytes(engine::Index count, engine::Precision precision);

  /// Takes over the softening; the constant stays.
  void change(const Gravity& parameters) { softening_ = parameters.softening; }

  /// Adds to the accelerations of all bodies and to the interactions of the report.
  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport& report);

  /// Potential energy of the positions, in double whatever the precision of the state; each pair
  /// once.
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state);

 private:
  template <class Real>
  using Column = engine::Buffer<Real, engine::Host>;

  /// Copies what pulls to the front of the packed columns; returns how many bodies that are.
  template <class Real, class StateReal>
  engine::Index pack(const StateView<StateReal>& state, Column<Real> (&packed)[4],
                     Column<float>* low);
  template <class StateReal>
  void split_targets(const engine::Cpu& exec, const StateView<StateReal>& state);
  template <class Real>
  void run_on(const engine::Cpu& exec, StateView<Real> state, StepReport& report);

  double softening_;
  double gravitational_;
  engine::Precision precision_;
  Column<float> packed_single_[4], packed_low_[3], target_high_[3], target_low_[3];
  Column<double> packed_double_[4], sums_[3];
};

}  // namespace mote::sim
