#pragma once

#include <cstdint>
#include <optional>

#include "engine/exec/policy.h"
#include "engine/math/vec.h"
#include "engine/params.h"
#include "sim/domain.h"
#include "sim/force_request.h"
#include "sim/hand/hand_formula.h"
#include "sim/impulse.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// A damped spring between one body and a point, as of a hand that pulls the body. All parameters
/// are live, and so are numbers: a drag in a window is a sequence of their changes.
struct Hand {
  double body = 0;             ///< its number (id); if no body has it, nothing is pulled
  double x = 0, y = 0, z = 0;  ///< the point [length]
  double stiffness = 0;  ///< stiffness of the spring per mass of the body [1 / time^2]; 0: no hand
  double damping = 0;    ///< [1 / time]
};

const engine::ParamTable<Hand>& hand_table();

/// The hand as kernels take it.
template <class T>
HandFormula<T> formula_of(const Hand& hand, const Domain& domain);

/// The hand on the CPU. It works on the body from outside: it has no potential energy. Kicks take
/// its damping at the velocity of the last evaluation, so that it is of first order in the step;
/// stable for damping * dt < 1.
class HandForce {
 public:
  static constexpr bool follows_order = true;

  HandForce(const Hand& hand, const Domain& domain) : hand_(hand), domain_(domain) {}
  void change(const Hand& hand) { hand_ = hand; }
  void run(const engine::Cpu& exec, State<engine::Host>& state, const ForceRequest& request,
           StepReport& report);
  Impulse impulse(const engine::Cpu&) const { return impulse_; }
  void set_impulse(const engine::Cpu&, const Impulse& impulse) { impulse_ = impulse; }

 private:
  Hand hand_;
  Domain domain_;
  engine::Index slot_ = 0;  ///< slot of the body at the last evaluation
  Impulse impulse_;
};

}  // namespace mote::sim
