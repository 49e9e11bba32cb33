#include "sim/model/model.h"

#include <algorithm>

#include "sim/measure/displacement_fields.h"
#include "sim/motion/integrators.h"

namespace mote::sim {

Domain domain_of(const Model& model) {
  return model.domain ? domain_of(*model.domain) : Domain{};
}

double gravitational_of(const Model& model) {
  for (const Physics& p : model.physics)
    if (const auto own = p.gravitational()) return *own;
  return model.units.gravitational;
}

engine::Vec3d uniform_acceleration(const Model& model) {
  engine::Vec3d sum{0, 0, 0};
  for (const Physics& p : model.physics) sum += p.uniform_acceleration();
  return sum;
}

std::vector<std::string> features_of(const Physics& physics) {
  std::vector<std::string> all = physics.features();
  all.insert(all.end(), physics.info().features.begin(), physics.info().features.end());
  if (!physics.info().gives_jerks) all.push_back(forces_without_jerks);
  return all;
}

std::vector<std::string> features_of(const Model& model) {
  std::vector<std::string> all;
  for (const Physics& p : model.physics) {
    all.push_back(p.info().subject);
    for (std::string& feature : features_of(p)) all.push_back(std::move(feature));
  }
  const Domain domain = domain_of(model);
  if (domain.periodic[0] || domain.periodic[1] || domain.periodic[2])
    all.push_back(periodic_domain);
  if (domain.walled[0] || domain.walled[1] || domain.walled[2]) all.push_back(walled_domain);
  return all;
}

bool has_feature(const Model& model, const std::string& feature) {
  const std::vector<std::string> all = features_of(model);
  return std::find(all.begin(), all.end(), feature) != all.end();
}

bool conserves_momentum(const Model& model) {
  return conserves_momentum_of_free(model) &&
         std::none_of(model.physics.begin(), model.physics.end(),
                      [](const Physics& p) { return p.info().holds_bodies; });
}

bool conserves_momentum_of_free(const Model& model) {
  if (has_feature(model, walled_domain)) return false;
  for (const Physics& p : model.physics)
    if (!p.conserves_momentum() && !p.info().holds_bodies) return false;
  return true;
}

bool scales_velocities(const Model& model) {
  return std::any_of(model.physics.begin(), model.physics.end(),
                     [](const Physics& p) { return p.scales_velocities(); });
}

bool is_isotropic(const Model& model) {
  return !has_feature(model, walled_domain) && !has_feature(model, periodic_domain);
}

bool is_translation_invariant(const Model& model) {
  for (const Physics& p : model.physics)
    if (!p.conserves_momentum() || p.uses_domain() || p.info().uses_obstacles) return false;
  return true;
}

bool has_temperature(const Model& model) {
  for (const Physics& p : model.physics)
    if (p.defines_temperature(model)) return true;
  return false;
}

bool has_constraint_energy(const Model& model) {
  return std::any_of(model.physics.begin(), model.physics.end(),
                     [](const Physics& p) { return p.info().has_constraints; });
}

EnergyBalance energy_balance(const Model& model) {
  EnergyBalance all;
  if (model.driven) all.kind = EnergyEffect::Kind::gives;
  for (const Physics& p : model.physics)
    for (const EnergyEffect& effect : p.energy_effects(model)) {
      all.kind = std::max(all.kind, effect.kind);
      all.warmth = std::max(all.warmth, effect.warmth);
    }
  return all;
}

bool is_driven(const Model& model, const State<engine::Host>& state) {
  return std::any_of(model.physics.begin(), model.physics.end(),
                     [&](const Physics& p) { return p.drives(model, state); });
}

namespace {

std::vector<std::string> notes_from(const Model& model, EnergyEffect::Kind least) {
  std::vector<std::string> notes;
  for (const Physics& p : model.physics)
    for (const EnergyEffect& effect : p.energy_effects(model))
      if (effect.kind >= least) notes.push_back("energy is not constant with " + effect.text);
  return notes;
}

}  // namespace

std::vector<std::string> energy_notes(const Model& model) {
  return notes_from(model, EnergyEffect::Kind::takes);
}

std::vector<std::string> energy_gains(const Model& model) {
  return notes_from(model, EnergyEffect::Kind::gives);
}

bool has_radii(const Model& model) {
  return std::any_of(model.physics.begin(), model.physics.end(),
                     [](const Physics& p) { return p.info().has_radii; });
}

bool has_contacts(const Model& model) {
  return std::any_of(model.physics.begin(), model.physics.end(),
                     [](const Physics& p) { return p.info().has_contacts; });
}

bool has_liquid(const Model& model) {
  return std::any_of(model.physics.begin(), model.physics.end(),
                     [](const Physics& p) { return p.is_liquid(); });
}

std::optional<SpeciesRadii> species_radii(const Model& model) {
  for (const Physics& p : model.physics)
    if (auto radii = p.species_radii(model)) return radii;
  return std::nullopt;
}

double step_of_all(const Model& model) {
  return info_of(model.integrator).chooses_steps ? 0 : model.integrator.dt;
}

const std::vector<Axle>& axles_of(const Model& model) {
  static const std::vector<Axle> none;
  const Axles* const axles = model.physics.find<Axles>();
  return axles ? axles->all : none;
}

Step step_of(const Model& model) {
  Step step = info_of(model.integrator).stages;
  for (const Physics& p : model.physics) step = p.step(step);
  return step;
}

StateLayout layout_of(const Model& model) {
  StateLayout layout;
  for (const Physics& p : model.physics) p.add_fields(model, layout);
  layout.species = !model.species.empty();
  if (model.series.displacement) layout.add(fields::start);
  return layout;
}

void fill_fields(State<engine::Host>& state, engine::Index first, const Model& model,
                 FillTime time) {
  for (const Physics& p : model.physics) p.fill(state, first, model, time);
}

std::uint64_t force_bytes(const Model& model, engine::Index count, engine::Precision precision) {
  std::uint64_t bytes = 0;
  for (const Physics& p : model.physics) bytes += p.host_bytes(model, count, precision);
  return bytes;
}

std::uint64_t device_force_bytes(const Model& model, engine::Index count,
                                 engine::Precision precision) {
  std::uint64_t bytes = 0;
  for (const Physics& p : model.physics) bytes += p.device_bytes(model, count, precision);
  return bytes;
}

std::uint64_t force_state_bytes(const Model& model, engine::Index count,
                                engine::Precision precision) {
  std::uint64_t bytes = 0;
  for (const Physics& p : model.physics) bytes += p.state_bytes(count, precision);
  return bytes;
}

std::vector<Evaluation> evaluations_of(const Model& model, const Workload& work) {
  std::vector<Evaluation> all;
  for (const Physics& p : model.physics) all.push_back(p.evaluation(work));
  return all;
}

DeviceSupport device_support(const Model& model, const std::string& compute_capability) {
  DeviceSupport all;
  if (!info_of(model.integrator).cuda)
    return {"the integrator " + model.integrator.name + " has no version for a GPU",
            "use --backend cpu", ""};
  std::vector<IntegratorRule> rules = info_of(model.integrator).excludes_on_gpu;
  // Forces that may suspend a step are completed by the stages after them.
  if (info_of(model.integrator).stages.empty()) rules.push_back({leapfrog_forces, "use leapfrog"});
  for (const IntegratorRule& rule : rules)
    if (has_feature(model, rule.feature))
      return {"the integrator " + model.integrator.name + " takes no " + rule.feature + " on a GPU",
              rule.remedy, ""};
  for (const Physics& p : model.physics) {
    if (!p.info().cuda)
      return {p.info().subject + " has no version for a GPU", "use --backend cpu", ""};
    DeviceSupport one = p.device_support(compute_capability);
    if (!one.problem.empty()) return one;
    if (!one.note.empty()) all = std::move(one);
  }
  return all;
}

std::vector<PhysicsParam> params_of(const Model& model) {
  std::vector<PhysicsParam> all;
  for (const Physics& p : model.physics)
    for (PhysicsParam& param : p.params()) all.push_back(std::move(param));
  return all;
}

bool set_param(Model& model, const std::string& path, const engine::ParamValue& value) {
  for (Physics& p : model.physics)
    if (p.set(path, value)) return true;
  return false;
}

}  // namespace mote::sim
