#include "sim/contact/module/grains_physics.h"

#include "sim/contact/module/grain_force.h"
#include "sim/model/matter.h"
#include "sim/scene/pair_sheet.h"
#include "sim/space/ball_fields.h"
#include "sim/space/ball_formula.h"
#include "sim/space/list_fields.h"

namespace mote::sim {
namespace {

using engine::Host;
using engine::Index;

const ModuleInfo& grains_info() {
  static const ModuleInfo info{
      .name = "contact",
      .subject = "grains",
      .help = "contact forces between grains, and between grains and obstacles",
      .cuda = true,
      .sheets = {grains_sheet(), pair_sheet(engine::sheet_of(contact_override_table()))},
      .keys = {{"grains"},
               {"grain_pairs", "contacts between two species of grains", "mote.grain_pair[]"}},
      .species = {engine::sheet_of(species_material_table())},
      .excludes = {{"two-dimensional fluid",
                    "are spheres and cannot be combined with a two-dimensional fluid",
                    "fluid = { dimensions = 3 }"},
                   {"thermostat", "cannot be combined with a thermostat",
                    "leave the thermostat out"},
                   {velocity_fields, "cannot be combined with velocity-dependent fields yet",
                    "leave these fields out"},
                   {walled_domain, "are not affected by walls of a domain",
                    "use obstacles, as in plane { normal = { 0, 0, 1 } }"}},
      .features = {leapfrog_forces, pushed_obstacles},
      .is_matter = true,
      .has_radii = true,
      .touches = true,
      .has_contacts = true,
      .uses_domain = true,
      .uses_obstacles = true};
  return info;
}

/// Reads what species and pairs of species have of their own.
void read_materials(const SceneReading& from, Grains& grains) {
  const auto are_grains = [&](int number) {
    const auto& matter = from.model.species[static_cast<std::size_t>(number) - 1].matter;
    return !matter || *matter == grains_info().subject;
  };
  grains.species.resize(from.model.species.size());
  from.species(species_material_table(), [&](std::size_t number, const SpeciesMaterial& own) {
    grains.species[number - 1] = own;
    if (!(own.density || own.has_contacts()) || are_grains(static_cast<int>(number))) return;
    const auto [line, path] = from.at_species(number);
    from.reader.problem(line, path, "has values of grains, but is another kind of matter",
                        "set matter = \"grains\", or leave them out");
  });
  from.species_pairs(
      "grain_pairs", contact_override_table(), "{ species = { \"a\", \"b\" }, friction = 0.1 }",
      [&](int line, const std::string& path, const ContactOverride& pair) {
        if (are_grains(pair.a) && are_grains(pair.b))
          grains.pairs.push_back(pair);
        else
          from.reader.problem(line, path, "are not both grains", "name species of grains");
      });
}

std::unique_ptr<Physics> read_grains(const SceneReading& from) {
  const Value* value = from.find("grains");
  if (!value) {
    if (const Value* pairs = from.find("grain_pairs"))
      from.reader.problem(pairs->line, "grain_pairs", "needs grains",
                          "add grains, or leave it out");
    return nullptr;
  }
  auto grains = std::make_unique<GrainsPhysics>();
  read_materials(from, grains->parameters);
  if (from.table(*value, grains_table(), grains->parameters,
                 "grains = { radius = 0.1, density = 2500 }", names_of(contact_table())))
    from.reader.members(*value->table(), value->line, "grains", contact_table(),
                        static_cast<ContactParams&>(grains->parameters), &from.echo["grains"]);
  return grains;
}

/// Finds contacts by the forces of the CPU.
class GrainContacts final : public ContactFinder {
 public:
  GrainContacts(const engine::Cpu& exec, const Grains& grains, const Model& model,
                const State<Host>& state)
      : stage_(exec, grains, model, state) {}
  ContactNetwork contacts(const engine::Cpu& exec, const State<Host>& state, double time,
                          std::string_view force_state) override {
    stage_.deserialize(force_state);
    return stage_.contacts(exec, state, time);
  }

 private:
  GrainForces stage_;
};

}  // namespace

PhysicsModule grains_module() {
  return {&grains_info, &read_grains};
}

const ModuleInfo& GrainsPhysics::info() const {
  return grains_info();
}

std::vector<PhysicsParam> GrainsPhysics::params() const {
  std::vector<PhysicsParam> all;
  append_params(all, "grains", grains_table(), parameters);
  append_params(all, "grains", contact_table(), static_cast<const ContactParams&>(parameters));
  return all;
}

void GrainsPhysics::add_traits(BodyTraits& traits) const {
  traits.radius = true;
  const auto& all = parameters.species;
  traits.mass_from_density =
      parameters.density || std::any_of(all.begin(), all.end(), [](const SpeciesMaterial& own) {
        return own.density.has_value();
      });
}

void GrainsPhysics::check_start(const engine::Cpu& exec, const Model& model,
                                const State<Host>& state, engine::Backend backend) const {
  if (backend == engine::Backend::cuda)  // otherwise the force checks
    GrainForces(exec, parameters, model, state)
        .check_start(exec, state, model.integrator.dt, model.file.string());
}

void GrainsPhysics::add_fields(const Model& model, StateLayout& layout) const {
  layout.add(fields::radius).add(fields::spin);
  add_images(domain_of(model), layout);
  layout.add(fields::spin_rate);
  layout.stores_accelerations = true;
}

/// Sets radii of bodies that have none, and masses from radii if the grains have a density. Other
/// bodies get the radius with which they are drawn, and that of contacts if they touch.
void GrainsPhysics::fill(State<Host>& state, Index first, const Model& model, FillTime) const {
  const std::vector<std::uint8_t> members = members_of(model, state, *this);
  std::vector<double> others{0};  // unused: in a scene of several kinds every body has a species
  for (std::size_t k = 1; !members.empty() && k <= model.species.size(); ++k)
    others.push_back(matter_of(model, k)->drawn_radius(k));
  state.visit([&]<class Real>(const StateView<Real>& s) {
    Real* const radius = s[fields::radius];
    for (Index i = first; i < s.count; ++i) {
      if (!members.empty() && members[static_cast<std::size_t>(i)] == 0) {
        radius[i] = static_cast<Real>(others[s.species[i]]);
        continue;
      }
      if (!(radius[i] > 0))
        radius[i] = static_cast<Real>(
            radius_of_grain(parameters, static_cast<std::uint64_t>(model.head.seed), s.id[i]));
      if (const auto density = parameters.density_of(s.species ? s.species[i] : 0))
        s.mass[i] = static_cast<Real>(mass_of_ball(double(radius[i]), *density));
    }
  });
}

void GrainsPhysics::add_forces(const engine::Cpu& exec, const Model& model,
                               const State<Host>& initial, Forces<engine::Cpu>& forces) const {
  add_force(forces, GrainForces(exec, parameters, model, initial));
}

std::vector<EnergyEffect> GrainsPhysics::energy_effects(const Model& model) const {
  if (any_moves(model.obstacles))
    return {{EnergyEffect::Kind::gives,
             "grains: collisions and friction dissipate energy, and moving obstacles add it"}};
  return {{EnergyEffect::Kind::takes, "grains: collisions and friction dissipate energy"}};
}

std::uint64_t GrainsPhysics::host_bytes(const Model&, Index count,
                                        engine::Precision precision) const {
  return 3 * state_bytes(count, precision);
}

std::uint64_t GrainsPhysics::state_bytes(Index count, engine::Precision precision) const {
  return contact_bytes(count, precision);
}

std::unique_ptr<ContactFinder> GrainsPhysics::contacts(const engine::Cpu& exec, const Model& model,
                                                       const State<Host>& state) const {
  return std::make_unique<GrainContacts>(exec, parameters, model, state);
}

}  // namespace mote::sim
