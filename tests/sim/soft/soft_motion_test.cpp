// Soft bodies that hang, swing, rotate, bend, slide and rest, on every backend.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "sim/initial/soft_bodies.h"
#include "sim/run/initial_state.h"
#include "sim/soft/constraint_formula.h"
#include "tests/support/backend.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Precision;
using engine::Vec3d;
using sim::Simulation;

class SoftMotion : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(SoftMotion);
class SoftContact : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(SoftContact);
class LongSoftMotion : public LongOnEveryBackend {};
MOTE_ON_EVERY_BACKEND(LongSoftMotion);

std::string lua_number(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

std::string soft_scene(const std::string& soft, const std::string& bodies, double dt,
                       const std::string& more = "") {
  return "return { soft = { " + soft + " }, bodies = { " + bodies +
         " }, integrator = { dt = " + lua_number(dt) + " }, " + more + " }";
}

std::string pull(double x, double z) {
  return "fields = { uniform { acceleration = { " + lua_number(x) + ", 0, " + lua_number(z) +
         " } } }, ";
}

/// Stretch of a hanging chain of three links at rest.
double stretch_of_a_chain(Simulation& sim, double time, double dt) {
  sim.advance(static_cast<std::uint64_t>(std::lround(time / dt)), {});
  return body(sim, 3).position.x - 0.5;
}

TEST_P(SoftMotion, AWeightStretchesALinkByComplianceTimesWeight) {
  // m = 0.5 at the end: half of the mass 1. At rest a step moves it by h^2 g and the constraint
  // reverts that, w C / (w + alpha / h^2) with C = stretch + h^2 g: the stretch is alpha m g for
  // any step. 1,500 steps of h = 0.01 damped with tau = 0.2 reduce the initial oscillation by more
  // than e^-30.
  const auto sim = open(
      soft_scene("damping = 0.2", "rope { n = 2, mass = 1, pinned = \"start\", compliance = 0.02 }",
                 0.01, pull(9.81, 0)),
      {.precision = Precision::double_});
  sim->advance(1500, {});
  EXPECT_NEAR(body(*sim, 1).position.x - 0.5, 0.02 * 0.5 * 9.81, 1e-12);
  EXPECT_EQ(body(*sim, 0).position.x, -0.5);
}

TEST_P(SoftMotion, AChainStretchesTheSameForEveryStepAndNumberOfIterations) {
  // Masses 1/6, 1/3, 1/3 and 1/6: tensions of 5/6, 3/6 and 1/6 of g stretch it by alpha g 9/6. When
  // a constraint is projected each mass is off by at most h^2 g, which makes an error of three of
  // these in each of three links. Drag reduces the initial oscillation by e^-2t, 1e-7 here.
  const double expected = 0.01 * 9.81 * 1.5;
  for (const char* iterations : {"1", "4"})
    for (const double dt : {4e-3, 2e-3}) {
      const auto sim =
          open(soft_scene("drag = 4, iterations = " + std::string(iterations),
                          "rope { n = 4, mass = 1, pinned = \"start\", compliance = 0.01 }", dt,
                          pull(9.81, 0)),
               {.precision = Precision::double_});
      EXPECT_NEAR(stretch_of_a_chain(*sim, 8, dt), expected, 9 * dt * dt * 9.81)
          << iterations << " " << dt;
    }
}

/// Time at which a pendulum released horizontally first passes below its pin. `worst`: largest
/// length error.
double quarter_of_a_swing(Simulation& sim, double dt, double& worst) {
  double before = 0;
  for (int step = 1;; ++step) {
    sim.advance(1, {});
    const Vec3d r = body(sim, 1).position - body(sim, 0).position;
    worst = std::max(worst, std::abs(engine::length(r) - 1));
    if (r.x <= 0 || step > 100000) return dt * (step - 1 + before / (before - r.x));
    before = r.x;
  }
}

TEST_P(SoftMotion, APendulumHasItsLengthAndItsPeriodToFirstOrder) {
  // From 90 degrees, L = g = 1: a quarter of 4 K(sin 45 degrees) = 1.8540746773.
  double errors[2], worst = 0;
  for (int k = 0; k < 2; ++k) {
    const double dt = k == 0 ? 2e-3 : 1e-3;
    const auto sim = open(soft_scene("", "rope { n = 2, pinned = \"start\" }", dt, pull(0, -1)),
                          {.precision = Precision::double_});
    errors[k] = quarter_of_a_swing(*sim, dt, worst) - 1.8540746773;
  }
  // A single link is satisfied exactly, up to some round-off of numbers near 1.
  EXPECT_LT(worst, 1e-14);
  EXPECT_LT(std::abs(errors[0]), 2e-3);
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.05);
}

TEST_P(SoftMotion, ARodRotatesAsTheDiscreteSolution) {
  // A step along the tangent and back to the circle: tan a' = sin a / (2 - cos a) for the angles of
  // successive steps, tan a = h w for the first. The rotation slows down as a' = a - a^3, because
  // constraints are projected at the end of a step.
  const double dt = 0.02;
  const auto sim =
      open(soft_scene("", "spin(rope { n = 2 }, { axis = { 0, 0, 1 }, rate = 3 })", dt),
           {.precision = Precision::double_});
  double angle = 0, turn = std::atan(3 * dt);
  for (int step = 0; step < 200; ++step) {
    angle += turn;
    turn = std::atan(std::sin(turn) / (2 - std::cos(turn)));
  }
  sim->advance(200, {});
  const Vec3d r = body(*sim, 1).position;
  // 200 steps of a few roundings each, in angles that accumulate.
  EXPECT_NEAR(r.x, 0.5 * std::cos(angle), 1e-12);
  EXPECT_NEAR(r.y, 0.5 * std::sin(angle), 1e-12);
  EXPECT_LT(turn, 0.9 * std::atan(3 * dt));
}

TEST_P(SoftMotion, FreeBodiesConserveMomentumToRoundOff) {
  const auto sim = open(soft_scene("iterations = 2, damping = 0.01",
                                   "boost(spin(soft_box { counts = { 3, 3, 3 }, mass = 2, "
                                   "compliance = 1e-3, compressibility = 0.1 }, "
                                   "{ axis = { 1, 2, 3 }, rate = 2 }), { 0.1, 0.2, 0.3 })",
                                   2e-3),
                        {.precision = Precision::double_});
  sim->advance(200, {});
  // 200 steps of 2 x 230 constraints with impulses below 1e-2: an error of 1e-16 of each, with
  // random sign.
  const sim::Measurement m = sim->measure();
  EXPECT_NEAR(m.momentum.x, 0.2, 1e-14);
  EXPECT_NEAR(m.momentum.y, 0.4, 1e-14);
  EXPECT_NEAR(m.momentum.z, 0.6, 1e-14);
}

TEST_P(SoftMotion, AngularMomentumOfAFreeBodyIsLostInProportionToTheStep) {
  double lost[2];
  for (int k = 0; k < 2; ++k) {
    const double dt = k == 0 ? 2e-3 : 1e-3;
    const auto sim = open(
        soft_scene("", "spin(soft_box { counts = { 3, 3, 3 }, compliance = 1e-4 }, { rate = 1 })",
                   dt),
        {.precision = Precision::double_});
    const double first = sim->measure().angular_momentum.z;
    sim->advance(static_cast<std::uint64_t>(std::lround(0.4 / dt)), {});
    lost[k] = 1 - sim->measure().angular_momentum.z / first;
  }
  // As for the rod: h w^2 t, with w = 1.
  EXPECT_NEAR(lost[0], 2e-3 * 0.4, 0.3 * 2e-3 * 0.4);
  EXPECT_NEAR(lost[0] / lost[1], 2, 0.1);
}

TEST_P(SoftMotion, PinnedBodiesKeepTheirVelocity) {
  const auto sim =
      open(soft_scene("", "boost(cloth { counts = { 4, 4 }, pinned = \"left\" }, { 0, 1, 0 })",
                      0.125, pull(0, -9.81)),
           {.precision = Precision::double_});
  sim->advance(8, {});
  EXPECT_EQ(body(*sim, 0).position.y, 0.5);
  EXPECT_EQ(body(*sim, 0).position.z, 0);
  EXPECT_LT(body(*sim, 3).position.z, -0.1);
}

TEST_P(SoftContact, FrictionHoldsBelowItsAngleAndAboveFollowsCoulombsLaw) {
  // Gravity is tilted instead of the plane; friction 0.5.
  for (const double slope : {0.45, 0.55}) {
    const double a = std::atan(slope), dt = 2e-4;
    const auto sim = open(
        soft_scene(
            "friction = 0.5",
            "soft_box { counts = { 2, 2, 2 }, size = { 1, 1, 0.2 }, position = { 0, 0, 0.1 } }", dt,
            pull(9.81 * std::sin(a), -9.81 * std::cos(a)) +
                "obstacles = { plane { normal = { 0, 0, 1 } } }"),
        {.precision = Precision::double_});
    const double before = sim->measure().center_of_mass.x;
    sim->advance(2500, {});
    const double moved = sim->measure().center_of_mass.x - before;
    if (slope < 0.5)
      EXPECT_LT(std::abs(moved), 1e-4);
    else  // g (sin a - mu cos a) t^2 / 2; the weight of the upper half reaches the floor a step
          // late: h mu g cos a t
      EXPECT_NEAR(moved, 0.5 * 9.81 * (std::sin(a) - 0.5 * std::cos(a)) * 0.25,
                  dt * 0.5 * 9.81 * std::cos(a) * 0.5);
  }
}

/// A block of 4 x 4 x 4 bodies on a floor with a friction of 0.5; gravity is tilted by a slope.
std::string block_on_a_slope(double slope, int iterations, double dt) {
  const double a = std::atan(slope);
  return soft_scene(
      "friction = 0.5, damping = 0.001, iterations = " + std::to_string(iterations),
      "soft_box { counts = { 4, 4, 4 }, size = { 0.2, 0.2, 0.1 }, mass = 1, compliance = 1e-4, "
      "position = { 0, 0, 0.05 } }",
      dt,
      pull(9.81 * std::sin(a), -9.81 * std::cos(a)) +
          "obstacles = { plane { normal = { 0, 0, 1 } } }");
}

TEST_P(LongSoftMotion, ABlockRestsBelowTheAngleOfFrictionForAnyIterations) {
  // After the first second it has settled and moves only by round-off. With friction limited in
  // each iteration instead, it crept by 1.1e-3 in a second at nine tenths of the angle's tangent,
  // and by 1.5e-5 at half of it.
  for (const int iterations : {1, 4, 20})
    for (const double fraction : {0.9, 0.5}) {
      const auto sim = open(block_on_a_slope(0.5 * fraction, iterations, 2.5e-4),
                            {.precision = Precision::double_});
      sim->advance(4000, {});
      const double before = sim->measure().center_of_mass.x;
      sim->advance(4000, {});
      EXPECT_NEAR(sim->measure().center_of_mass.x, before, 1e-7)
          << iterations << " iterations, " << fraction;
    }
}

TEST_P(SoftContact, ABlockSlidesByCoulombsLawForAnyIterations) {
  // As above for one iteration. Friction reaches the centre of mass with a delay of some steps: the
  // time of a wave through the block, its height over the speed of sound.
  const double dt = 1e-3, slope = 0.6, a = std::atan(slope), t = 0.4;
  for (const int iterations : {4, 20}) {
    const auto sim =
        open(block_on_a_slope(slope, iterations, dt), {.precision = Precision::double_});
    const double before = sim->measure().center_of_mass.x;
    sim->advance(static_cast<std::uint64_t>(std::lround(t / dt)), {});
    const double moved = sim->measure().center_of_mass.x - before;
    EXPECT_NEAR(moved, 0.5 * 9.81 * (std::sin(a) - 0.5 * std::cos(a)) * t * t,
                3 * dt * 0.5 * 9.81 * std::cos(a) * t)
        << iterations;
  }
}

TEST(SoftContactFormula, FrictionAccumulatesOverTheIterationsOfAStep) {
  // A floor at z = 0 with a friction of 0.5. The first iteration is 0.1 deep and has a slip of
  // 0.03, which is reversed. Later slip, without depth, is reversed up to a total of 0.05.
  sim::Obstacle<double> floor{};
  floor.shape = sim::ObstacleShape::plane;
  floor.side = 1;
  floor.friction = 0.5;
  floor.frame.ex = {1, 0, 0}, floor.frame.ey = {0, 1, 0}, floor.frame.ez = {0, 0, 1};
  const double h = 0.01;
  sim::FrictionState<double> friction{};
  Vec3d x{0.03, 0, -0.1}, v{3, 0, -10};
  EXPECT_TRUE(sim::push_out(floor, 0.0, h, friction, x, v));
  EXPECT_NEAR(x.x, 0, 1e-15);
  EXPECT_NEAR(x.z, 0, 1e-15);
  EXPECT_NEAR(v.x, 0, 1e-12);
  x.x += 0.01, v.x += 1;
  EXPECT_TRUE(sim::push_out(floor, 0.0, h, friction, x, v));
  EXPECT_NEAR(x.x, 0, 1e-15);
  EXPECT_NEAR(v.x, 0, 1e-12);
  x.x += 0.03, v.x += 3;
  EXPECT_TRUE(sim::push_out(floor, 0.0, h, friction, x, v));
  EXPECT_NEAR(x.x, 0.02, 1e-15);
  EXPECT_NEAR(v.x, 2, 1e-12);
  // The correction is undone when constraints pull the other way.
  x.x -= 0.07, v.x -= 7;
  EXPECT_TRUE(sim::push_out(floor, 0.0, h, friction, x, v));
  EXPECT_NEAR(x.x, 0, 1e-15);
  EXPECT_NEAR(v.x, 0, 1e-12);
}

TEST_P(SoftContact, ABeltCarriesABlock) {
  const double dt = 1e-3;
  const auto sim = open(
      soft_scene(
          "friction = 0.5",
          "soft_box { counts = { 2, 2, 2 }, size = { 1, 1, 0.2 }, position = { 0, 0, 0.1 } }", dt,
          pull(0, -10) + "obstacles = { plane { normal = { 0, 0, 1 }, velocity = { 1, 0, 0 } } }"),
      {.precision = Precision::double_});
  // An acceleration of 5 until 0.2, speed 1; then it moves with the belt.
  sim->advance(500, {});
  EXPECT_NEAR(sim->measure().center_of_mass.x, 0.1 + 0.3, 3e-3);
}

double volume_of(const sim::SoftMesh& mesh, Simulation& sim) {
  double sum = 0;
  for (const sim::Constraint& c : mesh.constraints) {
    if (c.kind != sim::ConstraintKind::volume) continue;
    Vec3d x[4];
    for (int k = 0; k < 4; ++k) x[k] = body(sim, c.body[k]).position;
    sum += sim::volume_constraint(x, 0.0).value;
  }
  return sum;
}

TEST_P(SoftContact, ASoftBallUnderItsWeightConservesItsVolume) {
  if (on_gpu()) MOTE_SKIP_IF_SANITIZED("long on an emulated GPU; the CPU runs it");
  const sim::SoftMesh mesh = sim::make(sim::SoftBall{.across = 7}, {}).soft;
  const auto rest = [&](const std::string& more) {
    const auto sim =
        open(soft_scene(
                 "damping = 0.01, drag = 1, iterations = 4",
                 "soft_ball { across = 7, compliance = 0.3, " + more + " position = { 0, 0, 1 } }",
                 1e-3, pull(0, -9.81) + "obstacles = { plane { normal = { 0, 0, 1 } } }"),
             {.precision = Precision::double_});
    const double first = volume_of(mesh, *sim);
    sim->advance(2500, {});
    EXPECT_LT(sim->measure().center_of_mass.z, 0.97);  // it does deform
    return volume_of(mesh, *sim) / first - 1;
  };
  EXPECT_NEAR(rest(""), 0, 2e-3);
  EXPECT_LT(rest("compressibility = 100,"), -0.02);
}

TEST_P(LongSoftMotion, ARopeHangsInACatenary) {
  const double length = 1.5, span = 1, dt = 5e-4;
  const auto sim =
      open(soft_scene("drag = 4, iterations = 20",
                      "rope { n = 41, length = 1.5, span = 1, pinned = { \"start\", \"end\" } }",
                      dt, pull(0, -9.81)),
           {.precision = Precision::double_});
  sim->advance(12000, {});
  // length = 2 a sinh(span / 2 a).
  double low = 0.05, high = 10;
  for (int i = 0; i < 100; ++i) {
    const double a = 0.5 * (low + high);
    (2 * a * std::sinh(span / (2 * a)) > length ? low : high) = a;
  }
  const double sag = low * (std::cosh(span / (2 * low)) - 1);
  // 40 links instead of a curve: (link / a)^2 / 12 of the sag. Links that carry up to half of the
  // weight stretch by some h^2 g for each of 20 bodies below them, over the iterations.
  EXPECT_NEAR(-body(*sim, 20).position.z, sag, 1e-3);
  EXPECT_LT(engine::length(body(*sim, 20).velocity), 0.01);
}

TEST_P(SoftContact, ClothComesToRestOnASphere) {
  const double dt = 2e-3, thickness = 0.02;
  const auto sim = open(
      soft_scene(
          "drag = 1, friction = 0.4, thickness = 0.02, damping = 0.01",
          "cloth { counts = { 21, 21 }, size = { 1.6, 1.6 }, mass = 0.5, bend_compliance = 1e4, "
          "position = { 0, 0, 0.55 } }",
          dt, pull(0, -9.81) + "obstacles = { sphere { radius = 0.5 } }"),
      {.precision = Precision::single});
  double nearest = 1;
  for (int k = 0; k < 25; ++k) {
    sim->advance(100, {});
    for (engine::Index i = 0; i < sim->count(); ++i)
      nearest = std::min(nearest, engine::length(body(*sim, i).position));
  }
  // Obstacles are projected last in a step; friction then moves a body along the tangent by at most
  // its depth, some h^2 g.
  EXPECT_GT(nearest, 0.5 + thickness - 1e-5);
  double fastest = 0, highest = 0;
  for (engine::Index i = 0; i < sim->count(); ++i) {
    fastest = std::max(fastest, engine::length(body(*sim, i).velocity));
    highest = std::max(highest, body(*sim, i).position.z);
  }
  EXPECT_LT(fastest, 0.05);
  EXPECT_NEAR(highest, 0.5 + thickness, 0.01);
}

TEST_P(SoftMotion, AResolvedConstraintHasTheEnergyOfASpring) {
  // Two bodies of mass 1 on a link of compliance 1: a period of 4.4, 440 steps. h^2 w / alpha =
  // 2e-4, whose square is neglected.
  const std::string pair =
      "translate(rope { n = 2, length = 1, mass = 2, compliance = 1 }, { 0, 0, 0 })";
  const auto sim = open(soft_scene("", pair, 0.01, pull(0, 0)), {.precision = Precision::double_});
  sim::State<engine::Host> state(2, Precision::double_, sim->layout());
  sim::copy_columns(state, sim->state(), true);
  state.visit([](const auto& s) { s.x[1] += 0.1; });
  sim->resume(state, {}, sim->live());
  EXPECT_NEAR(sim->measure().potential, 0.5 * 0.1 * 0.1, 1e-7 * 0.005);
  EXPECT_EQ(sim->measure().constraint_energy, sim->measure().potential);
}

TEST_P(SoftMotion, TheEnergyOfConstraintsIsMeasuredApart) {
  // The same pair in a field, which has a potential energy too: of the mass 2 at the height 3 in a
  // field of 5.
  const std::string pair =
      "translate(rope { n = 2, length = 1, mass = 2, compliance = 1 }, { 0, 0, 3 })";
  const auto sim = open(soft_scene("", pair, 0.01, pull(0, -5)), {.precision = Precision::double_});
  EXPECT_EQ(sim->measure().constraint_energy, 0);
  sim::State<engine::Host> state(2, Precision::double_, sim->layout());
  sim::copy_columns(state, sim->state(), true);
  state.visit([](const auto& s) { s.x[1] += 0.1; });
  sim->resume(state, {}, sim->live());
  const sim::Measurement m = sim->measure();
  EXPECT_NEAR(m.constraint_energy, 0.5 * 0.1 * 0.1, 1e-7 * 0.005);
  EXPECT_NEAR(m.potential - m.constraint_energy, 2 * 5 * 3, 1e-13 * 30);
}

TEST_P(SoftMotion, ResidualsOfRigidConstraintsHaveNoEnergy) {
  // The same link, so stiff that its period is a thousandth of a step: as a spring it would have an
  // energy of 5e7.
  const std::string pair =
      "translate(rope { n = 2, length = 1, mass = 2, compliance = 1e-10 }, { 0, 0, 0 })";
  const auto sim = open(soft_scene("", pair, 0.01, pull(0, 0)), {.precision = Precision::double_});
  sim::State<engine::Host> state(2, Precision::double_, sim->layout());
  sim::copy_columns(state, sim->state(), true);
  state.visit([](const auto& s) { s.x[1] += 0.1; });
  sim->resume(state, {}, sim->live());
  // r = alpha / (h^2 w) = 5e-7, and C^2 / (2 alpha) r^2 = 1.25e-5: negligible beside the kinetic
  // energy of 25 that the step turns it into.
  EXPECT_LT(sim->measure().potential, 2e-5);
}

TEST(SoftEnergy, OfTheClothNeverIncreases) {
  // It falls, drapes and comes to rest: no energy is added. With all constraints counted as springs
  // it would have fourteen times the initial energy.
  const sim::SceneDescription scene = shipped_scene("cloth", {{"across", "25"}});
  const auto sim = sim::open_simulation(
      scene,
      sim::make_plan(scene, {.backend = engine::Backend::cpu, .precision = Precision::double_}));
  const double first = sim->measure().energy;
  double least = first, fastest = 0;
  for (int k = 0; k < 300; ++k) {
    sim->advance(20, {});
    const sim::Measurement m = sim->measure();
    fastest = std::max(fastest, m.fastest);
    // Velocities of supported bodies include half a kick, h g / 2, which the next step reverts:
    // with the speed v of the fall this is m v h g / 2, a thousandth of the initial energy. The
    // energy that rigid links return later is less, 2e-4 of it.
    EXPECT_LT(m.energy, least + 0.5 * sim->dt() * 9.81 * m.mass * fastest) << "at " << sim->time();
    least = std::min(least, m.energy);
  }
  EXPECT_LT(least, 0.2 * first);
}

}  // namespace
}  // namespace mote::test
