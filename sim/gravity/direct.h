#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "engine/params.h"
#include "sim/division.h"
#include "sim/force_request.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Parameters of gravity.
struct Gravity {
  double softening = 0;                 ///< [length], >= 0; may be exactly zero
  std::optional<double> constant = {};  ///< G, if the scene overrides the value of its units
  std::string solver = "auto";          ///< "auto", "direct", "multipole" (sim/gravity/solver.h)
  std::optional<double> accuracy = {};  ///< of expansions: relative error of 99 % of the forces
  std::optional<std::int64_t> order = {}, leaf = {};  ///< of expansions; empty: by the accuracy
};

const engine::ParamTable<Gravity>& gravity_table();

/// Gravity by direct summation over all pairs: exact up to round-off, O(N^2). Massless bodies are
/// attracted but do not attract; coincident bodies do not interact. Bitwise repeatable for any
/// number of threads.
///
/// Relative error against an exact sum: single at most 1.2e-6 for N up to 1e5 (float positions and
/// pair terms, sums flushed to double every 1,024 sources); mixed has the same pair terms, but
/// separations from double positions; double 1e-14.
class DirectGravity {
 public:
  /// Keeps no slots of bodies (Force::follows_order).
  static constexpr bool follows_order = true;
  static constexpr CopiesNeeded copies_needed = CopiesNeeded::positions;

  using Parameters = Gravity;

  /// `gravitational`: G in the scene's units, used unless `parameters` overrides it. `count`: all
  /// bodies, of all ranks.
  DirectGravity(const Gravity& parameters, double gravitational, engine::Index count,
                engine::Precision precision);

  /// Scratch memory for `count` bodies [bytes].
  static std::uint64_t scratch_bytes(engine::Index count, engine::Precision precision);

  /// More of it, where chosen bodies or jerks are asked for [bytes].
  static std::uint64_t chosen_bytes(engine::Index count, engine::Precision precision);

  /// Applies a changed softening; the constant is fixed.
  void change(const Gravity& parameters) { softening_ = parameters.softening; }

  /// Adds to the accelerations of all bodies and to `report.interactions`.
  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport& report);
  /// Adds what the request asks for. The sum of a chosen body has the same terms in another order,
  /// as all sums with jerks have: their bits differ from those of the function above.
  void run(const engine::Cpu& exec, State<engine::Host>& state, const ForceRequest& request,
           StepReport& report);

  /// Potential energy [energy], always summed in double; each pair counts once.
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state);

  /// The potential at each body per unit mass [velocity^2], summed in double.
  std::vector<double> potentials(const engine::Cpu& exec, const State<engine::Host>& state);

 private:
  template <class Real>
  using Column = engine::Buffer<Real, engine::Host>;

  /// Packs the bodies with mass, copies too, to the front of the columns; returns their number.
  template <class Real, class StateReal>
  engine::Index pack(const StateView<StateReal>& state, Column<Real> (&packed)[4],
                     Column<float>* low);
  template <class StateReal>
  void split_targets(const engine::Cpu& exec, const StateView<StateReal>& state);
  template <class Real>
  void run_on(const engine::Cpu& exec, StateView<Real> state, StateView<Real> with_copies,
              StepReport& report);
  template <class Real, class StateReal>
  void run_chosen(const engine::Cpu& exec, StateView<StateReal> state,
                  const StateView<StateReal>& with_copies, const ForceRequest& request,
                  StepReport& report);

  double softening_;
  double gravitational_;
  engine::Precision precision_;
  Column<float> packed_single_[4], packed_low_[3], target_high_[3], target_low_[3];
  Column<double> packed_double_[4], sums_[3];
  /// For chosen bodies and jerks, made when they are first asked for.
  template <class Real>
  struct Chosen {
    Column<Real> source[4], source_low[3], source_velocity[3];
    Column<Real> target[3], target_low[3], target_velocity[3];
    Column<double> jerks[3];
  };
  std::variant<Chosen<float>, Chosen<double>> chosen_;
};

}  // namespace mote::sim
