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

using Kind = sim::EnergyEffect::Kind;

/// A first energy, of bodies whose energy changes by these means only.
sim::EnergyReference from(double energy, Kind kind = Kind::counted) {
  return {.energy = energy, .start = energy, .balance = {.kind = kind}, .since = 0, .bodies = 1};
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
    health.check(measured(kinetic, potential), from(energies[0].first + energies[0].second));
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
  health.check(measured(1, -2), from(-1));
  health.check(measured(1.2, -2, 10), from(-1));  // exactly a tenth
  EXPECT_EQ(health.warning(), "");
  health.check(measured(1.25, -2, 20), from(-1));
  EXPECT_NE(health.warning().find("off by 0.125 of the largest energy so far at step 20"),
            std::string::npos);
  health.check(measured(1.22, -2, 30), from(-1));
  EXPECT_NE(health.warning().find("at step 20"), std::string::npos) << "the largest";
  health.check(measured(22, -3, 40), from(-1));
  EXPECT_EQ(health.failure(), "");
  health.check(measured(22.5, 0, 50), from(-1));
  EXPECT_NE(health.failure().find("off by 11.8 of the largest energy so far at step 50"),
            std::string::npos)
      << health.failure();
  health.discard_after(30);
  EXPECT_EQ(health.failure(), "");
  EXPECT_NE(health.warning().find("at step 20"), std::string::npos) << health.warning();
  // The largest energy is reset too: 3 at step 40 is discarded.
  health.check(measured(1.3, -2, 35), from(-1));
  EXPECT_DOUBLE_EQ(health.drift(), 0.3 / 2);
  health.discard_after(10);
  EXPECT_EQ(health.warning(), "");
}

TEST(EnergyHealth, KnowsTheLargestErrorOfAllMeasurements) {
  sim::EnergyHealth health = health_of();
  const auto at = [&](std::uint64_t step, double error) {
    sim::Measurement m;
    m.step = step, m.kinetic = 1, m.potential = -2, m.energy = -1 - error, m.energy_error = error;
    health.check(m, from(-1));
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
  health.check(measured(1, -2), from(-1));
  health.check(exploded, from(-1));
  EXPECT_EQ(health.failure(), "");
  EXPECT_NE(health.warning(), "");
}

TEST(EnergyHealth, FailsWhereAnEnergyRisesThatOnlyFalls) {
  sim::EnergyHealth health = health_of();
  const auto at = [&](double kinetic, double potential, std::uint64_t step) {
    health.check(measured(kinetic, potential, step), from(0, Kind::takes));
  };
  at(2, -2, 0);
  at(1, -4, 10);  // 3 are lost
  EXPECT_EQ(health.warning() + health.failure(), "") << "falls are no errors";
  at(1.375, -4, 20);  // risen by 3/8 of the largest energy, 4; still below the first
  EXPECT_EQ(health.warning(), "") << "exactly less than a tenth: 0.094";
  at(1.5, -4, 30);
  EXPECT_NE(health.warning().find("the energy has risen by 0.125 of the largest energy so far at "
                                  "step 30, t = 0, although nothing in the scene gives any: a "
                                  "smaller dt or a larger softening may help"),
            std::string::npos)
      << health.warning();
  at(41, -4, 40);  // by exactly 10
  EXPECT_EQ(health.failure(), "");
  at(42, -4, 50);
  EXPECT_NE(health.failure().find("the energy has risen by 10.2 of the largest energy so far at "
                                  "step 50"),
            std::string::npos)
      << health.failure();
  EXPECT_NE(health.failure().find("if this is expected, set health.energy_error"),
            std::string::npos);
  health.discard_after(20);
  EXPECT_EQ(health.warning() + health.failure(), "");
  at(0.5, -4, 25);
  at(1, -4, 35);  // risen by 1/8 from the new lowest
  EXPECT_NE(health.warning().find("risen by 0.125 of"), std::string::npos) << health.warning();
}

TEST(EnergyHealth, KeepsTheLowestEnergyInAResumedRun) {
  sim::EnergyHealth health = health_of(), resumed = health_of();
  health.check(measured(2, -2), from(0, Kind::takes));
  health.check(measured(1, -4, 10), from(0, Kind::takes));
  resumed.resume(health.to_json());
  resumed.check(measured(1.5, -4, 20), from(0, Kind::takes));
  EXPECT_NE(resumed.warning().find("risen by 0.125 of"), std::string::npos) << resumed.warning();
  engine::Json older = health.to_json();
  for (const char* key : {"base", "grown", "depth", "start", "growth", "growth_step"})
    older.erase(key);
  sim::EnergyHealth from_older = health_of();
  from_older.resume(older);
  from_older.check(measured(1, -4, 20), from(0, Kind::takes));
  EXPECT_EQ(from_older.warning() + from_older.failure(), "");
}

TEST(EnergyHealth, HoldsALimitOfTheSceneAgainstRisesOnly) {
  sim::EnergyHealth health =
      health_of("fields = drag { linear = 1 }, health = { energy_error = 0.5 }");
  const auto at = [&](double kinetic, std::uint64_t step) {
    sim::Measurement m = measured(kinetic, -2, step);
    m.energy_error = sim::relative_error(m.energy, -1);
    health.check(m, from(-1, Kind::takes));
  };
  at(1, 0);
  at(0.125, 10);
  EXPECT_EQ(health.failure(), "") << "a loss of 7/8";
  at(0.75, 20);
  EXPECT_NE(
      health.failure().find("the energy has risen by 0.625 of its first value at step 20, t = "
                            "0, more than the scene's limit 0.5"),
      std::string::npos)
      << health.failure();
}

TEST(EnergyHealth, LetsABathWarmBodies) {
  const auto after = [](double kinetic, double temperature) {
    sim::EnergyHealth health = health_of();
    sim::EnergyReference bath = from(-2, Kind::limited);
    bath.balance.warmth = 1.5 * temperature, bath.bodies = 100;
    health.check(measured(0, -2), bath);
    health.check(measured(kinetic, -2, 10), bath);
    return health.failure();
  };
  // Bodies of temperature 1 have 150, those of 0.01 less than the depth of their potential.
  EXPECT_EQ(after(150, 1), "");
  EXPECT_EQ(after(1500, 1), "");
  EXPECT_NE(after(1600, 1).find("risen by 10.7 of the largest energy so far at step 10, t = 0, far "
                                "more than anything in the scene gives: a smaller dt"),
            std::string::npos)
      << after(1600, 1);
  EXPECT_EQ(after(19, 0.01), "");
  EXPECT_NE(after(21, 0.01), "");
}

TEST(EnergyHealth, CountsRisesAnewOnceAMotorHasStopped) {
  sim::EnergyHealth health = health_of();
  health.check(measured(1, -2), from(-1, Kind::takes));
  health.check(measured(500, -2, 10), from(-1, Kind::gives));
  sim::EnergyReference stopped = from(-1, Kind::takes);
  stopped.since = 12;
  health.check(measured(900, -2, 20), stopped);
  EXPECT_EQ(health.failure(), "");
  health.check(measured(980, -2, 30), stopped);
  EXPECT_EQ(health.warning(), "") << "80 of 900";
  health.check(measured(1100, -2, 40), stopped);
  EXPECT_NE(health.warning().find("risen by 0.204 of the largest energy"), std::string::npos)
      << health.warning();
}

TEST(EnergyHealth, SaysNothingOfEnergiesThatTheSceneGives) {
  sim::EnergyHealth health = health_of();
  health.check(measured(1, -2), from(-1, Kind::gives));
  health.check(measured(1999, -2, 1), from(-1, Kind::gives));
  EXPECT_EQ(health.warning() + health.failure(), "");
  health.check(measured(INFINITY, -2, 2), from(-1, Kind::gives));
  EXPECT_NE(health.failure().find("the energy is not finite (kinetic inf, potential -2) at step 2"),
            std::string::npos);
}

/// Warnings of a kinetic energy K(t) and a potential U(t) at t = 0, 1, 2 ... 100.
template <class Kinetic, class Potential>
std::string growth_of(const Kinetic& kinetic, const Potential& potential) {
  sim::EnergyHealth health = health_of();
  for (int k = 0; k <= 100; ++k) {
    sim::Measurement m = measured(kinetic(k), potential(k), static_cast<std::uint64_t>(k));
    m.time = k;
    health.check(m, from(kinetic(0) + potential(0), Kind::gives));
  }
  EXPECT_EQ(health.failure(), "");
  return health.warning();
}

TEST(EnergyHealth, WarnsOfKineticEnergyFromNowhere) {
  const auto none = [](double) { return 0.0; };
  // A constant force on a body at rest gives t^2, one that rises as t^2 gives t^6.
  EXPECT_EQ(growth_of([](double t) { return t * t; }, none), "");
  EXPECT_EQ(growth_of([](double t) { return std::pow(t, 6); }, none), "");
  // From t = 50 on it grows by 2 in each row: first by more than 1000 after 10 of them.
  const auto explodes = [](double t) { return t < 50 ? 1.0 : std::exp2(t - 50); };
  EXPECT_NE(growth_of(explodes, none)
                .find("the kinetic energy, 1.02e+03 at step 60, t = 60, is "
                      "1e+03 times all energy of the first half"),
            std::string::npos)
      << growth_of(explodes, none);
  // A potential of its own does not explain it: it explodes too. A depth does.
  EXPECT_NE(growth_of(explodes, explodes), "");
  EXPECT_EQ(growth_of(explodes, [&](double t) { return -explodes(t); }), "");
  EXPECT_EQ(growth_of([](double) { return 0.0; }, none), "");
}

TEST(EnergyHealth, KnowsOfGrowthWhereItCameFrom) {
  sim::EnergyReference bath = from(0, Kind::gives), brought = bath;
  bath.balance.warmth = 1;
  brought.start = 1;
  for (const sim::EnergyReference& later : {bath, brought}) {
    sim::EnergyHealth health = health_of();
    health.check(measured(1e-9, 0), from(0, Kind::gives));
    sim::Measurement m = measured(900, 0, 10);
    m.time = 10;
    health.check(m, later);
    EXPECT_EQ(health.warning(), "");
    sim::EnergyHealth resumed = health_of();
    resumed.resume(health.to_json());
    m = measured(1100, 0, 11), m.time = 11;
    resumed.check(m, later);
    EXPECT_NE(resumed.warning(), "");
    resumed.discard_after(10);
    EXPECT_EQ(resumed.warning(), "");
  }
}

}  // namespace
}  // namespace mote::test
