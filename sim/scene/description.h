#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/params.h"
#include "engine/units.h"
#include "sim/measure/radial_distribution.h"
#include "sim/model/body_source.h"
#include "sim/model/model.h"
#include "sim/source/source.h"
#include "sim/state.h"

namespace mote::sim {

/// When a headless run ends: at whichever comes first.
struct Stop {
  std::optional<double> time;
  std::optional<std::int64_t> steps;
};

/// When snapshots are written, in addition to the one at the end.
struct Snapshots {
  std::optional<std::int64_t> steps;
  std::optional<double> time;
  std::vector<double> times;                ///< explicit times
  std::vector<std::string> format{"hdf5"};  ///< names of snapshot_formats()
  std::vector<std::string> columns;         ///< some of column_names(); empty for all
  bool compress = false;
  bool contacts = false;  ///< whether contacts of grains are stored too

  /// True if it is one of `columns`: of those that are written only if they are named.
  bool names(std::string_view column) const {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  }
};

/// When checkpoints are written.
struct CheckpointTimes {
  std::optional<std::int64_t> steps;
  std::optional<double> time;
  std::optional<double> wall;   ///< wall-clock [s]; 0: never; unset: every ten minutes
  std::int64_t keep = 3;        ///< number of checkpoints kept
  std::string at_end = "auto";  ///< whether a run that is done has one of its end: always, never

  /// True if checkpoints were requested; the first and last step then get one too.
  bool requested() const { return steps || time || wall.value_or(0) > 0; }
  /// Whether a run that is done has a checkpoint of its end, given its size.
  bool wants_end(std::uint64_t bytes) const {
    return at_end == "always" || (at_end == "auto" && (requested() || bytes <= largest_unasked));
  }
  /// Largest checkpoint that is written at the end of a run without a request [bytes].
  static constexpr std::uint64_t largest_unasked = std::uint64_t{1} << 30;
};

/// Limits beyond which a run is unhealthy, in addition to non-finite values.
struct HealthLimits {
  std::optional<double> energy_error;
  std::optional<double> escape_radius;  ///< [length], from the centre of mass
};

/// How a scene is drawn.
struct View {
  std::string color = "speed";
  std::string show;  ///< expression: bodies are drawn where it is > 0; "": all
  std::string map = "inferno";
  std::string background = "dark";
  double occlusion = 0;   ///< strength of ambient occlusion
  double shadow = 0;      ///< part of the lamp's light that shadows take
  bool reversed = false;  ///< the order of the map's colours
  double exposure = 0;    ///< stops
  /// The plane behind which nothing is drawn: its direction, of any length; none: no plane.
  std::optional<engine::Vec3d> clip_normal;
  double clip_offset = 0;  ///< distance of that plane from the origin, along its normal [length]
  double point_size = 0;   ///< pixels; 0: chosen from the number of bodies
  std::string bodies = "stars";
  double radius = 0;               ///< [length] of spheres; 0: from the modules (sphere_radius)
  bool contacts = false;           ///< contacts of grains are drawn as lines
  std::optional<double> portrait;  ///< time of its most telling picture; unset: the end
  std::string overlay = "none";    ///< explanations in pictures: none, measures, all
  std::string credits;
  // The following are for the window.
  std::string trails = "auto";  ///< auto: only for few bodies
  bool orbits = false, axes = false, box = false, glow = true;
};

struct Camera {
  std::optional<double> distance;  ///< [length]; by default all bodies fit
  double azimuth = 30;             ///< degrees
  double elevation = 40;           ///< degrees above the x-y plane
  std::optional<engine::Vec3d> target;
};

/// A complete, validated scene: plain data, independent of the machine.
struct SceneDescription : Model {
  std::string text;  ///< text of the file
  Trust trust = Trust::no;
  std::vector<SceneFile> included;
  std::vector<std::filesystem::path> files;  ///< all files read: the scene, includes, bodies
  std::optional<RadialDistribution> radial_distribution;
  Stop stop;
  Snapshots snapshots;
  CheckpointTimes checkpoints;
  HealthLimits health;
  View view;
  Camera camera;
  std::vector<BodySource> bodies;
  /// The state from which a run goes on, with all its columns: the simulation opens with it instead
  /// of `bodies`, which then are but a number, and start checks are skipped. Null: a run that
  /// starts.
  std::shared_ptr<const State<engine::Host>> restored;
  std::vector<SceneParam> params;
  SceneHooks hooks;
  engine::JsonBox expanded;  ///< has every default; reading it back gives the same simulation

  engine::Index body_count() const { return sim::body_count(bodies); }
};

/// Optional keys of its bodies and of those that hooks add.
BodyTraits traits_of(const Model& model);

/// Why it cannot have one of the columns that its snapshots name, or "".
std::string problem_of_columns(const SceneDescription& scene);

/// Radius of drawn spheres [length]: that of the view, else of grains, soft bodies or other matter,
/// in this order; 0: none.
double sphere_radius(const Model& model, const View& view);

/// Makes the bodies of a scene: the same bits on every machine with the same mathematical library,
/// for every number of threads.
Bodies make_bodies(const SceneDescription& scene, int threads);
/// Makes the bodies in parts: the context that all generators of a scene share, and the bodies of
/// some sources.
MakeContext make_context(const Model& model, int threads);
Bodies make_bodies(const std::vector<BodySource>& sources, const MakeContext& context);

}  // namespace mote::sim
