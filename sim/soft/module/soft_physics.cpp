#include "sim/soft/module/soft_physics.h"

#include <algorithm>
#include <set>

#include "sim/initial/bodies.h"
#include "sim/model/matter.h"

namespace mote::sim {
namespace {

using engine::Host;
using engine::Index;

const std::string thin = "no thickness";

const ModuleInfo& soft_info() {
  static const ModuleInfo info{
      .name = "xpbd",
      .subject = "soft",
      .help =
          "ropes, cloth and soft bodies: constraints with compliance (XPBD), coloured Gauss-Seidel",
      .cuda = true,
      .sheets = {engine::sheet_of(soft_table())},
      .keys = {{"soft"}},
      .excludes = {{"grains",
                    "needs a thickness, half of which is the contact radius of its bodies",
                    "soft = { thickness = 0.02 }, less than the distance between its bodies", thin},
                   {periodic_domain, "cannot be combined with a periodic domain",
                    "remove the domain or the soft bodies"},
                   {walled_domain, "is not affected by walls of a domain",
                    "use obstacles, as in plane { normal = { 0, 0, 1 } }"},
                   {"thermostat", "cannot be combined with a thermostat",
                    "leave the thermostat out"},
                   {"axles", "does not push named obstacles and axles yet",
                    "leave their names and axles out"},
                   {velocity_fields, "cannot be combined with velocity-dependent fields yet",
                    "leave these fields out; soft.damping slows soft bodies"}},
      .features = {leapfrog_forces},
      .is_matter = true,
      .has_constraints = true,
      .touches = true,
      .uses_obstacles = true};
  return info;
}

std::unique_ptr<Physics> read_soft(const SceneReading& from) {
  const Value* value = from.find("soft");
  if (!value) return nullptr;
  auto soft = std::make_unique<SoftPhysics>();
  from.table(*value, soft_table(), soft->parameters, "soft = {}, or soft = { friction = 0.5 }");
  return soft;
}

}  // namespace

PhysicsModule soft_module() {
  return {&soft_info, &read_soft};
}

const ModuleInfo& SoftPhysics::info() const {
  return soft_info();
}

std::vector<PhysicsParam> SoftPhysics::params() const {
  std::vector<PhysicsParam> all;
  append_params(all, "soft", soft_table(), parameters);
  return all;
}

void SoftPhysics::check(const SceneReading& from) const {
  for (std::size_t i = 0; i < from.model.obstacles.size(); ++i)
    if (common_of(from.model.obstacles[i]).restitution)
      from.reader.problem(from.line_of("obstacles"),
                          "obstacles." + std::to_string(i + 1) + ".restitution",
                          "is for grains; soft bodies have no restitution", "leave it out");
}

std::vector<std::string> SoftPhysics::features() const {
  return parameters.thickness > 0 ? std::vector<std::string>{} : std::vector<std::string>{thin};
}

void SoftPhysics::take(Bodies& made) {
  mesh_ = std::make_shared<const SoftMesh>(std::move(made.soft));
}

void SoftPhysics::check_start(const engine::Cpu& exec, const Model& model, const State<Host>& state,
                              engine::Backend backend) const {
  if (backend == engine::Backend::cuda)  // otherwise the force checks
    SoftForce(exec, parameters, *mesh_, model.obstacles, state, members_of(model, state, *this))
        .check_start(exec, state, model.integrator.dt, model.file.string());
}

void SoftPhysics::add_forces(const engine::Cpu& exec, const Model& model,
                             const State<Host>& initial, Forces<engine::Cpu>& forces) const {
  add_force(forces, SoftForce(exec, parameters, *mesh_, model.obstacles, initial,
                              members_of(model, initial, *this)));
}

std::vector<EnergyEffect> SoftPhysics::energy_effects(const Model& model) const {
  const std::string text =
      "soft bodies: enforcing constraints dissipates energy, and so do drag, damping and obstacles";
  if (any_moves(model.obstacles))
    return {{EnergyEffect::Kind::gives, text + "; moving obstacles add it"}};
  // Constraints that steps do not resolve give back in a bounce what they took, and it is not in
  // the measured energy (docs/physics/soft.md).
  return {{EnergyEffect::Kind::limited, text}};
}

bool SoftPhysics::drives(const Model&, const State<Host>& state) const {
  if (!mesh_) return false;
  const std::set<std::uint32_t> pinned(mesh_->pinned.begin(), mesh_->pinned.end());
  return !pinned.empty() &&
         any_moving(state, [&](Index i) { return pinned.contains(state.id()[i]); });
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> SoftPhysics::joined_pairs() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const Constraint& c : mesh_->constraints)
    for (int i = 0; i < bodies_of(c.kind); ++i)
      for (int j = 0; j < i; ++j) pairs.emplace_back(c.body[i], c.body[j]);
  return pairs;
}

void SoftPhysics::add_links(BodyLinks& links) const {
  if (!mesh_) return;
  const BodyLinks own = links_of(*mesh_);
  links.rods.insert(links.rods.end(), own.rods.begin(), own.rods.end());
  links.triangles.insert(links.triangles.end(), own.triangles.begin(), own.triangles.end());
  links.covered.insert(links.covered.end(), own.covered.begin(), own.covered.end());
}

std::uint64_t SoftPhysics::host_bytes(const Model& model, Index count, engine::Precision) const {
  return 3 * soft_bytes(count) +  // mesh, colours, and scratch to make them
         friction_state_bytes(parameters, most_walls * model.obstacles.size(), count);
}

std::uint64_t SoftPhysics::device_bytes(const Model& model, Index count, engine::Precision) const {
  return soft_bytes(count) +
         friction_state_bytes(parameters, most_walls * model.obstacles.size(), count);
}

}  // namespace mote::sim
