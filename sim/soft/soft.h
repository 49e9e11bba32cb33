#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/params.h"
#include "sim/soft/constrained_bodies.h"
#include "sim/space/obstacles.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Parameters common to all soft bodies of a scene.
struct Soft {
  std::int64_t iterations = 1;  ///< over all constraints, in each step
  double damping = 0;           ///< [time], of all constraints: tau in constraint_formula.h
  double drag = 0;              ///< [1 / time], in air at rest
  double thickness = 0;         ///< [length], distance that obstacles keep from bodies
  double friction = 0.3;        ///< coefficient, with obstacles that have none of their own
};

const engine::ParamTable<Soft>& soft_table();

/// The leapfrog step with constraints projected after each drift.
Step step_with(const Soft& soft, const Step& leapfrog);

/// Constraints by body index, without those of removed bodies.
struct ConstrainedBodies {
  ColouredConstraints coloured;      ///< bodies by index
  std::vector<std::int32_t> pinned;  ///< body indices, ascending
  std::vector<double> inverse_mass;  ///< indexed by body; 0 for pinned bodies and those not soft
  std::vector<std::uint8_t> soft;    ///< indexed by body; 1 for soft bodies
};

/// Memory for `count` bodies besides the state [bytes]. Blocks of tetrahedra have the most
/// constraints, 12 a body.
inline std::uint64_t soft_bytes(engine::Index count) {
  return static_cast<std::uint64_t>(count) *
         (12 * (sizeof(Constraint) + sizeof(double)) + sizeof(double));
}

/// Memory for the friction states of a step [bytes]; none with one iteration. `walls`:
/// Obstacles::count().
inline std::uint64_t friction_state_bytes(const Soft& soft, std::size_t walls,
                                          engine::Index count) {
  return soft.iterations > 1
             ? static_cast<std::uint64_t>(count) * walls * sizeof(FrictionState<double>)
             : 0;
}

/// `members`: by body index, 0 for bodies that are not soft; empty if all are.
ConstrainedBodies constrained_bodies(const SoftMesh& mesh, const State<engine::Host>& state,
                                     const std::vector<std::uint8_t>& members = {});

/// Throws InputError at this location if a constrained body is not soft, or has no mass and is not
/// pinned, or if a body starts inside an obstacle.
void check_start(const ConstrainedBodies& bodies, const Obstacles& obstacles, double thickness,
                 const State<engine::Host>& state, const std::string& location);

/// Soft bodies on the CPU. As a force it runs last: it zeroes the accelerations of pinned bodies,
/// which keep their velocity, and the angular accelerations of all soft bodies, which do not
/// rotate. In a step it projects the constraints. Keeps no state between steps. Bitwise
/// reproducible for any number of threads.
class SoftForce {
 public:
  /// `mesh`: by id; `members` as in constrained_bodies(). Throws InputError if an obstacle is
  /// invalid.
  SoftForce(const engine::Cpu& exec, const Soft& soft, const SoftMesh& mesh,
            const std::vector<ObstacleDescription>& obstacles, const State<engine::Host>& initial,
            const std::vector<std::uint8_t>& members = {});

  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport& report);
  /// Projects constraints and obstacles after a drift of h: corrects positions, and velocities
  /// accordingly. `time`: of these positions.
  void constrain(const engine::Cpu& exec, State<engine::Host>& state, double h,
                 const StageTime& time);
  /// Energy of the constraints that steps resolve (constraint_energy).
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state,
                          const StageTime& time) const;
  void check_start(const engine::Cpu& exec, const State<engine::Host>& state, double dt,
                   const std::string& location) const;

 private:
  template <class Real>
  void project_all(const engine::Cpu& exec, const ConstraintView<Real>& view,
                   const StateView<Real>& s, bool first) const;

  Soft soft_;
  std::shared_ptr<const ConstrainedBodies> bodies_;
  std::shared_ptr<const Obstacles> obstacles_;
  std::variant<std::vector<float>, std::vector<double>> multipliers_;
  std::variant<std::vector<FrictionState<float>>, std::vector<FrictionState<double>>> friction_;
};

}  // namespace mote::sim
