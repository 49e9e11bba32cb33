// Temperatures that are kept, on every backend.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

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
