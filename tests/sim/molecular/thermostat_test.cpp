// Temperatures that are kept, on every backend.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "sim/molecular/thermostat_formula.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Precision;

class Thermostats : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(Thermostats);

/// Bodies without forces on each other, which need a thermostat's physics alone; mass 2 each.
std::string free_bodies(const std::string& thermostat) {
  return "return { thermostat = { " + thermostat +
         " }, integrator = { dt = 0.05 }, bodies = { uniform_sphere { n = 2000, mass = 4000 } } }";
}

TEST_P(Thermostats, LangevinBringsEveryDegreeOfFreedomToHalfOfItsTemperature) {
  const auto sim =
      open(free_bodies("\"langevin\", temperature = 1.5, friction = 2"), {.precision = Precision::single});
  // At rest at first; the velocities forget in half a unit of time. The mean of 6,000 squares scatters by
  // sqrt(2 / 6000) = 1.8 %; four of these, twice as likely in any of 4 values as not in ten thousand tries.
  sim->advance(200, {});
  for (int k = 0; k < 4; ++k) {
    sim->advance(60, {});
    EXPECT_NEAR(2 * sim->measure().kinetic / 6000, 1.5, 4 * 0.018 * 1.5);
  }
}

TEST_P(Thermostats, LangevinForgetsVelocitiesWithItsFriction) {
  const std::string lua =
      "return { thermostat = { temperature = 1e-12, friction = 0.7 }, integrator = { dt = 0.05 }, bodies = { "
      "{ mass = 1, "
      "position = { 0, 0, 0 }, velocity = { 3, 0, 0 } } } }";
  const auto sim = open(lua, {.precision = Precision::full});
  sim->advance(40, {});
  sim->state().visit([](const auto& s) { EXPECT_NEAR(s.vx[0], 3 * std::exp(-0.7 * 2), 1e-5); });
}

TEST_P(Thermostats, LangevinsNoiseIsAnotherForEverySeedStepAndBody) {
  const auto velocities = [&](int seed, std::uint64_t steps) {
    const auto sim =
        open("return { seed = " + std::to_string(seed) +
                 ", thermostat = { temperature = 1, friction = 1e3 }, integrator = { dt = 1 }, "
                 "bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 9, 0, 0 } } } }",
             {.precision = Precision::full});
    sim->advance(steps, {});
    return std::array{body(*sim, 0).velocity.x, body(*sim, 1).velocity.x};
  };
  // With so much friction a velocity is what the noise of the step made it.
  const auto one = velocities(1, 1);
  EXPECT_EQ(velocities(1, 1), one);
  EXPECT_NE(one[0], one[1]);
  for (int k = 0; k < 2; ++k) {
    EXPECT_NE(velocities(2, 1)[k], one[k]);
    EXPECT_NE(velocities(1, 2)[k], one[k]);
  }
}

TEST(ThermostatsOnBoth, MakeTheSameNoise) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const sim::SceneDescription scene = scene_of(
      "return { seed = 7, thermostat = { temperature = 1, friction = 0.5 }, integrator = { dt = 0.1 }, "
      "bodies = { { mass = 2, position = { 0, 0, 0 } } } }");
  Orbit of[2];
  for (const engine::Backend backend : {engine::Backend::cpu, engine::Backend::cuda}) {
    const auto sim = sim::open_simulation(
        scene, sim::make_plan(scene, {.backend = backend, .precision = Precision::full}));
    sim->advance(5, {});
    of[backend == engine::Backend::cuda ? 1 : 0] = body(*sim, 0);
  }
  EXPECT_LT(distance(of[0].velocity, of[1].velocity), 1e-14);
  EXPECT_GT(distance(of[0].velocity, {0, 0, 0}), 1e-3);
}

TEST_P(Thermostats, LangevinsNoiseStaysWithABodyWhenOthersGo) {
  const std::string lua =
      "return { thermostat = { temperature = 1, friction = 0.5 }, integrator = { dt = 0.05 }, bodies = { "
      "{ mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 9, 0, 0 } }, "
      "{ mass = 2, position = { 0, 9, 0 } } } }";
  const auto all = open(lua, {.precision = Precision::full}),
             some = open(lua, {.precision = Precision::full});
  some->change_bodies({.removed = {1}});
  for (auto* one : {all.get(), some.get()}) one->advance(7, {});
  for (const auto& [of_all, of_some] : {std::pair{0, 0}, std::pair{2, 1}}) {
    EXPECT_EQ(body(*all, of_all).velocity, body(*some, of_some).velocity);
    EXPECT_EQ(body(*all, of_all).position, body(*some, of_some).position);
  }
}

std::string oscillators(const std::string& thermostat, double dt) {
  return "return { thermostat = { " + thermostat +
         " }, fields = { harmonic_trap { rates = { 1, 1.3, 0.8 } } }, integrator = { dt = " +
         std::to_string(dt) +
         " }, bodies = { uniform_sphere { n = 500, mass = 500, virial_ratio = 0, radius = 2 } } }";
}

TEST_P(Thermostats, NoseHooverConservesTheEnergyOfBodiesAndChain) {
  // Second order: a quarter of the error with half of the step.
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    const auto sim = open(oscillators("\"nose_hoover\", temperature = 0.8, time = 1", k == 0 ? 0.04 : 0.02),
                          {.precision = Precision::full});
    const double before = sim->measure().energy;
    double worst = 0;
    for (int part = 0; part < 20; ++part) {
      sim->advance(k == 0 ? 10 : 20, {});
      worst = std::max(worst, std::abs(sim->measure().energy - before));
    }
    errors[k] = worst / std::abs(before);
  }
  EXPECT_LT(errors[0], 2e-3);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.5);
}

TEST_P(Thermostats, NoseHooversChainMovesAsItsEquationsSay) {
  constexpr double temperature = 0.5, time = 0.7, degrees = 9;
  const auto sim = open(
      "return { thermostat = { \"nose_hoover\", temperature = 0.5, time = 0.7 }, integrator = { dt = 0.01 }, "
      "bodies = { { mass = 1, position = { 0, 0, 0 }, velocity = { 2, 0, 0 } }, { mass = 2, position = { 9, "
      "0, "
      "0 }, velocity = { 0, 1, 0 } }, { mass = 1, position = { 0, 9, 0 }, velocity = { 0, 0, 0 } } } }",
      {.precision = Precision::full});
  // Bodies without forces have an energy alone, K' = -2 v1 K, and the links Q1 v1' = 2 K - degrees kT - Q1 v1 v2, and so on:
  // Martyna, Klein & Tuckerman 1992, eq. 2.3, by the midpoint rule with a fiftieth of the step.
  constexpr double q = temperature * time * time, q1 = degrees * q;
  using Chain = std::array<double, 4>;
  const auto rates = [](const Chain& y) -> Chain {
    const auto& [k, v1, v2, v3] = y;
    return {-2 * v1 * k, (2 * k - degrees * temperature) / q1 - v1 * v2,
            (q1 * v1 * v1 - temperature) / q - v2 * v3, (q * v2 * v2 - temperature) / q};
  };
  Chain chain{3, 0, 0, 0};
  for (int k = 0; k < 10; ++k) {
    constexpr double h = 2e-4;
    for (int step = 0; step < 2500; ++step) {
      Chain middle = chain, r = rates(chain);
      for (std::size_t i = 0; i < 4; ++i) middle[i] += 0.5 * h * r[i];
      r = rates(middle);
      for (std::size_t i = 0; i < 4; ++i) chain[i] += h * r[i];
    }
    sim->advance(50, {});
    // Second order: (dt / time)^2 = 2e-4, over as many times as have passed.
    EXPECT_NEAR(sim->measure().kinetic, chain[0], 2e-3 * 3) << "at " << sim->time();
  }
}

class LongThermostats : public LongOnEveryBackend {};
MOTE_ON_EVERY_BACKEND(LongThermostats);

TEST_P(LongThermostats, NoseHooverKeepsTheMeanTemperatureOfALiquid) {
  const auto sim = open(
      "return { domain = { size = { 8.43, 8.43, 8.43 } }, lennard_jones = {}, thermostat = { "
      "\"nose_hoover\", "
      "temperature = 0.8, time = 0.5 }, integrator = { dt = 0.005 }, bodies = { lattice { structure = "
      "\"fcc\", counts = { 5, 5, 5 }, "
      "spacing = 1.686, mass = 500, dispersion = 1 } } }",
      {.precision = Precision::full});
  sim->advance(2000, {});
  double sum = 0, squares = 0;
  constexpr int samples = 200;
  for (int k = 0; k < samples; ++k) {
    sim->advance(20, {});
    const double t = sim->measure().temperature;
    sum += t / samples, squares += t * t / samples;
  }
  // The canonical temperature scatters by sqrt(2 / (3 n)) = 3.7 %; 200 samples, about 40 of them independent.
  EXPECT_NEAR(sum, 0.8, 4 * 0.8 * 0.037 / std::sqrt(40.0));
  EXPECT_NEAR(std::sqrt(squares - sum * sum) / 0.8, 0.0365, 0.012);
}

TEST_P(Thermostats, MakeTheSameBitsFromAKeptStateInAnySlices) {
  for (const char* thermostat : {"\"langevin\", temperature = 1.5", "\"nose_hoover\", temperature = 1.5"}) {
    const std::string lua = oscillators(thermostat, 0.02);
    const auto sim = open(lua, {.precision = Precision::single});
    sim->advance(13, {});
    const auto kept = sim->keep();
    for (int k = 0; k < 17; ++k) sim->advance(1, {});
    const std::uint64_t hash = sim->hash();
    const auto other = open(lua, {.precision = Precision::single, .threads = 5});
    other->restore(*kept);
    other->advance(17, {});
    EXPECT_EQ(other->hash(), hash) << thermostat;
  }
}

TEST(NormalNumbers, HaveTheMomentsOfTheNormalDistribution) {
  double sum[4] = {};
  constexpr int n = 200'000;
  for (int i = 0; i < n; ++i) {
    const engine::Vec3d r =
        sim::normal_numbers(5, static_cast<std::uint64_t>(i % 7), static_cast<std::uint32_t>(i));
    for (const double x : {r.x, r.y, r.z})
      sum[0] += x, sum[1] += x * x, sum[2] += x * x * x, sum[3] += x * x * x * x;
  }
  // Of 3 n numbers; the variances of the powers are 1, 2, 15 and 96. Four standard deviations.
  const double root = std::sqrt(3.0 * n);
  EXPECT_NEAR(sum[0] / (3 * n), 0, 4 * 1 / root);
  EXPECT_NEAR(sum[1] / (3 * n), 1, 4 * std::sqrt(2) / root);
  EXPECT_NEAR(sum[2] / (3 * n), 0, 4 * std::sqrt(15) / root);
  EXPECT_NEAR(sum[3] / (3 * n), 3, 4 * std::sqrt(96) / root);
}

}  // namespace
}  // namespace mote::test
