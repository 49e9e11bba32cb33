#include "sim/hand/module/hand_physics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "engine/check.h"
#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/motion/integrators.h"
#include "sim/stability.h"

namespace mote::sim {
namespace {

const ModuleInfo& hand_info() {
  static const ModuleInfo info{
      .name = "hand",
      .subject = "hand",
      .help = "a damped spring that pulls one body to a point, as a drag with the mouse does",
      .cuda = true,
      .sheets = {engine::sheet_of(hand_table())},
      .keys = {{"hand"}},
      .gives_jerks = true};
  return info;
}

std::unique_ptr<Physics> read_hand(const SceneReading& from) {
  const Value* value = from.find("hand");
  if (!value) return nullptr;
  auto hand = std::make_unique<HandPhysics>();
  from.table(*value, hand_table(), hand->parameters,
             "hand = { body = 3, x = 1, stiffness = 100, damping = 20 }");
  const double body = hand->parameters.body;
  if (body != std::floor(body))
    from.reader.problem(value->line, "hand.body", "must be a whole number",
                        "the numbers of bodies count from 0");
  return hand;
}

std::unique_ptr<Physics> make_hand() {
  return std::make_unique<HandPhysics>();
}

}  // namespace

PhysicsModule hand_module() {
  return {&hand_info, &read_hand, &make_hand};
}

const ModuleInfo& HandPhysics::info() const {
  return hand_info();
}

std::vector<PhysicsParam> HandPhysics::params() const {
  std::vector<PhysicsParam> all;
  append_params(all, "hand", hand_table(), parameters);
  for (PhysicsParam& p : all) p.in_potential = false;
  return all;
}

bool HandPhysics::set(std::string_view path, const engine::ParamValue& value) {
  return set_param(path, "hand", hand_table(), parameters, value);
}

void HandPhysics::add_forces(const engine::Cpu&, const Model& model, const State<engine::Host>&,
                             Forces<engine::Cpu>& forces) const {
  add_force(forces, HandForce(parameters, domain_of(model)),
            std::function([this](HandForce& force) { force.change(parameters); }));
}

/// A damping of more than 1 / dt turns velocities around in each step.
void HandPhysics::check_step(const Model& model, double dt) const {
  const IntegratorInfo& integrator = info_of(model.integrator);
  if (!acts() || integrator.stages.empty() || flow_of(model.integrator).courant) return;
  const double stiffness = parameters.stiffness, damping = parameters.damping;
  if (damping * dt < 1 && is_stable_step(integrator.stages, stiffness, damping, dt)) return;
  const double longest = longest_damped_step(integrator.stages, stiffness, damping);
  throw engine::InputError(
      model.file.string() + ": hand",
      "a step of " + engine::number_text(dt) + " is not stable: its spring has a period of " +
          engine::rounded_text(2 * std::numbers::pi / std::sqrt(stiffness)) +
          (damping > 0 ? " and slows the body in " + engine::rounded_text(1 / damping) : "") +
          "; a step must be below " +
          engine::rounded_down_text(damping > 0 ? std::min(longest, 1 / damping) : longest),
      "set a smaller integrator.dt, a tenth of that to follow the spring well, or less stiffness "
      "and damping");
}

std::vector<EnergyEffect> HandPhysics::energy_effects(const Model&) const {
  if (!acts()) return {};
  return {{EnergyEffect::Kind::gives, "a hand: it works on a body"}};
}

}  // namespace mote::sim
