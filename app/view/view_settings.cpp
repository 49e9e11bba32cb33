#include "app/view/view_settings.h"

#include "app/view/frame_feed.h"
#include "app/view/hands.h"
#include "app/view/orbits.h"

namespace mote::app {

render::ViewStyle style_of(const WindowState& model, double seconds) {
  render::ViewStyle style = model.style;
  style.map = api::map_name(model.view);
  if (model.session) {
    style.palette = api::palette_of(model.session->scene(), model.shown.scalar);
    style.own_radii = api::has_own_radii(model.session->scene(), model.view);
    style.looks = model.looks;
    style.solids = api::has_solids(model.session->scene());
    style.sphere_radius = sim::sphere_radius(model.session->scene(), model.view);
  }
  style.exposure = model.view.exposure;
  style.occlusion = model.view.occlusion;
  style.shadow = model.view.shadow;
  style.clip = api::clip_of(model.view, model.shown.origin);
  style.on_white = model.view.background == "light";
  style.point_size = model.view.point_size;
  style.bodies = render::bodies_named(model.view.bodies);
  style.trail_length = model.trail_length();
  style.axes = model.view.axes;
  style.box = model.view.box;
  style.bloom = model.view.glow ? 1 : 0;
  style.seconds = seconds;
  return style;
}

render::Extras extras_of(const WindowState& model) {
  render::Extras extras;
  const engine::Vec3d origin = model.shown.origin;
  const auto offset = [&](engine::Vec3d v) {
    return glm::vec3(static_cast<float>(v.x - origin.x), static_cast<float>(v.y - origin.y),
                     static_cast<float>(v.z - origin.z));
  };
  if (!model.series.all().empty()) {
    extras.box_low = offset(model.series.all().back().low);
    extras.box_high = offset(model.series.all().back().high);
  }
  extras.axes_at = offset({0, 0, 0});
  extras.axes_length = model.extent.radius;
  if (const auto& body = model.shown.marked.body; body && body->id == model.picked)
    extras.marked = FrameFeed::origin_follows(model) ? glm::vec3(0) : offset(body->position);
  if (model.view.orbits && model.session) {
    const double attraction = sim::make_context(model.session->scene(), 1).gravitational;
    if (attraction > 0) extras.lines = orbits(model.shown.marked.bodies, attraction, origin);
  }
  const std::vector<render::Polyline> obstacles =
      model.obstacles.lines(model.shown.time, model.shown.solids, model.extent, origin);
  extras.lines.insert(extras.lines.end(), obstacles.begin(), obstacles.end());
  extras.surfaces =
      model.obstacles.surfaces(model.shown.time, model.shown.solids, model.extent, origin);
  extras.mesh = model.shown.mesh;
  extras.kinds = model.shown.appearance.kinds;
  extras.own_looks = model.shown.appearance.own;
  if (const auto line = hand_line(model)) extras.lines.push_back(*line);
  if (model.view.contacts)
    extras.lines.insert(extras.lines.end(), model.shown.contacts.begin(),
                        model.shown.contacts.end());
  return extras;
}

}  // namespace mote::app
