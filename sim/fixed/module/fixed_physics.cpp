#include "sim/fixed/module/fixed_physics.h"

#include <algorithm>
#include <string>

#include "engine/check.h"
#include "sim/model/matter.h"

namespace mote::sim {
namespace {

const ModuleInfo& fixed_info() {
  static const ModuleInfo info{
      .name = "fixed",
      .subject = "fixed_bodies",
      .help = "bodies with fixed = true, which keep their velocity whatever acts on them",
      .cuda = true,
      .sheets = {},
      .keys = {},
      .excludes = {{"fluid", "cannot be combined with a fluid",
                    "walls of a fluid are bodies of a species with wall = true"},
                   {"soft", "cannot be combined with soft bodies, whose constraints would move it",
                    "leave fixed out; pinned = { ... } holds ends of soft bodies"},
                   {"thermostat", "cannot be combined with a thermostat, which would move it",
                    "leave the thermostat out"},
                   {velocity_expressions,
                    "cannot be combined with expressions of the velocity, which would move it",
                    "leave these fields out"}},
      .gives_jerks = true,
      .holds_bodies = true,
      .follows_bodies = true};
  return info;
}

std::unique_ptr<Physics> read_fixed(const SceneReading& from) {
  const bool any = std::any_of(from.bodies.begin(), from.bodies.end(),
                               [](const BodySource& s) { return s.fixed; });
  return any ? std::make_unique<FixedPhysics>() : nullptr;
}

/// Throws InputError if a fixed body from index `first` on has a velocity that fields would change.
void check_resting(const State<engine::Host>& state, engine::Index first, const Model& model) {
  if (!has_feature(model, velocity_fields)) return;
  state.visit([&](const auto& s) {
    for (engine::Index i = first; i < s.count; ++i)
      if (s[fields::fixed][i] != 0 && (s.vx[i] != 0 || s.vy[i] != 0 || s.vz[i] != 0))
        throw engine::InputError(model.file.string(),
                                 "body " + std::to_string(s.id[i]) + " is fixed, and " +
                                     velocity_fields + " would change its velocity",
                                 "let it rest, or leave these fields out");
  });
}

}  // namespace

PhysicsModule fixed_module() {
  return {&fixed_info, &read_fixed};
}

const ModuleInfo& FixedPhysics::info() const {
  return fixed_info();
}

void FixedPhysics::fill(State<engine::Host>& state, engine::Index first, const Model& model,
                        FillTime time) const {
  if (time == FillTime::added) check_resting(state, first, model);
}

void FixedPhysics::check_start(const engine::Cpu&, const Model& model,
                               const State<engine::Host>& state, engine::Backend) const {
  check_resting(state, 0, model);
}

bool FixedPhysics::drives(const Model&, const State<engine::Host>& state) const {
  return state.visit([&](const auto& s) {
    const auto* const fixed = s[fields::fixed];
    return any_moving(state, [&](engine::Index i) { return fixed[i] != 0; });
  });
}

void FixedPhysics::add_forces(const engine::Cpu&, const Model&, const State<engine::Host>&,
                              Forces<engine::Cpu>& forces) const {
  add_force(forces, FixedForce());
}

}  // namespace mote::sim
