// Warnings and failures of energies that should be constant.
#include "sim/run/energy_health.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "engine/json.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using All = std::vector<double>;

sim::Measurement measured(double kinetic, double potential, std::uint64_t step = 0) {
  sim::Measurement m;
  m.kinetic = kinetic, m.potential = potential, m.energy = kinetic + potential;
  m.step = step;
  return m;
}

sim::EnergyHealth health_of(const char* more = "") {
  return sim::EnergyHealth(
      scene_of(std::string("return { gravity = {}, integrator = { dt = 1 }, bodies = { "
                           "{ mass = 1, position = { 0, 0, 0 } } }, ") +
               more + "}"));
}

/// Drifts of a sequence of measurements with these kinetic and potential energies.
All drifts(const std::vector<std::pair<double, double>>& energies) {
  All all;
  sim::EnergyHealth health = health_of();
  for (const auto& [kinetic, potential] : energies) {
    health.check(measured(kinetic, potential), energies[0].first + energies[0].second);
    all.push_back(health.drift());
  }
  return all;
}

TEST(EnergyHealth, IsAPartOfTheLargestEnergySoFar) {
  EXPECT_EQ(drifts({{1, -2}, {2, -3.25}, {1, -1}}), (All{0, 0.25 / 3.25, 1 / 3.25}));
  // A cold start, whose first energy is a hundredth of the later ones; a parabolic orbit; a start
  // with no energy at all.
  EXPECT_EQ(drifts({{0, -0.0078125}, {1, -1.0078125}, {1, -0.9453125}}),
            (All{0, 0, 0.0625 / 1.0078125}));
  EXPECT_EQ(drifts({{1, -1}, {8, -8}, {4, -3}}), (All{0, 0, 0.125}));
  EXPECT_EQ(drifts({{0, 0}, {4, -4}, {4, -3}}), (All{0, 0, 0.25}));
}

TEST(EnergyHealth, IsNotMeasuredByWhatHasExploded) {
  EXPECT_EQ(drifts({{1, -2}, {100, -2}, {1000, 0}}), (All{0, 99 / 2.0, 1001 / 2.0}));
  EXPECT_EQ(drifts({{1, -1}, {3, 0}, {30, 0}}), (All{0, 3, 30}));
  constexpr double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(drifts({{1, -1}, {infinite, -infinite}})[1], infinite);
  EXPECT_EQ(drifts({{0, 0}, {0, NAN}})[1], infinite);
}

TEST(EnergyHealth, WarnsFromATenthOnAndBreaksFromTen) {
  sim::EnergyHealth health = health_of();
  health.check(measured(1, -2), -1);
  health.check(measured(1.2, -2, 10), -1);  // exactly a tenth
  EXPECT_EQ(health.warning(), "");
  health.check(measured(1.25, -2, 20), -1);
  EXPECT_NE(health.warning().find("off by 0.125 of the largest energy so far at step 20"),
            std::string::npos);
  health.check(measured(1.22, -2, 30), -1);
  EXPECT_NE(health.warning().find("at step 20"), std::string::npos) << "the largest";
  health.check(measured(22, -3, 40), -1);
  EXPECT_EQ(health.failure(), "");
  health.check(measured(22.5, 0, 50), -1);
  EXPECT_NE(health.failure().find("off by 11.8 of the largest energy so far at step 50"),
            std::string::npos)
      << health.failure();
  health.discard_after(30);
  EXPECT_EQ(health.failure(), "");
  EXPECT_NE(health.warning().find("at step 20"), std::string::npos) << health.warning();
  // The largest energy is reset too: 3 at step 40 is discarded.
  health.check(measured(1.3, -2, 35), -1);
  EXPECT_DOUBLE_EQ(health.drift(), 0.3 / 2);
  health.discard_after(10);
  EXPECT_EQ(health.warning(), "");
}

TEST(EnergyHealth, KnowsTheLargestErrorOfAllMeasurements) {
  sim::EnergyHealth health = health_of();
  const auto at = [&](std::uint64_t step, double error) {
    sim::Measurement m;
    m.step = step, m.kinetic = 1, m.potential = -2, m.energy = -1 - error, m.energy_error = error;
    health.check(m, -1);
  };
  EXPECT_EQ(health.largest_error(), 0);
  at(1, 1e-3), at(2, -4e-3), at(3, 2e-3);
  EXPECT_EQ(health.largest_error(), 4e-3);
  sim::EnergyHealth resumed = health_of();
  resumed.resume(health.to_json());
  EXPECT_EQ(resumed.largest_error(), 4e-3);
  health.discard_after(1);
  EXPECT_EQ(health.largest_error(), 1e-3);
}

TEST(EnergyHealth, LeavesTheLimitToTheScene) {
  sim::EnergyHealth health = health_of("health = { energy_error = 1e6 }");
  sim::Measurement exploded = measured(1e5, 0, 10);
  exploded.energy_error = 1e5;
  health.check(measured(1, -2), -1);
  health.check(exploded, -1);
  EXPECT_EQ(health.failure(), "");
  EXPECT_NE(health.warning(), "");
}

TEST(EnergyHealth, SaysNothingOfEnergiesThatTheSceneChanges) {
  sim::EnergyHealth health = health_of("fields = drag { linear = 1 }");
  health.check(measured(1, -2), -1);
  health.check(measured(1e9, -2, 1), -1);
  EXPECT_EQ(health.warning() + health.failure(), "");
  health.check(measured(INFINITY, -2, 2), -1);
  EXPECT_NE(health.failure().find("the energy is not finite (kinetic inf, potential -2) at step 2"),
            std::string::npos);
}

}  // namespace
}  // namespace mote::test
