#include <gtest/gtest.h>

#include <numbers>

#include "sim/initial/cube.h"
#include "sim/initial/lattice.h"
#include "sim/initial/ring.h"
#include "sim/initial/shell.h"
#include "sim/initial/torus.h"
#include "tests/sim/initial/statistics.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::Bodies;
using sim::Lattice;
using std::numbers::pi;

constexpr double unit_rounding = std::numeric_limits<double>::epsilon();
const sim::MakeContext shapes_as_drawn{.centre = false};

double uniform(double u) {
  return std::clamp(u, 0.0, 1.0);
}
double azimuth(Vec3d r, Vec3d) {
  return 0.5 + std::atan2(r.y, r.x) / (2 * pi);
}
template <class Function>
void expect_uniform(const Bodies& bodies, Function&& f) {
  EXPECT_LT(ks_distance(each(bodies, f), uniform), ks_bound(bodies.mass.size()));
}

// |r| is a product and the root of a sum of three squares: 4 roundings.
TEST(Shell, ThinHasItsRadius) {
  const Bodies bodies = make(sim::Shell{.n = many, .radius = 3}, shapes_as_drawn);
  for (const Vec3d& r : bodies.position) ASSERT_NEAR(length_of(r), 3, 4 * 3 * unit_rounding);
  expect_uniform(bodies, [](Vec3d r, Vec3d) { return 0.5 * (1 + r.z / 3); });
  expect_uniform(bodies, azimuth);
}

TEST(Shell, ThickIsUniformBetweenItsRadii) {
  for (double inner : {0.0, 2.0, 3.0}) {
    const Bodies bodies =
        make(sim::Shell{.n = many, .radius = 3, .inner_radius = inner}, shapes_as_drawn);
    if (inner < 3)
      expect_uniform(bodies, [&](Vec3d r, Vec3d) {
        const double a = inner * inner * inner;
        return (std::pow(length_of(r), 3) - a) / (27 - a);
      });
    expect_uniform(bodies, [](Vec3d r, Vec3d) { return 0.5 * (1 + r.z / length_of(r)); });
  }
}

TEST(Shell, RejectsAnInnerRadiusOutside) {
  EXPECT_EQ(broken_relations(sim::Shell{.radius = 2, .inner_radius = 2.5}).at(0).key,
            "inner_radius");
  EXPECT_TRUE(broken_relations(sim::Shell{.radius = 2, .inner_radius = 2}).empty());
}

TEST(Ring, HasUniformSurfaceDensity) {
  const Bodies thin = make(sim::Ring{.n = many, .radius = 2}, shapes_as_drawn);
  for (const Vec3d& r : thin.position) {
    ASSERT_NEAR(length_of(r), 2, 8 * unit_rounding);
    ASSERT_EQ(r.z, 0);
  }
  expect_uniform(thin, azimuth);
  const Bodies wide = make(sim::Ring{.n = many, .radius = 2, .width = 1}, shapes_as_drawn);
  expect_uniform(wide,
                 [](Vec3d r, Vec3d) { return (dot(r, r) - 1.5 * 1.5) / (2.5 * 2.5 - 1.5 * 1.5); });
}

// v^2 = G M R^2 / (R^2 + eps^2)^(3/2), a dozen roundings.
TEST(Ring, IsOnCircularOrbitsAboutItsCentralMass) {
  const Bodies bodies = make(sim::Ring{.n = 1000, .radius = 2, .width = 1, .central_mass = 3},
                             {.gravitational = 5, .softening = 0.7, .centre = false});
  for (std::size_t i = 0; i < 1000; ++i) {
    const Vec3d r = bodies.position[i], v = bodies.velocity[i];
    const double speed = std::sqrt(15 * dot(r, r) / std::pow(dot(r, r) + 0.49, 1.5));
    EXPECT_NEAR(length_of(v), speed, 16 * unit_rounding * speed);
    EXPECT_NEAR(dot(r, v), 0, 16 * unit_rounding * speed * 3);
    EXPECT_GT(r.x * v.y - r.y * v.x, 0);
  }
}

TEST(Ring, RejectsAWidthBeyondAFullDisc) {
  EXPECT_EQ(broken_relations(sim::Ring{.radius = 1, .width = 2.1}).at(0).key, "width");
  EXPECT_TRUE(broken_relations(sim::Ring{.radius = 1, .width = 2}).empty());
}

// Uniform in volume: the tube's cross-section is weighted with R. The squared distance from the
// tube's centre, q^2 / b^2, is uniform, because the weight averages out over the angle. The outer
// half has P(R > R0) = 1/2 + (2 / 3 pi) (b / R0): int x dA over the half disc = 2 b^3 / 3, divided
// by R0 pi b^2.
TEST(Torus, IsUniformInVolume) {
  const Bodies bodies =
      make(sim::Torus{.n = many, .radius = 2, .tube_radius = 1.5}, shapes_as_drawn);
  const auto outward = [](Vec3d r) { return std::hypot(r.x, r.y) - 2; };
  expect_uniform(bodies, azimuth);
  expect_uniform(
      bodies, [&](Vec3d r, Vec3d) { return (outward(r) * outward(r) + r.z * r.z) / (1.5 * 1.5); });
  const Mean outside =
      mean_of(each(bodies, [&](Vec3d r, Vec3d) { return outward(r) > 0 ? 1.0 : 0.0; }));
  EXPECT_NEAR(outside.value, 0.5 + 2.0 / (3 * pi) * 1.5 / 2, 5 * outside.error);
  EXPECT_LT(5 * outside.error, 0.006);
}

TEST(Torus, RejectsATubeThatIsTooThick) {
  EXPECT_EQ(broken_relations(sim::Torus{.radius = 1, .tube_radius = 1.1}).at(0).key, "tube_radius");
  EXPECT_TRUE(broken_relations(sim::Torus{.radius = 1, .tube_radius = 1}).empty());
}

TEST(Cube, IsFilledEvenly) {
  const Bodies bodies = make(sim::Cube{.n = many, .size = {2, 3, 5}}, shapes_as_drawn);
  expect_uniform(bodies, [](Vec3d r, Vec3d) { return 0.5 + r.x / 2; });
  expect_uniform(bodies, [](Vec3d r, Vec3d) { return 0.5 + r.y / 3; });
  expect_uniform(bodies, [](Vec3d r, Vec3d) { return 0.5 + r.z / 5; });
  const Mean xy = mean_of(each(bodies, [](Vec3d r, Vec3d) { return r.x * r.y; }));
  EXPECT_NEAR(xy.value, 0, 5 * xy.error);
}

TEST(Shapes, AreAtRestByDefault) {
  for (const Bodies& bodies : {make(sim::Shell{.n = 100}, {}), make(sim::Ring{.n = 100}, {}),
                               make(sim::Torus{.n = 100}, {}), make(sim::Cube{.n = 100}, {}),
                               make(Lattice{.counts = {3, 4, 5}}, {})})
    for (const Vec3d& v : bodies.velocity) EXPECT_EQ(v, (Vec3d{0, 0, 0}));
}

// The rotation is exact up to a rounding; the residual is normal with the given dispersion.
TEST(Shapes, RotateRigidlyWithMaxwellianVelocitiesOnTop) {
  const auto check = [](const Bodies& bodies) {
    const auto normal = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
    EXPECT_LT(
        ks_distance(each(bodies, [](Vec3d r, Vec3d v) { return (v.x + 3 * r.y) / 0.1; }), normal),
        ks_bound(bodies.mass.size()));
    EXPECT_LT(
        ks_distance(each(bodies, [](Vec3d r, Vec3d v) { return (v.y - 3 * r.x) / 0.1; }), normal),
        ks_bound(bodies.mass.size()));
    EXPECT_LT(ks_distance(each(bodies, [](Vec3d, Vec3d v) { return v.z / 0.1; }), normal),
              ks_bound(bodies.mass.size()));
  };
  const std::int64_t n = 20000;
  check(make(sim::Shell{.n = n, .dispersion = 0.1, .spin = 3}, shapes_as_drawn));
  check(make(sim::Ring{.n = n, .dispersion = 0.1, .spin = 3}, shapes_as_drawn));
  check(make(sim::Torus{.n = n, .dispersion = 0.1, .spin = 3}, shapes_as_drawn));
  check(make(sim::Cube{.n = n, .dispersion = 0.1, .spin = 3}, shapes_as_drawn));
  check(make(Lattice{.counts = {20, 20, 50}, .spacing = 0.1, .dispersion = 0.1, .spin = 3},
             shapes_as_drawn));
}

TEST(Lattice, CountsItsBodies) {
  EXPECT_EQ(count_of(Lattice{.counts = {2, 3, 5}}), 30);
  EXPECT_EQ(count_of(Lattice{.counts = {2, 3, 5}, .structure = "bcc"}), 60);
  EXPECT_EQ(count_of(Lattice{.counts = {2, 3, 5}, .structure = "fcc"}), 120);
  EXPECT_EQ(count_of(Lattice{.counts = {1e6, 1e6, 1e6}}), 0);
  EXPECT_EQ(make(Lattice{.counts = {2, 3, 5}, .structure = "fcc"}, {}).count(), 120);
}

/// The smallest distance between bodies, and the largest number of neighbours at it.
struct Neighbours {
  int count = 0;
  double distance = 1e9;
};

Neighbours neighbours(const Bodies& bodies) {
  Neighbours found;
  const auto n = bodies.mass.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      found.distance = std::min(found.distance, length_of(bodies.position[i] - bodies.position[j]));
  for (std::size_t i = 0; i < n; ++i) {
    int count = 0;
    for (std::size_t j = 0; j < n; ++j)
      count +=
          i != j && length_of(bodies.position[i] - bodies.position[j]) < 1.001 * found.distance;
    found.count = std::max(found.count, count);
  }
  return found;
}

// An inner body has 6 nearest neighbours at distance a, 8 at a sqrt(3)/2, 12 at a / sqrt(2).
TEST(Lattice, HasTheNeighboursOfItsCrystal) {
  const struct {
    const char* name;
    int count;
    double distance;
  } crystals[] = {{"cubic", 6, 1}, {"bcc", 8, std::sqrt(0.75)}, {"fcc", 12, std::sqrt(0.5)}};
  for (const auto& [name, count, distance] : crystals) {
    const Neighbours found = neighbours(
        make(Lattice{.counts = {4, 4, 4}, .spacing = 3, .structure = name}, shapes_as_drawn));
    EXPECT_EQ(found.count, count) << name;
    EXPECT_NEAR(found.distance, 3 * distance, 1e-14) << name;
  }
}

TEST(Lattice, IsCentredAtTheOriginAndNotRandom) {
  for (const char* structure : {"cubic", "bcc"}) {
    const Bodies bodies =
        make(Lattice{.counts = {3, 4, 1}, .spacing = 2, .structure = structure}, shapes_as_drawn);
    const Bodies other = make(Lattice{.counts = {3, 4, 1}, .spacing = 2, .structure = structure},
                              {.seed = 7, .stream = 3, .centre = false});
    Vec3d sum{0, 0, 0};
    for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
      EXPECT_EQ(bodies.position[i], other.position[i]);
      sum += bodies.position[i];
    }
    EXPECT_EQ(sum, (Vec3d{0, 0, 0}));  // halves and whole numbers: exact
  }
  const Bodies bodies = make(Lattice{.counts = {3, 4, 1}, .spacing = 2}, shapes_as_drawn);
  EXPECT_EQ(bodies.position[0], (Vec3d{-2, -3, 0}));
  EXPECT_EQ(bodies.position[1], (Vec3d{0, -3, 0}));
  EXPECT_EQ(bodies.position[3], (Vec3d{-2, -1, 0}));
}

TEST(Lattice, RejectsFractionsAndTooManyBodies) {
  EXPECT_EQ(broken_relations(Lattice{.counts = {2, 2.5, 2}}).at(0).key, "counts");
  EXPECT_EQ(broken_relations(Lattice{.counts = {1e4, 1e4, 1e4}}).at(0).key, "counts");
  EXPECT_TRUE(broken_relations(Lattice{.counts = {1000, 1000, 1000}}).empty());
}

}  // namespace
}  // namespace mote::test
