// Many grains: contact detection, contact history, reproducibility.
#include "sim/contact/contact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "engine/math/hash.h"
#include "sim/space/ball_fields.h"
#include "sim/space/list_fields.h"
#include "tests/sim/contact/grain_run.h"
#include "tests/support/on_device.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::ContactParams;

/// Moving grains of radii 1 to 10 at random positions in a cube with a floor; overlaps are larger
/// than realistic.
template <class Real>
GrainRun<Real> dense_packing(int count, bool periodic, double size = 3) {
  GrainRun<Real> run(
      {.model = "hertz", .young_modulus = 1e5, .friction = 0.4, .rolling_friction = 0.05});
  if (periodic) run.domain = {{-1, 2, 0.5}, {size, size, size}, {true, true, true}};
  sim::PlaneObstacle floor;
  floor.point = {0, 0, 1}, floor.amplitude = {0, 0, 0.05}, floor.frequency = 3;
  sim::SphereObstacle ball;
  ball.center = {-0.9, 2.1, 2}, ball.radius = 0.4;
  run.put({floor, ball});
  for (int k = 0; k < count; ++k) {
    engine::Random random(11, 3, static_cast<std::uint64_t>(k));
    const auto within = [&](double low, double high) { return random.uniform(low, high); };
    // The same number in each doubling of the radius.
    const double radius = 0.025 * std::pow(10, within(0, 1));
    const Vec3d at{within(-1, size - 1), within(2, 2 + size), within(0.5, 0.5 + size)};
    const Vec3d v{within(-1, 1), within(-1, 1), within(-1, 1)},
        w{within(-5, 5), within(-5, 5), within(-5, 5)};
    run.grains.add(at, radius, 1000 * radius * radius * radius, v, w);
  }
  return run;
}

using Touching = std::set<std::pair<std::uint32_t, std::uint64_t>>;

template <class Real>
Touching touching_by_definition(const GrainRun<Real>& run) {
  Touching all;
  const auto nearest = [&](double d, double length) {
    return run.domain.periodic[0] ? d - length * std::round(d / length) : d;
  };
  const Grains<Real>& g = run.grains;
  for (std::size_t i = 0; i < g.count(); ++i)
    for (std::size_t j = i + 1; j < g.count(); ++j) {
      const double x = nearest(double(g.x[j]) - double(g.x[i]), run.domain.length.x),
                   y = nearest(double(g.y[j]) - double(g.y[i]), run.domain.length.y),
                   z = nearest(double(g.z[j]) - double(g.z[i]), run.domain.length.z);
      const double sum = double(g.radius[i]) + double(g.radius[j]);
      if (x * x + y * y + z * z < sum * sum) all.emplace(g.id[i], g.id[j]);
    }
  for (std::size_t i = 0; i < g.count(); ++i) {
    // The floor and the ball of `dense_packing`, at time 0.
    if (nearest(double(g.z[i]) - 1, run.domain.length.z) < double(g.radius[i]))
      all.emplace(g.id[i], sim::first_obstacle);
    const Vec3d d{nearest(double(g.x[i]) + 0.9, run.domain.length.x),
                  nearest(double(g.y[i]) - 2.1, run.domain.length.y),
                  nearest(double(g.z[i]) - 2, run.domain.length.z)};
    if (engine::length(d) < 0.4 + double(g.radius[i]))
      all.emplace(g.id[i], sim::first_obstacle + 1);
  }
  return all;
}

TEST(ContactForce, FindsEveryTouchingPairOnceAlsoAcrossPeriodicBordersAndOfSizesOneToTen) {
  for (const bool periodic : {false, true}) {
    GrainRun<double> run = dense_packing<double>(1200, periodic);
    // Some are far outside the domain.
    for (std::size_t i = 0; periodic && i < 1200; i += 3)
      run.grains.x[i] += 3 * static_cast<double>(i % 7) - 9;
    run.force.record(true);
    run.evaluate(0);
    Touching seen;
    const auto contacts = run.force.contacts();
    for (const auto& c : contacts) EXPECT_TRUE(seen.emplace(c.grain, c.partner).second);
    EXPECT_EQ(seen, touching_by_definition(run));
    EXPECT_GT(seen.size(), 1000u);
    EXPECT_EQ(contacts.size(), run.report.contacts);
  }
}

TEST(ContactForce, FindsPairsThatHardlyTouchWhereverTheBordersOfCellsAre) {
  for (int shift = 0; shift < 12; ++shift) {
    GrainRun<float> run({});
    const double spacing = 0.9999, off = 0.0839 * shift;
    run.domain = {{0, 0, 0}, {6 * spacing, 6 * spacing, 6 * spacing}, {true, true, true}};
    for (int k = 0; k < 216; ++k)
      run.grains.add(
          {spacing * (k % 6) + off, spacing * (k / 6 % 6) + 2 * off, spacing * (k / 36) + 3 * off},
          0.5, 1);
    run.evaluate(0);
    EXPECT_EQ(run.report.contacts, 3u * 216u) << shift;
  }
}

TEST(ContactForce, TestsFewPairsAlsoWhereSizesDiffer) {
  // One grid for all would have cells of the size of the largest, and test 1200 * 27 * 1200 / 216
  // pairs or more.
  GrainRun<double> run = dense_packing<double>(1200, true);
  run.evaluate(0);
  EXPECT_LT(run.report.tested, 1200u * 40u);
}

template <class Real>
void expect_same(const Grains<Real>& a, const Grains<Real>& b, const char* what) {
  ASSERT_EQ(a.count(), b.count());
  EXPECT_EQ(a.x, b.x) << what;
  EXPECT_EQ(a.vy, b.vy) << what;
  EXPECT_EQ(a.wz, b.wz) << what;
  EXPECT_EQ(a.az, b.az) << what;
}

TEST(ContactForce, IgnoresBodiesThatAreNotGrains) {
  GrainRun<double> alone = dense_packing<double>(400, true),
                   among = dense_packing<double>(400, true);
  constexpr double nobody_looks = std::numeric_limits<double>::quiet_NaN();
  among.grains.member.assign(400, 1);
  for (int k = 0; k < 300; ++k) {
    engine::Random random(12, 3, static_cast<std::uint64_t>(k));
    const Vec3d at{random.uniform(-1, 2), random.uniform(2, 5), random.uniform(0.5, 3.5)};
    among.grains.add(at, nobody_looks, nobody_looks);
    among.grains.member.push_back(0);
  }
  alone.run_for(0.02, 1e-3), among.run_for(0.02, 1e-3);
  EXPECT_EQ(alone.report.contacts, among.report.contacts);
  EXPECT_EQ(alone.force.stored_contacts().size(), among.force.stored_contacts().size());
  for (std::size_t i = 0; i < 700; ++i) {
    const auto of_alone = [&](const std::vector<double>& column) {
      return i < 400 ? column[i] : 0.0;
    };
    EXPECT_EQ(among.grains.vx[i], of_alone(alone.grains.vx)) << i;
    EXPECT_EQ(among.grains.wz[i], of_alone(alone.grains.wz)) << i;
  }
}

TEST(ContactForce, IgnoresThemOnAGpuToo) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  for (const bool periodic : {false, true}) {
    GrainRun<double> run = dense_packing<double>(300, periodic);
    run.put({});
    run.grains.member.assign(300, 1);
    for (std::size_t i = 0; i < 300; i += 3) run.grains.member[i] = 0, run.grains.radius[i] = 2;
    sim::StateLayout layout;
    layout.add(sim::fields::radius).add(sim::fields::spin).add(sim::fields::spin_rate);
    if (periodic) layout.add(sim::fields::image);
    sim::State<engine::Host> state(300, engine::Precision::double_, layout);
    Grains<double>& g = run.grains;
    std::copy(g.id.begin(), g.id.end(), state.id());
    state.visit([&]<class Real>(const sim::StateView<Real>& s) {
      const auto put = [](const std::vector<double>& from, Real* to) {
        for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<Real>(from[i]);
      };
      put(g.mass, s.mass), put(g.x, s.x), put(g.y, s.y), put(g.z, s.z), put(g.vx, s.vx),
          put(g.vy, s.vy);
      put(g.vz, s.vz), put(g.radius, s[sim::fields::radius]), put(g.wx, s[sim::fields::spin[0]]);
      put(g.wy, s[sim::fields::spin[1]]), put(g.wz, s[sim::fields::spin[2]]);
      for (Real* column : {s.ax, s.ay, s.az, s[sim::fields::spin_rate[0]],
                           s[sim::fields::spin_rate[1]], s[sim::fields::spin_rate[2]]})
        std::fill_n(column, s.count, Real(0));
    });
    run.evaluate(0);
    device_contacts(run.params(), run.domain, g.member, state);
    EXPECT_GT(run.report.contacts, 30u);
    state.visit([&](const auto& s) {
      for (std::size_t i = 0; i < 300; ++i) {
        EXPECT_NEAR(double(s.ax[i]), g.ax[i], 1e-9 * (1 + std::abs(g.ax[i]))) << i;
        EXPECT_NEAR(double(s[sim::fields::spin_rate[2]][i]), g.bz[i],
                    1e-9 * (1 + std::abs(g.bz[i])))
            << i;
        if (g.member[i] == 0) {
          EXPECT_EQ(s.ax[i], 0) << i;
        }
      }
    });
  }
}

TEST(ContactForce, HasTheSameBitsForAnyNumberOfThreads) {
  GrainRun<float> one = dense_packing<float>(1500, true);
  one.run_for(0.02, 1e-3);
  for (const int threads : {2, 5}) {
    GrainRun<float> more = dense_packing<float>(1500, true);
    more.threads = threads;
    more.run_for(0.02, 1e-3);
    expect_same(one.grains, more.grains, "threads");
    EXPECT_EQ(one.report.energy, more.report.energy);
  }
}

TEST(ContactForce, HasTheSameBitsInAnyOrderOfBodiesAndKeepsSpringsWhenItChanges) {
  GrainRun<double> forward = dense_packing<double>(600, true),
                   mixed = dense_packing<double>(600, true);
  std::vector<std::size_t> order(600);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rearrange = [&](Grains<double>& g) {
    const auto apply = [&](auto& column) {
      auto old = column;
      for (std::size_t k = 0; k < order.size(); ++k) column[k] = old[order[k]];
    };
    apply(g.id);
    for (auto* c : {&g.mass, &g.radius, &g.x, &g.y, &g.z, &g.vx, &g.vy, &g.vz, &g.wx, &g.wy, &g.wz,
                    &g.ax, &g.ay, &g.az, &g.bx, &g.by, &g.bz})
      apply(*c);
  };
  forward.evaluate(0), mixed.evaluate(0);
  for (int n = 0; n < 20; ++n) {
    forward.step(1e-3), mixed.step(1e-3);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return engine::mix_bits(a + 1000 * static_cast<std::size_t>(n)) <
             engine::mix_bits(b + 1000 * static_cast<std::size_t>(n));
    });
    rearrange(mixed.grains);
  }
  const std::vector<std::uint32_t> ids = mixed.grains.id;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
  rearrange(mixed.grains);
  expect_same(forward.grains, mixed.grains, "order");
}

TEST(ContactForce, ResumesBitForBitFromStoredContacts) {
  GrainRun<double> uninterrupted = dense_packing<double>(600, false);
  uninterrupted.run_for(0.02, 1e-3);
  GrainRun<double> second = dense_packing<double>(600, false);
  second.grains = uninterrupted.grains, second.time = uninterrupted.time;
  const auto stored = uninterrupted.force.stored_contacts();
  EXPECT_GT(stored.size(), 500u);
  second.force.set_stored_contacts(stored);
  GrainRun<double> forgetful = dense_packing<double>(600, false);
  forgetful.grains = uninterrupted.grains, forgetful.time = uninterrupted.time;
  for (int n = 0; n < 10; ++n) uninterrupted.step(1e-3), second.step(1e-3), forgetful.step(1e-3);
  expect_same(uninterrupted.grains, second.grains, "saved");
  EXPECT_NE(uninterrupted.grains.x, forgetful.grains.x);
}

TEST(ContactForce, StoresNoSpringsWhereNoTimePasses) {
  GrainRun<double> run = dense_packing<double>(300, false);
  run.run_for(0.01, 1e-3);
  const auto before = run.force.stored_contacts();
  run.evaluate(0);
  const auto after = run.force.stored_contacts();
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t k = 0; k < before.size(); ++k)
    EXPECT_TRUE(before[k].spring.tangential == after[k].spring.tangential);
}

TEST(ContactForce, ConservesMomentumInADensePacking) {
  GrainRun<double> run = dense_packing<double>(1000, true);
  run.put({});
  const auto momentum = [&] {
    Vec3d sum{0, 0, 0};
    for (std::size_t i = 0; i < run.grains.count(); ++i)
      sum += run.grains.mass[i] * run.grains.velocity(i);
    return sum;
  };
  const Vec3d before = momentum();
  run.run_for(0.05, 1e-3);
  // Forces up to 1e3, 1e4 of them in each of 50 steps of 1e-3, rounded at 1e-16 with any sign:
  // 1e-16 * sqrt(5e5).
  EXPECT_LT(engine::length(momentum() - before), 1e-12);
}

TEST(ContactForce, LetsNoFastGrainThroughAWallWithTheLongestStep) {
  for (const char* model : {"hertz", "linear"})
    for (const double speed : {1.0, 30.0}) {
      GrainRun<double> run({.model = model,
                            .young_modulus = 1e7,
                            .stiffness = 1e6,
                            .restitution = 0.99,
                            .friction = 0.3});
      sim::BoxObstacle box;
      box.size = {1, 1, 1}, box.container = true;
      sim::SphereObstacle ball;
      ball.radius = 0.2;
      run.put({box, ball});
      for (int k = 0; k < 20; ++k) {
        engine::Random random(2, 0, static_cast<std::uint64_t>(k));
        const Vec3d d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        const double phi = 0.31 * k;
        run.grains.add({0.34 * std::cos(phi), 0.34 * std::sin(phi), 0.03 * (k - 10)}, 0.02, 1e-2,
                       speed / engine::length(d) * d);
      }
      const sim::ContactTimes times = sim::contact_times(run.params(), 1e-2, 0.02, 2 * speed);
      ASSERT_LT(times.overlap, 1);
      ASSERT_LE(times.good_step, times.longest_step);
      run.run_for(3000 * times.longest_step, times.longest_step);
      for (std::size_t i = 0; i < 20; ++i) {
        const Vec3d at = run.grains.at(i);
        EXPECT_LT(std::max({std::fabs(at.x), std::fabs(at.y), std::fabs(at.z)}), 0.51)
            << model << speed;
        EXPECT_GT(engine::length(at), 0.19) << model << speed;
      }
    }
}

TEST(ContactTimes, AreThoseOfRayleighAndOfTheFastestCollision) {
  // A glass bead: r = 1 mm, 2500 kg/m^3, E = 70 GPa, nu = 0.25; G = 28 GPa; pi r sqrt(rho / G) /
  // 0.917375.
  ContactParams glass{.young_modulus = 7e10, .poisson = 0.25};
  const double radius = 1e-3, mass = 2500 * 4.0 / 3 * 3.141592653589793 * 1e-9;
  const sim::ContactTimes still = sim::contact_times(glass, mass, radius, 0);
  EXPECT_NEAR(still.rayleigh, 3.141592653589793e-3 * std::sqrt(2500 / 2.8e10) / 0.917375, 1e-12);
  EXPECT_NEAR(still.good_step, still.rayleigh / 5, 1e-20);
  const sim::ContactTimes fast = sim::contact_times(glass, mass, radius, 100);
  EXPECT_LT(fast.collision, sim::contact_times(glass, mass, radius, 1).collision);
  EXPECT_GT(fast.overlap, 0.01);
  const ContactParams linear{.model = "linear", .stiffness = 1e5};
  EXPECT_NEAR(sim::contact_times(linear, 2, 1, 0).good_step,
              3.141592653589793 * std::sqrt(1e-5) / 20, 1e-12);
}

TEST(ContactForce, HandlesNoGrainsAndGrainsAtTheSamePosition) {
  GrainRun<double> run({});
  run.evaluate(1e-3);
  EXPECT_EQ(run.report.contacts, 0u);
  run.grains.add({1, 1, 1}, 0.1, 1);
  run.grains.add({1, 1, 1}, 0.1, 1);
  run.step(1e-6);
  EXPECT_EQ(run.report.contacts, 1u);
  EXPECT_LT(run.grains.ax[0], 0);
  EXPECT_EQ(run.grains.ax[0], -run.grains.ax[1]);
}

}  // namespace
}  // namespace mote::test
