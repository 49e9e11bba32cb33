#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/obstacle_lines.h"
#include "render/color_map.h"
#include "render/frame.h"
#include "render/picture.h"
#include "sim/run/extent.h"
#include "sim/run/simulation.h"

namespace mote::api {

/// What a scene's colours show.
sim::Scalar color_scalar(const sim::View& view);

/// Where a fluid has walls of bodies: radii by species, those of walls negative, as render::Frame
/// has them. Where it has grains in it: factors of the bodies' radii, -1 of grains and 0 of walls,
/// which would hide them.
std::optional<sim::SpeciesRadii> walls_of(const sim::SceneDescription& scene);

/// Whether each of its spheres has a radius of its own: that of its body, or one that tells walls
/// from a fluid.
inline bool has_own_radii(const sim::SceneDescription& scene, const sim::View& view) {
  return (scene.grains || walls_of(scene)) && !(view.radius > 0) && !(view.point_size > 0);
}

/// Whether bodies of negative radii are solids that stand in the fluid, to be drawn with it.
inline bool has_solids(const sim::SceneDescription& scene) {
  return scene.fluid && scene.grains;
}

/// Colours of the numbers of a scene's species, that of bodies without first, where this scalar is
/// shown by them; else none.
std::vector<render::Color> palette_of(const sim::SceneDescription& scene, sim::Scalar shown);

/// Names of the scalars that bodies of this scene have, in the order of sim::Scalar.
std::vector<std::string> scalars_of(const sim::SceneDescription& scene);

/// "speed [km/s]", or the name alone where the units have none.
std::string label_of(sim::Scalar scalar, const engine::UnitSystem& units);

/// "t = 1.25 kpc/(km/s)".
std::string time_label(double time, const engine::UnitSystem& units);

/// How pictures of a scene look that are so wide and high, in pixels.
render::PictureOptions picture_options(const sim::SceneDescription& scene, int width, int height);

/// The camera of a scene, for pictures of this aspect. What the scene does not say follows from the
/// frame.
render::OrbitCamera camera_for(const sim::Camera& camera, const render::Frame& frame,
                               double aspect);

/// Makes Frames of a simulation, for pictures without a window. Colours keep the range of the first
/// frame, so that a colour means the same in a whole movie.
class Presenter {
 public:
  explicit Presenter(const sim::SceneDescription& scene);

  /// Valid until the next call.
  const render::Frame& present(sim::Simulation& simulation);
  const render::Frame& present(const sim::State<engine::Host>& state, double time,
                               const std::optional<sim::ContactNetwork>& contacts = {});

  /// Colours keep a range that holds those of all these states. Without it, it grows with what is
  /// presented.
  void show_range_of(const sim::State<engine::Host>& state);
  /// The range so far, for another process to go on with.
  const sim::ValueRange& range() const { return range_; }
  void widen_range(const sim::ValueRange& range);

 private:
  template <class Bodies, class Pack>
  const render::Frame& present(Bodies& bodies, double time, bool radii, const Pack& pack);

  sim::Scalar color_;
  engine::UnitSystem units_;
  bool own_radii_, grains_;
  std::optional<sim::SpeciesRadii> species_radii_;
  std::vector<float> positions_, scalars_, radii_;
  ObstacleLines obstacles_;
  bool contacts_;
  std::optional<sim::Extent> first_extent_;  ///< grids of planes stay where they are
  sim::ValueRange range_;
  bool range_held_ = false;
  render::Frame frame_;
};

}  // namespace mote::api
