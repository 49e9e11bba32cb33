// Constraint formulas, colouring, and generators of soft bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/math/random.h"
#include "sim/initial/soft_bodies.h"
#include "sim/soft/constraint_formula.h"
#include "sim/soft/soft_mesh.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::Constraint;
using sim::ConstraintKind;

/// Compares gradients with central differences, whose error is (1e-5)^2 / 6 times a third
/// derivative of order 1, and a round-off of 1e-16 / 1e-5.
template <int N, class Value>
void expect_gradients(const Vec3d (&x)[N], Value&& value) {
  const auto c = value(x);
  ASSERT_TRUE(c.valid);
  for (int k = 0; k < N; ++k)
    for (int axis = 0; axis < 3; ++axis) {
      double at[2];
      for (int side = 0; side < 2; ++side) {
        Vec3d moved[N];
        std::copy_n(x, N, moved);
        double* const coordinate[3] = {&moved[k].x, &moved[k].y, &moved[k].z};
        *coordinate[axis] += side == 0 ? -1e-5 : 1e-5;
        at[side] = value(moved).value;
      }
      const double own[3] = {c.gradient[k].x, c.gradient[k].y, c.gradient[k].z};
      EXPECT_NEAR((at[1] - at[0]) / 2e-5, own[axis], 1e-8) << k << " " << axis;
    }
}

TEST(Constraints, HaveTheGradientsOfTheirValues) {
  engine::Random random(1, 0, 0);
  for (int trial = 0; trial < 20; ++trial) {
    Vec3d x[4] = {{0, 0, 0}, {1, 0, 0}, {0.4, 0.8, 0.1}, {0.5, -0.9, -0.2}};
    for (Vec3d& p : x)
      p += Vec3d{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)};
    expect_gradients(x, [](const Vec3d(&p)[4]) { return sim::bending_constraint(p, 0.2); });
    expect_gradients(x, [](const Vec3d(&p)[4]) { return sim::volume_constraint(p, 0.2); });
    const Vec3d two[2] = {x[0], x[3]};
    expect_gradients(two, [](const Vec3d(&p)[2]) { return sim::distance_constraint(p, 0.2); });
  }
}

TEST(Constraints, TakeBendsTheShorterWayRound) {
  // Folded by 170 degrees to one side, at rest folded by 170 degrees to the other: 20 degrees
  // apart.
  const double a = 170 * M_PI / 180;
  const Vec3d x[4] = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -std::cos(a), std::sin(a)}};
  const double bend = sim::bending_constraint(x, 0.0).value;
  EXPECT_NEAR(std::abs(bend), a, 1e-12);
  EXPECT_NEAR(std::abs(sim::bending_constraint(x, -bend).value), 2 * M_PI - 2 * a, 1e-12);
}

TEST(Constraints, AreInvalidWithoutADirection) {
  const Vec3d same[2] = {{1, 2, 3}, {1, 2, 3}};
  EXPECT_FALSE(sim::distance_constraint(same, 1.0).valid);
  const Vec3d line[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}};
  EXPECT_FALSE(sim::bending_constraint(line, 0.0).valid);
}

void expect_proper(const sim::Bodies& bodies) {
  const auto& all = bodies.soft.constraints;
  const sim::ColouredConstraints coloured = sim::coloured(all, bodies.mass.size());
  EXPECT_EQ(coloured.constraints.size(), all.size());
  std::size_t at = 0;
  for (const auto& batch : coloured.batches) {
    EXPECT_EQ(batch.begin, at);
    at = batch.end;
    std::set<std::uint32_t> touched;
    for (std::size_t i = batch.begin; i < batch.end; ++i) {
      const Constraint& c = coloured.constraints[i];
      EXPECT_EQ(c.kind, batch.kind);
      for (int k = 0; k < bodies_of(c.kind); ++k)
        EXPECT_TRUE(touched.insert(c.body[k]).second) << "a body twice in one colour";
    }
  }
  EXPECT_EQ(at, all.size());
}

TEST(Constraints, OfOneColourTouchNoBodyTwice) {
  sim::Cloth cloth;
  cloth.bend_compliance = 1;
  expect_proper(sim::make(cloth, {}));
  expect_proper(sim::make(sim::SoftBox{}, {}));
  expect_proper(sim::make(sim::Rope{}, {}));
}

double volume_in(const sim::SoftMesh& mesh, std::size_t& tetrahedra) {
  double sum = 0;
  for (const Constraint& c : mesh.constraints)
    if (c.kind == ConstraintKind::volume) {
      EXPECT_GT(c.rest, 0);
      sum += c.rest;
      ++tetrahedra;
    }
  return sum;
}

TEST(SoftBodies, FillTheirVolumeWithTetrahedra) {
  std::size_t in_box = 0, in_ball = 0;
  EXPECT_NEAR(
      volume_in(sim::make(sim::SoftBox{.counts = {3, 4, 5}, .size = {2, 1, 3}}, {}).soft, in_box),
      6, 1e-12);
  EXPECT_EQ(in_box, 2u * 3 * 4 * 5);
  // Flat faces inside a sphere, 16 across: the missing volume scales as the square of their size,
  // 0.17 of the radius.
  const double ball = volume_in(sim::make(sim::SoftBall{.across = 17}, {}).soft, in_ball);
  EXPECT_LT(ball, 4.0 / 3 * M_PI);
  EXPECT_GT(ball, 4.0 / 3 * M_PI * (1 - 0.17 * 0.17));
}

TEST(SoftBodies, HaveTheirMassWithHalfOfItAtEdges) {
  const sim::Bodies cloth = sim::make(sim::Cloth{.counts = {4, 3}, .size = {3, 2}, .mass = 12}, {});
  double mass = 0;
  for (const double m : cloth.mass) mass += m;
  EXPECT_NEAR(mass, 12, 1e-12);
  EXPECT_NEAR(cloth.mass[0], 0.5, 1e-12);  // each of six cells has two units of mass
  EXPECT_NEAR(cloth.mass[1], 1, 1e-12);
  EXPECT_NEAR(cloth.mass[5], 2, 1e-12);
}

TEST(SoftBodies, StayAtRestWhenRotatedAndScaled) {
  sim::Bodies box = sim::make(sim::SoftBox{.counts = {3, 3, 3}, .compressibility = 0.5}, {});
  const sim::SoftMesh before = box.soft;
  sim::rotate(box, {1, 2, 3}, 40);
  sim::scale(box, 2, 1, 1);
  sim::Bodies two = box;
  sim::append(two, box);
  ASSERT_EQ(two.soft.constraints.size(), 2 * before.constraints.size());
  for (std::size_t i = 0; i < before.constraints.size(); ++i) {
    const Constraint &was = before.constraints[i],
                     &is = two.soft.constraints[i + before.constraints.size()];
    EXPECT_EQ(is.body[0], was.body[0] + 27);
    const bool volume = is.kind == ConstraintKind::volume;
    EXPECT_NEAR(is.rest, (volume ? 8 : 2) * was.rest, 1e-14);
    if (volume) {
      EXPECT_NEAR(is.compliance, 0.5 * is.rest, 1e-14);
    }
    const Vec3d a = two.position[is.body[0]], b = two.position[is.body[1]];
    if (!volume) {
      EXPECT_NEAR(engine::length(a - b), is.rest, 1e-14);
    }
  }
}

TEST(SoftBodies, OfASlackRopeFormAnArcOfItsLength) {
  const sim::Bodies rope = sim::make(sim::Rope{.n = 11, .length = 2, .span = 1.2}, {});
  EXPECT_NEAR(engine::length(rope.position.back() - rope.position.front()), 1.2, 1e-12);
  EXPECT_NEAR(rope.position.front().z, 0, 1e-12);
  EXPECT_LT(rope.position[5].z, -0.5);
  for (std::size_t i = 0; i < 10; ++i)
    EXPECT_NEAR(engine::length(rope.position[i + 1] - rope.position[i]), 0.2, 1e-12);
}

/// Volume enclosed by triangles, by the divergence theorem.
double volume_of(const sim::BodyLinks& links, const std::vector<Vec3d>& x) {
  double sum = 0;
  for (const auto& t : links.triangles) sum += dot(x[t[0]], cross(x[t[1]], x[t[2]])) / 6;
  return sum;
}

TEST(SoftLinks, OfABlockAreItsSkin) {
  sim::SoftBox box;
  box.counts = {3, 4, 5}, box.size = {1, 2, 3}, box.mass = 1;
  sim::Bodies bodies = make(box, {});
  sim::SoftMesh both;
  both.append(bodies.soft, 0);
  const sim::BodyLinks links = links_of(both);
  EXPECT_EQ(links.triangles.size(), 2 * 2 * (2 * 3 + 3 * 4 + 2 * 4)) << "two for a face of a cell";
  EXPECT_NEAR(volume_of(links, bodies.position), 6, 1e-12) << "counter-clockwise from outside";
  EXPECT_EQ(links.covered.size(), 60u);
  EXPECT_TRUE(links.rods.empty());
}

TEST(SoftLinks, OfClothAreItsAreaAndOfRopesTheirLinks) {
  sim::Cloth cloth;
  cloth.counts = {5, 4}, cloth.size = {3, 2}, cloth.mass = 1;
  sim::Rope rope;
  rope.n = 7, rope.length = 1, rope.mass = 1;
  const sim::Bodies sheet = make(cloth, {}), chain = make(rope, {});
  sim::SoftMesh both = sheet.soft;
  both.append(chain.soft, 20);
  const sim::BodyLinks links = links_of(both);
  double area = 0;
  for (const auto& t : links.triangles) {
    const auto& x = sheet.position;
    area += 0.5 * cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]).z;
  }
  EXPECT_NEAR(area, 6, 1e-12);
  ASSERT_EQ(links.rods.size(), 6u);
  for (std::uint32_t k = 0; k < 6; ++k) {
    EXPECT_EQ(links.rods[k].a, 20 + k);
    EXPECT_EQ(links.rods[k].b, 21 + k);
  }
  EXPECT_EQ(links.covered.size(), 20u);
}

}  // namespace
}  // namespace mote::test
