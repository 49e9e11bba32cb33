#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <set>

#include "engine/exec/parallel.h"
#include "sim/initial/cluster.h"
#include "sim/initial/cube.h"
#include "sim/initial/disk.h"
#include "sim/initial/galaxy.h"
#include "sim/initial/hernquist.h"
#include "sim/initial/king.h"
#include "sim/initial/plummer.h"
#include "sim/initial/ring.h"
#include "sim/initial/shell.h"
#include "sim/initial/torus.h"
#include "sim/initial/uniform_sphere.h"
#include "sim/initial/zeldovich.h"
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
const engine::ParamTable<sim::Hernquist>& table_of(const sim::Hernquist&) {
  return sim::hernquist_table();
}
const engine::ParamTable<sim::King>& table_of(const sim::King&) {
  return sim::king_table();
}
const engine::ParamTable<sim::Shell>& table_of(const sim::Shell&) {
  return sim::shell_table();
}
const engine::ParamTable<sim::Ring>& table_of(const sim::Ring&) {
  return sim::ring_table();
}
const engine::ParamTable<sim::Torus>& table_of(const sim::Torus&) {
  return sim::torus_table();
}
const engine::ParamTable<sim::Cube>& table_of(const sim::Cube&) {
  return sim::cube_table();
}
const engine::ParamTable<sim::Cluster>& table_of(const sim::Cluster&) {
  return sim::cluster_table();
}
const engine::ParamTable<sim::Galaxy>& table_of(const sim::Galaxy&) {
  return sim::galaxy_table();
}
const engine::ParamTable<sim::Zeldovich>& table_of(const sim::Zeldovich&) {
  return sim::zeldovich_table();
}

/// n bodies of total mass `mass` with non-zero velocities, so that every generator is exercised.
template <class Generator>
Generator warm(std::int64_t n, double mass) {
  Generator generator{};
  generator.n = n;
  if constexpr (requires { generator.disk_mass; }) {
    for (double* part : {&generator.disk_mass, &generator.bulge_mass, &generator.halo_mass})
      *part = mass / 3;
  } else {
    generator.mass = mass;
  }
  if constexpr (requires { generator.dispersion; }) generator.dispersion = 1;
  if constexpr (requires { generator.virial_ratio; }) generator.virial_ratio = 1;
  if constexpr (requires { generator.expansion; }) generator.expansion = 1;
  if constexpr (requires { generator.masses; }) generator.masses = "equal";
  return generator;
}

template <class Generator>
Bodies sample(std::int64_t n, const MakeContext& context, double mass = 1) {
  return make(warm<Generator>(n, mass), context);
}

bool same_bits(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3d)) == 0;
}

template <class Generator>
class Generators : public testing::Test {};
using AllGenerators = testing::Types<sim::Plummer, sim::UniformSphere, sim::Disk, sim::Hernquist,
                                     sim::King, sim::Cluster, sim::Galaxy, sim::Shell, sim::Ring,
                                     sim::Torus, sim::Cube, sim::Zeldovich>;
TYPED_TEST_SUITE(Generators, AllGenerators);

/// Generators whose velocities are determined by gravity.
template <class Generator>
class Models : public testing::Test {};
using AllModels = testing::Types<sim::Plummer, sim::UniformSphere, sim::Disk, sim::Hernquist,
                                 sim::King, sim::Cluster, sim::Galaxy, sim::Zeldovich>;
TYPED_TEST_SUITE(Models, AllModels);

TYPED_TEST(Generators, GiveTheSameBitsOnAnyNumberOfThreads) {
  const std::int64_t n = 3 * engine::loop_chunk + 17;  // full chunks and a partial one
  const Bodies one = sample<TypeParam>(n, {.threads = 1});
  for (int threads : {2, 7}) {
    const Bodies many = sample<TypeParam>(n, {.threads = threads});
    EXPECT_TRUE(same_bits(one.position, many.position)) << threads;
    EXPECT_TRUE(same_bits(one.velocity, many.velocity)) << threads;
    EXPECT_EQ(one.mass, many.mass);
  }
}

TYPED_TEST(Generators, GiveDifferentBodiesForDifferentSeedsAndStreams) {
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

TYPED_TEST(Generators, DrawEveryBodyIndependently) {
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

// Before centring |sum m x| is about M sigma / sqrt(n) = 5e-3; afterwards only the round-off of n
// additions of terms m |x| remains (each partial sum is below sum m |x|, errors add at worst
// linearly), once in centring and once here.
TYPED_TEST(Generators, HaveTheirCentreOfMassAtRestAtTheOrigin) {
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
  const Bodies drawn = sample<TypeParam>(1, {.centre = false}, 0.7);
  ASSERT_EQ(bodies.count(), 1);
  const double rounding = 2 * std::numeric_limits<double>::epsilon();
  EXPECT_GT(length_of(drawn.position[0]), 0);
  EXPECT_LE(length_of(bodies.position[0]), rounding * length_of(drawn.position[0]));
  EXPECT_LE(length_of(bodies.velocity[0]), rounding * length_of(drawn.velocity[0]));
}

// As drawn, sum m x is about M sigma / sqrt(n), not zero; centring shifts all bodies equally, up to
// round-off.
TYPED_TEST(Generators, StayAsDrawnWhenNotCentred) {
  const Bodies centred = sample<TypeParam>(500, {});
  const Bodies drawn = sample<TypeParam>(500, {.centre = false});
  const Vec3d shift = centred.position[0] - drawn.position[0];
  const Vec3d drift = centred.velocity[0] - drawn.velocity[0];
  EXPECT_GT(length_of(shift), 1e-6);
  EXPECT_GT(length_of(drift), 1e-6);
  for (std::size_t i = 0; i < 500; ++i) {
    // 1e-13 is about a hundred ULP of distances up to 50 and of speeds of order 1.
    EXPECT_LT(length_of(centred.position[i] - drawn.position[i] - shift), 1e-13);
    EXPECT_LT(length_of(centred.velocity[i] - drawn.velocity[i] - drift), 1e-13);
  }
}

TYPED_TEST(Models, MakeMasslessBodiesAtRest) {
  const Bodies bodies = sample<TypeParam>(100, {}, 0.0);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(bodies.mass[i], 0);
    EXPECT_TRUE(std::isfinite(length_of(bodies.position[i])));
    EXPECT_GT(length_of(bodies.position[i]), 0);
    EXPECT_EQ(bodies.velocity[i], (Vec3d{0, 0, 0}));
  }
}

// Speeds scale as sqrt(G M). The velocity tables differ in round-off, hence a tolerance.
TYPED_TEST(Models, MoveFasterWhereGravityIsStronger) {
  const Bodies one = sample<TypeParam>(100, {});
  const Bodies strong = sample<TypeParam>(100, {.gravitational = 8}, 2.0);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_LT(length_of(strong.velocity[i] - 4.0 * one.velocity[i]), 1e-12);
    EXPECT_LT(length_of(strong.position[i] - one.position[i]), 1e-12);
  }
}

// G and masses in galactic and SI units: from 1e-10 to 4e4 for G, up to 1e40 for the mass.
TYPED_TEST(Models, CanBeGeneratedInAnyUnits) {
  const Bodies one = sample<TypeParam>(100, {});
  const struct { double gravitational, mass; } systems[] = {{43007.1, 5}, {6.6743e-11, 2e40}};
  for (const auto& [gravitational, mass] : systems) {
    const Bodies bodies = sample<TypeParam>(100, {.gravitational = gravitational}, mass);
    const double factor = std::sqrt(gravitational * mass);
    for (std::size_t i = 0; i < 100; ++i)
      EXPECT_LT(length_of(bodies.velocity[i] - factor * one.velocity[i]), 1e-12 * factor);
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
  // Each parameter reads and writes its own member: all are set to different values, then read
  // back.
  TypeParam changed{};
  const auto value = [](const auto& p, std::size_t k) -> engine::ParamValue {
    const double x = 1.25 + static_cast<double>(k);
    switch (p.type) {
      case engine::ParamType::integer:
        return static_cast<std::int64_t>(12345 + k);
      case engine::ParamType::choice:
        return p.info.choices.back();
      case engine::ParamType::vector:
        return Vec3d{x, 2 * x, 3 * x};
      default:
        return x;
    }
  };
  for (std::size_t k = 0; k < table.params.size(); ++k)
    table.params[k].set(changed, value(table.params[k], k));
  for (std::size_t k = 0; k < table.params.size(); ++k)
    EXPECT_EQ(table.params[k].get(changed), value(table.params[k], k)) << table.params[k].info.name;
  EXPECT_TRUE(range_problem(table.params[0].info, std::int64_t{0}));
}

/// Checks bodies for the smallest and largest allowed `cutoff`: all inside it, and finite also in
/// single precision.
template <class Owner>
void expect_valid_at_extreme_cutoffs(const engine::ParamTable<Owner>& table) {
  int found = 0;
  for (const auto& p : table.params) {
    if (p.info.name != "cutoff") continue;
    ++found;
    for (const double cutoff : {p.info.minimum, p.info.maximum}) {
      Owner owner{.n = 1000};
      p.set(owner, cutoff);
      const Bodies bodies = make(owner, {.centre = false});
      for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
        const double r = length_of(bodies.position[i]), v = length_of(bodies.velocity[i]);
        ASSERT_LE(r, cutoff * owner.scale * (1 + 1e-9)) << table.name << " " << cutoff;
        ASSERT_LT(r * r * r, std::numeric_limits<float>::max()) << table.name << " " << cutoff;
        ASSERT_LT(v * v, std::numeric_limits<float>::max()) << table.name << " " << cutoff;
      }
    }
  }
  EXPECT_EQ(found, 1) << table.name;
}

TEST(Spheres, CanBeGeneratedWithExtremeCutoffs) {
  expect_valid_at_extreme_cutoffs(sim::plummer_table());
  expect_valid_at_extreme_cutoffs(sim::hernquist_table());
  expect_valid_at_extreme_cutoffs(sim::cluster_table());
}

}  // namespace
}  // namespace mote::test
