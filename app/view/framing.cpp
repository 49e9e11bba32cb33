#include "app/view/framing.h"

#include <algorithm>

#include "app/view/panels.h"

namespace mote::app {
namespace {

glm::dvec3 center_of(const sim::Extent& extent) {
  return {extent.center.x, extent.center.y, extent.center.z};
}

/// Aspect of the pictures that cameras of scenes are made for.
constexpr double usual_aspect = 16.0 / 9;

double aspect_of(const FreeArea& area) {
  return std::max(area.width(), 1.0) / std::max(area.height(), 1.0);
}

}  // namespace

FreeArea free_area(const WindowState& model, int width, int height) {
  const Layout layout = layout_for(model.panels, width, height);
  FreeArea area{layout.scene_left, layout.scene_right, 0, layout.scene_bottom};
  const bool sensible = area.width() > 0.3 * width && area.height() > 0.3 * height;
  return model.panels.all && sensible ? area : FreeArea{0.0, double(width), 0.0, double(height)};
}

namespace {

/// Width of the bodies in the picture of a camera, in heights of the picture.
double subject_width_of(const WindowState& model, render::OrbitCamera camera, double distance) {
  camera.distance = distance;
  return std::clamp(2 * model.extent.radius / camera.height_at_target(), 1.0, usual_aspect);
}

/// `subject_width`: as WindowState::subject_width.
double factor_for(const WindowState& model, double subject_width) {
  return std::clamp(std::max(model.free_height, subject_width * model.free_width), 1.0, 5.0);
}

void measure_free_area(WindowState& model, int width, int height) {
  const FreeArea area = free_area(model, width, height);
  model.free_height = height / std::max(area.height(), 1.0);
  model.free_width = height / std::max(area.width(), 1.0);
}

}  // namespace

double distance_to_save(const WindowState& model) {
  const render::OrbitCamera& camera = model.camera.camera();
  // The distance at which the scene opens rises with the one that is saved.
  double low = camera.distance / 5, high = camera.distance;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    const double opened = middle * factor_for(model, subject_width_of(model, camera, middle));
    (opened < camera.distance ? low : high) = middle;
  }
  return high;
}

bool refit(WindowState& model, int width, int height) {
  const double before = model.distance_factor;
  measure_free_area(model, width, height);
  model.distance_factor = factor_for(model, model.subject_width);
  if (!model.framed || model.distance_factor == before) return false;
  model.camera.scale(model.distance_factor / before);
  return true;
}

render::Viewpoint viewpoint_in(const WindowState& model, int width, int height) {
  const engine::Vec3d o = model.shown.origin;
  render::Viewpoint viewpoint = model.camera.viewpoint({o.x, o.y, o.z}, width, height);
  const FreeArea area = free_area(model, width, height);
  const auto right = static_cast<float>((area.left + area.right) / width - 1);
  const auto up = static_cast<float>(1 - (area.top + area.bottom) / height);
  // x' = x + right w, y' = y + up w in clip space.
  for (int column = 0; column < 4; ++column) {
    viewpoint.projection[column][0] += right * viewpoint.projection[column][3];
    viewpoint.projection[column][1] += up * viewpoint.projection[column][3];
  }
  return viewpoint;
}

render::OrbitCamera first_camera(WindowState& model, int width, int height) {
  const sim::Camera& scene = model.session->scene().camera;
  render::OrbitCamera camera;
  camera.azimuth = scene.azimuth;
  camera.elevation = scene.elevation;
  camera.frame(center_of(model.extent), model.extent.radius, usual_aspect);
  if (scene.distance) camera.distance = *scene.distance;
  if (scene.target) camera.target = {scene.target->x, scene.target->y, scene.target->z};
  measure_free_area(model, width, height);
  model.subject_width = subject_width_of(model, camera, camera.distance);
  model.distance_factor = factor_for(model, model.subject_width);
  camera.distance *= model.distance_factor;
  return camera;
}

void frame_all(WindowState& model, int width, int height) {
  const FreeArea area = free_area(model, width, height);
  measure_free_area(model, width, height);
  model.subject_width = 1;
  model.distance_factor = factor_for(model, 1);
  model.camera.frame(center_of(model.extent),
                     model.extent.radius * height / std::max(area.height(), 1.0), aspect_of(area));
}

std::vector<render::ui::PlacedWords> name_tags(const WindowState& model, int width, int height) {
  std::vector<render::ui::PlacedWords> tags;
  if (!model.session) return tags;
  const render::Viewpoint from = viewpoint_in(model, width, height);
  const auto clip = api::clip_of(model.view, model.shown.origin);
  for (const auto& [name, id, position] : model.shown.marked.named) {
    const auto index = sim::index_of(model.shown.ids, model.shown.count, id);
    if (index && !api::is_visible(model.shown.appearance, model.looks, *index)) continue;
    const engine::Vec3d p = position - model.shown.origin;
    if (render::is_clipped(clip, {p.x, p.y, p.z})) continue;
    const float own = index ? api::own_radius(model.shown.appearance, model.looks, *index) : 0.0f;
    const double radius = own > 0 ? own : model.sphere_radius;
    if (const auto at = render::pixel_of(from, {p.x, p.y, p.z}, width, height))
      tags.push_back(
          {at->x, at->y, name, render::pixels_of(from, {p.x, p.y, p.z}, radius, height)});
  }
  return tags;
}

}  // namespace mote::app
