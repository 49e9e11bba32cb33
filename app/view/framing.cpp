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

FreeArea free_area(const Model& model, int width, int height) {
  const Layout layout = layout_for(model, width, height);
  FreeArea area{layout.scene_left, layout.scene_right, 0, layout.scene_bottom};
  const bool sensible = area.width() > 0.3 * width && area.height() > 0.3 * height;
  return model.panels.all && sensible ? area : FreeArea{0.0, double(width), 0.0, double(height)};
}

double distance_factor(const Model& model, int width, int height) {
  const FreeArea area = free_area(model, width, height);
  const double by_height = height / std::max(area.height(), 1.0);
  const double by_width = model.subject_width * height / std::max(area.width(), 1.0);
  return std::clamp(std::max(by_height, by_width), 1.0, 5.0);
}

bool refit(Model& model, int width, int height) {
  const double before = model.distance_factor;
  model.distance_factor = distance_factor(model, width, height);
  if (!model.framed || model.distance_factor == before) return false;
  render::OrbitCamera camera = model.camera.camera();
  camera.distance *= model.distance_factor / before;
  model.camera.set(camera);
  return true;
}

render::Viewpoint viewpoint_in(const Model& model, int width, int height) {
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

render::OrbitCamera first_camera(Model& model, int width, int height) {
  const sim::Camera& scene = model.session->scene().camera;
  render::OrbitCamera camera;
  camera.azimuth = scene.azimuth;
  camera.elevation = scene.elevation;
  camera.frame(center_of(model.extent), model.extent.radius, usual_aspect);
  if (scene.distance) camera.distance = *scene.distance;
  if (scene.target) camera.target = {scene.target->x, scene.target->y, scene.target->z};
  model.subject_width =
      std::clamp(2 * model.extent.radius / camera.height_at_target(), 1.0, usual_aspect);
  model.distance_factor = distance_factor(model, width, height);
  camera.distance *= model.distance_factor;
  return camera;
}

void frame_all(Model& model, int width, int height) {
  const FreeArea area = free_area(model, width, height);
  model.subject_width = 1;
  model.distance_factor = distance_factor(model, width, height);
  model.camera.frame(center_of(model.extent),
                     model.extent.radius * height / std::max(area.height(), 1.0), aspect_of(area));
}

std::vector<NameTag> name_tags(const Model& model, int width, int height) {
  std::vector<NameTag> tags;
  if (!model.session) return tags;
  const render::Viewpoint from = viewpoint_in(model, width, height);
  const glm::mat4 clip_from_world = from.projection * from.view;
  for (const auto& [name, position] : model.status.named) {
    const engine::Vec3d p = position - model.shown.origin;
    const glm::vec4 clip = clip_from_world * glm::vec4(p.x, p.y, p.z, 1);
    if (!(clip.w > 0)) continue;
    tags.push_back({(clip.x / clip.w * 0.5f + 0.5f) * static_cast<float>(width),
                    (0.5f - clip.y / clip.w * 0.5f) * static_cast<float>(height), name});
  }
  return tags;
}

}  // namespace mote::app
