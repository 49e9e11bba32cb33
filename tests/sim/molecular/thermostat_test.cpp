// Thermostats, on every backend.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "sim/molecular/thermostat_formula.h"
#include "sim/run/health.h"
#include "tests/support/backend.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Precision;
using sim::Simulation;

class Thermostats : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(Thermostats);

/// Non-interacting bodies of mass 2, moved by the thermostat alone.
std::string free_bodies(const std::string& thermostat) {
  return "return { thermostat = { " + thermostat +
         " }, integrator = { dt = 0.05 }, bodies = { uniform_sphere { n = 2000, mass = 4000 } } }";
}

TEST_P(Thermostats, LangevinBringsEveryDegreeOfFreedomToHalfOfItsTemperature) {
  const auto sim = open(free_bodies("\"langevin\", temperature = 1.5, friction = 2"),
                        {.precision = Precision::single});
  // Initially at rest; velocities decorrelate in half a unit of time. The standard error of the
  // mean of 6,000 squares is sqrt(2 / 6000) = 1.8 %; four of these, exceeded by any of 4 values
  // with a probability of 2e-4.
  sim->advance(200, {});
  for (int k = 0; k < 4; ++k) {
    sim->advance(60, {});
    EXPECT_NEAR(2 * sim->measure().kinetic / 6000, 1.5, 4 * 0.018 * 1.5);
  }
}

TEST_P(Thermostats, LangevinDampsVelocitiesWithItsFriction) {
  const std::string lua =
      "return { thermostat = { temperature = 1e-12, friction = 0.7 }, integrator = { dt = 0.05 }, "
      "bodies = { "
      "{ mass = 1, "
      "position = { 0, 0, 0 }, velocity = { 3, 0, 0 } } } }";
  const auto sim = open(lua, {.precision = Precision::double_});
  sim->advance(40, {});
  sim->state().visit([](const auto& s) { EXPECT_NEAR(s.vx[0], 3 * std::exp(-0.7 * 2), 1e-5); });
}

TEST_P(Thermostats, LangevinsNoiseDiffersBySeedStepAndBody) {
  const auto velocities = [&](int seed, std::uint64_t steps) {
    const auto sim =
        open("return { seed = " + std::to_string(seed) +
                 ", thermostat = { temperature = 1, friction = 1e3 }, integrator = { dt = 1 }, "
                 "bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 9, 0, "
                 "0 } } } }",
             {.precision = Precision::double_});
    sim->advance(steps, {});
    return std::array{body(*sim, 0).velocity.x, body(*sim, 1).velocity.x};
  };
  // With so much friction a velocity is the noise of the step alone.
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
      "return { seed = 7, thermostat = { temperature = 1, friction = 0.5 }, integrator = { dt = "
      "0.1 }, "
      "bodies = { { mass = 2, position = { 0, 0, 0 } } } }");
  Orbit of[2];
  for (const engine::Backend backend : {engine::Backend::cpu, engine::Backend::cuda}) {
    const auto sim = sim::open_simulation(
        scene, sim::make_plan(scene, {.backend = backend, .precision = Precision::double_}));
    sim->advance(5, {});
    of[backend == engine::Backend::cuda ? 1 : 0] = body(*sim, 0);
  }
  EXPECT_LT(distance(of[0].velocity, of[1].velocity), 1e-14);
  EXPECT_GT(distance(of[0].velocity, {0, 0, 0}), 1e-3);
}

TEST_P(Thermostats, LangevinsNoiseStaysWithABodyWhenOthersAreRemoved) {
  const std::string lua =
      "return { thermostat = { temperature = 1, friction = 0.5 }, integrator = { dt = 0.05 }, "
      "bodies = { "
      "{ mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 9, 0, 0 } }, "
      "{ mass = 2, position = { 0, 9, 0 } } } }";
  const auto all = open(lua, {.precision = Precision::double_}),
             some = open(lua, {.precision = Precision::double_});
  some->change_bodies({.removed = {1}});
  for (auto* one : {all.get(), some.get()}) one->advance(7, {});
  for (const auto& [of_all, of_some] : {std::pair{0, 0}, std::pair{2, 1}}) {
    EXPECT_EQ(body(*all, of_all).velocity, body(*some, of_some).velocity);
    EXPECT_EQ(body(*all, of_all).position, body(*some, of_some).position);
  }
}

std::string oscillators(int n, const std::string& thermostat, double dt) {
  return "return { thermostat = { " + thermostat +
         " }, fields = { harmonic_trap { rates = { 1, 1.3, 0.8 } } }, integrator = { dt = " +
         std::to_string(dt) + " }, bodies = { uniform_sphere { n = " + std::to_string(n) +
         ", mass = " + std::to_string(n) + ", virial_ratio = 0, radius = 2 } } }";
}

TEST_P(Thermostats, NoseHooverConservesTheEnergyOfBodiesAndChain) {
  // Second order: a quarter of the error with half the step, if the chain is slow enough for a
  // single substep.
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    const auto sim =
        open(oscillators(50, "\"nose_hoover\", temperature = 0.8, time = 1", k == 0 ? 0.02 : 0.01),
             {.precision = Precision::double_});
    const double before = sim->measure().energy;
    double worst = 0;
    for (int part = 0; part < 20; ++part) {
      sim->advance(k == 0 ? 20 : 40, {});
      worst = std::max(worst, std::abs(sim->measure().energy - before));
    }
    errors[k] = worst / std::abs(before);
  }
  EXPECT_LT(errors[0], 2e-3);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.5);
}

/// Reference integration of the kinetic energy of free bodies relative to their centre of mass, and
/// of three links: K' = -2 v1 K, Q1 v1' = 2 K - degrees kT - Q1 v1 v2 and so on (Martyna, Klein &
/// Tuckerman 1992, eq. 2.3), by the midpoint rule in ln K.
struct ReferenceChain {
  double temperature, time, degrees;
  std::array<double, 4> y;  ///< ln K, v1, v2, v3

  void integrate(double h, int steps) {
    const double q = temperature * time * time, q1 = degrees * q;
    const auto rates = [&](const std::array<double, 4>& at) -> std::array<double, 4> {
      const auto& [k, v1, v2, v3] = at;
      return {-2 * v1, (2 * std::exp(k) - degrees * temperature) / q1 - v1 * v2,
              (q1 * v1 * v1 - temperature) / q - v2 * v3, (q * v2 * v2 - temperature) / q};
    };
    for (int step = 0; step < steps; ++step) {
      std::array<double, 4> middle = y, r = rates(y);
      for (std::size_t i = 0; i < 4; ++i) middle[i] += 0.5 * h * r[i];
      r = rates(middle);
      for (std::size_t i = 0; i < 4; ++i) y[i] += h * r[i];
    }
  }
};

/// Three distant bodies with a kinetic energy of 3 scale^2, of which scale^2 is that of the centre
/// of mass.
std::string three_bodies(double scale) {
  const std::string v = std::to_string(2 * scale), w = std::to_string(scale);
  return "return { thermostat = { \"nose_hoover\", temperature = 0.5, time = 0.7 }, integrator = { "
         "dt = "
         "0.01 }, bodies = { { mass = 1, position = { 0, 0, 0 }, velocity = { " +
         v + ", 0, 0 } }, { mass = 2, position = { 9, 0, 0 }, velocity = { 0, " + w +
         ", 0 } }, { mass = 1, position = { 0, 9, 0 }, velocity = { 0, 0, 0 } } } }";
}

TEST_P(Thermostats, NoseHooversChainFollowsItsEquations) {
  // Three bodies have six degrees of freedom besides those of the centre of mass, whose motion is
  // uniform. They turn: the direction of the angular momentum takes two of them.
  const auto sim = open(three_bodies(1), {.precision = Precision::double_});
  ReferenceChain chain{0.5, 0.7, 4, {std::log(2), 0, 0, 0}};
  for (int k = 0; k < 10; ++k) {
    chain.integrate(2e-4, 2500);
    sim->advance(50, {});
    // Second order: an error of (dt / time)^2 = 2e-4 per chain time.
    EXPECT_NEAR(sim->measure().kinetic, 1 + std::exp(chain.y[0]), 2e-3 * 3) << "at " << sim->time();
    EXPECT_NEAR(sim->measure().momentum.x, 2, 1e-12);
    EXPECT_NEAR(sim->measure().momentum.y, 2, 1e-12);
  }
}

TEST_P(Thermostats, NoseHooversChainFollowsItsEquationsFromAMuchTooHotStart) {
  // 13,000 times too hot: the chain oscillates thousands of times faster than at its temperature,
  // 30 times per step.
  constexpr double scale = 100;
  const auto sim = open(three_bodies(scale), {.precision = Precision::double_});
  ReferenceChain chain{0.5, 0.7, 4, {std::log(2 * scale * scale), 0, 0, 0}};
  const double conserved = sim->measure().energy;
  for (int k = 0; k < 10; ++k) {
    chain.integrate(1e-6, 20000);
    EXPECT_EQ(sim->advance(2, {}).health, sim::Health::good);
    const sim::Measurement m = sim->measure();
    // Substeps of a quarter of the shortest time: each has an error of (1/4)^3 / 12 of its change,
    // and a few of them make most of the change.
    EXPECT_NEAR((m.kinetic - scale * scale) / std::exp(chain.y[0]), 1, 0.02)
        << "at " << sim->time();
    EXPECT_NEAR(m.energy / conserved, 1, 0.005);
    EXPECT_NEAR(m.momentum.x, 2 * scale, 1e-10);
  }
}

TEST_P(Thermostats, NoseHooverReportsStepsThatDoNotResolveItsChain) {
  const auto sim = open(three_bodies(1e7), {.precision = Precision::double_});
  const sim::StepReport report = sim->advance(3, {});
  EXPECT_EQ(report.steps, 1u);
  EXPECT_TRUE(has(report.health, sim::Health::step_too_long));
  EXPECT_EQ(body(*sim, 0).velocity.x, 2e7);  // velocities are unchanged
  EXPECT_NE(sim::long_step_message(*sim, 1, 0.01).find("too high for the nose_hoover thermostat"),
            std::string::npos);
}

/// Two atoms beyond each other's cutoff, with velocities 1 and `v`.
std::string two_atoms(double v, const std::string& more) {
  return "return { precision = \"double\", lennard_jones = { cutoff = 2.5 }, integrator = { dt = "
         "0.004 }, "
         "bodies = { { mass = 1, position = { -2, 0, 0 }, velocity = { 1, 0, 0 } }, { mass = 3, "
         "position = { "
         "2, "
         "0, 0 }, velocity = { " +
         std::to_string(v) + ", 0, 0 } } }, " + more + " }";
}

TEST_P(Thermostats, TemperatureIsRelativeToTheCentreOfMassIfMomentumIsConserved) {
  // Reduced mass 3/4, relative velocity 1 - v along their line: an energy of 3/8 (1 - v)^2 in three
  // degrees of freedom; in one, if the pair cannot turn. If momentum is not conserved, (1 + 3 v^2)
  // / 2 in six.
  const auto temperature = [&](double v, const std::string& more) {
    return open(two_atoms(v, more))->measure().temperature;
  };
  for (const double v : {-1.0, 0.5, 3.0}) {
    const double about = 2 * 0.375 * (1 - v) * (1 - v) / 3, all = (1 + 3 * v * v) / 6;
    EXPECT_NEAR(temperature(v, "domain = { size = { 9, 9, 9 } }"), about, 1e-14);
    for (const char* kept :
         {"", "gravity = {}", "thermostat = { \"nose_hoover\", temperature = 1 }"})
      EXPECT_NEAR(temperature(v, kept), 3 * about, 1e-14) << kept;
    for (const char* lost : {"domain = { size = { 9, 9, 9 }, y = \"wall\" }",
                             "thermostat = { \"langevin\", temperature = 1 }",
                             "fields = { uniform { acceleration = { 0, 0, 1 } } }"})
      EXPECT_NEAR(temperature(v, lost), all, 1e-14) << lost;
  }
}

/// A triangle of springs, its bodies thrown apart at these velocities by the first and the third.
std::string free_molecule(const std::string& first, const std::string& third) {
  return "return { precision = \"double\", thermostat = { \"nose_hoover\", temperature = 0.01, "
         "time = "
         "0.5 }, integrator = { dt = 0.01 }, bond_kinds = { s = { stiffness = 100, length = 1 } }, "
         "bonds = { { kind = \"s\", bodies = { { 0, 1 }, { 1, 2 }, { 0, 2 } } } }, bodies = { { "
         "mass "
         "= 1, position = { 0, 0, 0 }, velocity = " +
         first +
         " }, { mass = 1.3, position = { 1.05, 0, 0 } }, { mass = 0.8, position = { 0.5, 0.83, 0 "
         "}, velocity = " +
         third + " } } }";
}

// The chain takes what is heat from the scene alone, at a restart from the state.
TEST_P(Thermostats, AFreeMoleculeHasTheTemperatureOfItsVibrations) {
  // A kinetic energy of 0.03 about the centre of mass: of three vibrations, and if it turns, of the
  // turn about the one axis that the chain keeps.
  const auto still = open(free_molecule("{ 0, 0, 0 }", "{ 0, 0, 0 }"));
  EXPECT_EQ(still->measure().temperature, 0);
  const auto turning = open(free_molecule("{ 0, 0, 0 }", "{ -0.2, 0.1, 0 }"));
  const sim::Measurement m = turning->measure();
  const double thermal = m.kinetic - 0.5 * dot(m.momentum, m.momentum) / m.mass;
  EXPECT_NEAR(m.temperature, 2 * thermal / 4, 1e-15);
}

class LongThermostats : public LongOnEveryBackend {
 protected:
  void SetUp() override {
    MOTE_SKIP_IF_SANITIZED("long; Thermostats.* take such steps");
    LongOnEveryBackend::SetUp();
  }
};
MOTE_ON_EVERY_BACKEND(LongThermostats);

TEST_P(LongThermostats, NoseHooverKeepsTheMeanTemperatureOfALiquid) {
  const auto sim = open(
      "return { domain = { size = { 8.43, 8.43, 8.43 } }, lennard_jones = {}, thermostat = { "
      "\"nose_hoover\", "
      "temperature = 0.8, time = 0.5 }, integrator = { dt = 0.005 }, bodies = { lattice { "
      "structure = "
      "\"fcc\", counts = { 5, 5, 5 }, "
      "spacing = 1.686, mass = 500, dispersion = 1 } } }",
      {.precision = Precision::double_});
  sim->advance(2000, {});
  double sum = 0, squares = 0;
  constexpr int samples = 200;
  for (int k = 0; k < samples; ++k) {
    sim->advance(20, {});
    const double t = sim->measure().temperature;
    sum += t / samples, squares += t * t / samples;
  }
  // The standard deviation of the canonical temperature is sqrt(2 / (3 n)) = 3.7 %; 200 samples,
  // about 40 of them independent.
  EXPECT_NEAR(sum, 0.8, 4 * 0.8 * 0.037 / std::sqrt(40.0));
  EXPECT_NEAR(std::sqrt(squares - sum * sum) / 0.8, 0.0365, 0.012);
}

/// Mean potential energy of two atoms in a periodic box of 3.4 with a shifted potential cut off at
/// 1.5, at kT = 1: a Boltzmann-weighted integral over their distance; the rest of the box has
/// energy 0.
double energy_of_two() {
  constexpr double side = 3.4, cutoff = 1.5;
  const auto bare = [](double r) { return 4 * (std::pow(r, -12) - std::pow(r, -6)); };
  double energy = 0,
         weight = side * side * side - 4 * std::numbers::pi / 3 * cutoff * cutoff * cutoff;
  constexpr int parts = 100000;
  for (int k = 0; k < parts; ++k) {
    const double r = cutoff * (k + 0.5) / parts, u = bare(r) - bare(cutoff);
    const double term = 4 * std::numbers::pi * r * r * cutoff / parts * std::exp(-u);
    if (term > 0) weight += term, energy += u * term;
  }
  return energy / weight;
}

TEST_P(LongThermostats, NoseHooverSamplesPositionsAtItsTemperatureEvenForTwoAtoms) {
  // Two atoms have three degrees of freedom: if the chain assumed six, their positions would be
  // those of twice the temperature.
  const auto sim = open(
      "return { precision = \"double\", domain = { size = { 3.4, 3.4, 3.4 } }, lennard_jones = { "
      "cutoff = "
      "1.5, skin = "
      "0.2, truncation = \"shifted\" }, thermostat = { \"nose_hoover\", temperature = 1, time = "
      "0.3 }, "
      "integrator = { "
      "dt = 0.004 }, bodies = { { mass = 1, position = { 0, 0, 0 }, velocity = { 1, 0.3, -0.2 } }, "
      "{ mass = "
      "1, "
      "position = { 1.5, 0.2, 0.1 }, velocity = { -0.5, 0, 1 } } } }");
  constexpr int blocks = 20;
  double sum = 0, squares = 0;
  for (int b = 0; b < blocks; ++b) {
    double mean = 0;
    for (int k = 0; k < 1000; ++k) {
      sim->advance(10, {});
      mean += sim->measure().potential / 1000;
    }
    sum += mean / blocks, squares += mean * mean / blocks;
  }
  // Standard error of the mean, from the block averages.
  const double standard_error = std::sqrt((squares - sum * sum) / (blocks - 1));
  RecordProperty("mean", std::to_string(sum));
  RecordProperty("standard_error", std::to_string(standard_error));
  EXPECT_NEAR(sum, energy_of_two(), 4 * standard_error);
  EXPECT_LT(standard_error, 0.1 * std::abs(sum));
}

// Each vibration of a free molecule that does not turn has half of the temperature as potential
// energy.
TEST_P(LongThermostats, NoseHooverGivesVibrationsOfAFreeMoleculeTheirEnergy) {
  const auto sim = open(free_molecule("{ 0, 0, 0 }", "{ 0, 0, 0 }"));
  constexpr int blocks = 20;
  double sum = 0, squares = 0;
  sim->advance(20000, {});
  for (int b = 0; b < blocks; ++b) {
    double mean = 0;
    for (int k = 0; k < 1000; ++k) {
      sim->advance(17, {});
      mean += sim->measure().potential / 1000;
    }
    sum += mean / blocks, squares += mean * mean / blocks;
  }
  const double standard_error = std::sqrt((squares - sum * sum) / (blocks - 1));
  RecordProperty("mean", std::to_string(sum));
  RecordProperty("standard_error", std::to_string(standard_error));
  EXPECT_NEAR(sum, 3 * 0.01 / 2, 4 * standard_error);
  EXPECT_LT(standard_error, 0.001);
}

TEST_P(LongThermostats, NoseHooverCoolsAMuchTooHotStart) {
  // Two atoms as close as this step allows at the start: they repel each other at once, which makes
  // the system seven times too hot. The chain must recover.
  std::string bodies = "lattice { counts = { 3, 3, 3 }, spacing = 2, mass = 27, dispersion = 1 }, ";
  bodies += "{ mass = 1, position = { 1, 1, 1 } }, { mass = 1, position = { 1.69, 1, 1 } }";
  const auto sim = open(
      "return { precision = \"double\", seed = 5, domain = { size = { 6, 6, 6 } }, lennard_jones = "
      "{ cutoff "
      "= 2.5, "
      "truncation = \"switched\" }, thermostat = { \"nose_hoover\", temperature = 1, time = 0.3 }, "
      "integrator = { dt "
      "= 0.004 }, bodies = { " +
      bodies + " } }");
  EXPECT_EQ(sim->advance(30000, {}).health, sim::Health::good);
  double sum = 0;
  constexpr int samples = 500;
  for (int k = 0; k < samples; ++k) {
    EXPECT_EQ(sim->advance(20, {}).health, sim::Health::good);
    sum += sim->measure().temperature / samples;
  }
  // Its standard deviation is sqrt(2 / 84); 40 units of time give some 40 independent values.
  EXPECT_NEAR(sum, 1, 5 * std::sqrt(2.0 / 84 / 40));
}

TEST_P(Thermostats, MakeTheSameBitsFromASavedStateInAnySlices) {
  for (const char* thermostat :
       {"\"langevin\", temperature = 1.5", "\"nose_hoover\", temperature = 1.5"}) {
    const std::string lua = oscillators(500, thermostat, 0.02);
    const auto sim = open(lua, {.precision = Precision::single});
    sim->advance(13, {});
    const auto saved = sim->save();
    for (int k = 0; k < 17; ++k) sim->advance(1, {});
    const std::uint64_t hash = sim->hash();
    const auto other = open(lua, {.precision = Precision::single, .threads = 5});
    other->restore(*saved);
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
  // Means over 3 n numbers; the variances of the powers are 1, 2, 15 and 96. Four standard errors.
  const double root = std::sqrt(3.0 * n);
  EXPECT_NEAR(sum[0] / (3 * n), 0, 4 * 1 / root);
  EXPECT_NEAR(sum[1] / (3 * n), 1, 4 * std::sqrt(2) / root);
  EXPECT_NEAR(sum[2] / (3 * n), 0, 4 * std::sqrt(15) / root);
  EXPECT_NEAR(sum[3] / (3 * n), 3, 4 * std::sqrt(96) / root);
}

}  // namespace
}  // namespace mote::test
