#include "render/camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec4.hpp>
#include <limits>

namespace mote::render {
namespace {

glm::dvec3 on_screen(const OrbitCamera& camera, double aspect, const glm::dvec3& point) {
  const glm::dmat4 matrix =
      glm::dmat4(camera.projection_matrix(aspect)) * glm::dmat4(camera.view_matrix());
  const glm::dvec4 clip = matrix * glm::dvec4(point, 1);
  return glm::dvec3(clip) / clip.w;
}

/// The largest |x| and |y| on screen of points all over a sphere.
glm::dvec3 extent(const OrbitCamera& camera, double aspect, const glm::dvec3& center,
                  double radius) {
  glm::dvec3 most(0);
  for (int i = 0; i <= 180; ++i)
    for (int j = 0; j < 360; ++j) {
      const double polar = i * M_PI / 180, around = j * M_PI / 180;
      const glm::dvec3 normal{std::sin(polar) * std::cos(around),
                              std::sin(polar) * std::sin(around), std::cos(polar)};
      most = glm::max(most, glm::abs(on_screen(camera, aspect, center + radius * normal)));
    }
  return most;
}

TEST(Camera, FramedSphereFitsAndFillsThePicture) {
  for (const double aspect : {16.0 / 9, 1.0, 0.5})
    for (const double radius : {1e-6, 1.0, 3e8}) {
      OrbitCamera camera;
      camera.azimuth = 33;
      const glm::dvec3 center = radius * glm::dvec3(3, -2, 5);
      camera.frame(center, radius, aspect);
      const glm::dvec3 most = extent(camera, aspect, center, radius);
      const double narrow = aspect >= 1 ? most.y : most.x;
      EXPECT_LE(std::max(most.x, most.y), 1.0) << aspect << " " << radius;
      EXPECT_GT(narrow, 0.94) << aspect << " " << radius;
      EXPECT_LT(most.z, 1) << "the sphere is cut off by the near or far plane";
    }
}

TEST(Camera, TargetIsInTheMiddle) {
  OrbitCamera camera;
  camera.target = {4, 5, -6};
  camera.azimuth = 120;
  const glm::dvec3 middle = on_screen(camera, 1.5, camera.target);
  EXPECT_NEAR(middle.x, 0, 1e-5);
  EXPECT_NEAR(middle.y, 0, 1e-5);
}

TEST(Camera, DefaultLooksFromAboveWithXRightAndYAway) {
  const OrbitCamera camera;
  EXPECT_GT(camera.position().z, 0);
  EXPECT_GT(on_screen(camera, 1, {0.5, 0, 0}).x, 0.1);
  EXPECT_NEAR(on_screen(camera, 1, {0.5, 0, 0}).y, 0, 1e-6);
  EXPECT_GT(on_screen(camera, 1, {0, 0.5, 0}).y, 0.1);
  EXPECT_GT(on_screen(camera, 1, {0, 0, 0.5}).y, 0.1);
}

TEST(Camera, AzimuthTurnsFromXTowardsY) {
  OrbitCamera camera;
  camera.elevation = 0;
  camera.distance = 2;
  camera.azimuth = 0;
  EXPECT_NEAR(glm::distance(camera.position(), glm::dvec3(2, 0, 0)), 0, 1e-12);
  camera.azimuth = 90;
  EXPECT_NEAR(glm::distance(camera.position(), glm::dvec3(0, 2, 0)), 0, 1e-12);
}

TEST(Camera, LookingStraightDownIsWellDefined) {
  OrbitCamera camera;
  camera.elevation = 90;
  EXPECT_GT(on_screen(camera, 1, {0.5, 0, 0}).x, 0.1);
  EXPECT_GT(on_screen(camera, 1, {0, 0.5, 0}).y, 0.1);
}

TEST(Camera, SaysWhatLengthAPixelSpansAtItsTarget) {
  OrbitCamera camera;
  camera.distance = 2.5e6;
  camera.target = {1e6, 0, 0};
  const Viewpoint from = camera.viewpoint(640, 360);
  // One pixel to the right of the middle: 2 / 640 of the screen.
  const glm::dvec3 right = camera.target + from.scale * glm::dvec3(1, 0, 0);  // x points right
  EXPECT_NEAR(
      on_screen(camera, 640.0 / 360, right).x - on_screen(camera, 640.0 / 360, camera.target).x,
      2.0 / 640,
      1e-5);  // matrices are float
}

TEST(Camera, ViewIsARotationAndAShift) {
  OrbitCamera camera;
  camera.azimuth = 77;
  camera.elevation = -20;
  const glm::dmat3 turn{glm::dmat4(camera.view_matrix())};
  const glm::dmat3 unit = turn * glm::transpose(turn);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(unit[i][j], i == j ? 1 : 0, 1e-6);
  EXPECT_NEAR(glm::determinant(turn), 1, 1e-6);
}

TEST(Camera, MeaninglessSpheresGiveAUsableCamera) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double radius : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    OrbitCamera camera;
    camera.frame({nan, 0, 0}, radius);
    EXPECT_GT(camera.distance, 0);
    EXPECT_TRUE(std::isfinite(camera.distance));
    EXPECT_TRUE(std::isfinite(on_screen(camera, 1, {0, 0, 0}).z));
  }
}

}  // namespace
}  // namespace mote::render
