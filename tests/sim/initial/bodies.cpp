#include "sim/initial/bodies.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/sim/initial/statistics.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::Bodies;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

void expect_near(Vec3d a, Vec3d b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

Bodies two_bodies() {
  return {{3, 1}, {{1, 2, 3}, {-3, 4, 5}}, {{0, 1, 0}, {4, -3, 2}}, {}};
}

TEST(Bodies, AppendKeepsTheOrder) {
  Bodies all = two_bodies();
  append(all, {{5}, {{7, 8, 9}}, {{-1, -2, -3}}, {}});
  EXPECT_EQ(all.count(), 3);
  EXPECT_EQ(all.mass, (std::vector<double>{3, 1, 5}));
  EXPECT_EQ(all.position[1], (Vec3d{-3, 4, 5}));
  EXPECT_EQ(all.position[2], (Vec3d{7, 8, 9}));
  EXPECT_EQ(all.velocity[2], (Vec3d{-1, -2, -3}));
  EXPECT_TRUE(all.names.empty());
}

TEST(Bodies, AppendFillsTheNamesOfTheUnnamed) {
  Bodies all = two_bodies();
  const Bodies sun{{5}, {{7, 8, 9}}, {{-1, -2, -3}}, {"sun"}};
  append(all, sun);
  EXPECT_EQ(all.names, (std::vector<std::string>{"", "", "sun"}));
  append(all, two_bodies());
  EXPECT_EQ(all.names, (std::vector<std::string>{"", "", "sun", "", ""}));
}

TEST(Bodies, AppendToItselfDoubles) {
  Bodies all = two_bodies();
  append(all, all);
  EXPECT_EQ(all.mass, (std::vector<double>{3, 1, 3, 1}));
  EXPECT_EQ(all.position[3], (Vec3d{-3, 4, 5}));
}

TEST(Bodies, AppendNothingChangesNothing) {
  Bodies all = two_bodies();
  append(all, {});
  EXPECT_EQ(all.count(), 2);
  EXPECT_TRUE(all.names.empty());
}

TEST(Bodies, CenterBringsTheCentreOfMassToRestAtTheOrigin) {
  Bodies all = two_bodies();
  center(all);
  // By hand: centre ((3 - 3) / 4, (6 + 4) / 4, (9 + 5) / 4), velocity (4/4, (3 - 3)/4, 2/4),
  // all exact in binary.
  EXPECT_EQ(all.position[0], (Vec3d{1, -0.5, -0.5}));
  EXPECT_EQ(all.position[1], (Vec3d{-3, 1.5, 1.5}));
  EXPECT_EQ(all.velocity[0], (Vec3d{-1, 1, -0.5}));
  EXPECT_EQ(all.velocity[1], (Vec3d{3, -3, 1.5}));
}

TEST(Bodies, CenterLeavesMasslessBodiesAlone) {
  Bodies all = two_bodies();
  all.mass = {0, 0};
  center(all);
  EXPECT_EQ(all.position[0], (Vec3d{1, 2, 3}));
  EXPECT_EQ(all.velocity[1], (Vec3d{4, -3, 2}));
  Bodies none;
  center(none);
  EXPECT_EQ(none.count(), 0);
}

TEST(Bodies, TranslateMovesPositionsAndBoostMovesVelocities) {
  Bodies all = two_bodies();
  translate(all, {10, 20, 30});
  EXPECT_EQ(all.position[0], (Vec3d{11, 22, 33}));
  EXPECT_EQ(all.velocity[0], (Vec3d{0, 1, 0}));
  boost(all, {1, 2, 3});
  EXPECT_EQ(all.position[1], (Vec3d{7, 24, 35}));
  EXPECT_EQ(all.velocity[1], (Vec3d{5, -1, 5}));
}

// A quarter turn is exact up to cos(90 degrees) = 6e-17 and the round-off of pi / 180, times the
// length.
TEST(Bodies, RotationIsRightHanded) {
  Bodies all{{1, 1}, {{1, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, {1, 2, 3}}, {}};
  rotate(all, {0, 0, 5}, 90);
  expect_near(all.position[0], {0, 1, 0}, 4 * epsilon);
  expect_near(all.position[1], {-1, 0, 0}, 4 * epsilon);
  expect_near(all.velocity[0], {0, 0, 1}, 4 * epsilon);
  expect_near(all.velocity[1], {-2, 1, 3}, 16 * epsilon);
  Bodies more{{1}, {{0, 1, 0}}, {{0, 0, 1}}, {}};
  rotate(more, {0.5, 0, 0}, 90);
  expect_near(more.position[0], {0, 0, 1}, 4 * epsilon);
  expect_near(more.velocity[0], {0, -1, 0}, 4 * epsilon);
}

TEST(Bodies, ThirdOfATurnAboutTheDiagonalPermutesTheAxes) {
  Bodies all{{1}, {{1, 2, 3}}, {{4, 5, 6}}, {}};
  rotate(all, {1, 1, 1}, 120);
  expect_near(all.position[0], {3, 1, 2}, 32 * epsilon);
  expect_near(all.velocity[0], {6, 4, 5}, 64 * epsilon);
}

// Each component is a sum of about ten rounded products of numbers no larger than the length.
TEST(Bodies, RotationPreservesLengthsAndAngles) {
  for (double degrees : {0.0, 17.0, -123.0, 359.0}) {
    Bodies all = two_bodies();
    rotate(all, {1, -2, 0.3}, degrees);
    const Bodies before = two_bodies();
    for (std::size_t i = 0; i < 2; ++i) {
      const double r = length_of(before.position[i]), v = length_of(before.velocity[i]);
      EXPECT_NEAR(length_of(all.position[i]), r, 16 * epsilon * r);
      EXPECT_NEAR(length_of(all.velocity[i]), v, 16 * epsilon * v);
      EXPECT_NEAR(dot(all.position[i], all.velocity[i]),
                  dot(before.position[i], before.velocity[i]), 32 * epsilon * r * v);
      const Vec3d axis{1, -2, 0.3};
      EXPECT_NEAR(dot(axis, all.position[i]), dot(axis, before.position[i]), 32 * epsilon * 3 * r);
    }
  }
}

}  // namespace
}  // namespace mote::test
