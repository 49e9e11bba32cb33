// What a window does with a simulation between steps: change, save and restore it, and show it.
#include "sim/run/live.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engine/check.h"
#include "sim/gravity/direct.h"
#include "sim/run/extent.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Vec3d;

const std::string live_cluster = R"(
  return {
    gravity = { softening = 0.05 },
    integrator = { "leapfrog", dt = 0.01 },
    bodies = { plummer { n = 200 } },
    seed = 3,
  })";

class Live : public OnEveryBackend {
 protected:
  static sim::LiveSettings with(const sim::Simulation& simulation, const std::string& path,
                                double value) {
    sim::LiveSettings live = simulation.live();
    sim::set_live(live, path, value);
    return live;
  }
};
MOTE_ON_EVERY_BACKEND(Live);

TEST_P(Live, AChangeAtTheStartIsTheSceneWithThatValue) {
  auto changed = open(live_cluster);
  changed->change(with(*changed, "gravity.softening", 0.2));
  changed->change(with(*changed, "integrator.dt", 0.02));
  sim::SceneDescription scene = scene_of(live_cluster);
  scene.physics.find<sim::Gravity>()->softening = 0.2;
  scene.integrator.dt = 0.02;
  auto opened = OnEveryBackend::open(scene);
  changed->advance(20, {});
  opened->advance(20, {});
  EXPECT_EQ(changed->hash(), opened->hash());
  EXPECT_EQ(changed->time(), opened->time());
}

TEST_P(Live, TimeContinuesWithTheNewStep) {
  auto simulation = open(live_cluster);
  simulation->advance(10, {});
  simulation->change(with(*simulation, "integrator.dt", 0.002));
  simulation->advance(5, {});
  EXPECT_EQ(simulation->step(), 15u);
  EXPECT_DOUBLE_EQ(simulation->time(), 10 * 0.01 + 5 * 0.002);
  EXPECT_EQ(simulation->measure().time, simulation->time());
}

TEST_P(Live, TheEnergyOfAChangeIsNoError) {
  auto simulation = open(live_cluster);
  simulation->measure();
  simulation->advance(10, {});
  const sim::Measurement before = simulation->measure();
  const double first = simulation->run_clock().first_energy;
  simulation->change(with(*simulation, "gravity.softening", 0.5));
  const sim::Measurement after = simulation->measure();
  EXPECT_GT(std::fabs(after.energy - before.energy), 0.01 * std::fabs(before.energy));
  // The same drift, relative to another first energy: E - E0 is preserved up to round-off.
  const double drift = before.energy_error * std::fabs(first);
  const double new_first = simulation->run_clock().first_energy;
  EXPECT_NEAR(after.energy_error * std::fabs(new_first), drift, 1e-14 * std::fabs(first));
}

TEST_P(Live, EveryParameterThatAModuleCallsLiveReachesIt) {
  auto simulation = open(
      "return { gravity = { softening = 0.1, constant = 1 }, thermostat = { 'langevin', "
      "temperature "
      "= 1, friction = 1 }, fields = { point_mass { mass = 1, softening = 1 }, { logarithmic_halo "
      "{ "
      "speed = 1, core_radius = 1 } }, miyamoto_nagai { mass = 1, scale_length = 1, scale_height = "
      "1 } }, integrator = { dt = 0.01 }, bodies = { plummer { n = 20 } } }");
  std::vector<std::string> left = sim::all_live_paths();
  const std::vector<sim::PhysicsParam> all = simulation->live().physics;
  for (const sim::PhysicsParam& p : all) {
    const double wanted = 1.25 * std::get<double>(p.value);
    simulation->change(with(*simulation, p.path, wanted));
    for (const sim::PhysicsParam& now : sim::params_of(simulation->model())) {
      const bool same = now.value == engine::ParamValue(wanted);
      EXPECT_TRUE(now.path != p.path || same) << p.path;
    }
    std::string any = p.path;
    if (any.starts_with("fields.")) any[7] = 'N';
    std::erase(left, any);
  }
  // A live parameter of another module needs its table above. A thermostat allows no drag, and
  // axles need grains or a fluid (tests/sim/axles).
  EXPECT_EQ(left, (std::vector<std::string>{"axles.N.brake", "axles.N.torque", "fields.N.linear",
                                            "fields.N.quadratic", "integrator.dt"}));
}

TEST_P(Live, AFieldHasItsNewParametersFromTheNextStepOn) {
  const auto falling = [](const std::string& fields) {
    return "return { integrator = { dt = 0.01 }, fields = { field { acceleration = { 0, 0, -1 } "
           "}, { " +
           fields + " } }, bodies = { plummer { n = 100 } }, seed = 3 }";
  };
  const struct {
    std::string kind, given, path, wanted;
    double value;
  } cases[] = {
      {"drag", "linear = 0.1", "fields.2.linear", "linear = 0.7", 0.7},
      {"drag", "", "fields.2.quadratic", "quadratic = 0.4", 0.4},
      {"point_mass", "mass = 1, softening = 0.5", "fields.2.mass", "mass = 3, softening = 0.5", 3},
      {"miyamoto_nagai", "mass = 1, scale_length = 1, scale_height = 1", "fields.2.scale_height",
       "mass = 1, scale_length = 1, scale_height = 0.5", 0.5},
      {"logarithmic_halo", "speed = 1, core_radius = 1", "fields.2.flattening",
       "speed = 1, core_radius = 1, flattening = 0.8", 0.8},
  };
  for (const auto& one : cases) {
    const std::string before = falling(one.kind + " { " + one.given + " }");
    const auto changed = open(before), kept = open(before),
               opened = open(falling(one.kind + " { " + one.wanted + " }"));
    changed->change(with(*changed, one.path, one.value));
    for (sim::Simulation* each : {changed.get(), kept.get(), opened.get()}) each->advance(20, {});
    EXPECT_EQ(changed->hash(), opened->hash()) << one.path;
    EXPECT_NE(changed->hash(), kept->hash()) << one.path;
  }
}

TEST_P(Live, AThermostatHasItsNewTemperatureFromTheNextStepOn) {
  for (const char* name : {"langevin", "nose_hoover"}) {
    const auto warm = [&](const char* temperature) {
      return std::string("return { thermostat = { '") + name + "', temperature = " + temperature +
             " }, lennard_jones = { cutoff = 2.5 }, integrator = { dt = 0.002 }, seed = 5, bodies "
             "= { lattice { counts = { 4, 4, 4 }, spacing = 1.2, mass = 1, dispersion = 0.8 } } }";
    };
    auto changed = open(warm("0.7"));
    const auto opened = open(warm("1.5")), cold = open(warm("0.7"));
    changed->change(with(*changed, "thermostat.temperature", 1.5));
    for (sim::Simulation* one : {changed.get(), opened.get(), cold.get()}) one->advance(20, {});
    EXPECT_EQ(changed->hash(), opened->hash()) << name;
    EXPECT_NE(changed->hash(), cold->hash()) << name;
    EXPECT_EQ(live_value(changed->live(), "thermostat.temperature"), engine::ParamValue(1.5));
  }
}

TEST_P(Live, ASavedStateIsRestoredBitForBit) {
  auto simulation = open(live_cluster);
  simulation->advance(7, {});
  const auto saved = simulation->save();
  const std::uint64_t hash = simulation->hash();
  const double acceleration = simulation->body(3).acceleration.y;
  simulation->change(with(*simulation, "gravity.softening", 0.3));
  simulation->advance(9, {});
  EXPECT_NE(simulation->hash(), hash);
  simulation->restore(*saved);
  EXPECT_EQ(simulation->hash(), hash);
  EXPECT_EQ(simulation->body(3).acceleration.y, acceleration);
  EXPECT_EQ(live_value(simulation->live(), "gravity.softening"), engine::ParamValue(0.05));
  EXPECT_EQ(simulation->step(), 7u);
  auto straight = open(live_cluster);
  straight->advance(30, {});
  simulation->advance(23, {});
  EXPECT_EQ(simulation->hash(), straight->hash());
  EXPECT_EQ(simulation->interactions(), straight->interactions());
}

TEST_P(Live, AnImportedStateContinuesIdentically) {
  auto straight = open(live_cluster), resumed = open(live_cluster);
  straight->advance(11, {});
  resumed->resume(straight->state(), straight->run_clock(), straight->live());
  EXPECT_EQ(resumed->hash(), straight->hash());
  straight->advance(11, {});
  resumed->advance(11, {});
  EXPECT_EQ(resumed->hash(), straight->hash());
}

TEST_P(Live, WrongChangesAreRefusedWithTheirReason) {
  auto simulation = open(live_cluster);
  EXPECT_THROW(with(*simulation, "gravity.softening", -1), engine::InputError);
  EXPECT_THROW(with(*simulation, "integrator.dt", 0), engine::InputError);
  EXPECT_THROW(with(*simulation, "integrator.dt", std::nan("")), engine::InputError);
  const std::string message =
      message_of<engine::InputError>([&] { with(*simulation, "gravity.constant", 2); });
  EXPECT_NE(message.find("gravity.softening, hand.body"), std::string::npos) << message;
}

/// Compares packed positions and scalars of all bodies with the state.
TEST_P(Live, FramesHoldTheRoundedOffsetsAndTheScalar) {
  auto simulation = open(live_cluster);
  simulation->advance(3, {});
  const Vec3d origin{0.25, -3, 1e3};
  for (const sim::ScalarInfo& info : sim::scalars()) {
    if (sim::is_computed(info.scalar)) continue;
    std::vector<float> places(600), values(200);
    simulation->pack({.positions = places.data(), .scalars = values.data()},
                     {.origin = origin, .scalar = info.scalar});
    const auto& state = simulation->state();
    state.visit([&](auto s) {
      for (engine::Index i = 0; i < s.count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        ASSERT_EQ(places[3 * k], static_cast<float>(static_cast<double>(s.x[i]) - origin.x));
        ASSERT_EQ(places[3 * k + 2], static_cast<float>(static_cast<double>(s.z[i]) - origin.z));
      }
      sim::with_scalar(info.scalar, s, [&](auto value) {
        for (engine::Index i = 0; i < s.count; ++i) {
          // Square roots of a GPU and of the host may differ by an ULP of double before rounding to
          // float.
          const double expected = value(i);
          ASSERT_NEAR(values[static_cast<std::size_t>(i)], expected, 1.3e-7 * std::fabs(expected))
              << info.name;
        }
      });
    });
  }
}

TEST_P(Live, ABodyIsFoundByItsIndex) {
  auto simulation = open(live_cluster);
  simulation->advance(3, {});
  const sim::BodyState numbers = simulation->body(17);
  const auto orbit = body(*simulation, 17);
  EXPECT_EQ(numbers.id, 17u);
  EXPECT_EQ(numbers.mass, 1.0 / 200);
  EXPECT_EQ(numbers.position, orbit.position);
  EXPECT_EQ(numbers.velocity, orbit.velocity);
}

TEST_P(Live, TheExtentOfManyBodiesLeavesOutTheFewThatWereThrownOut) {
  // 198 bodies evenly on a line from -1 to 1, and two far away.
  auto simulation = open(R"(
    local bodies = {}
    for i = 1, 198 do bodies[i] = { mass = 1, position = { 5 + 2 * (i - 99.5) / 197, 0, 0 } } end
    bodies[199] = { mass = 1, position = { 1e6, 0, 0 } }
    bodies[200] = { mass = 1, position = { 0, -1e6, 0 } }
    return { integrator = { "leapfrog", dt = 1 }, bodies = bodies })");
  const sim::Extent extent = sim::extent(*simulation);
  // Neighbours are 2 / 197 apart; the two outliers shift the median by at most one of them.
  EXPECT_NEAR(extent.center.x, 5, 2 * 2.0 / 197);
  EXPECT_NEAR(extent.center.y, 0, 1e-3);
  EXPECT_NEAR(extent.radius, 1.1 * 0.97, 1.1 * 4 * 2.0 / 197);
}

TEST_P(Live, TheExtentOfFewBodiesHoldsAllOfThem) {
  auto simulation = open(R"(
    return { integrator = { "leapfrog", dt = 1 },
             bodies = { { mass = 1, position = { -3, 0, 0 } }, { mass = 1, position = { 5, 0, 2 } } } })");
  const sim::Extent extent = sim::extent(*simulation);
  EXPECT_NEAR(extent.center.x, 1, 1e-5);
  EXPECT_NEAR(extent.center.z, 1, 1e-5);
  EXPECT_NEAR(extent.radius, 1.1 * std::sqrt(17.0), 1e-4);
}

TEST_P(Live, ColoursSpanTheValuesOfNearlyAllBodies) {
  auto simulation = open(R"(
    local bodies = {}
    for i = 1, 1000 do bodies[i] = { mass = i, position = { i, 0, 0 } } end
    return { integrator = { "leapfrog", dt = 1 }, bodies = bodies })");
  const sim::ValueRange range = sim::color_range(*simulation, sim::Scalar::mass);
  EXPECT_EQ(range.low, 0);
  EXPECT_NEAR(range.high, 980, 1.5);
  const sim::ValueRange positions = sim::color_range(*simulation, sim::Scalar::x);
  EXPECT_NEAR(positions.low, 20, 1.5);
}

// Speeds, masses, distances: a legend from -1 to 1 would show impossible values.
TEST_P(Live, ColoursOfWhatIsNeverNegativeBeginAtZero) {
  auto simulation = open(R"(
    local bodies = {}
    for i = 1, 100 do bodies[i] = { mass = 2, position = { i, 0, -5 }, velocity = { 0, i, 0 } } end
    return { integrator = { "leapfrog", dt = 1 }, bodies = bodies })");
  const sim::ValueRange speeds = sim::color_range(*simulation, sim::Scalar::speed);
  EXPECT_EQ(speeds.low, 0);
  EXPECT_FALSE(speeds.constant);
  const sim::ValueRange alike = sim::color_range(*simulation, sim::Scalar::mass);
  EXPECT_EQ(alike.low, 0);
  EXPECT_NEAR(alike.high, 4, 1e-6) << "the value in the middle";
  EXPECT_TRUE(alike.constant);
  const sim::ValueRange none = sim::color_range(*simulation, sim::Scalar::acceleration);
  EXPECT_EQ(none.low, 0);
  EXPECT_EQ(none.high, 1);
  EXPECT_TRUE(none.constant);
  const sim::ValueRange heights = sim::color_range(*simulation, sim::Scalar::z);
  EXPECT_NEAR(heights.low, -10, 1e-6);
  EXPECT_NEAR(heights.high, 0, 1e-6);
}

// Bodies that fall together differ by rounding: their colours are one.
TEST_P(Live, ColoursOfRoundingErrorsAreOne) {
  auto simulation = open(R"(
    local bodies = {}
    for i = 1, 100 do
      bodies[i] = { mass = 1, position = { i, 0, 100 + i * 1e-4 }, velocity = { 0, 0, 1 + i * 1e-6 } }
    end
    return { integrator = { "leapfrog", dt = 1 }, bodies = bodies })");
  const sim::ValueRange speeds = sim::color_range(*simulation, sim::Scalar::speed);
  EXPECT_TRUE(speeds.constant);
  EXPECT_EQ(speeds.low, 0);
  EXPECT_NEAR(speeds.high, 2, 1e-5);
  EXPECT_TRUE(sim::color_range(*simulation, sim::Scalar::z).constant);
}

// From 0 on, a ring from 0.95 to 1.05 would have one colour.
TEST_P(Live, ColoursOfANarrowRangeFarFromZeroSpanThatRange) {
  auto simulation = open(R"(
    local bodies = {}
    for i = 0, 1000 do bodies[i + 1] = { mass = 1, position = { 0.95 + i / 10000, 0, 0 } } end
    return { integrator = { "leapfrog", dt = 1 }, bodies = bodies })");
  const sim::ValueRange range = sim::color_range(*simulation, sim::Scalar::radius);
  EXPECT_NEAR(range.low, 0.952, 1e-3);
  EXPECT_NEAR(range.high, 1.048, 1e-3);
}

}  // namespace
}  // namespace mote::test
