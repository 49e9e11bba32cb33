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

/// The scene itself.
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

/// When measurements become a row of series.csv.
struct Series {
  std::optional<std::int64_t> steps;  ///< by default as often as costs a few percent
  bool displacement = false;          ///< whether bodies keep where they started
};

/// When the state becomes a file, beside the one at the end.
struct Snapshots {
  std::optional<std::int64_t> steps;
  std::optional<double> time;
  std::vector<double> times;                ///< of single ones, as the scene lists them
  std::vector<std::string> format{"hdf5"};  ///< names of snapshot_formats()
  std::vector<std::string> columns;         ///< of column_names(); empty for all
  bool compress = false;
  bool contacts = false;  ///< of grains, beside the bodies
};

/// When a run becomes a file from which it goes on, beside those of its end.
struct CheckpointTimes {
  std::optional<std::int64_t> steps;
  std::optional<double> time;
  std::optional<double> wall;  ///< seconds; 0: never; nothing: every ten minutes
  std::int64_t keep = 3;       ///< how many stay

  /// Whether somebody cares: then there is one of the start and of the end, too.
  bool asked() const { return steps || time || wall.value_or(0) > 0; }
};

/// What counts as unhealthy, beside numbers that are not finite.
struct HealthLimits {
  std::optional<double> energy_error;
  std::optional<double> escape_radius;  ///< [length], from the centre of mass
};

/// How a scene likes to be looked at.
struct View {
  std::string color = "speed";
  std::string map = "inferno";
  double exposure = 0;    ///< stops
  double point_size = 0;  ///< pixels; 0: chosen from the number of bodies
  std::string bodies = "stars";
  double radius = 0;      ///< [length] of spheres; 0: what the forces say (sphere_radius)
  bool contacts = false;  ///< of grains, as lines
  // In the window.
  std::string trails = "auto";  ///< auto: where bodies are few
  bool orbits = false, axes = false, box = false, glow = true;
};

struct Camera {
  std::optional<double> distance;  ///< [length]; by default so that the bodies fit
  double azimuth = 30;             ///< degrees
  double elevation = 40;           ///< degrees above the x-y plane
  std::optional<engine::Vec3d> target;
};

/// A kind of bodies that the scene names.
struct Species : SpeciesForce {
  std::string name;
  std::string color = "#ffffff";           ///< red, green, blue: "#rrggbb"
  std::optional<std::string> matter = {};  ///< a section's name (matter.h)
  bool wall = false;  ///< of a fluid: its bodies move with their velocity, whatever pushes them
};

/// A scene, whole and checked: plain data from which a simulation is made. Nothing in it depends on
/// the machine.
struct SceneDescription {
  std::filesystem::path file;
  std::string text;  ///< of the file
  Trust trust = Trust::no;
  std::vector<SceneFile> included;
  std::vector<std::filesystem::path> files;  ///< all that were read: the scene, what it included,
                                             ///< its bodies
  SceneHead head;
  engine::UnitSystem units;
  std::optional<Gravity> gravity;
  std::vector<Field> fields;
  std::optional<DomainTable> domain;
  std::optional<PairForces> pairs;
  std::optional<BondForces> bonds;  ///< none without any
  std::optional<Thermostat> thermostat;
  std::optional<Fluid> fluid;
  std::vector<Emitter> emitters;
  std::vector<Drain> drains;
  std::optional<RadialDistribution> radial_distribution;
  std::optional<Grains> grains;
  std::vector<ObstacleDescription> obstacles;
  std::optional<Soft> soft;
  /// By id, what holds its bodies together; null until they are made.
  std::shared_ptr<const SoftMesh> soft_mesh;
  std::vector<std::uint32_t> soft_ids;  ///< of its bodies, where some have come or gone since; else
                                        ///< they count from 0
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
  bool goes_on = false;  ///< its bodies are those of a run that began before: not as a start must
                         ///< be
  std::vector<SceneParam> params;
  SceneHooks hooks;
  engine::JsonBox expanded;  ///< the scene in full, with every default: reading it back makes the
                             ///< same simulation

  engine::Index body_count() const;
};

/// What its bodies, and those that hooks add, may say of themselves.
BodyTraits traits_of(const SceneDescription& scene);

/// How large the spheres of a scene are [length]: as it is asked for, that of grains, or half of
/// sigma or of a fluid's spacing; 0 where nobody says.
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

/// Whether temperature and pressure say something about its bodies: where all are molecules.
inline bool has_temperature(const SceneDescription& scene) {
  return (scene.pairs && !scene.fluid && !scene.grains && !scene.soft) || scene.thermostat;
}

/// Reads and checks a scene. Every problem is found in one pass and thrown together as InputError.
SceneDescription read_scene(const std::filesystem::path& file, const Settings& settings = {},
                            Trust trust = Trust::no);

/// The same of a text that need not stand in the file of this name. Paths in it start at the folder
/// of `file`.
SceneDescription read_scene_text(const std::filesystem::path& file, std::string text,
                                 const Settings& settings = {});

/// Throws InputError with this place when a scalar says nothing about the bodies: species, where
/// the scene names none.
void check_scalar(const SceneDescription& scene, const std::string& scalar,
                  const std::string& place);

/// Makes the bodies of a scene: the same bits on every machine with the same mathematical library,
/// for every number of threads.
Bodies make_bodies(const SceneDescription& scene, int threads);
/// The same in parts: what all generators of a scene are told, and the bodies of some of them.
MakeContext make_context(const SceneDescription& scene, int threads);
Bodies make_bodies(const std::vector<BodySource>& sources, const MakeContext& context);

/// Every table that a scene may hold, in the order of the reference.
std::vector<engine::ParamSheet> scene_sheets();

}  // namespace mote::sim
