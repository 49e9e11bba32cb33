#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <set>

#include "engine/exec/parallel.h"
#include "sim/initial/disk.h"
#include "sim/initial/plummer.h"
#include "sim/initial/uniform_sphere.h"
#include "tests/sim/initial/statistics.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::Bodies;
using sim::MakeContext;

const engine::ParamTable<sim::Plummer>& table_of(const sim::Plummer&) {
  return sim::plummer_table();
}
const engine::ParamTable<sim::UniformSphere>& table_of(const sim::UniformSphere&) {
  return sim::uniform_sphere_table();
}
const engine::ParamTable<sim::Disk>& table_of(const sim::Disk&) {
  return sim::disk_table();
}

/// With velocities, so that every generator has something to get wrong.
void warm(sim::Plummer&) {}
void warm(sim::Disk&) {}
void warm(sim::UniformSphere& sphere) {
  sphere.virial_ratio = 1;
}

template <class Generator>
Bodies sample(std::int64_t n, const MakeContext& context, double mass = 1) {
  Generator generator{.n = n, .mass = mass};
  warm(generator);
  return make(generator, context);
}

bool same_bits(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3d)) == 0;
}

template <class Generator>
class Generators : public testing::Test {};
using AllGenerators = testing::Types<sim::Plummer, sim::UniformSphere, sim::Disk>;
TYPED_TEST_SUITE(Generators, AllGenerators);

TYPED_TEST(Generators, GiveTheSameBitsOnAnyNumberOfThreads) {
  const std::int64_t n = 3 * engine::loop_chunk + 17;  // whole chunks and a part of one
  const Bodies one = sample<TypeParam>(n, {.threads = 1});
  for (int threads : {2, 7}) {
    const Bodies many = sample<TypeParam>(n, {.threads = threads});
    EXPECT_TRUE(same_bits(one.position, many.position)) << threads;
    EXPECT_TRUE(same_bits(one.velocity, many.velocity)) << threads;
    EXPECT_EQ(one.mass, many.mass);
  }
}

TYPED_TEST(Generators, GiveOtherBodiesForOtherSeedsAndStreams) {
  const Bodies a = sample<TypeParam>(100, {});
  const Bodies b = sample<TypeParam>(100, {.seed = 2});
  const Bodies c = sample<TypeParam>(100, {.stream = 1});
  const Bodies again = sample<TypeParam>(100, {});
  EXPECT_TRUE(same_bits(a.position, again.position));
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_FALSE(a.position[i] == b.position[i]) << i;
    EXPECT_FALSE(a.position[i] == c.position[i]) << i;
    EXPECT_FALSE(b.position[i] == c.position[i]) << i;
    EXPECT_FALSE(a.velocity[i] == b.velocity[i]) << i;
    EXPECT_FALSE(a.velocity[i] == c.velocity[i]) << i;
  }
}

TYPED_TEST(Generators, DrawEveryBodyAnew) {
  const Bodies bodies = sample<TypeParam>(5000, {});
  std::set<double> seen;
  for (const Vec3d& r : bodies.position) seen.insert(r.x);
  EXPECT_EQ(seen.size(), 5000u);
}

TYPED_TEST(Generators, ShareTheMassEqually) {
  const Bodies bodies = sample<TypeParam>(1000, {}, 7.0);
  double sum = 0;
  for (double m : bodies.mass) {
    EXPECT_EQ(m, 7.0 / 1000);
    sum += m;
  }
  EXPECT_NEAR(sum, 7.0, 1000 * 7.0 * std::numeric_limits<double>::epsilon());
  EXPECT_EQ(bodies.position.size(), 1000u);
  EXPECT_EQ(bodies.velocity.size(), 1000u);
}

// Before centring |sum m x| is about M sigma / sqrt(n) = 5e-3; afterwards what is left is the rounding of n
// additions of terms m |x| (each partial sum is below sum m |x|, the errors add at worst linearly), once in
// centring and once here.
TYPED_TEST(Generators, RestAtTheOriginAsAWhole) {
  const std::int64_t n = 20000;
  const Bodies bodies = sample<TypeParam>(n, {});
  Vec3d position{}, momentum{};
  double distances = 0, speeds = 0;
  for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
    position += bodies.mass[i] * bodies.position[i];
    momentum += bodies.mass[i] * bodies.velocity[i];
    distances += bodies.mass[i] * length_of(bodies.position[i]);
    speeds += bodies.mass[i] * length_of(bodies.velocity[i]);
  }
  const double rounding = 2 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  EXPECT_LT(length_of(position), rounding * distances);
  EXPECT_LT(length_of(momentum), rounding * speeds);
}

// (m x) / m differs from x by two roundings.
TYPED_TEST(Generators, PutASingleBodyAtRestAtTheOrigin) {
  const Bodies bodies = sample<TypeParam>(1, {}, 0.7);
  ASSERT_EQ(bodies.count(), 1);
  EXPECT_LT(length_of(bodies.position[0]), 1e-15);
  EXPECT_LT(length_of(bodies.velocity[0]), 1e-15);
}

TYPED_TEST(Generators, MakeMasslessBodiesAtRest) {
  const Bodies bodies = sample<TypeParam>(100, {}, 0.0);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(bodies.mass[i], 0);
    EXPECT_TRUE(std::isfinite(length_of(bodies.position[i])));
    EXPECT_GT(length_of(bodies.position[i]), 0);
    EXPECT_EQ(bodies.velocity[i], (Vec3d{0, 0, 0}));
  }
}

// Speeds scale as sqrt(G M). The disk's table of velocities is built with other roundings, hence a
// tolerance.
TYPED_TEST(Generators, MoveFasterWhereGravityIsStronger) {
  const Bodies one = sample<TypeParam>(100, {});
  const Bodies strong = sample<TypeParam>(100, {.gravitational = 8}, 2.0);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_LT(length_of(strong.velocity[i] - 4.0 * one.velocity[i]), 1e-12);
    EXPECT_LT(length_of(strong.position[i] - one.position[i]), 1e-12);
  }
}

TYPED_TEST(Generators, DescribeAllTheirParameters) {
  const TypeParam standard{};
  const auto& table = table_of(standard);
  EXPECT_FALSE(table.help.empty());
  std::set<std::string> names;
  for (const auto& p : table.params) {
    EXPECT_FALSE(p.info.help.empty()) << p.info.name;
    EXPECT_TRUE(names.insert(p.info.name).second) << p.info.name;
    EXPECT_FALSE(range_problem(p.info, p.get(standard))) << p.info.name;
    EXPECT_EQ(p.info.required, p.info.name == "n");
  }
  // Each row reads and writes its own member: all are set to different values, then read back.
  TypeParam changed{};
  double value = 1.25;
  for (const auto& p : table.params) {
    if (p.info.name == "n")
      p.set(changed, std::int64_t{12345});
    else
      p.set(changed, value += 1);
  }
  value = 1.25;
  for (const auto& p : table.params) {
    if (p.info.name == "n")
      EXPECT_EQ(std::get<std::int64_t>(p.get(changed)), 12345);
    else
      EXPECT_EQ(std::get<double>(p.get(changed)), value += 1) << p.info.name;
  }
  EXPECT_TRUE(range_problem(table.params[0].info, std::int64_t{0}));
}

}  // namespace
}  // namespace mote::test
