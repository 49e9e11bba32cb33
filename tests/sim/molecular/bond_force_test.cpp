// Forces of bonds and angles, on every backend.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "engine/text.h"
#include "sim/molecular/bonds.h"
#include "sim/output/checkpoint.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Backend;
using engine::Host;
using engine::Index;
using engine::number_text;
using engine::Precision;
using engine::Vec3d;
using sim::Simulation;
using sim::State;

class BondForces : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(BondForces);

double bond_length(Simulation& sim, Index a, Index b) {
  return distance(body(sim, a).position, body(sim, b).position);
}

/// Masses 1 and 2 at rest on a spring of stiffness 50 and length 1, stretched by `stretch` along
/// (1, 2, 2).
std::string two_on_a_spring(double stretch, double dt, const std::string& kind = "") {
  const double third = (1 + stretch) / 3;
  return "return { bond_kinds = { spring = { stiffness = 50, length = 1" + kind +
         " } }, bonds = { { kind = \"spring\", bodies = { {1, 0} } } }, integrator = { dt = " +
         number_text(dt) +
         " }, bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 2, position = { " +
         number_text(third) + ", " + number_text(2 * third) + ", " + number_text(2 * third) +
         " } } } }";
}

TEST_P(BondForces, SwingWithThePeriodOfTheReducedMass) {
  const double dt = 0.01, w = std::sqrt(50 * 1.5);
  const auto sim = open(two_on_a_spring(0.1, dt), {.precision = Precision::double_});
  // With leapfrog the stretch is proportional to cos(n phase), cos(phase) = 1 - (w dt)^2 / 2: the
  // frequency exceeds sqrt(k / mu) by a fraction (w dt)^2 / 24, 3e-4 here. Round-off of 2e-16 in
  // positions, and of 50 times that in forces, accumulates to at most n^2 / 2 (w dt)^2 times that.
  const double phase = std::acos(1 - 0.5 * w * w * dt * dt);
  EXPECT_NEAR(phase / dt, w, w * std::pow(w * dt, 2) / 23);
  for (int n = 0; n <= 1000; n += 100) {
    EXPECT_NEAR(bond_length(*sim, 0, 1) - 1, 0.1 * std::cos(n * phase), 1e-11) << n;
    sim->advance(100, {});
  }
}

TEST_P(BondForces, OfTwoBodiesCancelToTheLastBit) {
  for (const Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
    const auto sim =
        open(two_on_a_spring(0.137, 0.01, ", damping = 0.3"), {.precision = precision});
    sim->advance(17, {});
    sim->state().visit([](const auto& s) {  // division by the mass 2 is exact
      EXPECT_NE(s.ax[0], 0);
      EXPECT_EQ(s.ax[0], -2 * s.ax[1]);
      EXPECT_EQ(s.ay[0], -2 * s.ay[1]);
      EXPECT_EQ(s.az[0], -2 * s.az[1]);
    });
  }
}

TEST_P(BondForces, OfAnAngleCancelToTheLastBit) {
  const auto sim = open(
      "return { angle_kinds = { bend = { stiffness = 3, angle = 100 } }, angles = { { kind = "
      "\"bend\", "
      "bodies = { {2, 0, "
      "1} } } }, integrator = { dt = 0.01 }, bodies = { { mass = 1, position = { 0.1, 0.2, 0.3 } "
      "}, { mass = "
      "1, position = { "
      "1.3, 0.1, 0.4 } }, { mass = 1, position = { 0.5, 1.7, -0.4 } } } }",
      {.precision = Precision::double_});
  sim->state().visit([](const auto& s) {
    EXPECT_NE(s.ax[0], 0);
    EXPECT_EQ(s.ax[1] + s.ax[2] + s.ax[0], 0);
    EXPECT_EQ(s.ay[1] + s.ay[2] + s.ay[0], 0);
    EXPECT_EQ(s.az[1] + s.az[2] + s.az[0], 0);
  });
}

TEST_P(BondForces, LoseEnergyToDashpotsAsFastAsTheyShould) {
  const double dt = 0.005, squared = 50 * 1.5, g = 0.4 * 1.5;
  const auto sim =
      open(two_on_a_spring(0.1, dt, ", damping = 0.4"), {.precision = Precision::double_});
  // The dashpot uses the velocity of the previous half step: x'' = -w^2 x - g v in differences,
  // starting with half a kick at rest. Phase-space area shrinks by 1 - g dt per step, instead of
  // the exact exp(-g dt).
  double before = 0.1, now = 0.1 - 0.5 * dt * dt * squared * 0.1;
  for (int n = 1; n <= 400; ++n) {
    sim->advance(1, {});
    ASSERT_NEAR(bond_length(*sim, 0, 1) - 1, now, 1e-12) << n;
    const double next = now + (1 - g * dt) * (now - before) - dt * dt * squared * now;
    before = now, now = next;
  }
  const double start = 0.5 * 50 * 0.01;
  // Energy oscillates about its mean by a fraction g / w: 7 %.
  EXPECT_NEAR(std::log(sim->measure().energy / start), -g * dt * 400, 0.08);
}

/// A knot of bonds and angles of all forms, crossing the boundaries of a periodic box.
std::string knot(double x, const std::string& force = "lennard_jones = { epsilon = 0, cutoff = 1 }",
                 double damping = 0) {
  std::string bonds, fene, bends, cosines;
  for (int i = 0; i < 11; ++i)
    bonds += "{" + std::to_string(i) + "," + std::to_string((i + 4) % 12) + "},";
  for (int i = 0; i < 12; ++i)
    fene += "{" + std::to_string(i) + "," + std::to_string((i + 1) % 12) + "},";
  for (int i = 0; i < 12; ++i)
    (i % 2 ? bends : cosines) += "{" + std::to_string(i) + "," + std::to_string((i + 3) % 12) +
                                 "," + std::to_string((i + 7) % 12) + "},";
  return "return { domain = { size = { 8, 8, 8 } }, " + force +
         ", bond_kinds = { spring = { stiffness = 20, length = 1.2, damping = " +
         number_text(damping) +
         " }, rubber = { form = \"fene\", stiffness = 3, extension = 4 } }, angle_kinds = { bend = "
         "{ "
         "stiffness = 2, angle "
         "= 180 }, cosine = { form = \"cosine\", stiffness = 1.5, angle = 70 } }, bonds = { { kind "
         "= "
         "\"spring\", bodies = "
         "{" +
         bonds + "} }, { kind = \"rubber\", bodies = {" + fene +
         "} } }, angles = { { kind = \"bend\", bodies = {" + bends +
         "} }, { kind = \"cosine\", bodies = {" + cosines +
         "} } }, integrator = { dt = 0.002 }, bodies = { uniform_sphere { n = 12, mass = 12, "
         "radius = 1.5, "
         "virial_ratio = 0, "
         "position = { " +
         number_text(x) + ", " + number_text(x + 0.3) + ", " + number_text(-x) + " } } } }";
}

using Positions = std::vector<long double>;

/// Energy of the bonds and angles of a scene, by definition.
long double knot_energy(const sim::BondForces& forces, const Positions& x, long double side) {
  const auto separate = [&](std::uint32_t i, std::uint32_t j, long double* d) {
    long double q = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      d[axis] = x[3 * i + axis] - x[3 * j + axis];
      d[axis] -= side * std::round(d[axis] / side);
      q += d[axis] * d[axis];
    }
    return std::sqrt(q);
  };
  long double sum = 0, a[3], b[3];
  for (const sim::Bond& bond : forces.bonds) {
    const sim::BondKind& kind = forces.bond_kinds[bond.kind];
    const long double r = separate(bond.a, bond.b, a), k = *kind.stiffness;
    if (kind.form == "fene")
      sum -= 0.5L * k * *kind.extension * *kind.extension *
             std::log(1 - r * r / (*kind.extension * *kind.extension));
    else
      sum += 0.5L * k * (r - *kind.length) * (r - *kind.length);
  }
  for (const sim::Angle& angle : forces.angles) {
    const sim::AngleKind& kind = forces.angle_kinds[angle.kind];
    const long double ra = separate(angle.first, angle.vertex, a),
                      rb = separate(angle.last, angle.vertex, b);
    const long double theta = std::acos((a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (ra * rb)),
                      deviation = theta - kind.angle * std::numbers::pi_v<long double> / 180;
    sum += kind.form == "cosine" ? kind.stiffness * (1 - std::cos(deviation))
                                 : 0.5L * kind.stiffness * deviation * deviation;
  }
  return sum;
}

TEST_P(BondForces, AreTheSlopesOfTheEnergyAcrossBorders) {
  for (const double centre : {0.0, 4.0}) {
    const sim::SceneDescription scene = scene_of(knot(centre));
    const auto sim = open(scene, {.precision = Precision::double_});
    sim->advance(50, {});
    const sim::BondForces& forces = *scene.physics.find<sim::BondForces>();
    Positions x;
    std::vector<double> got;
    sim->state().visit([&](const auto& s) {
      for (Index i = 0; i < s.count; ++i) {
        for (const auto* column : {s.x, s.y, s.z}) x.push_back(column[i]);
        for (const auto* column : {s.ax, s.ay, s.az}) got.push_back(double(column[i]));
      }
    });
    for (std::size_t k = 0; k < x.size(); ++k) {
      Positions up = x, down = x;
      up[k] += 1e-6L, down[k] -= 1e-6L;
      const auto slope =
          static_cast<double>((knot_energy(forces, up, 8) - knot_energy(forces, down, 8)) / 2e-6L);
      // Round-off of forces of up to 50, sums of a dozen terms; truncation error h^2 = 1e-12 times
      // third derivatives of up to 1e3, more at small angles.
      EXPECT_NEAR(got[k], -slope, 1e-9) << centre << " " << k;
    }
    const sim::Measurement m = sim->measure();
    const auto energy = static_cast<double>(knot_energy(forces, x, 8));
    EXPECT_NEAR(m.potential, energy, 1e-13 * energy);
    // W = -d U / d ln(size) when all lengths are scaled.
    Positions larger = x, smaller = x;
    for (long double& position : larger) position *= 1 + 1e-6L;
    for (long double& position : smaller) position *= 1 - 1e-6L;
    const long double slope = (knot_energy(forces, larger, 8 * (1 + 1e-6L)) -
                               knot_energy(forces, smaller, 8 * (1 - 1e-6L))) /
                              2e-6L;
    EXPECT_NEAR(m.virial, static_cast<double>(-slope), 1e-8);
    EXPECT_NEAR(m.pressure, (2 * m.kinetic + m.virial) / (3 * 512), 1e-14 * std::abs(m.pressure));
  }
}

TEST_P(BondForces, AddUpWithThoseOfPairs) {
  const auto measured = [&](const std::string& lua) {
    return open(lua, {.precision = Precision::double_})->measure();
  };
  const std::string pairs = "lennard_jones = { sigma = 0.3, cutoff = 0.9 }";
  const sim::Measurement
      both = measured(knot(4, pairs)),
      bonds = measured(knot(4)),
      alone =
          measured("return { domain = { size = { 8, 8, 8 } }, " + pairs +
                   ", integrator = { dt = 0.002 }, bodies = { uniform_sphere { n = 12, mass = 12, "
                   "radius = 1.5, virial_ratio = 0, position = { 4, 4.3, -4 } } } }");
  EXPECT_NE(alone.virial, 0);
  EXPECT_NEAR(both.potential, bonds.potential + alone.potential, 1e-12);
  EXPECT_NEAR(both.virial, bonds.virial + alone.virial, 1e-11);
}

TEST_P(BondForces, ConserveMomentumAndAngularMomentumToRounding) {
  const auto sim = open(
      "return { bond_kinds = { b = { stiffness = 100, length = 1, damping = 0.1 } }, angle_kinds = "
      "{ a = { "
      "stiffness = 5 } }, "
      "integrator = { dt = 0.01 }, bodies = { chain { n = 16, mass = 16, bond = \"b\", angle = "
      "\"a\", "
      "dispersion = 1, spin = "
      "0.3, direction = { 1, 2, 3 } } } }",
      {.precision = Precision::double_});
  const sim::Measurement before = sim->measure();
  sim->advance(500, {});
  const sim::Measurement after = sim->measure();
  // 500 kicks of up to 0.2 on 16 bodies, each rounded by half an ULP of the velocity, 1e-16: a
  // random walk of 8,000 steps. Angular momenta are up to 7 times as large, and positions are
  // rounded too.
  const Vec3d p = after.momentum - before.momentum,
              l = after.angular_momentum - before.angular_momentum;
  EXPECT_NEAR(std::sqrt(dot(p, p)), 0, 1e-13);
  EXPECT_NEAR(std::sqrt(dot(l, l)), 0, 3e-12);
  EXPECT_GT(std::sqrt(dot(before.angular_momentum, before.angular_momentum)), 1);
}

TEST_P(BondForces, ConserveTheEnergyOfARingOverTenThousandSteps) {
  const auto sim = open(
      "return { bond_kinds = { b = { stiffness = 100, length = 1 } }, angle_kinds = { a = { form = "
      "\"cosine\", stiffness = 2, "
      "angle = 150 } }, integrator = { dt = 0.005 }, bodies = { chain { n = 12, mass = 12, shape = "
      "\"ring\", "
      "bond = \"b\", "
      "angle = \"a\", dispersion = 0.3 } } }",
      {.precision = Precision::double_});
  const double before = sim->measure().energy;
  double worst = 0;
  for (int k = 0; k < 100; ++k) {
    sim->advance(100, {});
    worst = std::max(worst, std::abs(sim->measure().energy - before));
  }
  // With leapfrog the energy of a mode oscillates by a fraction (w dt)^2 / 8, w^2 up to 4 k / m:
  // 1.3e-3. It does not drift.
  EXPECT_LT(worst, 1.3e-3 * before);
  EXPECT_GT(sim->measure().potential, 0.01 * before);
}

TEST_P(BondForces, OfFeneHoldAndEndTheRunWhereTheyCannot) {
  const auto lua = [](double speed, double dt) {
    return "return { bond_kinds = { b = { form = \"fene\", stiffness = 30, extension = 1.5 } }, "
           "bonds = { { "
           "kind = \"b\", "
           "bodies = { {1, 2} } } }, integrator = { dt = " +
           number_text(dt) +
           " }, bodies = { { mass = 1, position = { 9, 0, 0 } }, { mass = 1, position = { 0, 0, 0 "
           "} }, "
           "{ mass = 1, position = { 0.9, 0, 0 }, velocity = { " +
           number_text(speed) + ", 0, 0 } } } }";
  };
  const auto sim = open(lua(12, 0.002), {.precision = Precision::double_});
  const double before = sim->measure().energy;
  double longest = 0;
  for (int k = 0; k < 500; ++k) {
    ASSERT_EQ(sim->advance(1, {}).health, sim::Health::good);
    longest = std::max(longest, bond_length(*sim, 1, 2));
  }
  EXPECT_GT(longest, 1.2);
  EXPECT_LT(longest, 1.5);
  // (w dt)^2 / 8 with w^2 = 2 U'' < 2 40 30 at the turning point, 1.32: 1.2e-3.
  EXPECT_NEAR(sim->measure().energy, before, 1.2e-3 * before);
  const auto torn = open(lua(400, 0.002), {.precision = Precision::double_});
  const sim::StepReport report = torn->advance(10, {});
  EXPECT_EQ(report.health, sim::Health::bond_overstretched);
  EXPECT_EQ(report.offender, 1);
  EXPECT_EQ(report.steps, 1u);
  torn->state().visit([](const auto& s) {
    for (Index i = 0; i < s.count; ++i)
      EXPECT_TRUE(std::isfinite(s.x[i]) && std::isfinite(s.ax[i]));
  });
}

TEST_P(BondForces, MakeTheSameBitsInAnySlicesWithAnyThreadsFromSavedStates) {
  for (const double damping : {0.0, 0.5}) {
    const std::string lua = knot(4, "lennard_jones = { sigma = 0.3, cutoff = 0.9 }", damping);
    const auto sim = open(lua, {.precision = Precision::single, .threads = 1});
    sim->advance(30, {});
    const auto saved = sim->save();
    for (int k = 0; k < 25; ++k) sim->advance(1, {});
    const std::uint64_t hash = sim->hash();
    const auto other = open(lua, {.precision = Precision::single, .threads = 3});
    other->advance(55, {});
    EXPECT_EQ(other->hash(), hash);
    other->restore(*saved);
    EXPECT_NE(other->hash(), hash);
    other->advance(25, {});
    EXPECT_EQ(other->hash(), hash);
  }
}

TEST_P(BondForces, GoOnFromACheckpointWithTheSameBitsAlsoWhenBodiesHaveComeAndGone) {
  for (const double damping : {0.0, 0.5}) {
    const sim::SceneDescription scene =
        scene_of(knot(4, "lennard_jones = { sigma = 0.3, cutoff = 0.9 }", damping));
    const sim::Plan plan =
        sim::make_plan(scene, {.backend = GetParam(), .precision = Precision::single});
    const auto sim = sim::open_simulation(scene, plan);
    sim->advance(20, {});
    sim::BodyChange change{.removed = {3, 8}};
    change.added.mass = {1}, change.added.position = {{0, 3, 0}},
    change.added.velocity = {{0, 0, 1}};
    sim->change_bodies(change);
    sim->advance(20, {});
    const TemporaryFolder folder;
    sim::write_checkpoint(folder.path() / "c.h5", *sim, scene, plan, {});
    sim->advance(40, {});
    const auto resumed = sim::open_checkpoint(sim::read_checkpoint(folder.path() / "c.h5"),
                                              sim::RunOptions{.backend = GetParam()});
    resumed->advance(40, {});
    EXPECT_EQ(resumed->hash(), sim->hash()) << damping;
    EXPECT_EQ(resumed->measure().energy, sim->measure().energy) << damping;
  }
}

TEST_P(BondForces, VanishWithTheirBodiesAndGoToNoOthers) {
  const auto sim = open(
      "return { bond_kinds = { b = { stiffness = 100, length = 1 } }, angle_kinds = { a = { "
      "stiffness = 5, "
      "angle = 90 } }, "
      "integrator = { dt = 0.01 }, bodies = { { mass = 1, position = { 0, 9, 0 } }, chain { n = 5, "
      "mass = 5, "
      "spacing = 1.1, "
      "bond = \"b\", angle = \"a\" } } }",
      {.precision = Precision::double_});
  sim::BodyChange change{.removed = {0, 3}};  // the middle of the chain, bodies 1 to 5
  change.added.mass = {1}, change.added.position = {{0, 3, 0}}, change.added.velocity = {{0, 0, 0}};
  sim->change_bodies(change);
  sim->state().visit([](const auto& s) {
    ASSERT_EQ(s.count, 5);
    // Two bonds of 1.1 are left, 1 - 2 and 4 - 5, and no angle.
    for (const Index i : {0, 2}) EXPECT_NEAR(double(s.ax[i]), 10, 1e-12);
    for (const Index i : {1, 3}) EXPECT_NEAR(double(s.ax[i]), -10, 1e-12);
    EXPECT_EQ(s.ax[4], 0);
    for (Index i = 0; i < s.count; ++i) EXPECT_EQ(s.ay[i], 0);
  });
  EXPECT_NEAR(sim->measure().potential, 2 * 0.5 * 100 * 0.01, 1e-13);
}

TEST_P(BondForces, LetAFreelyJointedChainCoilAsFarAsItShould) {
  // 100 chains of 10 bonds, initially straight: R^2 = 100. The relaxation time of the slowest mode
  // is N^2 b^2 friction m / (3 pi^2 kT) = 3.4. 6 samples of 100 chains, each with a standard
  // deviation of R^2 of sqrt(2/3): a standard error of 3.3 % of the mean; four of these.
  const auto sim = open(
      "local chains = {} for i = 1, 100 do chains[i] = chain { n = 11, mass = 11, bond = \"b\", "
      "position = { "
      "0, 0, 30 * i } } "
      "end return { bond_kinds = { b = { stiffness = 100, length = 1 } }, thermostat = { "
      "\"langevin\", "
      "temperature = 1, "
      "friction = 1 }, integrator = { dt = 0.05 }, bodies = chains }",
      {.precision = Precision::single});
  double sum = 0;
  for (int sample = 0; sample < 6; ++sample) {
    sim->advance(sample == 0 ? 400 : 200, {});
    for (Index chain = 0; chain < 100; ++chain) {
      const double r = bond_length(*sim, 11 * chain, 11 * chain + 10);
      sum += r * r / 600;
    }
  }
  // <b^2> with weights r^2 exp(-k (r - b)^2 / 2 kT): (1 + 6 s + 3 s^2) / (1 + s), s = kT / (k b^2).
  // The step of 0.05 increases the variance of the stretch by (w dt)^2 / 4 / (1 - ..) = 14 %, which
  // is 1e-3 of <b^2>.
  const double s = 0.01;
  EXPECT_NEAR(sum / 10, (1 + 6 * s + 3 * s * s) / (1 + s), 4 * 0.033);
}

TEST(BondForcesOnBoth, AgreeAfterAHundredSteps) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const sim::SceneDescription scene = scene_of(knot(4));
  const struct {
    Precision precision;
    double apart;
    // Round-off of positions up to 8: 4e-16 or 2e-7, in each of 100 steps. A dozen bonds of
    // stiffness 20 amplify each by (100 dt)^2 / 2 240 = 5.
  } cases[] = {{Precision::single, 1e-4}, {Precision::mixed, 2e-13}, {Precision::double_, 2e-13}};
  for (const auto& [precision, apart] : cases) {
    const auto open = [&, precision = precision](Backend backend) {
      return sim::open_simulation(
          scene, sim::make_plan(scene, {.backend = backend, .precision = precision}));
    };
    const auto cpu = open(Backend::cpu), gpu = open(Backend::cuda);
    cpu->advance(100, {}), gpu->advance(100, {});
    for (Index i = 0; i < cpu->count(); ++i)
      EXPECT_LT(distance(body(*cpu, i).position, body(*gpu, i).position), apart)
          << engine::name_of(precision);
  }
}

}  // namespace
}  // namespace mote::test
