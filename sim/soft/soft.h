#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/params.h"
#include "sim/module.h"
#include "sim/soft/held_bodies.h"
#include "sim/space/obstacles.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// What soft bodies of a scene have in common.
struct Soft {
  std::int64_t iterations = 1;  ///< over all constraints, in each step
  double damping = 0;           ///< [time], of all constraints: tau in constraint_formula.h
  double drag = 0;              ///< [1 / time], of all bodies in air at rest
  double thickness = 0;         ///< [length] that obstacles keep bodies away
  double friction = 0.3;        ///< with obstacles that do not say
};

const engine::ParamTable<Soft>& soft_table();

/// The leapfrog step with constraints met behind each drift.
Step step_with(const Soft& soft, const Step& leapfrog);

/// Whom the constraints hold of the bodies that are there: columns by number. Constraints of those
/// that are gone are left out.
struct HeldBodies {
  ColouredConstraints held;          ///< their bodies are columns
  std::vector<std::int32_t> pinned;  ///< columns, rising
  std::vector<double> inverse_mass;  ///< by column; 0 for what is pinned or not soft
  std::vector<std::uint8_t> soft;    ///< by column, 1 for soft bodies
};
/// Bytes that so many bodies take besides the state: blocks of tetrahedra have the most
/// constraints, 12 a body.
inline std::uint64_t soft_bytes(engine::Index count) {
  return static_cast<std::uint64_t>(count) *
         (12 * (sizeof(Constraint) + sizeof(double)) + sizeof(double));
}

/// Bytes of what the walls of obstacles (Obstacles::count) have done to bodies in a step; one
/// iteration needs to remember nothing.
inline std::uint64_t grip_bytes(const Soft& soft, std::size_t walls, engine::Index count) {
  return soft.iterations > 1 ? static_cast<std::uint64_t>(count) * walls * sizeof(Grip<double>) : 0;
}

/// `members`: by column, 0 for bodies that are not soft; empty where all are.
HeldBodies held_bodies(const SoftMesh& mesh, const State<engine::Host>& state,
                       const std::vector<std::uint8_t>& members = {});

/// Throws InputError with this place when bodies cannot start so: held and not soft, without mass
/// and not pinned, or in an obstacle.
void check_start(const HeldBodies& bodies, const Obstacles& obstacles, double thickness,
                 const State<engine::Host>& state, const std::string& place);

/// Soft bodies on the CPU: as a force, it takes away the accelerations of pinned bodies, which move
/// with the velocity that they have, and those of spins of all soft ones, which do not turn, and so
/// comes behind all others; and it meets the constraints of a step. Nothing is remembered from step
/// to step. Bitwise repeatable for any number of threads.
class SoftForce {
 public:
  /// `mesh`: by id; `members` as of held_bodies. Throws InputError when an obstacle cannot be.
  SoftForce(const engine::Cpu& exec, const Soft& soft, const SoftMesh& mesh,
            const std::vector<ObstacleDescription>& obstacles, const State<engine::Host>& initial,
            const std::vector<std::uint8_t>& members = {});

  static ModuleInfo info();

  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport& report);
  /// Moves bodies to where constraints and obstacles want them, and their velocities with them;
  /// positions have been moved by h times the velocities. `time`: of these positions.
  void constrain(const engine::Cpu& exec, State<engine::Host>& state, double h,
                 const StageTime& time);
  /// Of constraints that steps follow (constraint_energy).
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state,
                          const StageTime& time) const;
  void check_start(const engine::Cpu& exec, const State<engine::Host>& state, double dt,
                   const std::string& place) const;

 private:
  template <class Real>
  void meet_all(const engine::Cpu& exec, const HeldView<Real>& view, const StateView<Real>& s,
                bool first) const;

  Soft soft_;
  std::shared_ptr<const HeldBodies> bodies_;
  std::shared_ptr<const Obstacles> obstacles_;
  std::variant<std::vector<float>, std::vector<double>> multipliers_;
  std::variant<std::vector<Grip<float>>, std::vector<Grip<double>>> grips_;
};

}  // namespace mote::sim
