// Forces between near pairs, on every backend.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "engine/text.h"
#include "sim/molecular/pairs.h"
#include "sim/run/checkpoint.h"
#include "sim/run/registry.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Backend;
using engine::Host;
using engine::Index;
using engine::Precision;
using engine::Vec3d;
using sim::Simulation;
using sim::State;

class PairForces : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(PairForces);

std::string two_bodies(double distance, const std::string& more = "") {
  return "return { lennard_jones = { cutoff = 3" + more +
         " }, integrator = { dt = 0.001 }, bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass "
         "= 1, "
         "position = { " +
         engine::number_text(distance) + ", 0, 0 } } } }";
}

/// A liquid at density 0.84 and a temperature near 0.71 after it has melted: `cells` of the fcc
/// crystal along each side.
std::string liquid(int cells, const std::string& more = "", const std::string& force = "") {
  const double side = std::cbrt(4 / 0.84);
  const int n = 4 * cells * cells * cells;
  const std::string length = engine::number_text(cells * side);
  return "return { domain = { size = { " + length + ", " + length + ", " + length +
         " } }, lennard_jones = { cutoff = 2.5" + force +
         " }, integrator = { dt = 0.004 }, bodies = { lattice { structure = \"fcc\", counts = { " +
         std::to_string(cells) + ", " + std::to_string(cells) + ", " + std::to_string(cells) +
         " }, spacing = " + engine::number_text(side) + ", mass = " + std::to_string(n) +
         ", dispersion = 1.2 } }, " + more + " }";
}

TEST_P(PairForces, AreThoseOfTheClosedForm) {
  for (const double r : {0.9, 1.0, 1.1224620483093730, 1.7, 2.9}) {
    const auto sim =
        open(two_bodies(r, ", truncation = \"plain\""), {.precision = Precision::full});
    const double s6 = std::pow(r, -6), energy = 4 * (s6 * s6 - s6),
                 force = 24 * (2 * s6 * s6 - s6) / r;
    EXPECT_NEAR(sim->measure().potential, energy, 1e-14 * (1 + std::abs(energy))) << r;
    sim->state().visit([&](const auto& s) {
      EXPECT_NEAR(static_cast<double>(s.ax[0]), -force, 1e-13 * (1 + std::abs(force))) << r;
      EXPECT_EQ(s.ax[1], -s.ax[0]);
    });
  }
}

TEST_P(PairForces, OfACrystalAddUpShellByShell) {
  // Shells of the fcc crystal: 12 at 1, 6 at sqrt 2, 24 at sqrt 3, 12 at 2, 24 at sqrt 5, 8 at sqrt
  // 6, in nearest distances.
  const double side = std::cbrt(4 / 0.84), nearest = side / std::sqrt(2.0);
  const auto sim =
      open(liquid(4, "seed = 3", ", truncation = \"plain\""), {.precision = Precision::full});
  double energy = 0, virial = 0;
  const int counts[] = {12, 6, 24, 12, 24, 8};
  for (int k = 0; k < 6; ++k) {
    const double r = nearest * std::sqrt(k + 1.0), s6 = std::pow(r, -6);
    if (r >= 2.5) continue;
    energy += 0.5 * counts[k] * 4 * (s6 * s6 - s6);
    virial += 0.5 * counts[k] * 24 * (2 * s6 * s6 - s6);
  }
  const sim::Measurement m = sim->measure();
  EXPECT_NEAR(m.potential / 256, energy, 1e-12 * std::abs(energy) * 10);
  EXPECT_NEAR(m.virial / 256, virial, 1e-12 * std::abs(virial) * 10);
  const double volume = std::pow(4 * side, 3);
  EXPECT_NEAR(m.pressure, (2 * m.kinetic + m.virial) / (3 * volume), 1e-14 * std::abs(m.pressure));
  EXPECT_NEAR(m.temperature, 2 * m.kinetic / (3 * 256 - 3), 1e-14);  // the centre of mass is at
                                                                     // rest
  // In a perfect crystal nobody is pulled anywhere: what is left is the rounding of about 50 forces
  // of up to 20.
  sim->state().visit([&](const auto& s) {
    for (Index i = 0; i < s.count; ++i) EXPECT_NEAR(static_cast<double>(s.ax[i]), 0, 1e-11);
  });
}

/// Accelerations by the definition: all pairs, nearest images, in double.
std::vector<Vec3d> by_definition(const sim::SceneDescription& scene, const State<Host>& state) {
  const sim::PairTable table = sim::table_of(*scene.pairs, scene.units.coulomb());
  const sim::Domain domain = sim::domain_of(scene);
  std::vector<Vec3d> all(static_cast<std::size_t>(state.count()), {0, 0, 0});
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  state.visit([&](const auto& s) {
    for (Index i = 0; i < s.count; ++i)
      for (Index j = 0; j < s.count; ++j) {
        if (i == j) continue;
        double d[3] = {double(s.x[i]) - double(s.x[j]), double(s.y[i]) - double(s.y[j]),
                       double(s.z[i]) - double(s.z[j])};
        for (int axis = 0; axis < 3; ++axis)
          if (domain.periodic[axis]) d[axis] -= lengths[axis] * std::round(d[axis] / lengths[axis]);
        const double q = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const int kind_i = s.species ? s.species[i] : 0, kind_j = s.species ? s.species[j] : 0;
        const auto& c = table.all[static_cast<std::size_t>(kind_i * table.kinds + kind_j)];
        const double force =
            table.terms.switched
                ? (table.terms.charged ? sim::pair_term<sim::PairTerms{true, true}>(c, q).force
                                       : sim::pair_term<sim::PairTerms{true, false}>(c, q).force)
            : table.terms.charged ? sim::pair_term<sim::PairTerms{false, true}>(c, q).force
                                  : sim::pair_term<sim::PairTerms{false, false}>(c, q).force;
        all[static_cast<std::size_t>(i)] += (force / double(s.mass[i])) * Vec3d{d[0], d[1], d[2]};
      }
  });
  return all;
}

/// Largest difference from the definition, relative to the root of the mean square acceleration.
double error_of(const sim::SceneDescription& scene, Simulation& sim) {
  const State<Host>& state = sim.state();
  const std::vector<Vec3d> right = by_definition(scene, state);
  double largest = 0, squares = 0;
  state.visit([&](const auto& s) {
    for (Index i = 0; i < s.count; ++i) {
      const Vec3d a{double(s.ax[i]), double(s.ay[i]), double(s.az[i])},
          d = a - right[static_cast<std::size_t>(i)];
      largest = std::max(largest, std::sqrt(dot(d, d)));
      squares += dot(right[static_cast<std::size_t>(i)], right[static_cast<std::size_t>(i)]);
    }
  });
  return largest / std::sqrt(squares / static_cast<double>(state.count()));
}

TEST_P(PairForces, AgreeWithAllPairsInALiquidThatHasMoved) {
  // Float: about 50 terms with relative errors of 3e-7 at most, times the steepness 14 of the force
  // in the rounding of separations, 6e-8 of a box of 7: some 1e-5 of a typical term, which are a
  // few times larger than their sum.
  const struct {
    Precision precision;
    double error;
  } cases[] = {{Precision::single, 5e-5}, {Precision::mixed, 5e-6}, {Precision::full, 1e-12}};
  for (const auto& [precision, error] : cases) {
    const sim::SceneDescription scene = scene_of(liquid(4));
    const auto sim = open(scene, {.precision = precision});
    sim->advance(60, {});
    EXPECT_LT(error_of(scene, *sim), error) << engine::name_of(precision);
  }
}

TEST_P(PairForces, KnowSpeciesChargesAndSwitches) {
  const std::string species =
      "species = { a = { charge = 1 }, b = { charge = -1, sigma = 0.8, epsilon = 0.5 } }, coulomb "
      "= {}, "
      "pairs = { { species = "
      "{ \"a\", \"b\" }, epsilon = 0.9 } },";
  const std::string bodies =
      "bodies = { lattice { counts = { 6, 6, 6 }, spacing = 1.2, mass = 216, species = \"a\", "
      "dispersion = 1 "
      "}, translate( lattice { counts = { 6, 6, 6 }, "
      "spacing = 1.2, mass = 108, species = \"b\", dispersion = 1 }, { 0.6, 0.6, 0.6 }), { mass = "
      "2, "
      "position = { 0.1, 0.2, 0.6 } } } }";
  for (const char* truncation : {"shifted", "switched"}) {
    const sim::SceneDescription scene = scene_of(
        "return { domain = { size = { 7.2, 7.2, 7.2 } }, lennard_jones = { cutoff = 2.5, "
        "truncation = \"" +
        std::string(truncation) + "\" }, integrator = { dt = 0.002 }, " + species + bodies);
    const auto sim = open(scene, {.precision = Precision::full});
    sim->advance(20, {});
    EXPECT_LT(error_of(scene, *sim), 1e-12) << truncation;
  }
}

TEST_P(PairForces, KnowOpenAndWalledAxes) {
  for (const char* boundary : {"\"open\"", "\"wall\""}) {
    const sim::SceneDescription scene = scene_of(
        "return { domain = { size = { 12, 12, 12 }, boundary = " + std::string(boundary) +
        ", z = \"periodic\" }, lennard_jones = {}, integrator = { dt = 0.004 }, bodies = { lattice "
        "{ counts = { 9, 9, 9 }, "
        "spacing = 1.15, mass = 729, dispersion = 2 } } }");
    const auto sim = open(scene, {.precision = Precision::full});
    sim->advance(150, {});
    EXPECT_LT(error_of(scene, *sim), 1e-12) << boundary;
    const sim::Measurement m = sim->measure();
    if (std::string(boundary) == "\"wall\"") {
      EXPECT_GE(m.low.x, -6);
      EXPECT_LE(m.high.y, 6);
    } else {
      EXPECT_GT(m.high.x, 6);
    }
  }
}

TEST_P(PairForces, ConserveMomentumToRounding) {
  const auto sim = open(liquid(4), {.precision = Precision::full});
  const Vec3d before = sim->measure().momentum;
  sim->advance(200, {});
  const Vec3d after = sim->measure().momentum;
  // 200 steps of 256 kicks of size 1e-1, each with half a unit of the last place: at random 1e-16
  // sqrt(5e4).
  EXPECT_NEAR(after.x, before.x, 2e-13);
  EXPECT_NEAR(after.y, before.y, 2e-13);
  EXPECT_NEAR(after.z, before.z, 2e-13);
}

TEST_P(PairForces, MakeTheSameBitsFromAKeptState) {
  for (const Precision precision : {Precision::single, Precision::full}) {
    const auto sim = open(liquid(4), {.precision = precision});
    sim->advance(37, {});
    const auto kept = sim->keep();
    sim->advance(61, {});
    const std::uint64_t hash = sim->hash();
    sim->restore(*kept);
    EXPECT_NE(sim->hash(), hash);
    const double energy = sim->measure().energy;
    sim->advance(61, {});
    EXPECT_EQ(sim->hash(), hash);
    // Another simulation that goes on from the numbers alone, as one from a checkpoint does.
    const auto other = open(liquid(4), {.precision = precision});
    other->restore(*kept);
    EXPECT_EQ(other->measure().energy, energy);
    const State<Host>& state = other->state();
    const auto third = open(liquid(4), {.precision = precision});
    third->resume(state, other->clockwork(), other->live());
    third->advance(61, {});
    EXPECT_EQ(third->hash(), hash);
  }
}

TEST_P(PairForces, MakeTheSameBitsInAnySlicesAndWithAnyThreads) {
  const auto hash_of = [&](int threads, int slice) {
    const auto sim = open(liquid(4), {.precision = Precision::single, .threads = threads});
    for (int done = 0; done < 60; done += slice)
      sim->advance(static_cast<std::uint64_t>(slice), {});
    return sim->hash();
  };
  const std::uint64_t hash = hash_of(1, 60);
  EXPECT_EQ(hash_of(2, 20), hash);
  EXPECT_EQ(hash_of(5, 1), hash);
}

TEST_P(PairForces, SurviveMoreNeighboursThanThereIsRoomFor) {
  // 2,600 bodies within each other's reach: more than lists on a GPU may hold.
  const sim::SceneDescription scene = scene_of(
      "return { lennard_jones = { sigma = 0.001, cutoff = 3, skin = 0.3 }, integrator = { dt = "
      "1e-8 }, "
      "bodies "
      "= { uniform_sphere { n = "
      "2600, radius = 0.4 } } }");
  const auto sim = open(scene, {.precision = Precision::full});
  EXPECT_LT(error_of(scene, *sim), 1e-10);
  sim->advance(2, {});
  EXPECT_LT(error_of(scene, *sim), 1e-10);
}

TEST_P(PairForces, GoOnFromACheckpointInAnEncounterThatNoSceneMayStartWith) {
  // Head on at 400, 40,000 epsilon: the two come as near as 0.46 sigma.
  const sim::SceneDescription scene = scene_of(
      "return { lennard_jones = {}, integrator = { dt = 1e-6 }, bodies = { { mass = 1, position = "
      "{ -0.6, 0, "
      "0 }, velocity = { 200, "
      "0, 0 } }, { mass = 1, position = { 0.6, 0, 0 }, velocity = { -200, 0, 0 } } } }");
  const sim::RunOptions options{.backend = GetParam(), .precision = Precision::full};
  const sim::Plan plan = sim::make_plan(scene, options);
  const auto sim = sim::open_simulation(scene, plan);
  const auto apart = [&] {
    return sim->state().visit([](const auto& s) { return double(s.x[1]) - double(s.x[0]); });
  };
  while (apart() > 0.49) sim->advance(1, {});
  const TemporaryFolder folder;
  sim::write_checkpoint(folder.path() / "near.h5", *sim, scene, plan, {});
  sim->advance(500, {});
  const auto resumed =
      sim::open_checkpoint(sim::read_checkpoint(folder.path() / "near.h5"), sim::RunOptions{});
  resumed->advance(500, {});
  EXPECT_EQ(resumed->hash(), sim->hash());
}

TEST(PairForcesOnBoth, AgreeAfterAHundredSteps) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  // A cold crystal: atoms swing about their places, and rounding is all that grows. Places of up
  // to 3.4 are rounded by half of 4e-16, a hundred times; forces of 14 / sigma times that, which
  // 100 steps make 14 (100 x 0.004)^2 / 2 as large. In float, half of 2e-7 instead, and terms are
  // rounded by 3e-7 of forces of up to 10 each, and 50 of them.
  const std::string lua =
      "return { domain = { size = { 6.6, 6.6, 6.6 } }, lennard_jones = { truncation = \"switched\" "
      "}, "
      "integrator = { dt = 0.004 "
      "}, bodies = { lattice { counts = { 6, 6, 6 }, spacing = 1.1, mass = 216, dispersion = 0.3 } "
      "} }";
  const sim::SceneDescription scene = scene_of(lua);
  const struct {
    Precision precision;
    double apart;
  } cases[] = {{Precision::single, 2e-5}, {Precision::full, 2e-14}};
  for (const auto& [precision, apart] : cases) {
    const auto open = [&, precision = precision](Backend backend) {
      return sim::open_simulation(
          scene, sim::make_plan(scene, {.backend = backend, .precision = precision}));
    };
    const auto cpu = open(Backend::cpu), gpu = open(Backend::cuda);
    cpu->advance(100, {}), gpu->advance(100, {});
    double largest = 0;
    cpu->state().visit([&](const auto& a) {
      gpu->state().visit([&](const auto& b) {
        for (Index i = 0; i < a.count; ++i)
          largest = std::max({largest, std::abs(double(a.x[i]) - double(b.x[i])),
                              std::abs(double(a.y[i]) - double(b.y[i])),
                              std::abs(double(a.z[i]) - double(b.z[i]))});
      });
    });
    EXPECT_LT(largest, apart) << engine::name_of(precision);
  }
}

class LongPairForces : public LongOnEveryBackend {};
MOTE_ON_EVERY_BACKEND(LongPairForces);

TEST_P(LongPairForces, ConserveTheEnergyOfALiquid) {
  const auto sim =
      open(liquid(4, "", ", truncation = \"switched\""), {.precision = Precision::full});
  sim->advance(2000, {});  // it melts
  const double before = sim->measure().energy;
  sim->advance(100'000, {});
  const sim::Measurement m = sim->measure();
  EXPECT_GT(m.temperature, 0.5);
  EXPECT_LT(m.temperature, 1.0);
  EXPECT_LT(std::abs(m.energy - before), 1e-4 * std::abs(before));
}

TEST(PairForcesInput, IsRefusedWithPlaceReasonAndRemedy) {
  const auto said = [](const std::string& lua) -> std::string {
    try {
      scene_of(lua);
    } catch (const engine::InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto with = [](const std::string& text) {
    return "return { " + text + ", integrator = { dt = 0.001 }, bodies = { { mass = 1 } } }";
  };
  EXPECT_NE(said(with("domain = { size = { 4, 4, 4 } }, lennard_jones = {}"))
                .find("half of the periodic domain"),
            std::string::npos);
  EXPECT_NE(said(with("domain = { size = { 4, 0, 4 } }, lennard_jones = {}")).find("along y"),
            std::string::npos);
  EXPECT_NE(said(with("domain = { size = { 9, 9, 9 } }")).find("no force of a short range"),
            std::string::npos);
  EXPECT_NE(said(with("coulomb = {}")).find("needs lennard_jones"), std::string::npos);
  EXPECT_NE(said(with("lennard_jones = {}, coulomb = {}")).find("no species has a charge"),
            std::string::npos);
  EXPECT_NE(said(with("species = { a = { charge = 1 } }")).find("is for coulomb"),
            std::string::npos);
  EXPECT_NE(said(with("lennard_jones = { cutoff = 2, switch_from = 2, truncation = \"switched\" }"))
                .find("not below the cutoff"),
            std::string::npos);
  EXPECT_NE(said(with("lennard_jones = {}, pairs = { { species = { \"a\", \"b\" } } }"))
                .find("no such species"),
            std::string::npos);
  EXPECT_NE(said(with("domain = { size = { 9, 9, 9 } }, lennard_jones = {}, gravity = {}"))
                .find("is not periodic"),
            std::string::npos);
}

TEST_P(PairForces, OfImpossibleStartsAreRefused) {
  const auto said = [&](const std::string& lua) -> std::string {
    try {
      open(lua);
    } catch (const engine::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(said(two_bodies(0.4)).find("bodies 0 and 1 overlap: they start 0.4 apart"),
            std::string::npos);
  EXPECT_EQ(said(two_bodies(0.6)), "");
  const auto walls = [](const char* dt) {
    return "return { domain = { size = { 6, 6, 6 }, boundary = \"wall\" }, lennard_jones = {}, "
           "integrator = "
           "{ dt = " +
           std::string(dt) + " }, ";
  };
  const auto bodies = [](const char* x, const char* mass) {
    return "bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = " + std::string(mass) +
           ", position = { " + x + ", 0, 0 } } } }";
  };
  EXPECT_NE(said(walls("0.1871") + bodies("3.1", "1")).find("body 1 is beyond a wall: x is 3.1"),
            std::string::npos);
  EXPECT_NE(said(walls("0.1871") + bodies("2", "0")).find("body 1 has no mass"), std::string::npos);
  // 2 / sqrt(72 / cbrt 2 (1/1 + 1/1)) = 0.18708
  EXPECT_NE(said(walls("0.1871") + bodies("2", "1")).find("must be below 0.187"),
            std::string::npos);
  EXPECT_EQ(said(walls("0.187") + bodies("2", "1")), "");
}

}  // namespace
}  // namespace mote::test
