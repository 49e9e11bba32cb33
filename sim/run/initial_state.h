#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/run/plan.h"
#include "sim/state.h"

namespace mote::sim {

/// The bodies of a scene in the plan's precision, their labels, and the physics that has taken them
/// (Physics::take). Ids count from 0. Throws InputError if a value overflows the precision. In a
/// run that goes on, a copy of the state that is restored, without labels.
struct InitialState {
  State<engine::Host> state;
  BodyLabels labels;
  Model model;
  std::weak_ptr<const State<engine::Host>> restored = {};
};
InitialState make_initial_state(const SceneDescription& scene, const Plan& plan);

/// Throws InputError if `dt` exceeds the `largest` stable step at the start, unless the step is
/// adaptive.
void refuse_long_step(const Model& model, double dt, double largest);

/// Throws InputError unless `id`, the first body that is not finite after the first force
/// evaluation, is -1: positions may fit a number type while squared and cubed distances overflow.
void refuse_not_finite(std::int64_t id, engine::Precision precision, const std::string& location,
                       const std::string& when = " at the start");

/// Copies all columns if `full`; otherwise without accelerations and other derived columns. Layouts
/// and precisions must be equal.
void copy_columns(State<engine::Host>& to, const State<engine::Host>& from, bool full);

}  // namespace mote::sim
