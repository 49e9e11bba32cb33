// Short-range pair forces, on every backend.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "engine/text.h"
#include "sim/molecular/pairs.h"
#include "sim/output/checkpoint.h"
#include "tests/support/backend.h"
#include "tests/support/sanitized.h"

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

/// A liquid at density 0.84 and, once molten, a temperature near 0.71; it starts as an fcc crystal
/// of `cells` cells per side.
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
        open(two_bodies(r, ", truncation = \"plain\""), {.precision = Precision::double_});
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
  // Neighbour shells of the fcc crystal, in nearest-neighbour distances: 12 at 1, 6 at sqrt 2, 24
  // at sqrt 3, 12 at 2, 24 at sqrt 5, 8 at sqrt 6.
  const double side = std::cbrt(4 / 0.84), nearest = side / std::sqrt(2.0);
  const auto sim =
      open(liquid(4, "seed = 3", ", truncation = \"plain\""), {.precision = Precision::double_});
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
  // Forces vanish in a perfect crystal, up to the round-off of about 50 terms of up to 20.
  sim->state().visit([&](const auto& s) {
    for (Index i = 0; i < s.count; ++i) EXPECT_NEAR(static_cast<double>(s.ax[i]), 0, 1e-11);
  });
}

sim::PairTerm<double> term_of(const sim::PairTerms& terms, const sim::PairCoefficients<double>& c,
                              double q) {
  sim::PairTerm<double> term{};
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    ((terms == sim::all_pair_terms[k] ? void(term = sim::pair_term<sim::all_pair_terms[k]>(c, q))
                                      : void()),
     ...);
  }
  (std::make_index_sequence<sim::pair_terms_count>{});
  return term;
}

/// Reference accelerations: all pairs, minimum images, in double.
std::vector<Vec3d> reference_accelerations(const sim::SceneDescription& scene,
                                           const State<Host>& state) {
  const sim::PairTable table =
      sim::table_of(*scene.physics.find<sim::PairForces>(), scene.units.coulomb());
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
        const double force = term_of(table.terms, c, q).force;
        all[static_cast<std::size_t>(i)] += (force / double(s.mass[i])) * Vec3d{d[0], d[1], d[2]};
      }
  });
  return all;
}

/// Largest difference from the reference, relative to the root mean square acceleration.
double error_of(const sim::SceneDescription& scene, Simulation& sim) {
  const State<Host>& state = sim.state();
  const std::vector<Vec3d> reference = reference_accelerations(scene, state);
  double largest = 0, squares = 0;
  state.visit([&](const auto& s) {
    for (Index i = 0; i < s.count; ++i) {
      const Vec3d a{double(s.ax[i]), double(s.ay[i]), double(s.az[i])},
          d = a - reference[static_cast<std::size_t>(i)];
      largest = std::max(largest, std::sqrt(dot(d, d)));
      squares +=
          dot(reference[static_cast<std::size_t>(i)], reference[static_cast<std::size_t>(i)]);
    }
  });
  return largest / std::sqrt(squares / static_cast<double>(state.count()));
}

// Rock salt: the ions at a squared distance n have charges of the sign (-1)^n.
TEST_P(PairForces, OfAScreenedIonicCrystalAddUpShellByShell) {
  const auto sim = open(R"(
    local ions = {}
    for i = 0, 5 do for j = 0, 5 do for k = 0, 5 do
      ions[#ions + 1] = { mass = 1, position = { i, j, k },
                          species = (i + j + k) % 2 == 0 and "sodium" or "chlorine" }
    end end end
    return { domain = { size = { 6, 6, 6 } }, lennard_jones = { epsilon = 0 },
             species = { sodium = { charge = 2 }, chlorine = { charge = -2 } },
             coulomb = { constant = 0.5, screening_length = 0.7, cutoff = 2.4 },
             integrator = { dt = 0.001 }, bodies = ions })",
                        {.precision = Precision::double_});
  const double at_cutoff = std::exp(-2.4 / 0.7) / 2.4;
  const int counts[] = {6, 12, 8, 6, 24};
  double energy = 0, virial = 0;
  for (int n = 1; n <= 5; ++n) {
    const double r = std::sqrt(n), screened = std::exp(-r / 0.7) / r,
                 charges = (n % 2 == 0 ? 2 : -2) * counts[n - 1];
    energy += 0.5 * charges * (screened - at_cutoff);
    virial += 0.5 * charges * screened * (1 + r / 0.7);
  }
  // Sums of 56 terms below 1, each rounded a few times.
  const sim::Measurement m = sim->measure();
  EXPECT_NEAR(m.potential / 216, energy, 56 * 1e-15);
  EXPECT_NEAR(m.virial / 216, virial, 56 * 1e-15);
  sim->state().visit([&](const auto& s) {
    for (Index i = 0; i < s.count; ++i) EXPECT_NEAR(static_cast<double>(s.ax[i]), 0, 56 * 1e-15);
  });
}

TEST_P(PairForces, AgreeWithAllPairsInALiquidThatHasMoved) {
  // Float: about 50 terms with relative errors of at most 3e-7; and round-off of separations, 6e-8
  // of a box of 7, amplified by the exponent 14 of the force: some 1e-5 of a typical term, which is
  // a few times larger than the sum.
  const struct {
    Precision precision;
    double error;
  } cases[] = {{Precision::single, 5e-5}, {Precision::mixed, 5e-6}, {Precision::double_, 1e-12}};
  for (const auto& [precision, error] : cases) {
    const sim::SceneDescription scene = scene_of(liquid(4));
    const auto sim = open(scene, {.precision = precision});
    sim->advance(60, {});
    EXPECT_LT(error_of(scene, *sim), error) << engine::name_of(precision);
  }
}

TEST_P(PairForces, ApplySpeciesChargesAndSwitches) {
  const std::string species =
      "species = { a = { charge = 1 }, b = { charge = -1, sigma = 0.8, epsilon = 0.5 } }, "
      "pairs = { { species = "
      "{ \"a\", \"b\" }, epsilon = 0.9 } }, ";
  const std::string bodies =
      "bodies = { lattice { counts = { 6, 6, 6 }, spacing = 1.2, mass = 216, species = \"a\", "
      "dispersion = 1 "
      "}, translate( lattice { counts = { 6, 6, 6 }, "
      "spacing = 1.2, mass = 108, species = \"b\", dispersion = 1 }, { 0.6, 0.6, 0.6 }), { mass = "
      "2, "
      "position = { 0.1, 0.2, 0.6 } } } }";
  // Mixed: a term has a relative error of 3e-7, and 14 times that of its separation, 6e-8. Ions
  // that attract each other meet with terms of some ten times the root mean square. Single: above.
  const std::pair<Precision, double> errors[] = {
      {Precision::single, 5e-5}, {Precision::mixed, 1.2e-5}, {Precision::double_, 1e-12}};
  for (const char* truncation : {"shifted", "switched"})
    for (const char* coulomb : {"coulomb = {}, ", "coulomb = { screening_length = 0.6 }, "})
      for (const auto& [precision, error] : errors) {
        const sim::SceneDescription scene = scene_of(
            "return { domain = { size = { 7.2, 7.2, 7.2 } }, lennard_jones = { cutoff = 2.5, "
            "truncation = \"" +
            std::string(truncation) + "\" }, integrator = { dt = 0.002 }, " + coulomb + species +
            bodies);
        const auto sim = open(scene, {.precision = precision});
        sim->advance(20, {});
        EXPECT_LT(error_of(scene, *sim), error)
            << truncation << coulomb << engine::name_of(precision);
      }
}

TEST_P(PairForces, ApplyOpenAndWalledAxes) {
  for (const char* boundary : {"\"open\"", "\"wall\""}) {
    const sim::SceneDescription scene = scene_of(
        "return { domain = { size = { 12, 12, 12 }, boundary = " + std::string(boundary) +
        ", z = \"periodic\" }, lennard_jones = {}, integrator = { dt = 0.004 }, bodies = { lattice "
        "{ counts = { 9, 9, 9 }, "
        "spacing = 1.15, mass = 729, dispersion = 2 } } }");
    const auto sim = open(scene, {.precision = Precision::double_});
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
  const auto sim = open(liquid(4), {.precision = Precision::double_});
  const Vec3d before = sim->measure().momentum;
  sim->advance(200, {});
  const Vec3d after = sim->measure().momentum;
  // 200 steps of 256 kicks of 0.1, each rounded by half an ULP: a random walk, 1e-16 sqrt(5e4).
  EXPECT_NEAR(after.x, before.x, 2e-13);
  EXPECT_NEAR(after.y, before.y, 2e-13);
  EXPECT_NEAR(after.z, before.z, 2e-13);
}

TEST_P(PairForces, MakeTheSameBitsFromASavedState) {
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const auto sim = open(liquid(4), {.precision = precision});
    sim->advance(37, {});
    const auto saved = sim->save();
    sim->advance(61, {});
    const std::uint64_t hash = sim->hash();
    sim->restore(*saved);
    EXPECT_NE(sim->hash(), hash);
    const double energy = sim->measure().energy;
    sim->advance(61, {});
    EXPECT_EQ(sim->hash(), hash);
    // Another simulation that resumes from the state alone, as from a checkpoint.
    const auto other = open(liquid(4), {.precision = precision});
    other->restore(*saved);
    EXPECT_EQ(other->measure().energy, energy);
    const State<Host>& state = other->state();
    const auto third = open(liquid(4), {.precision = precision});
    third->resume(state, other->run_clock(), other->live());
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
  if (on_gpu()) MOTE_SKIP_IF_SANITIZED("long on an emulated GPU; the CPU runs it");
  // 2,600 bodies within each other's cutoff: more than lists on a GPU can hold.
  const sim::SceneDescription scene = scene_of(
      "return { lennard_jones = { sigma = 0.001, cutoff = 3, skin = 0.3 }, integrator = { dt = "
      "1e-8 }, "
      "bodies "
      "= { uniform_sphere { n = "
      "2600, radius = 0.4 } } }");
  const auto sim = open(scene, {.precision = Precision::double_});
  EXPECT_LT(error_of(scene, *sim), 1e-10);
  sim->advance(2, {});
  EXPECT_LT(error_of(scene, *sim), 1e-10);
}

TEST_P(PairForces, GoOnFromACheckpointInAnEncounterThatNoSceneMayStartWith) {
  // A head-on collision at relative velocity 400, 40,000 epsilon: closest approach 0.46 sigma.
  const sim::SceneDescription scene = scene_of(
      "return { lennard_jones = {}, integrator = { dt = 1e-6 }, bodies = { { mass = 1, position = "
      "{ -0.6, 0, "
      "0 }, velocity = { 200, "
      "0, 0 } }, { mass = 1, position = { 0.6, 0, 0 }, velocity = { -200, 0, 0 } } } }");
  const sim::RunOptions options{.backend = GetParam(), .precision = Precision::double_};
  const sim::Plan plan = sim::make_plan(scene, options);
  const auto sim = sim::open_simulation(scene, plan);
  const auto separation = [&] {
    return sim->state().visit([](const auto& s) { return double(s.x[1]) - double(s.x[0]); });
  };
  while (separation() > 0.49) sim->advance(1, {});
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
  // A cold crystal: atoms vibrate about their sites, and only round-off differs. Positions of up to
  // 3.4 are rounded by half of 4e-16, a hundred times; forces change by 14 / sigma times that,
  // which 100 steps amplify by 14 (100 x 0.004)^2 / 2. In float, half of 2e-7 instead, and each of
  // 50 terms of up to 10 is rounded by 3e-7.
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
  } cases[] = {{Precision::single, 2e-5}, {Precision::double_, 2e-14}};
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
  MOTE_SKIP_IF_SANITIZED("long; PairForces.* take such steps");
  const auto sim =
      open(liquid(4, "", ", truncation = \"switched\""), {.precision = Precision::double_});
  sim->advance(2000, {});  // the crystal melts
  const double before = sim->measure().energy;
  sim->advance(100'000, {});
  const sim::Measurement m = sim->measure();
  EXPECT_GT(m.temperature, 0.5);
  EXPECT_LT(m.temperature, 1.0);
  EXPECT_LT(std::abs(m.energy - before), 1e-4 * std::abs(before));
}

TEST(PairForcesInput, IsRefusedWithPlaceReasonAndRemedy) {
  const auto message_of = [](const std::string& lua) -> std::string {
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
  EXPECT_NE(message_of(with("domain = { size = { 4, 4, 4 } }, lennard_jones = {}"))
                .find("half of the periodic domain"),
            std::string::npos);
  EXPECT_NE(message_of(with("domain = { size = { 4, 0, 4 } }, lennard_jones = {}")).find("along y"),
            std::string::npos);
  EXPECT_NE(message_of(with("domain = { size = { 9, 9, 9 } }"))
                .find("has no effect without grains or lennard_jones or fluid"),
            std::string::npos);
  EXPECT_NE(message_of(with("coulomb = {}")).find("needs lennard_jones"), std::string::npos);
  EXPECT_NE(message_of(with("lennard_jones = {}, coulomb = {}")).find("no species has a charge"),
            std::string::npos);
  EXPECT_NE(message_of(with("lennard_jones = {}, species = { a = { charge = 1 } }"))
                .find("is for coulomb"),
            std::string::npos);
  EXPECT_NE(message_of(with("species = { a = { charge = 1 } }")).find("is for coulomb"),
            std::string::npos);
  EXPECT_NE(
      message_of(with("lennard_jones = { cutoff = 2, switch_from = 2, truncation = \"switched\" }"))
          .find("not below the cutoff"),
      std::string::npos);
  EXPECT_NE(message_of(with("lennard_jones = {}, pairs = { { species = { \"a\", \"b\" } } }"))
                .find("no such species"),
            std::string::npos);
  EXPECT_NE(message_of(with("domain = { size = { 9, 9, 9 }, z = 'open' }, lennard_jones = {}, "
                            "gravity = {}"))
                .find("needs a domain that is periodic along all axes"),
            std::string::npos);
}

TEST_P(PairForces, OfImpossibleStartsAreRefused) {
  const auto message_of = [&](const std::string& lua) -> std::string {
    try {
      open(lua);
    } catch (const engine::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message_of(two_bodies(0.4)).find("bodies 0 and 1 overlap: they start 0.4 apart"),
            std::string::npos);
  EXPECT_EQ(message_of(two_bodies(0.6)), "");
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
  EXPECT_NE(
      message_of(walls("0.1871") + bodies("3.1", "1")).find("body 1 is beyond a wall: x is 3.1"),
      std::string::npos);
  EXPECT_NE(message_of(walls("0.1871") + bodies("2", "0")).find("body 1 has no mass"),
            std::string::npos);
  // 2 / sqrt(72 / cbrt 2 (1/1 + 1/1)) = 0.18708
  EXPECT_NE(message_of(walls("0.1871") + bodies("2", "1")).find("must be below 0.187"),
            std::string::npos);
  EXPECT_EQ(message_of(walls("0.187") + bodies("2", "1")), "");
}

}  // namespace
}  // namespace mote::test
