#include "sim/molecular/module/thermostat_physics.h"

namespace mote::sim {
namespace {

const ModuleInfo& thermostat_info() {
  static const ModuleInfo info{
      .name = "thermostat",
      .subject = "thermostat",
      .help = "constant temperature: Langevin dynamics or a chain of Nose-Hoover thermostats",
      .cuda = true,
      .sheets = {engine::sheet_of(thermostat_table())},
      .keys = {{"thermostat"}},
      .features = {leapfrog_forces}};
  return info;
}

std::unique_ptr<Physics> read_thermostat(const SceneReading& from) {
  const Value* value = from.find("thermostat");
  if (!value) return nullptr;
  auto thermostat = std::make_unique<ThermostatPhysics>();
  from.table(*value, thermostat_table(), thermostat->parameters);
  return thermostat;
}

}  // namespace

Conserved ThermostatPhysics::conserved_by(const Model& model, const State<engine::Host>& initial) {
  if (!sim::conserves_momentum(model) || initial.count() < 2) return Conserved::nothing;
  if (!is_isotropic(model)) return Conserved::momentum;
  return is_turning(initial) ? Conserved::direction : Conserved::at_rest;
}

std::uint64_t ThermostatPhysics::seed_of(const Model& model) {
  return static_cast<std::uint64_t>(model.head.seed);
}

PhysicsModule thermostat_module() {
  return {&thermostat_info, &read_thermostat};
}

const ModuleInfo& ThermostatPhysics::info() const {
  return thermostat_info();
}

std::vector<PhysicsParam> ThermostatPhysics::params() const {
  std::vector<PhysicsParam> all;
  append_params(all, "thermostat", thermostat_table(), parameters);
  return all;
}

bool ThermostatPhysics::set(std::string_view path, const engine::ParamValue& value) {
  return set_param(path, "thermostat", thermostat_table(), parameters, value);
}

void ThermostatPhysics::add_fields(const Model&, StateLayout& layout) const {
  if (needs_chain(parameters)) layout.add(nose_hoover_globals);
}

void ThermostatPhysics::add_forces(const engine::Cpu&, const Model& model,
                                   const State<engine::Host>& initial,
                                   Forces<engine::Cpu>& forces) const {
  add_force<engine::Cpu, ThermostatStage>(
      forces, ThermostatStage(parameters, seed_of(model), conserved_by(model, initial)),
      [this](ThermostatStage& stage) { stage.change(parameters); });
}

std::vector<EnergyEffect> ThermostatPhysics::energy_effects(const Model&) const {
  const double warmth = 1.5 * parameters.temperature;
  if (parameters.name != "langevin") return {{EnergyEffect::Kind::counted, "", warmth}};
  return {{EnergyEffect::Kind::limited,
           "a langevin thermostat: it exchanges energy with the bodies", warmth}};
}

}  // namespace mote::sim
