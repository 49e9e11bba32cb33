#include "render/camera_control.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/trigonometric.hpp>
#include <utility>

namespace mote::render {
namespace {

// Times in seconds.
constexpr double glide_time = 0.4;
constexpr double coast_time = 0.18;    // a released drag slows down by a factor e
constexpr double measure_time = 0.04;  // averaging time of a drag's speed
constexpr double zoom_time = 0.07;     // the remaining zoom shrinks by a factor e
constexpr double fly_time = 0.15;      // the velocity approaches the requested one by a factor e

constexpr double degrees_per_height = 180;  // degrees that a drag of one height turns
constexpr double look_per_field = 1.5;  // fields of view that a drag of one height looks around by
constexpr double fly_speed = 0.7;       // [target distances/s]
constexpr double fast = 5;
constexpr double standstill = 1e-4;  // each movement has its unit: heights, distances, logarithms

constexpr double nearest = 1e-30, farthest = 1e30;  // range of float matrices
constexpr std::array<Key, 6> fly_keys = {static_cast<Key>('W'), static_cast<Key>('S'),
                                         static_cast<Key>('D'), static_cast<Key>('A'),
                                         static_cast<Key>('E'), static_cast<Key>('Q')};

bool is_finite(const glm::dvec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// The camera's axes in the world: right, up, back.
glm::dmat3 axes_of(const OrbitCamera& camera) {
  const double a = glm::radians(camera.azimuth);
  const glm::dvec3 right{-std::sin(a), std::cos(a), 0}, back = camera.direction();
  return {right, glm::cross(back, right), back};
}

double ease(double fraction) {
  fraction = std::clamp(fraction, 0.0, 1.0);
  return fraction * fraction * (3 - 2 * fraction);
}

}  // namespace

void CameraControl::set(const OrbitCamera& camera) {
  stop();
  following_ = false;
  camera_ = camera;
}

void CameraControl::stop() {
  drag_ = coast_ = Drag::none;
  moved_ = speed_ = {0, 0};
  zoom_left_ = 0;
  turn_left_ = pan_left_ = {0, 0};
  std::fill(std::begin(held_), std::end(held_), false);
  velocity_ = {0, 0, 0};
  gliding_ = false;
}

void CameraControl::set_flying(bool flying) {
  flying_ = flying;
  if (!flying) std::fill(std::begin(held_), std::end(held_), false);
}

void CameraControl::handle(const InputEvent& event, int, int height) {
  using Kind = InputEvent::Kind;
  switch (event.kind) {
    case Kind::mouse_down:
      if (drag_ == Drag::none) begin_drag(event);
      break;
    case Kind::mouse_up:
      if (event.button == button_) drag_ = Drag::none;
      break;
    case Kind::mouse_move:
      if (drag_ != Drag::none) {
        const glm::dvec2 by =
            (glm::dvec2(event.x, event.y) - mouse_) / static_cast<double>(std::max(height, 1));
        mouse_ = {event.x, event.y};
        moved_ += by;
        move(drag_, by);
      }
      break;
    case Kind::wheel:
      nudge_zoom(event.amount);
      break;
    case Kind::key_down:
    case Kind::key_up:
      fast_ = event.modifiers.shift;
      press_key(event.key, event.kind == Kind::key_down);
      break;
    default:
      break;
  }
}

void CameraControl::nudge_zoom(double notches) {
  zoom_left_ -= notches * std::log(zoom_per_notch);
}

void CameraControl::begin_drag(const InputEvent& event) {
  if (event.button < 0 || event.button > 2) return;
  const bool turns = event.button == 0 && !event.modifiers.shift;
  drag_ = turns ? Drag::turn : event.button == 1 && flying_ ? Drag::look : Drag::pan;
  coast_ = drag_;
  button_ = event.button;
  mouse_ = {event.x, event.y};
  moved_ = speed_ = {0, 0};  // stops a coasting movement
}

void CameraControl::press_key(Key key, bool down) {
  for (std::size_t i = 0; i < fly_keys.size(); ++i)
    if (key == fly_keys[i]) held_[i] = down && flying_;
}

void CameraControl::move(Drag drag, const glm::dvec2& by) {
  if (drag == Drag::turn) turn(degrees_per_height * by);
  if (drag == Drag::look) look(look_per_field * camera_.field_of_view * by);
  if (drag == Drag::pan) pan(by);
}

void CameraControl::turn(const glm::dvec2& degrees) {
  // A camera that was set beyond a pole may stay there.
  const double low = std::min(-90.0, camera_.elevation), high = std::max(90.0, camera_.elevation);
  camera_.azimuth = std::remainder(camera_.azimuth - degrees.x, 360);
  camera_.elevation = std::clamp(camera_.elevation + degrees.y, low, high);
}

void CameraControl::pan(const glm::dvec2& heights) {
  const glm::dmat3 axes = axes_of(camera_);
  shift(camera_.height_at_target() * (heights.y * axes[1] - heights.x * axes[0]));
}

void CameraControl::look(const glm::dvec2& degrees) {
  const glm::dvec3 before = camera_.direction();
  turn(degrees);
  shift(camera_.distance * (before - camera_.direction()));  // keeps the eye in place
}

void CameraControl::zoom(double log_factor) {
  camera_.distance = std::clamp(camera_.distance * std::exp(log_factor), nearest, farthest);
}

void CameraControl::shift(const glm::dvec3& by) {
  camera_.target += by;
  followed_offset_ += by;
}

bool CameraControl::update(double seconds) {
  if (!(seconds > 0))
    return drag_ != Drag::none || gliding_ || zoom_left_ != 0 || turn_left_ != glm::dvec2(0) ||
           pan_left_ != glm::dvec2(0);
  if (!std::exchange(followed_now_, false)) following_ = false;
  bool moves = coast(seconds);
  moves |= advance_zoom(seconds);
  moves |= advance(turn_left_, flying_ ? Drag::look : Drag::turn, seconds);
  moves |= advance(pan_left_, Drag::pan, seconds);
  moves |= fly(seconds);
  moves |= advance_glide(seconds);
  return moves;
}

bool CameraControl::coast(double seconds) {
  const glm::dvec2 moved = std::exchange(moved_, {0, 0});
  if (drag_ != Drag::none || moved != glm::dvec2(0)) {
    speed_ += (moved / seconds - speed_) * -std::expm1(-seconds / measure_time);
    return true;
  }
  if (speed_ == glm::dvec2(0)) return false;
  const glm::dvec2 left = coast_time * speed_;  // distance until standstill
  const double fraction = glm::length(left) < standstill ? 1 : -std::expm1(-seconds / coast_time);
  move(coast_, fraction * left);
  speed_ *= 1 - fraction;
  return true;
}

bool CameraControl::advance_zoom(double seconds) {
  if (zoom_left_ == 0) return false;
  const double fraction = std::abs(zoom_left_) < standstill ? 1 : -std::expm1(-seconds / zoom_time);
  zoom(fraction * zoom_left_);
  zoom_left_ *= 1 - fraction;
  return true;
}

bool CameraControl::advance(glm::dvec2& left, Drag as, double seconds) {
  if (left == glm::dvec2(0)) return false;
  const double fraction = glm::length(left) < standstill ? 1 : -std::expm1(-seconds / zoom_time);
  move(as, fraction * left);
  left *= 1 - fraction;
  return true;
}

glm::dvec3 CameraControl::requested_velocity() const {
  const glm::dvec3 requested(held_[2] - held_[3], held_[4] - held_[5], held_[1] - held_[0]);
  const double length = glm::length(requested);
  return length > 0 ? requested * (fly_speed * (fast_ ? fast : 1) / length) : requested;
}

bool CameraControl::fly(double seconds) {
  const glm::dvec3 requested = requested_velocity();
  if (requested == glm::dvec3(0) && velocity_ == glm::dvec3(0)) return false;
  // The velocity decays exponentially to the requested one in `fly_time`; the shift is its
  // integral.
  const glm::dvec3 excess = velocity_ - requested;
  const bool arrived = glm::length(excess) * fly_time < standstill;
  const double fraction = arrived ? 1 : -std::expm1(-seconds / fly_time);
  shift(camera_.distance *
        (axes_of(camera_) * (requested * seconds + excess * fly_time * fraction)));
  velocity_ = arrived ? requested : requested + excess * (1 - fraction);
  return true;
}

bool CameraControl::advance_glide(double seconds) {
  if (!gliding_) return false;
  const double before = ease(glide_.time / glide_time);
  glide_.time += seconds;
  const double fraction = ease(glide_.time / glide_time) - before;
  shift(-fraction * glide_.offset);
  zoom(-fraction * glide_.log_ratio);
  gliding_ = glide_.time < glide_time;
  return true;
}

void CameraControl::frame(const glm::dvec3& center, double radius, double aspect) {
  OrbitCamera goal = camera_;
  goal.frame(center, radius, aspect);
  speed_ = turn_left_ = pan_left_ = {0, 0};
  zoom_left_ = 0;
  following_ = false;
  glide_ = {camera_.target - goal.target,
            std::log(std::max(camera_.distance, nearest) / goal.distance), 0};
  gliding_ = is_finite(glide_.offset) && std::isfinite(glide_.log_ratio);
  if (!gliding_) camera_ = goal;
}

void CameraControl::follow(const glm::dvec3& point) {
  if (!is_finite(point)) return;
  if (!following_) {
    followed_offset_ = camera_.target - point;
    // A running glide ends at the point instead.
    if (!gliding_) glide_ = {};
    const double left = 1 - ease(glide_.time / glide_time);
    glide_.offset = left > 0 ? followed_offset_ / left : followed_offset_;
    gliding_ = true;
  }
  following_ = followed_now_ = true;
  followed_ = point;
  camera_.target = followed_ + followed_offset_;
}

Viewpoint CameraControl::viewpoint(const glm::dvec3& origin, int width, int height) const {
  OrbitCamera near_origin = camera_;
  near_origin.target -= origin;  // subtracted in double: the difference is small enough for float
  return near_origin.viewpoint(width, height);
}

}  // namespace mote::render
