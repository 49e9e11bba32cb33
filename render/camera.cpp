#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/ext/matrix_clip_space.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

namespace mote::render {
namespace {

constexpr double smallest_distance = 1e-30;  // keeps float matrices finite

double usable(double distance) {
  return distance > smallest_distance ? distance : smallest_distance;
}

}  // namespace

glm::dvec3 OrbitCamera::direction() const {
  const double a = glm::radians(azimuth), e = glm::radians(elevation);
  return {std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e)};
}

glm::dvec3 OrbitCamera::position() const {
  return target + usable(distance) * direction();
}

glm::mat4 OrbitCamera::view_matrix() const {
  // The axes follow from the angles, so that looking straight down needs no special case.
  const double a = glm::radians(azimuth);
  const glm::dvec3 back = direction();
  const glm::dvec3 right{-std::sin(a), std::cos(a), 0};
  const glm::dvec3 up = glm::cross(back, right);
  const glm::dvec3 eye = position();
  glm::dmat4 view(1);
  for (int i = 0; i < 3; ++i) {
    view[i][0] = right[i];
    view[i][1] = up[i];
    view[i][2] = back[i];
  }
  view[3] = {-glm::dot(right, eye), -glm::dot(up, eye), -glm::dot(back, eye), 1};
  return glm::mat4(view);
}

glm::mat4 OrbitCamera::projection_matrix(double aspect) const {
  const double length_scale = usable(distance);
  return glm::mat4(glm::perspective(glm::radians(field_of_view), aspect, 1e-3 * length_scale,
                                    1e4 * length_scale));
}

double OrbitCamera::height_at_target() const {
  return 2 * usable(distance) * std::tan(glm::radians(field_of_view) / 2);
}

Viewpoint OrbitCamera::viewpoint(int width, int height) const {
  width = std::max(width, 1);
  height = std::max(height, 1);
  return {view_matrix(), projection_matrix(static_cast<double>(width) / height),
          glm::vec3(position()), height_at_target() / height};
}

void OrbitCamera::frame(const glm::dvec3& center, double radius, double aspect) {
  const bool finite = std::isfinite(center.x) && std::isfinite(center.y) && std::isfinite(center.z);
  target = finite ? center : glm::dvec3(0);
  if (!std::isfinite(radius) || radius <= 0) radius = 1;
  // The cone tangent to the sphere has the half angle asin(radius / distance); the narrower side of
  // the picture decides.
  const double half_tangent = std::tan(glm::radians(field_of_view) / 2) * std::min(aspect, 1.0);
  distance = 1.02 * radius / std::sin(std::atan(half_tangent));
}

std::optional<glm::vec2> pixel_of(const Viewpoint& from, const glm::vec3& point, int width,
                                  int height) {
  const glm::vec4 clip = from.projection * from.view * glm::vec4(point, 1);
  if (!(clip.w > 0)) return std::nullopt;
  return glm::vec2((clip.x / clip.w * 0.5f + 0.5f) * static_cast<float>(width),
                   (0.5f - clip.y / clip.w * 0.5f) * static_cast<float>(height));
}

float pixels_of(const Viewpoint& from, const glm::vec3& point, double length, int height) {
  const glm::vec4 clip = from.projection * from.view * glm::vec4(point, 1);
  if (!(clip.w > 0)) return 0;
  return static_cast<float>(length) * from.projection[1][1] / clip.w * 0.5f *
         static_cast<float>(height);
}

std::optional<glm::dvec3> point_at(const Viewpoint& from, const glm::vec2& pixel,
                                   const glm::vec3& through, int width, int height) {
  const glm::dmat4 view(from.view), projection(from.projection);
  const glm::dvec4 camera = view * glm::dvec4(through, 1), clip = projection * camera;
  if (!(clip.w > 0)) return std::nullopt;
  // x of a point of this depth is linear in clip.x.
  const double x = 2.0 * pixel.x / width - 1, y = 1 - 2.0 * pixel.y / height;
  const glm::dvec4 seen{camera.x + (x * clip.w - clip.x) / projection[0][0],
                        camera.y + (y * clip.w - clip.y) / projection[1][1], camera.z, 1};
  return glm::dvec3(glm::inverse(view) * seen);
}

}  // namespace mote::render
