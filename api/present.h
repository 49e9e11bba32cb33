#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/body_kinds.h"
#include "api/body_meshes.h"
#include "api/drawn_obstacles.h"
#include "render/color_map.h"
#include "render/frame.h"
#include "render/picture.h"
#include "sim/run/extent.h"
#include "sim/run/simulation.h"

namespace mote::api {

/// The scalar by which a view colours bodies.
sim::Quantity color_scalar(const sim::View& view);

/// The expression that is above 0 for the bodies that a view shows; nothing: all.
std::optional<sim::Quantity> shown_expression(const std::string& show);

/// The name of the colour map of a view, for color_map_named.
inline std::string map_name(const sim::View& view) {
  return view.reversed ? view.map + render::reversed_ending : view.map;
}

/// The plane behind which a view draws nothing, as that of a ViewStyle, for positions relative to
/// `origin`.
std::optional<glm::vec4> clip_of(const sim::View& view, engine::Vec3d origin = {});

/// True if spheres have individual radii: those of the bodies, or by species.
inline bool has_own_radii(const sim::SceneDescription& scene, const sim::View& view) {
  return (sim::has_radii(scene) || sim::species_radii(scene)) && !(view.radius > 0) &&
         !(view.point_size > 0);
}

/// True if bodies of negative radius are solids in a liquid, to be drawn with it.
inline bool has_solids(const sim::SceneDescription& scene) {
  return sim::has_liquid(scene) && sim::has_radii(scene);
}

/// Colours by species number, the first for bodies without a species; empty for scalars other than
/// the species.
std::vector<render::Color> palette_of(const sim::SceneDescription& scene,
                                      const sim::Quantity& shown);

/// Names of the scalars that bodies of this scene have.
std::vector<std::string> scalars_of(const sim::SceneDescription& scene);

/// How values in a range are shown: "speed [km/s]", or only the name if there is no unit; and the
/// factor from the units of the scene to that one.
struct ScalarLabel {
  std::string text;
  double factor = 1;
};
ScalarLabel label_of(const sim::Quantity& scalar, const sim::ValueRange& range,
                     const engine::UnitSystem& units);

/// "t = 1.22 Gyr".
std::string time_label(double time, const engine::UnitSystem& units);

/// Options for pictures of a scene; width and height [pixels].
render::PictureOptions picture_options(const sim::SceneDescription& scene, int width, int height);

/// The camera of a scene, for pictures of this aspect ratio. Unset parameters are fitted to the
/// frame.
render::OrbitCamera camera_for(const sim::Camera& camera, const render::Frame& frame,
                               double aspect);

/// Makes Frames of a simulation, for offscreen pictures. The colour range of a movie can be fixed
/// beforehand, so that a colour means the same in every frame.
class Presenter {
 public:
  explicit Presenter(const sim::SceneDescription& scene);

  /// Shows what connects the bodies of states: those of this model, which has taken them.
  /// Simulations have their own.
  void connect(std::shared_ptr<const sim::Model> model) { connected_ = std::move(model); }

  /// Names and looks by id of the bodies of states. Simulations have their own.
  void label(sim::BodyLabels labels) { labels_ = std::move(labels); }

  /// Valid until the next call. `potential`: of the bodies, for a picture of it.
  const render::Frame& present(sim::Simulation& simulation);
  const render::Frame& present(const sim::State<engine::Host>& state, double time,
                               const std::optional<sim::ContactNetwork>& contacts = {},
                               std::span<const double> potential = {},
                               const std::vector<sim::SolidState>& solids = {});

  /// Fixes the colour range to the union of those of all states passed here. Without this,
  /// presented frames widen it.
  void show_range_of(const sim::State<engine::Host>& state, double time,
                     std::span<const double> potential = {});
  /// The range so far, to pass on to another process.
  const sim::ValueRange& range() const { return range_; }
  /// Widens the range by another one, such as that of another process.
  void widen_range(const sim::ValueRange& range);

 private:
  template <class Bodies, class Pack, class Range>
  const render::Frame& present(Bodies& bodies, double time,
                               const std::vector<sim::SolidState>& solids, bool radii,
                               const Pack& pack, const Range& range);
  void appear(Appearance appearance, const std::vector<double>& show);
  void add_name(engine::Vec3d at, engine::Index index, const std::string& name);
  std::vector<double> computed(const sim::State<engine::Host>& state, double time,
                               std::span<const double> potential) const;

  sim::Quantity color_;
  std::optional<sim::Quantity> show_;
  engine::UnitSystem units_;
  engine::Vec3d period_;  ///< lengths of periodic axes; 0: open
  bool own_radii_, body_radii_;
  std::optional<sim::SpeciesRadii> species_radii_;
  std::vector<float> positions_, scalars_, radii_;
  DrawnObstacles obstacles_;
  struct Kept {
    BodyMeshes meshes;
    BodyKinds kinds;
  };
  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();  ///< shared by copies; changes no picture
  std::vector<render::Look> looks_;                        ///< one for each species
  sim::BodyLabels labels_;
  std::shared_ptr<const sim::Model> connected_;
  bool contacts_;
  std::optional<sim::Extent> first_extent_;  ///< keeps grids of planes in place
  sim::ValueRange range_;
  bool range_fixed_ = false;
  bool names_;
  render::Frame frame_;
};

}  // namespace mote::api
