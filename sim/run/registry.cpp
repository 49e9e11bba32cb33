#include "sim/run/registry.h"

#include <algorithm>

#include "sim/field/field_force.h"
#include "sim/gravity/direct.h"
#include "sim/molecular/bond_force.h"
#include "sim/molecular/pair_force.h"
#include "sim/motion/integrator.h"
#include "sim/run/fluid_stage.h"
#include "sim/run/grain_stage.h"
#include "sim/scene/matter.h"
#include "sim/soft/soft.h"
#include "sim/space/neighbours.h"

namespace mote::sim {
namespace {

/// What forces of a short range share comes up to date before them.
class NeighbourUpdate {
 public:
  explicit NeighbourUpdate(std::shared_ptr<Neighbours> near) : near_(std::move(near)) {}
  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport&) {
    near_->update(exec, state);
  }
  double potential_energy(const engine::Cpu&, const State<engine::Host>&) { return 0; }
  void replaced(const engine::Cpu& exec, State<engine::Host>& state) {
    near_->forget();
    near_->update(exec, state);
  }

 private:
  std::shared_ptr<Neighbours> near_;
};

}  // namespace

std::vector<ModuleInfo> modules() {
  return {DirectGravity::info(), FieldForce::info(), PairForce::info(), BondForce::info(),
          FluidForce::info(),    contact_info(),     SoftForce::info()};
}

namespace {

/// Whether a scene has the table that switches modules on.
bool has_table(const SceneDescription& scene, std::string_view subject) {
  if (subject == "gravity") return scene.gravity.has_value();
  if (subject == "fields") return !scene.fields.empty();
  if (subject == "lennard_jones") return scene.pairs.has_value();
  if (subject == "bonds") return scene.bonds.has_value();
  if (subject == "fluid") return scene.fluid.has_value();
  if (subject == "grains") return scene.grains.has_value();
  if (subject == "soft") return scene.soft.has_value();
  MOTE_EXPECT(false);
  return true;  // so that no scene is taken for one that is without it
}

}  // namespace

std::vector<ModuleInfo> modules_of(const SceneDescription& scene) {
  std::vector<ModuleInfo> all = modules();
  std::erase_if(all, [&](const ModuleInfo& module) { return !has_table(scene, module.subject); });
  return all;
}

bool keeps_momentum(const SceneDescription& scene) {
  const std::vector<ModuleInfo> all = modules_of(scene);
  const Domain domain = domain_of(scene);
  const bool walls = domain.walled[0] || domain.walled[1] || domain.walled[2];
  return !walls && (!scene.thermostat || keeps_momentum(*scene.thermostat)) &&
         std::all_of(all.begin(), all.end(),
                     [](const ModuleInfo& module) { return module.keeps_momentum; });
}

template <>
std::vector<std::unique_ptr<Force<engine::Cpu>>> make_forces(const engine::Cpu& exec,
                                                             const SceneDescription& scene,
                                                             const State<engine::Host>& initial) {
  std::vector<std::unique_ptr<Force<engine::Cpu>>> forces;
  // Before the lists of near pairs: grains come back into a periodic domain here, at every step.
  // Whoever lists them sees them there in the same step, and so does a state that goes on from it.
  if (scene.grains)
    forces.push_back(std::make_unique<ForceOf<GrainStage, engine::Cpu>>(
        GrainStage(exec, scene, initial, scene.soft_mesh.get())));
  if (scene.pairs) {
    const PairTable table = table_of(*scene.pairs, scene.units.coulomb());
    const auto near =
        std::make_shared<Neighbours>(domain_of(scene), listed_reach(domain_of(scene), table.reach),
                                     table.skin, members_of_pairs(scene, initial));
    forces.push_back(
        std::make_unique<ForceOf<NeighbourUpdate, engine::Cpu>>(NeighbourUpdate(near)));
    forces.push_back(std::make_unique<ForceOf<PairForce, engine::Cpu>>(
        PairForce(table, near, initial.count(), initial.precision())));
  }
  if (scene.bonds)
    forces.push_back(std::make_unique<ForceOf<BondForce, engine::Cpu>>(
        BondForce(*scene.bonds, domain_of(scene), initial)));
  if (scene.gravity)
    forces.push_back(std::make_unique<ForceOf<DirectGravity, engine::Cpu>>(DirectGravity(
        *scene.gravity, scene.units.gravitational, initial.count(), initial.precision())));
  if (!scene.fields.empty())
    forces.push_back(std::make_unique<ForceOf<FieldForce, engine::Cpu>>(FieldForce(
        scene.fields, gravitational_of(scene), scheme_named(scene.integrator.name)->order)));
  if (scene.fluid)  // behind all others: it takes back what they do to walls
    forces.push_back(
        std::make_unique<ForceOf<FluidStage, engine::Cpu>>(FluidStage(scene, initial)));
  if (scene.soft)  // behind all others: it takes back what they do to pinned bodies
    forces.push_back(std::make_unique<ForceOf<SoftForce, engine::Cpu>>(
        SoftForce(exec, *scene.soft, *scene.soft_mesh, scene.obstacles, initial,
                  members_of(scene, initial, Matter::soft))));
  return forces;
}

Step step_of(const SceneDescription& scene) {
  const Step& step = scheme_named(scene.integrator.name)->step;
  if (scene.soft) return step_with(*scene.soft, step);
  return scene.thermostat ? step_with(*scene.thermostat, step) : step;
}

Domain domain_of(const SceneDescription& scene) {
  return scene.domain ? domain_of(*scene.domain) : Domain{};
}

StateShape shape_of(const SceneDescription& scene) {
  StateShape shape;
  if (scene.pairs) shape = Neighbours::shape(domain_of(scene));
  if (scene.fluid) add_fluid_columns(shape, *scene.fluid);
  if (scene.grains) add_grain_columns(shape, domain_of(scene));
  shape.species = !scene.species.empty();
  if (scene.bonds && scene.bonds->damped())
    shape.remembers = true;  // of velocities in the middle of a step
  if (scene.series.displacement) shape.add(Extra::start_x, 3);
  if (scene.thermostat) shape.memory = memory_of(*scene.thermostat);
  return shape;
}

double gravitational_of(const SceneDescription& scene) {
  return scene.gravity ? scene.gravity->constant.value_or(scene.units.gravitational)
                       : scene.units.gravitational;
}

std::uint64_t force_bytes(const SceneDescription& scene, engine::Index count,
                          engine::Precision precision) {
  return (scene.gravity ? DirectGravity::scratch_bytes(count, precision) : 0) +
         (scene.pairs
              ? PairForce::scratch_bytes(count, precision) + Neighbours::bytes(count, precision)
              : 0) +
         (scene.bonds ? BondForce::bytes(*scene.bonds) : 0) +
         (scene.soft ? 3 * soft_bytes(count) +  // a mesh, its colours, and while these are made
                           grip_bytes(*scene.soft, most_walls * scene.obstacles.size(), count)
                     : 0) +
         (scene.grains ? 3 * remembered_bytes(scene, count, precision) : 0);
}

std::uint64_t remembered_bytes(const SceneDescription& scene, engine::Index count,
                               engine::Precision precision) {
  return scene.grains ? contact_bytes(count, precision) : 0;
}

}  // namespace mote::sim
