#pragma once

#include <string>
#include <vector>

#include "engine/params.h"
#include "sim/step.h"

namespace mote::sim {

/// How reproducible a module is.
enum class Repeatability {
  bitwise,  ///< the same bits from run to run on one machine and backend, for any number of threads
  rounding  ///< the same up to round-off
};

/// The effect of a module on the total energy of a scene, beside errors of the integrator.
struct EnergyEffect {
  /// Kinds in ascending order of what they may add.
  enum class Kind {
    counted,  ///< nothing: what it gives and takes is part of the measured energy
    takes,    ///< the energy only falls: drag, friction, inelastic collisions
    limited,  ///< it falls, or rises by a limited amount: a bath's at its temperature
    gives     ///< it may rise without limit
  };
  Kind kind;
  /// End of a sentence that begins with "energy is not constant with"; "" if counted.
  std::string text;
  double warmth = 0;  ///< mean kinetic energy of a body in a bath [energy]
};

/// A subject or feature that a module excludes or needs.
struct ModuleRule {
  /// Subject of another module, or a feature of a scene (Physics::features, features_of).
  std::string what;
  std::string problem;    ///< after the subject: "cannot be combined with a thermostat"
  std::string remedy;     ///< "leave the thermostat out"
  std::string when = "";  ///< the rule holds only if the module has this feature; "": always
};

/// A top-level key of a scene.
struct SceneKey {
  std::string name;
  std::string help = "";  ///< one line for a list; "" for a table, which has a sheet of this name
  std::string type = "";  ///< of a list, for editors: "mote.emitter|mote.emitter[]"
};

/// Names of features, for rules.
inline const std::string periodic_domain = "periodic domain", walled_domain = "walled domain",
                         velocity_fields = "velocity-dependent fields",
                         velocity_expressions = "expressions of the velocity",
                         /// Forces that depend on the half steps of velocities, or on what was done
                         /// in the step before.
    leapfrog_forces = "forces within a leapfrog step", damped_bonds = "damped bonds",
                         /// Forces that jump by their errors where bodies change cells.
    expanded_forces = "gravity by expansions",
                         /// ModuleInfo::gives_jerks is false.
    forces_without_jerks = "forces without jerks",
                         /// Forces on bodies whose reactions on obstacles are summed.
    pushed_obstacles = "bodies that push obstacles";

/// Description of a module, shown by the schema, `mote list` and the docs.
struct ModuleInfo {
  std::string name;     ///< of the method: "direct"
  std::string subject;  ///< scene table that enables it: "gravity"
  std::string help;     ///< one line
  Repeatability repeatability = Repeatability::bitwise;
  bool cpu = true;    ///< runs on the CPU
  bool cuda = false;  ///< runs on a GPU, in a build with CUDA
  /// All tables of a scene that it reads, keys and values as the reference shows them. The first
  /// has the name `subject`, unless the subject is a list.
  std::vector<engine::ParamSheet> sheets;
  /// Keys of a scene that hold these tables and lists.
  std::vector<SceneKey> keys;
  /// Kinds of items of its lists, which are functions of scripts: "uniform".
  std::vector<std::string> functions = {};
  /// Keys that it adds to species. The name of each sheet is the key of the table without which
  /// they have no meaning.
  std::vector<engine::ParamSheet> species = {};
  std::vector<ModuleRule> excludes = {};
  std::vector<ModuleRule> needs = {};
  /// Features that rules of modules and integrators may refer to beside the subject; more by
  /// Physics::features.
  std::vector<std::string> features = {};

  // Properties of the module; false where unknown.
  bool is_matter = false;        ///< a kind of matter: its forces act among bodies of its own
  bool is_continuum = false;     ///< its bodies are parts of a continuum: pair forces do not act on
                                 ///< them
  bool gives_jerks = false;      ///< its forces act on chosen bodies, and have time derivatives
                                 ///< (ForceRequest)
  bool has_radii = false;        ///< its bodies have radii of their own
  bool has_constraints = false;  ///< its bodies have constraints, which generators make
  bool conserves_momentum = false;  ///< forces between bodies sum to zero
  bool holds_bodies = false;  ///< all that it does is to hold some, where momentum is not conserved
  bool touches = false;       ///< its bodies collide with others that touch
  bool has_contacts = false;  ///< forces of contacts can be written to files
  bool has_potentials = false;  ///< potentials of bodies can be written to files
  bool limits_step = false;     ///< its largest stable step changes with the flow
  bool uses_domain = false;     ///< a periodic or walled domain has an effect on it
  bool uses_obstacles = false;  ///< obstacles have an effect on it
  bool follows_bodies = false;  ///< its tables are read after the bodies, to which they refer
  /// Kinds of stepping in which it takes whole steps on a GPU by itself, if it is all that acts on
  /// the bodies (Physics::whole_step_limits).
  std::vector<Stepping> steppings = {};
};

}  // namespace mote::sim
