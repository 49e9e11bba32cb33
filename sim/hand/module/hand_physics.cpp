#include "sim/hand/module/hand_physics.h"

#include <cmath>
#include <functional>

namespace mote::sim {
namespace {

const ModuleInfo& hand_info() {
  static const ModuleInfo info{
      .name = "hand",
      .subject = "hand",
      .help = "a damped spring that pulls one body to a point, as a drag with the mouse does",
      .cuda = true,
      .sheets = {engine::sheet_of(hand_table())},
      .keys = {{"hand"}}};
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

std::vector<std::string> HandPhysics::energy_notes() const {
  if (!acts()) return {};
  return {"a hand: it works on a body"};
}

}  // namespace mote::sim
