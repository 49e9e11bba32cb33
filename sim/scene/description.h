#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/params.h"
#include "engine/units.h"
#include "sim/contact/grains.h"
#include "sim/domain.h"
#include "sim/field/fields.h"
#include "sim/fluid/emitter.h"
#include "sim/fluid/fluid.h"
#include "sim/gravity/direct.h"
#include "sim/measure/radial_distribution.h"
#include "sim/molecular/bonds.h"
#include "sim/molecular/pairs.h"
#include "sim/molecular/thermostat.h"
#include "sim/motion/integrator.h"
#include "sim/scene/body_source.h"
#include "sim/scene/source.h"
#include "sim/soft/soft.h"
#include "sim/space/obstacles.h"

namespace mote::sim {

/// Top-level keys of a scene.
struct SceneHead {
  std::string title;
  std::string about;
  std::string units = "nbody";
  std::int64_t seed = 1;
  std::string precision = "auto";  ///< auto, single, mixed, double
};

/// When a headless run ends: at whichever comes first.
struct Stop {
  std::optional<double> time;
  std::optional<std::int64_t> steps;
};

/// When measurements are written to series.csv.
struct Series {
  std::optional<std::int64_t> steps;  ///< interval; by default chosen from the number of bodies
  bool displacement = false;          ///< whether initial positions are kept
};

/// When snapshots are written, in addition to the one at the end.
struct Snapshots {
  std::optional<std::int64_t> steps;
  std::optional<double> time;
  std::vector<double> times;                ///< explicit times
  std::vector<std::string> format{"hdf5"};  ///< names of snapshot_formats()
  std::vector<std::string> columns;         ///< of column_names(); empty for all
  bool compress = false;
  bool contacts = false;  ///< whether contacts of grains are stored too
};

/// When checkpoints are written.
struct CheckpointTimes {
  std::optional<std::int64_t> steps;
  std::optional<double> time;
  std::optional<double> wall;  ///< wall-clock [s]; 0: never; unset: every ten minutes
  std::int64_t keep = 3;       ///< number of checkpoints kept

  /// True if checkpoints were requested; the first and last step then get one too.
  bool requested() const { return steps || time || wall.value_or(0) > 0; }
};

/// Limits beyond which a run is unhealthy, in addition to non-finite values.
struct HealthLimits {
  std::optional<double> energy_error;
  std::optional<double> escape_radius;  ///< [length], from the centre of mass
};

/// How a scene is drawn.
struct View {
  std::string color = "speed";
  std::string map = "inferno";
  double exposure = 0;    ///< stops
  double point_size = 0;  ///< pixels; 0: chosen from the number of bodies
  std::string bodies = "stars";
  double radius = 0;      ///< [length] of spheres; 0: from the forces (sphere_radius)
  bool contacts = false;  ///< of grains, drawn as lines
  // In the window.
  std::string trails = "auto";  ///< auto: only for few bodies
  bool orbits = false, axes = false, box = false, glow = true;
};

struct Camera {
  std::optional<double> distance;  ///< [length]; by default all bodies fit
  double azimuth = 30;             ///< degrees
  double elevation = 40;           ///< degrees above the x-y plane
  std::optional<engine::Vec3d> target;
};

/// A named species of a scene.
struct Species : SpeciesForce {
  std::string name;
  std::string color = "#ffffff";           ///< red, green, blue: "#rrggbb"
  std::optional<std::string> matter = {};  ///< name of a Matter (matter.h)
  bool wall = false;  ///< fluid wall: bodies keep their velocity, whatever forces act on them
};

/// A complete, validated scene: plain data, independent of the machine.
struct SceneDescription {
  std::filesystem::path file;
  std::string text;  ///< of the file
  Trust trust = Trust::no;
  std::vector<SceneFile> included;
  std::vector<std::filesystem::path> files;  ///< all files read: the scene, includes, bodies
  SceneHead head;
  engine::UnitSystem units;
  std::optional<Gravity> gravity;
  std::vector<Field> fields;
  std::optional<DomainTable> domain;
  std::optional<PairForces> pairs;
  std::optional<BondForces> bonds;  ///< unset without bonds or angles
  std::optional<Thermostat> thermostat;
  std::optional<Fluid> fluid;
  std::vector<Emitter> emitters;
  std::vector<Drain> drains;
  std::optional<RadialDistribution> radial_distribution;
  std::optional<Grains> grains;
  std::vector<ObstacleDescription> obstacles;
  std::optional<Soft> soft;
  /// Constraint mesh by body id; null until the bodies are made.
  std::shared_ptr<const SoftMesh> soft_mesh;
  /// Of soft bodies, once bodies were added or removed; otherwise ids are 0, 1, ...
  std::vector<std::uint32_t> soft_ids;
  Integrator integrator;
  Stop stop;
  Series series;
  Snapshots snapshots;
  CheckpointTimes checkpoints;
  HealthLimits health;
  View view;
  Camera camera;
  std::vector<Species> species;  ///< sorted by name; Bodies::species counts them from 1
  std::vector<BodySource> bodies;
  bool resumed = false;  ///< bodies come from an earlier run; start checks are skipped
  std::vector<SceneParam> params;
  SceneHooks hooks;
  engine::JsonBox expanded;  ///< with every default; reading it back gives the same simulation

  engine::Index body_count() const;
};

/// Optional keys of its bodies and of those that hooks add.
BodyTraits traits_of(const SceneDescription& scene);

/// Radius of drawn spheres [length]: that of the view, else that of grains, the thickness of soft
/// bodies, half of sigma or half of the fluid's spacing; 0 if none is set.
inline double sphere_radius(const SceneDescription& scene, const View& view) {
  if (view.radius > 0) return view.radius;
  if (view.point_size > 0) return 0;
  if (scene.fluid && view.bodies == "fluid") return 0.5 * scene.fluid->spacing;
  if (scene.grains) return scene.grains->radius;
  if (scene.soft) return scene.soft->thickness;
  return scene.pairs   ? 0.5 * scene.pairs->lennard_jones.sigma
         : scene.fluid ? 0.5 * scene.fluid->spacing
                       : 0;
}

/// True if temperature and pressure are meaningful: all bodies are molecules, or there is a
/// thermostat.
inline bool has_temperature(const SceneDescription& scene) {
  return (scene.pairs && !scene.fluid && !scene.grains && !scene.soft) || scene.thermostat;
}

/// Open space if the scene has no domain.
Domain domain_of(const SceneDescription& scene);

/// G of a scene: that of its units, unless its gravity overrides it.
double gravitational_of(const SceneDescription& scene);

/// Makes the bodies of a scene: the same bits on every machine with the same mathematical library,
/// for every number of threads.
Bodies make_bodies(const SceneDescription& scene, int threads);
/// The same in parts: the context that all generators of a scene share, and the bodies of some
/// sources.
MakeContext make_context(const SceneDescription& scene, int threads);
Bodies make_bodies(const std::vector<BodySource>& sources, const MakeContext& context);

}  // namespace mote::sim
