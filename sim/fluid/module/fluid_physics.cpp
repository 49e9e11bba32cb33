#include "sim/fluid/module/fluid_physics.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/fluid/fluid.h"
#include "sim/fluid/fluid_fields.h"
#include "sim/fluid/hydrostatic.h"
#include "sim/fluid/module/emission.h"
#include "sim/fluid/module/fluid_stage.h"
#include "sim/model/matter.h"
#include "sim/space/list_fields.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Json;

/// The key of species that makes their bodies walls.
struct SpeciesWall {
  bool wall = false;
};

const engine::ParamTable<SpeciesWall>& species_wall_table() {
  static const engine::ParamTable<SpeciesWall> table{
      "fluid",
      "",
      {engine::param(&SpeciesWall::wall,
                     {.name = "wall",
                      .help = "for fluid: its bodies are walls, which keep their velocity "
                              "whatever forces act on them"})}};
  return table;
}

const std::string emitter_example =
    "emitters = { { position = { 0, 0, 1 }, direction = { 1, 0, 0 }, radius = 0.1, speed = 1 } }";
const std::string drain_example = "drains = { { low = { -1, -1, -1 }, high = { 1, 1, 0 } } }";

class EmittersReader {
 public:
  EmittersReader(const SceneReading& from, FluidPhysics& to)
      : from_(from), reader_(from.reader), to_(to) {}

  void emitter(int line, const std::string& path, Emitter& e) {
    const Fluid& fluid = to_.parameters;
    const bool flat = fluid.dimensions == 2;
    if (!(length(e.direction) > 0))
      return reader_.problem(line, joined_path(path, "direction"), "has zero length");
    if (flat && (e.direction.z != 0 || e.position.z != 0))
      return reader_.problem(line, path, "leaves the x-y plane of the two-dimensional fluid");
    if (flat && e.shape != "disc")
      return reader_.problem(line, joined_path(path, "shape"), "is for three dimensions",
                             "leave it out");
    if (e.speed > fluid.largest_speed)
      return reader_.problem(
          line, joined_path(path, "speed"),
          "is above fluid.largest_speed, " + engine::number_text(fluid.largest_speed),
          "reduce it, or raise fluid.largest_speed");
    if (2 * e.radius < fluid.spacing)
      return reader_.problem(line, joined_path(path, "radius"), "is too small for a particle",
                             "use half of fluid.spacing or more");
    if (e.stop && !(*e.stop > e.start))
      return reader_.problem(line, joined_path(path, "stop"), "is not after `start`");
    if (e.species.empty() && is_mixed_scene())
      return reader_.problem(line, joined_path(path, "species"),
                             "is missing, which scenes with several kinds of matter need",
                             "name a fluid species");
    if (!e.species.empty() && !species(line, path, e)) return;
    to_.parameters.emitters.push_back(e);
  }

  void drain(int line, const std::string& path, const Drain& d) {
    if (d.radius ? d.low || d.high : !d.low || !d.high)
      return reader_.problem(line, path, "is neither a box nor a sphere",
                             "give low and high, or position and radius");
    if (!d.radius && (d.low->x > d.high->x || d.low->y > d.high->y || d.low->z > d.high->z))
      return reader_.problem(line, joined_path(path, "high"), "is below `low`");
    to_.parameters.drains.push_back(d);
  }

 private:
  /// Other matter may not have been read yet.
  bool is_mixed_scene() const {
    for (const std::string& other : subjects_where(
             [&](const ModuleInfo& m) { return m.is_matter && m.subject != to_.info().subject; }))
      if (from_.find(other)) return true;
    return false;
  }

  bool species(int line, const std::string& path, Emitter& e) {
    const std::string key = joined_path(path, "species");
    const auto& all = from_.model.species;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Species& s) { return s.name == e.species; });
    const auto number = static_cast<std::size_t>(found - all.begin()) + 1;
    if (found == all.end())
      reader_.problem(line, key, "no such species: " + engine::quoted(e.species),
                      "define it in species = { ... }");
    else if (to_.claims(number))
      reader_.problem(line, key, "is a species of walls, which cannot be emitted");
    else if (is_mixed_scene() && found->matter != to_.info().subject)
      reader_.problem(line, key, "is not a fluid species: " + engine::quoted(e.species),
                      "name one that is");
    else
      e.species_number = static_cast<std::uint8_t>(number);
    return e.species_number != 0;
  }

  const SceneReading& from_;
  Reader& reader_;
  FluidPhysics& to_;
};

const std::string flat = "two-dimensional fluid";

const ModuleInfo& fluid_info() {
  static const ModuleInfo info{
      .name = "wcsph",
      .subject = "fluid",
      .help = "weakly compressible SPH with walls",
      .cuda = true,
      .sheets = {engine::sheet_of(fluid_table()), engine::sheet_of(emitter_table()),
                 engine::sheet_of(drain_table())},
      .keys = {{"fluid"},
               {"emitters", "sources of fluid", "mote.emitter|mote.emitter[]"},
               {"drains", "sinks of fluid", "mote.drain|mote.drain[]"}},
      .species = {engine::sheet_of(species_wall_table())},
      .excludes = {{"thermostat", "cannot be combined with a thermostat",
                    "leave the thermostat out"},
                   {velocity_fields, "cannot be combined with velocity-dependent fields yet",
                    "use the fluid's viscosity instead of drag"},
                   {walled_domain, "is not affected by walls of a domain",
                    "walls of a fluid are bodies of a species with wall = true"},
                   {"molecules",
                    "cannot be combined with molecules: each of its particles stands for many",
                    "grains in a fluid may have epsilon, sigma and charge"},
                   {"soft", "cannot be combined with soft bodies yet", "remove one of them"}},
      .features = {leapfrog_forces, pushed_obstacles},
      .is_matter = true,
      .is_continuum = true,
      .limits_step = true,
      .uses_domain = true,
      .uses_obstacles = true};
  return info;
}

std::unique_ptr<Physics> read_fluid(const SceneReading& from) {
  const Value* value = from.find("fluid");
  if (!value) {
    for (const char* name : {"emitters", "drains"})
      if (const Value* found = from.find(name))
        from.reader.problem(found->line, name, "are for fluid, which the scene does not have",
                            "add fluid = { spacing = 0.05, largest_speed = 1 }");
    return nullptr;
  }
  auto fluid = std::make_unique<FluidPhysics>();
  from.table(*value, fluid_table(), static_cast<Fluid&>(fluid->parameters));
  fluid->parameters.walls.resize(from.model.species.size());
  from.species(species_wall_table(), [&](std::size_t k, const SpeciesWall& s) {
    fluid->parameters.walls[k - 1] = s.wall;
    const auto& matter = from.model.species[k - 1].matter;
    if (!s.wall || !matter || *matter == "fluid") return;
    const auto [line, path] = from.at_species(k, "matter");
    from.reader.problem(line, path, "conflicts with wall = true: walls belong to the fluid",
                        "remove one of them");
  });
  EmittersReader of(from, *fluid);
  read_items(from.reader, from.scene, "emitters", emitter_table(), emitter_example, from.echo,
             [&](int line, const std::string& path, Emitter& e) { of.emitter(line, path, e); });
  read_items(from.reader, from.scene, "drains", drain_table(), drain_example, from.echo,
             [&](int line, const std::string& path, const Drain& d) { of.drain(line, path, d); });
  return fluid;
}

/// Densities in hydrostatic equilibrium.
template <class Real>
void fill_hydrostatic(const StateView<Real>& s, const std::vector<std::uint8_t>& kinds,
                      const Fluid& fluid, const Model& model) {
  const Domain domain = domain_of(model);
  engine::Vec3d weight = uniform_acceleration(model);
  if (domain.periodic[0]) weight.x = 0;
  if (domain.periodic[1]) weight.y = 0;
  if (domain.periodic[2]) weight.z = 0;
  const double strength = engine::length(weight);
  if (!(strength > 0)) return;
  std::vector<engine::Vec3d> positions;
  std::vector<Index> indices;
  for (Index i = 0; i < s.count; ++i)
    if (kinds[static_cast<std::size_t>(i)] == static_cast<std::uint8_t>(FluidKind::fluid))
      indices.push_back(i), positions.push_back({double(s.x[i]), double(s.y[i]), double(s.z[i])});
  // At the start; walls of particles count as open, as they may be anywhere.
  const Obstacles solids(model.obstacles, axles_of(model), SurfaceMaterial{}, 2 * fluid.spacing, 1);
  const std::vector<SolidState> unturned(static_cast<std::size_t>(solids.solids()));
  std::vector<Obstacle<double>> walls;
  solids.at(0, unturned.empty() ? nullptr : unturned.data(), walls);
  const auto in_solid = [&](engine::Vec3d at) {
    return std::any_of(walls.begin(), walls.end(), [&](const Obstacle<double>& wall) {
      return surface_at(wall, at).distance < 0;
    });
  };
  const std::vector<double> depths = depths_of(positions, weight, fluid.spacing, in_solid);
  const TaitFormula<double> state = equation_of_state(fluid);
  Real* const density = s[fields::density];
  for (std::size_t k = 0; k < indices.size(); ++k)
    density[indices[k]] = static_cast<Real>(
        state.density_at(state.background + fluid.density * strength * depths[k]));
}

}  // namespace

PhysicsModule fluid_module() {
  return {&fluid_info, &read_fluid};
}

const ModuleInfo& FluidPhysics::info() const {
  return fluid_info();
}

std::vector<PhysicsParam> FluidPhysics::params() const {
  std::vector<PhysicsParam> all;
  append_params(all, "fluid", fluid_table(), static_cast<const Fluid&>(parameters));
  append_params(all, "emitters", emitter_table(), parameters.emitters);
  append_params(all, "drains", drain_table(), parameters.drains);
  return all;
}

void FluidPhysics::check(const SceneReading& from) const {
  if (parameters.surface_tension > 0 && !from.model.obstacles.empty())
    from.reader.problem(from.line_of("fluid"), "fluid.surface_tension",
                        "cannot be combined with obstacles yet",
                        "walls of such a fluid are bodies of a species with wall = true");
  if (parameters.hydrostatic && !has_feature(from.model, "uniform field"))
    from.reader.problem(
        from.line_of("fluid"), "fluid.hydrostatic",
        "needs a uniform field, which the scene does not have",
        "add fields = { uniform { acceleration = { 0, 0, -9.81 } } }, or leave it out");
  const Domain domain = domain_of(from.model);
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  const double support_radius = 2 * smoothing_length(parameters);
  for (int axis = 0; axis < 3; ++axis)
    if (domain.periodic[axis] && lengths[axis] < 2 * support_radius)
      return from.reader.problem(from.line_of("fluid"), "fluid.spacing",
                                 "gives a support radius of " +
                                     engine::rounded_text(support_radius) +
                                     ", more than half of the periodic domain along " + "xyz"[axis],
                                 "use a smaller spacing or a larger domain");
}

std::vector<std::string> FluidPhysics::features() const {
  return parameters.dimensions == 2 ? std::vector<std::string>{flat} : std::vector<std::string>{};
}

void FluidPhysics::add_fields(const Model&, StateLayout& layout) const {
  // The list origins are used on a GPU only.
  layout.add(fields::density).add(fields::list_origin);
  if (parameters.shifting > 0 || parameters.xsph > 0) layout.add(fields::transport_velocity);
  layout.add(fields::density_rate);
  layout.stores_accelerations = true;
}

void FluidPhysics::fill(State<engine::Host>& state, Index first, const Model& model,
                        FillTime time) const {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    std::fill_n(s[fields::density] + first, s.count - first, static_cast<Real>(parameters.density));
    if (parameters.hydrostatic && time == FillTime::start)  // bodies added later enter a flow
      fill_hydrostatic(s, fluid_kinds(parameters, model, state), parameters, model);
  });
  fill_pores(state, first, parameters, model);
}

void FluidPhysics::add_forces(const engine::Cpu& exec, const Model& model,
                              const State<engine::Host>& initial,
                              Forces<engine::Cpu>& forces) const {
  add_force(forces, FluidStage(exec, parameters, model, initial));
}

std::vector<std::string> FluidPhysics::start_warnings(const engine::Cpu&, const Model& model,
                                                      const Bodies& given,
                                                      const State<engine::Host>&) const {
  bool mixed = false;
  for (const Physics& p : model.physics)
    mixed = mixed || (p.info().is_matter && p.info().subject != info().subject);
  std::vector<std::size_t> fluid;
  for (std::size_t i = 0; i < given.mass.size(); ++i) {
    const std::size_t species = given.species.empty() ? 0 : given.species[i];
    const std::string matter = species > 0 ? model.species[species - 1].matter.value_or("") : "";
    if (!claims(species) && (matter.empty() ? !mixed : matter == info().subject))
      fluid.push_back(i);
  }
  if (fluid.empty()) return {};
  std::vector<std::string> all;
  const double spacing = parameters.spacing,
               volume = spacing * spacing * (parameters.dimensions == 3 ? spacing : 1),
               right = parameters.density * volume;
  constexpr double near = 2;  // largest factor from the mass of a particle
  const auto is_wrong = [&](std::size_t i) {
    return !(given.mass[i] < near * right && given.mass[i] > right / near);
  };
  const auto wrong = std::count_if(fluid.begin(), fluid.end(), is_wrong);
  if (wrong > 0)
    all.push_back(
        engine::counted(wrong, "particle") + " of " +
        engine::with_thousands(static_cast<long long>(fluid.size())) +
        " have another mass than density x spacing^" + std::to_string(parameters.dimensions) +
        ", " + engine::rounded_text(right) + " (the first: " +
        engine::rounded_text(given.mass[*std::find_if(fluid.begin(), fluid.end(), is_wrong)]) +
        "), so the fluid starts compressed or torn; give a lattice { ... } the mass of its "
        "volume x density, or set fluid.density or fluid.spacing");
  // Cells of half the spacing hold one particle at most where they stand in order; 12 % share one
  // where they lie at random.
  std::vector<std::array<std::int64_t, 3>> cells;
  for (const std::size_t i : fluid) {
    const auto cell = [&](double x) {
      return static_cast<std::int64_t>(std::floor(std::clamp(2 * x / spacing, -1e15, 1e15)));
    };
    cells.push_back(
        {cell(given.position[i].x), cell(given.position[i].y), cell(given.position[i].z)});
  }
  std::sort(cells.begin(), cells.end());
  std::size_t shared = 0;
  for (std::size_t k = 1; k < cells.size(); ++k) shared += cells[k] == cells[k - 1];
  constexpr double disorder = 0.03;
  if (static_cast<double>(shared) > disorder * static_cast<double>(cells.size()))
    all.push_back(
        "particles lie less than half a spacing apart, as at random: they start with large "
        "pressures; place them in order, as lattice { ... } does");
  return all;
}

std::vector<EnergyEffect> FluidPhysics::energy_effects(const Model& model) const {
  if (any_moves(model.obstacles))
    return {{EnergyEffect::Kind::gives,
             "fluid: viscosity, density diffusion and impacts dissipate energy, and moving "
             "obstacles add it"}};
  // Shifting moves particles without a force.
  return {{parameters.shifting > 0 ? EnergyEffect::Kind::limited : EnergyEffect::Kind::takes,
           "fluid: viscosity, density diffusion and impacts dissipate energy"}};
}

bool FluidPhysics::drives(const Model&, const State<engine::Host>& state) const {
  return state.with_species() &&
         any_moving(state, [&](Index i) { return parameters.is_wall(state.species()[i]); });
}

std::unique_ptr<BodyEvents> FluidPhysics::body_events(const Model& model) const {
  if (parameters.emitters.empty() && parameters.drains.empty()) return nullptr;
  return std::make_unique<FluidEvents>(parameters, model);
}

/// Walls are not drawn as fluid: their radii are negative in a picture of a surface, and with
/// grains, whose bodies have radii of their own, these are factors.
std::optional<SpeciesRadii> FluidPhysics::species_radii(const Model& model) const {
  if (const Physics* const grains = grains_in(model)) {
    SpeciesRadii factors = uniform_radii(1);
    for (std::size_t k = 1; k <= model.species.size(); ++k)
      if (claims(k))
        factors.of[k] = 0;
      else if (matter_of(model, k) == grains)
        factors.of[k] = -1;
    return factors;
  }
  if (std::find(parameters.walls.begin(), parameters.walls.end(), true) == parameters.walls.end())
    return std::nullopt;
  const auto half = static_cast<float>(0.5 * parameters.spacing);
  SpeciesRadii radii = uniform_radii(half);
  for (std::size_t k = 1; k <= model.species.size(); ++k)
    if (claims(k)) radii.of[k] = -half;
  return radii;
}

}  // namespace mote::sim
