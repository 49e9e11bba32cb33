#include "render/camera_control.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
#include <limits>

#include "tests/render/input_events.h"

namespace mote::render::camera_control_test {
namespace {

constexpr int width = 1280, height = 720;
using Kind = InputEvent::Kind;

/// Pixel of a point, from the upper left.
glm::dvec2 pixel(const CameraControl& control, const glm::dvec3& point) {
  const Viewpoint from = control.viewpoint({0, 0, 0}, width, height);
  const glm::dvec4 clip =
      glm::dmat4(from.projection) * (glm::dmat4(from.view) * glm::dvec4(point, 1));
  return {(clip.x / clip.w + 1) / 2 * width, (1 - clip.y / clip.w) / 2 * height};
}

/// Updates until nothing moves, at this number of frames per second. Gives up after a minute.
void settle(CameraControl& control, double rate) {
  for (int i = 0; i < 60 * rate && control.update(1 / rate); ++i) {
  }
  EXPECT_FALSE(control.update(1 / rate)) << "it never stops";
}

CameraControl tilted() {
  OrbitCamera camera;
  camera.target = {0.3, -0.2, 0.1};
  camera.distance = 4;
  camera.azimuth = 25;
  camera.elevation = 35;
  CameraControl control;
  control.set(camera);
  return control;
}

TEST(CameraControl, PanKeepsTheGrabbedPointUnderTheMouse) {
  for (const bool middle : {false, true}) {
    CameraControl control = tilted();
    // A point in the plane of the target: seen at some pixel before, at the mouse after.
    const OrbitCamera camera = control.camera();
    const glm::dvec3 back = camera.direction(), right = glm::normalize(glm::cross({0, 0, 1}, back));
    const glm::dvec3 point = camera.target + 0.7 * right - 0.4 * glm::cross(back, right);
    const glm::dvec2 start = pixel(control, point), end = start + glm::dvec2(-311, 147);
    control.handle(mouse(Kind::mouse_down, start.x, start.y, middle ? 2 : 0, {.shift = !middle}),
                   width, height);
    control.handle(mouse(Kind::mouse_move, start.x + 100, start.y, 2), width, height);
    control.handle(mouse(Kind::mouse_move, end.x, end.y, 2), width, height);
    // Float matrices: 2^-24 relative, a few operations, of 1000 pixels.
    EXPECT_NEAR(pixel(control, point).x, end.x, 2e-3);
    EXPECT_NEAR(pixel(control, point).y, end.y, 2e-3);
    EXPECT_EQ(control.camera().distance, camera.distance);
  }
}

TEST(CameraControl, NotchOfTheWheelComesNearerByItsFactor) {
  for (const double rate : {20.0, 144.0}) {
    CameraControl control = tilted();
    const glm::dvec3 target = control.camera().target;
    control.handle(wheel(3), width, height);
    control.update(1 / rate);
    EXPECT_GT(control.camera().distance, 4 / std::pow(CameraControl::zoom_per_notch, 3))
        << "not smooth";
    settle(control, rate);
    // Remaining logarithms below the standstill are applied at once, so only round-off is lost.
    EXPECT_NEAR(control.camera().distance * std::pow(CameraControl::zoom_per_notch, 3), 4, 1e-12);
    EXPECT_EQ(control.camera().target, target);
    control.handle(wheel(-3), width, height);
    settle(control, rate);
    EXPECT_NEAR(control.camera().distance, 4, 1e-12);
  }
}

TEST(CameraControl, DragTurnsTheNearSideWithTheMouse) {
  CameraControl control = tilted();
  const glm::dvec3 near_side = control.camera().target + 0.5 * control.camera().direction();
  const glm::dvec2 before = pixel(control, near_side);
  control.handle(mouse(Kind::mouse_down, 600, 300), width, height);
  control.handle(mouse(Kind::mouse_move, 640, 330), width, height);
  EXPECT_GT(pixel(control, near_side).x, before.x + 5);
  EXPECT_GT(pixel(control, near_side).y, before.y + 5);
  EXPECT_NEAR(pixel(control, control.camera().target).x, width / 2.0, 2e-3);
}

/// Drags to the right at 720 pixels a second for half a second, releases and waits.
double azimuth_after_throw(double rate) {
  CameraControl control = tilted();
  control.handle(mouse(Kind::mouse_down, 100, 300), width, height);
  const int frames = static_cast<int>(std::lround(rate / 2));
  for (int i = 1; i <= frames; ++i) {
    control.handle(mouse(Kind::mouse_move, 100 + 720.0 * i / rate, 300), width, height);
    if (i == frames) control.handle(mouse(Kind::mouse_up, 460, 300), width, height);
    control.update(1 / rate);
  }
  settle(control, rate);
  return control.camera().azimuth;
}

TEST(CameraControl, InertiaGoesAsFarAtEveryFrameRate) {
  // The drag itself is half a height, 90 degrees. Afterwards the angle continues by speed x decay
  // time, and both are integrated exactly for a steady drag: only round-off differs.
  const double slow = azimuth_after_throw(20);
  EXPECT_NEAR(azimuth_after_throw(60), slow, 1e-9);
  EXPECT_NEAR(azimuth_after_throw(144), slow, 1e-9);
  EXPECT_NEAR(azimuth_after_throw(1000), slow, 1e-9);
  EXPECT_LT(slow, 25 - 90 - 10) << "it stops where it is released";
  EXPECT_GT(slow, 25 - 90 - 90) << "it continues too far";
}

TEST(CameraControl, KeysMoveItAsFarAtEveryFrameRate) {
  for (const double rate : {15.0, 144.0}) {
    CameraControl control = tilted();
    const OrbitCamera before = control.camera();
    control.nudge_turn({0.1, -0.1});  // of the height, for which a drag turns by 180 degrees
    control.nudge_zoom(2);
    settle(control, rate);
    EXPECT_NEAR(control.camera().azimuth, before.azimuth - 18, 1e-9);
    EXPECT_NEAR(control.camera().elevation, before.elevation - 18, 1e-9);
    EXPECT_NEAR(control.camera().distance,
                before.distance / std::pow(CameraControl::zoom_per_notch, 2), 1e-12);
    EXPECT_EQ(control.camera().target, before.target);
    // A drag by a tenth of the height moves the target by that.
    control.nudge_pan({0, 0.1});
    settle(control, rate);
    EXPECT_NEAR(glm::length(control.camera().target - before.target),
                0.1 * control.camera().height_at_target(), 1e-9);
  }
}

TEST(CameraControl, HeldStillItDoesNotCoast) {
  CameraControl control = tilted();
  control.handle(mouse(Kind::mouse_down, 100, 300), width, height);
  control.handle(mouse(Kind::mouse_move, 300, 300), width, height);
  for (int i = 0; i < 60; ++i) control.update(1.0 / 60);
  const double azimuth = control.camera().azimuth;
  control.handle(mouse(Kind::mouse_up, 300, 300), width, height);
  settle(control, 60);
  // A second is 25 times the averaging time of the speed.
  EXPECT_NEAR(control.camera().azimuth, azimuth, 1e-3);
}

TEST(CameraControl, StopHoldsWhatMoves) {
  CameraControl control = tilted();
  control.set_flying(true);
  control.handle(key(Kind::key_down, 'W'), width, height);
  control.handle(wheel(5), width, height);
  control.handle(mouse(Kind::mouse_down, 100, 300), width, height);
  control.handle(mouse(Kind::mouse_move, 300, 300), width, height);
  control.frame({9, 9, 9}, 2, 1.5);
  control.update(0.02);
  control.stop();
  const OrbitCamera camera = control.camera();
  EXPECT_FALSE(control.update(1));
  EXPECT_EQ(control.camera().position(), camera.position());
  EXPECT_EQ(control.camera().distance, camera.distance);
}

TEST(CameraControl, GrabbingStopsACoast) {
  CameraControl control = tilted();
  control.handle(mouse(Kind::mouse_down, 100, 300), width, height);
  control.handle(mouse(Kind::mouse_move, 300, 300), width, height);
  control.handle(mouse(Kind::mouse_up, 300, 300), width, height);
  control.update(0.02);
  control.handle(mouse(Kind::mouse_down, 300, 300), width, height);
  const double azimuth = control.camera().azimuth;
  control.handle(mouse(Kind::mouse_up, 300, 300), width, height);
  control.update(0.5);
  EXPECT_EQ(control.camera().azimuth, azimuth);
}

TEST(CameraControl, PolesAreTheEndOfATurn) {
  CameraControl control = tilted();
  control.handle(mouse(Kind::mouse_down, 100, 100), width, height);
  control.handle(mouse(Kind::mouse_move, 100, 2000), width, height);
  EXPECT_EQ(control.camera().elevation, 90);
  control.handle(mouse(Kind::mouse_move, 100, -9000), width, height);
  EXPECT_EQ(control.camera().elevation, -90);
  EXPECT_TRUE(std::isfinite(pixel(control, {0, 0, 0}).x));
}

TEST(CameraControl, GlidesToASphereAndArrives) {
  for (const double rate : {30.0, 100.0}) {
    CameraControl control = tilted();
    OrbitCamera goal = control.camera();
    goal.frame({100, -50, 7}, 3, 16.0 / 9);
    control.frame({100, -50, 7}, 3, 16.0 / 9);
    EXPECT_EQ(control.camera().distance, 4) << "it jumps";
    // Half way at half the time, by the symmetry of the ease; both rates have a frame there.
    for (int i = 0; i < std::lround(0.2 * rate); ++i) EXPECT_TRUE(control.update(1 / rate));
    EXPECT_NEAR(control.camera().target.x, (0.3 + 100) / 2, 1e-9);
    EXPECT_NEAR(control.camera().distance, std::sqrt(4 * goal.distance), 1e-9);
    settle(control, rate);
    // The path is a sum of steps: some round-off of 100.
    EXPECT_NEAR(glm::distance(control.camera().target, goal.target), 0, 1e-12);
    EXPECT_NEAR(control.camera().distance, goal.distance, 1e-12);
    EXPECT_EQ(control.camera().azimuth, goal.azimuth);
  }
}

TEST(CameraControl, FollowsAMovingPointOnceItHasArrived) {
  CameraControl control = tilted();
  glm::dvec3 point{5, 6, 7};
  for (int i = 0; i < 60; ++i) {
    point += glm::dvec3(1, -2, 0.5) / 60.0;
    control.follow(point);
    if (i == 0) {
      EXPECT_NEAR(glm::distance(control.camera().target, {0.3, -0.2, 0.1}), 0, 1e-12) << "it jumps";
    }
    control.update(1.0 / 60);
  }
  point += glm::dvec3(1e6, 0, 0);
  control.follow(point);
  EXPECT_NEAR(glm::distance(control.camera().target, point), 0, 1e-9);  // of 1e6 in double: 1e-10
  // Turning and zooming keep it; a panned offset moves along.
  control.handle(wheel(2), width, height);
  control.handle(mouse(Kind::mouse_down, 100, 300), width, height);
  control.handle(mouse(Kind::mouse_move, 300, 300), width, height);
  control.update(0.1);
  EXPECT_NEAR(glm::distance(control.camera().target, point), 0, 1e-9);
}

TEST(CameraControl, PanWhileFollowingMovesAlong) {
  CameraControl control = tilted();
  glm::dvec3 point{0.3, -0.2, 0.1};
  for (int i = 0; i < 60; ++i) {
    control.follow(point);
    control.update(1.0 / 60);
  }
  control.handle(mouse(Kind::mouse_down, 600, 300, 2), width, height);
  control.handle(mouse(Kind::mouse_move, 500, 350, 2), width, height);
  const glm::dvec2 seen = pixel(control, point);
  point += glm::dvec3(3, 2, 1);
  control.follow(point);
  EXPECT_NEAR(pixel(control, point).x, seen.x, 2e-3);
  EXPECT_NEAR(pixel(control, point).y, seen.y, 2e-3);
  EXPECT_GT(glm::distance(control.camera().target, point), 0.1);
}

TEST(CameraControl, FollowingAnotherPointGlidesThere) {
  CameraControl control = tilted();
  for (int i = 0; i < 60; ++i) {
    control.follow({0, 0, 0});
    control.update(1.0 / 60);
  }
  control.update(1.0 / 60);  // a frame without follow()
  control.follow({10, 0, 0});
  EXPECT_NEAR(glm::length(control.camera().target), 0, 1e-12);
}

/// Final position after a second of flying forward and one of waiting.
double flown(double rate, bool fast) {
  CameraControl control = tilted();
  const glm::dvec3 start = control.camera().position(), back = control.camera().direction();
  control.set_flying(true);
  control.handle(key(Kind::key_down, 'W', {.shift = fast}), width, height);
  for (int i = 0; i < std::lround(rate); ++i) control.update(1 / rate);
  control.handle(key(Kind::key_up, 'W', {.shift = fast}), width, height);
  settle(control, rate);
  EXPECT_EQ(control.camera().distance, 4);
  return -glm::dot(control.camera().position() - start, back);
}

TEST(CameraControl, FliesForwardBySpeedTimesTimeAtEveryFrameRate) {
  // Acceleration loses what deceleration gains, so the distance is speed x time: 0.7 target
  // distances of 4 a second. The last standstill of 1e-4 is left out when it comes to rest within a
  // frame.
  EXPECT_NEAR(flown(20, false), 0.7 * 4, 2e-3);
  EXPECT_NEAR(flown(250, false), flown(20, false), 2e-3);
  EXPECT_NEAR(flown(60, true), 5 * flown(60, false), 2e-2);
}

TEST(CameraControl, FliesInTheDirectionsOfTheCamera) {
  for (const char letter : {'W', 'S', 'A', 'D', 'Q', 'E'}) {
    CameraControl control = tilted();
    const OrbitCamera before = control.camera();
    const glm::dvec3 back = before.direction(), right = glm::normalize(glm::cross({0, 0, 1}, back));
    control.set_flying(true);
    control.handle(key(Kind::key_down, letter), width, height);
    control.update(0.5);
    const glm::dvec3 way = glm::normalize(control.camera().position() - before.position());
    const glm::dvec3 up = glm::cross(back, right);
    const glm::dvec3 wanted = letter == 'W'   ? -back
                              : letter == 'S' ? back
                              : letter == 'A' ? -right
                              : letter == 'D' ? right
                              : letter == 'Q' ? -up
                                              : up;
    EXPECT_NEAR(glm::distance(way, wanted), 0, 1e-12) << letter;
  }
}

TEST(CameraControl, LettersDoNothingUnlessItFlies) {
  CameraControl control = tilted();
  control.handle(key(Kind::key_down, 'W'), width, height);
  EXPECT_FALSE(control.update(0.5));
}

TEST(CameraControl, LookingAroundTurnsAboutTheEye) {
  CameraControl control = tilted();
  control.set_flying(true);
  const glm::dvec3 eye = control.camera().position();
  const glm::dvec3 back = control.camera().direction(),
                   right = glm::normalize(glm::cross({0, 0, 1}, back));
  control.handle(mouse(Kind::mouse_down, 600, 300, 1), width, height);
  control.handle(mouse(Kind::mouse_move, 700, 320, 1), width, height);
  EXPECT_NEAR(glm::distance(control.camera().position(), eye), 0, 1e-12);
  EXPECT_GT(glm::dot(control.camera().direction(), -right), 0.05) << "to the right";
  EXPECT_GT(control.camera().elevation, 35) << "downwards";
}

TEST(CameraControl, ViewpointFarFromZeroIsThatAtZero) {
  CameraControl here = tilted(), there;
  OrbitCamera far_away = here.camera();
  const glm::dvec3 origin{1e9, -3e9, 2e9};
  // The offsets are multiples of 2^-20, which stay exact when 1e9 < 2^32 is added in 53 bits.
  far_away.target = {0.25, -0.1875, 0.125};
  here.set(far_away);
  far_away.target += origin;
  there.set(far_away);
  const Viewpoint a = here.viewpoint({0, 0, 0}, width, height),
                  b = there.viewpoint(origin, width, height);
  EXPECT_EQ(a.view, b.view);
  EXPECT_EQ(a.projection, b.projection);
  EXPECT_EQ(a.eye, b.eye);
  EXPECT_EQ(a.scale, b.scale);
}

TEST(CameraControl, ViewpointSaysWhatAPixelSpans) {
  const CameraControl control = tilted();
  const Viewpoint from = control.viewpoint({0, 0, 0}, width, height);
  const glm::dvec3 back = control.camera().direction(),
                   right = glm::normalize(glm::cross({0, 0, 1}, back));
  const glm::dvec3 aside = control.camera().target + 100 * from.scale * right;
  EXPECT_NEAR(pixel(control, aside).x, width / 2.0 + 100, 2e-3);
  EXPECT_NEAR(glm::distance(glm::dvec3(from.eye), control.camera().position()), 0, 1e-6);
}

TEST(CameraControl, MeaninglessPlacesLeaveItUsable) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CameraControl control = tilted();
  control.follow({nan, 0, 0});
  EXPECT_TRUE(std::isfinite(control.camera().target.x));
  control.frame({nan, 0, 0}, nan, 1);
  settle(control, 60);
  EXPECT_TRUE(std::isfinite(pixel(control, {0, 0, 0}).x));
  control.handle(wheel(1e9), width, height);
  settle(control, 60);
  EXPECT_GT(control.camera().distance, 0);
  control.handle(wheel(-1e9), width, height);
  settle(control, 60);
  EXPECT_TRUE(std::isfinite(control.camera().distance));
  control.viewpoint({0, 0, 0}, 0, 0);
}

}  // namespace
}  // namespace mote::render::camera_control_test
