// Distances to obstacles, their motion, and collisions with bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "engine/check.h"
#include "engine/math/random.h"
#include "sim/space/obstacles.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::Obstacle;
using sim::ObstacleDescription;
using sim::Obstacles;
using sim::SurfacePoint;

std::vector<Obstacle<double>> walls_at(const ObstacleDescription& described, double time = 0) {
  // The result of a mesh would point into `obstacles`; there is none here.
  const Obstacles obstacles({described}, {}, {0.3, 0.5}, 1, 1);
  std::vector<Obstacle<double>> all;
  obstacles.at(time, nullptr, all);
  return all;
}

/// A shape, a function that is negative inside, zero on the surface and positive outside, and
/// points on the surface.
struct KnownShape {
  std::string name;
  ObstacleDescription described;
  std::function<double(Vec3d)> inside;
  std::function<Vec3d(double, double, double)> point;  ///< of three numbers between 0 and 1
};

std::vector<KnownShape> known_shapes() {
  constexpr double turn = 2 * std::numbers::pi;
  std::vector<KnownShape> all;
  sim::PlaneObstacle plane;
  plane.point = {0.1, 0.2, 0.3}, plane.normal = {1, 2, 2};
  all.push_back({"plane", plane,
                 [](Vec3d p) {
                   return dot(p - Vec3d{0.1, 0.2, 0.3}, {1.0 / 3, 2.0 / 3, 2.0 / 3});
                 },
                 [](double u, double v, double) {
                   return Vec3d{0.1, 0.2, 0.3} + (20 * u - 10) * Vec3d{0, 1, -1} +
                          (20 * v - 10) * Vec3d{4, -1, -1};
                 }});
  sim::SphereObstacle sphere;
  sphere.center = {1, 0, -1}, sphere.radius = 1.3;
  all.push_back(
      {"sphere", sphere,
       [](Vec3d p) {
         return engine::length(p - Vec3d{1, 0, -1}) - 1.3;
       },
       [](double u, double v, double) {
         const double z = 2 * u - 1, r = std::sqrt(1 - z * z);
         return Vec3d{1, 0, -1} + 1.3 * Vec3d{r * std::cos(turn * v), r * std::sin(turn * v), z};
       }});
  sim::BoxObstacle box;
  // A quarter turn about z swaps its sides along x and y.
  box.center = {0.5, 0, 0}, box.size = {1, 2, 3}, box.rotation = {0, 0, 90};
  const auto in_box = [](Vec3d p) {
    return std::max({std::fabs(p.x - 0.5) - 1, std::fabs(p.y) - 0.5, std::fabs(p.z) - 1.5});
  };
  all.push_back({"box", box, in_box, [](double u, double v, double w) {
                   const double face = std::floor(6 * w), end = face < 3 ? -1 : 1;
                   const int axis = static_cast<int>(face) % 3;
                   const Vec3d s = axis == 0   ? Vec3d{end, 2 * u - 1, 2 * v - 1}
                                   : axis == 1 ? Vec3d{2 * u - 1, end, 2 * v - 1}
                                               : Vec3d{2 * u - 1, 2 * v - 1, end};
                   return Vec3d{0.5 + s.x, 0.5 * s.y, 1.5 * s.z};
                 }});
  sim::CylinderObstacle rod;
  rod.center = {0, 1, 0}, rod.axis = {2, 0, 0}, rod.radius = 0.7, rod.length = 2.4;
  all.push_back(
      {"cylinder", rod,
       [](Vec3d p) { return std::max(std::hypot(p.y - 1, p.z) - 0.7, std::fabs(p.x) - 1.2); },
       [](double u, double v, double w) {
         const double rho = w < 0.6 ? 0.7 : 0.7 * std::sqrt(u);
         const double x = w < 0.6 ? 2.4 * u - 1.2 : w < 0.8 ? -1.2 : 1.2;
         return Vec3d{x, 1 + rho * std::cos(turn * v), rho * std::sin(turn * v)};
       }});
  sim::CylinderObstacle endless = rod;
  endless.length.reset();
  all.push_back(
      {"endless cylinder", endless, [](Vec3d p) { return std::hypot(p.y - 1, p.z) - 0.7; },
       [](double u, double v, double) {
         return Vec3d{20 * u - 10, 1 + 0.7 * std::cos(turn * v), 0.7 * std::sin(turn * v)};
       }});
  sim::CapsuleObstacle capsule;
  capsule.from = {0, -1, 0.5}, capsule.to = {0, 1.5, 0.5}, capsule.radius = 0.6;
  const auto off_axis = [](Vec3d p) { return p - Vec3d{0, std::clamp(p.y, -1.0, 1.5), 0.5}; };
  all.push_back(
      {"capsule", capsule, [=](Vec3d p) { return engine::length(off_axis(p)) - 0.6; },
       [](double u, double v, double w) {
         const double z = 2 * u - 1, r = std::sqrt(1 - z * z);
         if (w < 0.5)
           return Vec3d{0.6 * std::cos(turn * v), -1 + 2.5 * u, 0.5 + 0.6 * std::sin(turn * v)};
         return Vec3d{0.6 * r * std::cos(turn * v), 0.6 * z + (z < 0 ? -1 : 1.5),
                      0.5 + 0.6 * r * std::sin(turn * v)};
       }});
  return all;
}

Vec3d random_point(std::uint64_t k) {
  engine::Random random(3, 1, k);
  const double x = random.uniform(-2, 2), y = random.uniform(-2, 2), z = random.uniform(-2, 2);
  return {x, y, z};
}

TEST(Obstacles, AreAtTheDistanceOfTheNearestPointOfTheirSurface) {
  for (const KnownShape& known : known_shapes()) {
    const Obstacle<double> o = walls_at(known.described).at(0);
    std::vector<Vec3d> surface;
    for (std::uint64_t k = 0; k < 20000; ++k) {
      engine::Random random(4, 0, k);
      const double u = random.uniform(), v = random.uniform(), w = random.uniform();
      surface.push_back(known.point(u, v, w));
      ASSERT_NEAR(known.inside(surface.back()), 0, 1e-13) << known.name;
    }
    for (std::uint64_t k = 0; k < 300; ++k) {
      const Vec3d p = random_point(k);
      const SurfacePoint<double> s = surface_at(o, p);
      EXPECT_NEAR(engine::length(s.normal), 1, 1e-14);
      EXPECT_EQ(s.distance < 0, known.inside(p) < 0) << known.name;
      // The nearest point is on the surface, and no other point of it is nearer; within a few
      // roundings of numbers up to 10.
      EXPECT_NEAR(known.inside(p - s.distance * s.normal), 0, 1e-14) << known.name;
      double nearest = std::numeric_limits<double>::infinity();
      for (const Vec3d& q : surface) nearest = std::min(nearest, engine::length(p - q));
      EXPECT_LE(std::fabs(s.distance), nearest + 1e-14) << known.name;
    }
  }
}

TEST(Obstacles, HaveTheGradientOfTheDistanceAsNormal) {
  for (const KnownShape& known : known_shapes()) {
    const Obstacle<double> o = walls_at(known.described).at(0);
    int smooth = 0;
    for (std::uint64_t k = 0; k < 200; ++k) {
      const Vec3d p = random_point(k);
      constexpr double h = 1e-5;
      const auto along = [&](Vec3d d) {
        return (surface_at(o, p + h * d).distance - surface_at(o, p - h * d).distance) / (2 * h);
      };
      const Vec3d gradient{along({1, 0, 0}), along({0, 1, 0}), along({0, 0, 1})};
      // Points equally near two faces, of which there are few, have no gradient.
      if (std::fabs(engine::length(gradient) - 1) > 1e-4) continue;
      ++smooth;
      // Central differences: h^2 over the square of a radius of curvature, and rounding over h.
      EXPECT_LT(engine::length(gradient - surface_at(o, p).normal), 1e-7) << known.name << k;
    }
    EXPECT_GT(smooth, 190) << known.name;
  }
}

TEST(Obstacles, InSinglePrecisionAreTheSameToRoundOff) {
  for (const KnownShape& known : known_shapes()) {
    const Obstacles obstacles({known.described}, {}, {}, 1, 1);
    std::vector<Obstacle<float>> single;
    obstacles.at(0, nullptr, single);
    const Obstacle<double> full = walls_at(known.described).at(0);
    for (std::uint64_t k = 0; k < 100; ++k) {
      const Vec3d p = random_point(k);
      EXPECT_NEAR(surface_at(single[0], sim::rounded_to<float>(p)).distance,
                  surface_at(full, p).distance, 3e-6);
    }
  }
}

TEST(Obstacles, AsContainersAreHollow) {
  sim::SphereObstacle sphere;
  sphere.radius = 2, sphere.container = true;
  const auto hollow = walls_at(sphere);
  ASSERT_EQ(hollow.size(), 1u);
  EXPECT_NEAR(surface_at(hollow[0], {0, 1.5, 0}).distance, 0.5, 1e-15);
  EXPECT_NEAR(surface_at(hollow[0], {0, 1.5, 0}).normal.y, -1, 1e-15);
  EXPECT_NEAR(surface_at(hollow[0], {0, 0, 3}).distance, -1, 1e-15);
}

TEST(Obstacles, AsContainersTouchBodiesInACornerWithEveryWall) {
  const auto touched = [](const std::vector<Obstacle<double>>& walls, Vec3d at, double radius) {
    return std::count_if(walls.begin(), walls.end(),
                         [&](const auto& w) { return surface_at(w, at).distance < radius; });
  };
  sim::BoxObstacle box;
  box.size = {2, 4, 6}, box.center = {0, 0, 1}, box.container = true;
  EXPECT_EQ(touched(walls_at(box), {0, 0, 0}, 0.9), 0);
  EXPECT_EQ(touched(walls_at(box), {0.95, 0, 0}, 0.1), 1);
  EXPECT_EQ(touched(walls_at(box), {-0.95, 1.95, 3.95}, 0.1), 3);
  sim::CylinderObstacle drum;
  drum.axis = {0, 3, 0}, drum.radius = 1, drum.length = 2, drum.container = true;
  EXPECT_EQ(touched(walls_at(drum), {0.5, 0.5, 0}, 0.4), 0);
  EXPECT_EQ(touched(walls_at(drum), {0.6, 0.95, 0.7}, 0.1), 2);
  drum.length.reset();
  EXPECT_EQ(touched(walls_at(drum), {0.6, 0.95, 0.7}, 0.1), 1);
}

TEST(Obstacles, MoveWithTheirVelocity) {
  sim::BoxObstacle box;
  box.center = {1, 0.5, 0}, box.size = {1, 2, 3}, box.rotation = {10, 20, 30};
  box.velocity = {0.3, -0.2, 0.1}, box.amplitude = {0, 0.4, 0.1}, box.frequency = 1.7,
  box.phase = 25;
  box.angular_velocity = {0.4, -1, 2}, box.pivot = Vec3d{0.2, 0.1, -0.3};
  const Vec3d own{0.3, 0.7, -1.1};
  const auto position = [&](double t) {
    const auto f = walls_at(box, t).at(0).frame;
    return f.origin + own.x * f.ex + own.y * f.ey + own.z * f.ez;
  };
  for (const double t : {0.0, 0.37, 12.5}) {
    constexpr double h = 1e-5;
    const Vec3d difference = (1 / (2 * h)) * (position(t + h) - position(t - h));
    const Vec3d velocity = surface_velocity(walls_at(box, t).at(0).frame, position(t));
    EXPECT_LT(engine::length(difference - velocity), 1e-7) << t;  // h^2 (2 pi 1.7)^3 / 6
  }
  // A quarter turn about z per unit of time, about a moving pivot.
  sim::SphereObstacle ball;
  ball.center = {2, 0, 0}, ball.radius = 0.5, ball.pivot = Vec3d{1, 0, 0};
  ball.angular_velocity = {0, 0, std::numbers::pi / 2}, ball.velocity = {0, 0, 3};
  const Vec3d there = walls_at(ball, 1).at(0).frame.origin;
  EXPECT_LT(engine::length(there - Vec3d{1, 1, 3}), 1e-14);
  EXPECT_FALSE(Obstacles({sim::PlaneObstacle{}}, {}, {}, 1, 1).moves());
  EXPECT_TRUE(Obstacles({ball}, {}, {}, 1, 1).moves());
}

TEST(Obstacles, ReflectBodiesByRestitutionAndFriction) {
  sim::PlaneObstacle plane;
  plane.friction = 0, plane.restitution = 1;
  const Obstacle<double> mirror = walls_at(plane).at(0);
  Vec3d x{1, 2, -0.01}, v{3, 4, -5};
  EXPECT_TRUE(reflect(mirror, 0.0, x, v));
  EXPECT_TRUE(x == (Vec3d{1, 2, 0}));
  EXPECT_LT(engine::length(v - Vec3d{3, 4, 5}), 1e-15);
  EXPECT_FALSE(reflect(mirror, 0.0, x, v));
  EXPECT_TRUE(reflect(mirror, 0.1, x, v));  // a receding sphere is only moved out
  EXPECT_NEAR(x.z, 0.1, 1e-16);
  EXPECT_NEAR(v.z, 5, 1e-15);

  plane.friction = 0.2, plane.restitution = 0.5;
  const Obstacle<double> rough = walls_at(plane).at(0);
  x = {0, 0, -0.01}, v = {3, 4, -2};
  reflect(rough, 0.0, x, v);
  // Impulse 1.5 * 2 = 3; the speed 5 along the plane loses 0.6.
  EXPECT_LT(engine::length(v - Vec3d{3 * 4.4 / 5, 4 * 4.4 / 5, 1}), 1e-14);
  x = {0, 0, -0.01}, v = {0.3, 0, -2};
  reflect(rough, 0.0, x, v);
  EXPECT_LT(engine::length(v - Vec3d{0, 0, 1}), 1e-15);

  // A piston at speed 2: in its frame the body arrives with -3 and leaves with 1.5.
  plane.velocity = {0, 0, 2};
  const Obstacle<double> piston = walls_at(plane).at(0);
  x = {0, 0, -0.01}, v = {0, 0, -1};
  reflect(piston, 0.0, x, v);
  EXPECT_NEAR(v.z, 3.5, 1e-15);
}

TEST(Obstacles, KeepPointsInsideAContainer) {
  sim::CylinderObstacle drum;
  drum.axis = {1, 1, 0}, drum.radius = 1, drum.length = 3, drum.container = true;
  drum.restitution = 1, drum.friction = 0;
  const auto walls = walls_at(drum);
  Vec3d x{0.1, 0.2, 0.3}, v{1, -0.7, 0.4};
  const double speed = engine::length(v);
  int bounces = 0;
  for (int n = 0; n < 20000; ++n) {
    x += 0.01 * v;
    for (const auto& wall : walls) bounces += reflect(wall, 0.0, x, v) ? 1 : 0;
    for (const auto& wall : walls) ASSERT_GT(surface_at(wall, x).distance, -0.02);
  }
  EXPECT_GT(bounces, 50);
  EXPECT_NEAR(engine::length(v), speed, 1e-12);
}

TEST(Obstacles, ReportTheirErrors) {
  sim::PlaneObstacle plane;
  plane.normal = {0, 0, 0};
  EXPECT_EQ(sim::obstacle_problem(plane), "its normal has no direction");
  EXPECT_THROW(Obstacles({plane}, {}, {}, 1, 1), engine::InputError);
  sim::CylinderObstacle rod;
  rod.axis = {0, 0, 0};
  EXPECT_EQ(sim::obstacle_problem(rod), "its axis has no direction");
  sim::SphereObstacle ball;
  EXPECT_EQ(sim::obstacle_problem(ball), "");
  ball.amplitude = {1, 0, 0};
  EXPECT_EQ(sim::obstacle_problem(ball), "it has an amplitude but no frequency");
}

TEST(Obstacles, AreDescribedByTablesWhoseDefaultsAreAllowed) {
  const auto check = [](const auto& table) {
    EXPECT_FALSE(table.help.empty());
    for (const auto& row : engine::sheet_of(table).rows) {
      EXPECT_FALSE(row.info.help.empty()) << row.info.name;
      EXPECT_FALSE(engine::range_problem(row.info, row.standard)) << table.name << row.info.name;
    }
  };
  check(sim::plane_obstacle_table());
  check(sim::box_obstacle_table());
  check(sim::sphere_obstacle_table());
  check(sim::cylinder_obstacle_table());
  check(sim::capsule_obstacle_table());
  check(sim::mesh_obstacle_table());
  sim::BoxObstacle box;
  for (const auto& p : sim::box_obstacle_table().params)
    if (p.info.name == "friction") p.set(box, 0.25);
  EXPECT_EQ(box.friction, 0.25);
  EXPECT_EQ(walls_at(box).at(0).friction, 0.25);
  EXPECT_EQ(walls_at(box).at(0).restitution, 0.5);  // that of the bodies
}

}  // namespace
}  // namespace mote::test
