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

/// Updates the neighbour lists that short-range forces share, before these run.
class NeighbourUpdate {
 public:
  explicit NeighbourUpdate(std::shared_ptr<Neighbours> neighbours)
      : neighbours_(std::move(neighbours)) {}
  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport&) {
    neighbours_->update(exec, state);
  }
  double potential_energy(const engine::Cpu&, const State<engine::Host>&) { return 0; }
  void on_state_replaced(const engine::Cpu& exec, State<engine::Host>& state) {
    neighbours_->invalidate();
    neighbours_->update(exec, state);
  }

 private:
  std::shared_ptr<Neighbours> neighbours_;
};

}  // namespace

std::vector<ModuleInfo> modules() {
  return {DirectGravity::info(), FieldForce::info(), PairForce::info(), BondForce::info(),
          FluidForce::info(),    contact_info(),     SoftForce::info()};
}

namespace {

/// True if the scene has the table that enables the module.
bool has_table(const SceneDescription& scene, std::string_view subject) {
  if (subject == "gravity") return scene.gravity.has_value();
  if (subject == "fields") return !scene.fields.empty();
  if (subject == "lennard_jones") return scene.pairs.has_value();
  if (subject == "bonds") return scene.bonds.has_value();
  if (subject == "fluid") return scene.fluid.has_value();
  if (subject == "grains") return scene.grains.has_value();
  if (subject == "soft") return scene.soft.has_value();
  MOTE_EXPECT(false);
  return true;  // the safe answer: the scene is not treated as one without it
}

}  // namespace

std::vector<ModuleInfo> modules_of(const SceneDescription& scene) {
  std::vector<ModuleInfo> all = modules();
  std::erase_if(all, [&](const ModuleInfo& module) { return !has_table(scene, module.subject); });
  return all;
}

bool conserves_momentum(const SceneDescription& scene) {
  const std::vector<ModuleInfo> all = modules_of(scene);
  const Domain domain = domain_of(scene);
  const bool walls = domain.walled[0] || domain.walled[1] || domain.walled[2];
  return !walls && (!scene.thermostat || conserves_momentum(*scene.thermostat)) &&
         std::all_of(all.begin(), all.end(),
                     [](const ModuleInfo& module) { return module.conserves_momentum; });
}

template <>
std::vector<std::unique_ptr<Force<engine::Cpu>>> make_forces(const engine::Cpu& exec,
                                                             const SceneDescription& scene,
                                                             const State<engine::Host>& initial) {
  std::vector<std::unique_ptr<Force<engine::Cpu>>> forces;
  // Before the neighbour lists: this wraps grains into the periodic domain at every step, and lists
  // must be built from wrapped positions, in a resumed run as well.
  if (scene.grains)
    forces.push_back(std::make_unique<ForceAdapter<GrainStage, engine::Cpu>>(
        GrainStage(exec, scene, initial, scene.soft_mesh.get())));
  if (scene.pairs) {
    const PairTable table = table_of(*scene.pairs, scene.units.coulomb());
    const auto neighbours =
        std::make_shared<Neighbours>(domain_of(scene), list_cutoff(domain_of(scene), table.cutoff),
                                     table.skin, members_of_pairs(scene, initial));
    forces.push_back(
        std::make_unique<ForceAdapter<NeighbourUpdate, engine::Cpu>>(NeighbourUpdate(neighbours)));
    forces.push_back(std::make_unique<ForceAdapter<PairForce, engine::Cpu>>(
        PairForce(table, neighbours, initial.count(), initial.precision())));
  }
  if (scene.bonds)
    forces.push_back(std::make_unique<ForceAdapter<BondForce, engine::Cpu>>(
        BondForce(*scene.bonds, domain_of(scene), initial)));
  if (scene.gravity)
    forces.push_back(std::make_unique<ForceAdapter<DirectGravity, engine::Cpu>>(DirectGravity(
        *scene.gravity, scene.units.gravitational, initial.count(), initial.precision())));
  if (!scene.fields.empty())
    forces.push_back(std::make_unique<ForceAdapter<FieldForce, engine::Cpu>>(FieldForce(
        scene.fields, gravitational_of(scene), scheme_named(scene.integrator.name)->order)));
  if (scene.fluid)  // after all others: it clears their accelerations of walls
    forces.push_back(
        std::make_unique<ForceAdapter<FluidStage, engine::Cpu>>(FluidStage(scene, initial)));
  if (scene.soft)  // after all others: it clears their accelerations of pinned bodies
    forces.push_back(std::make_unique<ForceAdapter<SoftForce, engine::Cpu>>(
        SoftForce(exec, *scene.soft, *scene.soft_mesh, scene.obstacles, initial,
                  members_of(scene, initial, Matter::soft))));
  return forces;
}

Step step_of(const SceneDescription& scene) {
  const Step& step = scheme_named(scene.integrator.name)->step;
  if (scene.soft) return step_with(*scene.soft, step);
  return scene.thermostat ? step_with(*scene.thermostat, step) : step;
}

StateLayout layout_of(const SceneDescription& scene) {
  StateLayout layout;
  if (scene.pairs) layout = Neighbours::layout(domain_of(scene));
  if (scene.fluid) add_fluid_columns(layout, *scene.fluid);
  if (scene.grains) add_grain_columns(layout, domain_of(scene));
  layout.species = !scene.species.empty();
  if (scene.bonds && scene.bonds->damped())
    layout.stores_accelerations = true;  // they depend on velocities within the step
  if (scene.series.displacement) layout.add(Extra::start_x, 3);
  if (scene.thermostat) layout.global_values = global_value_count(*scene.thermostat);
  return layout;
}

std::uint64_t force_bytes(const SceneDescription& scene, engine::Index count,
                          engine::Precision precision) {
  return (scene.gravity ? DirectGravity::scratch_bytes(count, precision) : 0) +
         (scene.pairs
              ? PairForce::scratch_bytes(count, precision) + Neighbours::bytes(count, precision)
              : 0) +
         (scene.bonds ? BondForce::bytes(*scene.bonds) : 0) +
         (scene.soft
              ? 3 * soft_bytes(count) +  // mesh, colours, and scratch to make them
                    friction_state_bytes(*scene.soft, most_walls * scene.obstacles.size(), count)
              : 0) +
         (scene.grains ? 3 * force_state_bytes(scene, count, precision) : 0);
}

std::uint64_t force_state_bytes(const SceneDescription& scene, engine::Index count,
                                engine::Precision precision) {
  return scene.grains ? contact_bytes(count, precision) : 0;
}

}  // namespace mote::sim
