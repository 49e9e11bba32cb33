#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/units.h"
#include "sim/domain.h"
#include "sim/model/physics.h"
#include "sim/motion/integration.h"
#include "sim/space/obstacle_tables.h"
#include "sim/space/solids.h"

namespace mote::sim {

/// Top-level keys of a scene.
struct SceneHead {
  std::string title;
  std::string about;
  std::string units = "nbody";
  std::int64_t seed = 1;
  std::string precision = "auto";  ///< auto, single, mixed, double
};

/// When measurements are written to series.csv.
struct Series {
  std::optional<std::int64_t> steps;  ///< interval; by default chosen from the number of bodies
  bool displacement = false;          ///< whether initial positions are kept
};

/// A named species of a scene. Modules add keys, which they keep by species number.
struct Species {
  std::string name;
  std::string color = "#ffffff";           ///< red, green, blue: "#rrggbb"
  std::optional<std::string> matter = {};  ///< subject of a module that is matter
  bool visible = true;                     ///< whether its bodies are drawn
  double size = 1, brightness = 1;         ///< factors of drawn spheres, of the light of stars
};

/// The parts of a scene that define forces, steps and fields of bodies: no bodies, output or hooks.
struct Model {
  std::filesystem::path file;
  SceneHead head;
  engine::UnitSystem units;
  std::optional<DomainTable> domain;
  std::vector<ObstacleDescription> obstacles;
  std::vector<Species> species;  ///< sorted by name; Bodies::species counts them from 1
  Integration integrator;
  Series series;
  bool has_hooks = false;  ///< a script may change bodies between steps
  bool driven = false;     ///< bodies that no force moves work on others (Physics::drives)
  PhysicsList physics;
};

/// Open space if the scene has no domain.
Domain domain_of(const Model& model);

/// G of a scene: that of its units, unless a module overrides it.
double gravitational_of(const Model& model);

/// The acceleration that is the same everywhere, of all modules together [velocity / time].
engine::Vec3d uniform_acceleration(const Model& model);

/// Subjects of all modules and their features, and those of the domain.
std::vector<std::string> features_of(const Model& model);
/// The features of one module.
std::vector<std::string> features_of(const Physics& physics);
bool has_feature(const Model& model, const std::string& feature);

/// True if bodies are pushed by each other only: total momentum is conserved and is not part of the
/// thermal energy.
bool conserves_momentum(const Model& model);
/// True if that holds while no body is fixed, which the state of bodies says, not the model.
bool conserves_momentum_of_free(const Model& model);
/// True if, beside that, space has no direction: no periods.
bool is_isotropic(const Model& model);
/// True if a module multiplies all velocities by a factor.
bool scales_velocities(const Model& model);

/// True if forces depend on differences of positions only, and keep no positions from one
/// evaluation to the next.
bool is_translation_invariant(const Model& model);

/// True if temperature and pressure are meaningful.
bool has_temperature(const Model& model);

/// True if constraints are elastic, so that they have energy.
bool has_constraint_energy(const Model& model);

/// The effect of all modules together on the total energy.
struct EnergyBalance {
  EnergyEffect::Kind kind = EnergyEffect::Kind::counted;  ///< the most that one of them may add
  double warmth = 0;  ///< mean kinetic energy of a body in the warmest bath [energy]
};
EnergyBalance energy_balance(const Model& model);
/// Whether bodies of this state work on others although no force moves them.
bool is_driven(const Model& model, const State<engine::Host>& state);

/// Why the total energy of this scene is not constant, one line for each reason; empty if only the
/// integrator limits its accuracy.
std::vector<std::string> energy_notes(const Model& model);
/// The effects of modules that may give energy without limit.
std::vector<std::string> energy_gains(const Model& model);

/// True if bodies have radii of their own.
bool has_radii(const Model& model);
/// True if contacts of bodies can be found.
bool has_contacts(const Model& model);
/// True if some bodies can be drawn as the surface of a liquid.
bool has_liquid(const Model& model);
/// Radii by species, or factors of the bodies' own radii, if some are not drawn like others.
std::optional<SpeciesRadii> species_radii(const Model& model);

/// Length of all steps [time], of which forces can say at the start whether they are stable; 0 if
/// the integrator chooses them.
double step_of_all(const Model& model);

/// Axles of its obstacles.
const std::vector<Axle>& axles_of(const Model& model);

/// Stages of a scene's step.
Step step_of(const Model& model);

/// The traits of the forces, for the integrator.
template <class Exec>
ForceTraits traits_of(const Model& model, const ForceSet<Exec>& forces) {
  return {step_of(model), forces.kicking != nullptr, is_translation_invariant(model)};
}

/// The optional fields of a scene's states.
StateLayout layout_of(const Model& model);

/// Sets the initial fields of bodies from index `first` on.
void fill_fields(State<engine::Host>& state, engine::Index first, const Model& model,
                 FillTime time);

/// Makes the forces for these bodies. `model` must outlive them.
template <class Exec>
Forces<Exec> make_forces(const Exec& exec, const Model& model, const State<engine::Host>& initial) {
  Forces<Exec> forces;
  for (const Physics& p : model.physics) p.add_forces(exec, model, initial, forces);
  return forces;
}

/// Bytes of the forces of a scene beside the state, in host and in device memory.
std::uint64_t force_bytes(const Model& model, engine::Index count, engine::Precision precision);
std::uint64_t device_force_bytes(const Model& model, engine::Index count,
                                 engine::Precision precision);
/// Bytes of the forces' own state, which a saved state includes (Force::serialize).
std::uint64_t force_state_bytes(const Model& model, engine::Index count,
                                engine::Precision precision);

/// Whether a GPU of this compute capability ("9.0") can evaluate all modules of a scene.
/// How each module evaluates so many bodies, in the order of the modules.
std::vector<Evaluation> evaluations_of(const Model& model, const Workload& work);
DeviceSupport device_support(const Model& model, const std::string& compute_capability);

/// Parameters of the modules, by their paths in the scene.
std::vector<PhysicsParam> params_of(const Model& model);
/// Sets one; true if there is one of this path.
bool set_param(Model& model, const std::string& path, const engine::ParamValue& value);

}  // namespace mote::sim
