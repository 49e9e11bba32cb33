// How far bodies go, on every backend.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Precision;

class Displacements : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(Displacements);

/// Bodies that go straight on through a periodic box; along z, it is open.
std::string straight_on(const std::string& bodies) {
  return "return { domain = { size = { 4, 5, 0 }, z = \"open\" }, lennard_jones = { epsilon = 0, "
         "cutoff = 1 "
         "}, "
         "series = { displacement = true }, integrator = { dt = 0.05 }, bodies = { " +
         bodies + " } }";
}

TEST_P(Displacements, OfFreeBodiesGrowWithTheSquareOfTimeAcrossPeriodicBorders) {
  for (const Precision precision : {Precision::single, Precision::full}) {
    const auto sim =
        open(straight_on("lattice { counts = { 4, 5, 3 }, mass = 120, dispersion = 1.5 }"),
             {.precision = precision});
    const double speed2 = 2 * sim->measure().kinetic / 120;
    EXPECT_EQ(sim->measure().displacement, 0);
    double far = 0;
    for (int k = 1; k <= 4; ++k) {
      sim->advance(100, {});
      const double t = sim->time();
      // Places round at each of 400 steps, by a quarter of 2^-23 of 16 at most, while bodies go 30
      // and more.
      const double relative = precision == Precision::single ? 2e-5 : 1e-12;
      EXPECT_NEAR(sim->measure().displacement, speed2 * t * t, relative * speed2 * t * t) << t;
      sim->state().visit([&](const auto& s) {
        for (engine::Index i = 0; i < s.count; ++i)
          far = std::max(far, std::abs(static_cast<double>(s.column(sim::Extra::image_x)[i])));
      });
    }
    EXPECT_GT(far, 5) << "nobody went around";
  }
}

TEST_P(Displacements, OfALangevinGasAreThoseOfDiffusion) {
  const double mass = 2, temperature = 1.5, friction = 2, t = 40;
  const auto sim = open(
      "return { thermostat = { temperature = 1.5, friction = 2 }, series = { displacement = true "
      "}, "
      "integrator = { "
      "dt = 0.1 }, bodies = { uniform_sphere { n = 2000, mass = 4000 } } }",
      {.precision = Precision::single});
  sim->advance(400, {});
  const double diffusion = temperature / (mass * friction);
  // Bodies that begin at rest lag behind 6 D t by the time that they take to move (Risken 1989,
  // section 3.1). A mean of 6,000 squares scatters by sqrt(2 / 6000) = 1.8 %.
  EXPECT_NEAR(sim->measure().displacement, 6 * diffusion * (t - 1.5 / friction),
              4 * 0.018 * 6 * diffusion * t);
}

TEST_P(Displacements, BeginWhereBodiesCome) {
  const auto sim = open(
      straight_on(
          "{ mass = 1, position = { 1, 1, 0 }, velocity = { 3, 0, 0 } }, { mass = 1, position = { "
          "-1, 1, 0 }, velocity = { 0, -2, 1 } }"),
      {.precision = Precision::full});
  sim->advance(100, {});
  EXPECT_NEAR(sim->measure().displacement, (9 + 5) * 25 / 2.0, 1e-11);
  sim::BodyChange change;
  change.added.mass = {1};
  change.added.position = {{0, 0, 7}};
  change.added.velocity = {{-1, 0, 0}};
  sim->change_bodies(change);
  EXPECT_NEAR(sim->measure().displacement, (9 + 5) * 25 / 3.0, 1e-11);
  sim->advance(100, {});
  EXPECT_NEAR(sim->measure().displacement, ((9 + 5) * 100 + 25) / 3.0, 1e-10);
}

TEST_P(Displacements, GoOnFromKeptStatesAndAreThereWithGravityToo) {
  // Few bodies of gravity alone, which a GPU measures in another way when nobody asks for
  // displacements.
  const auto sim = open(
      "return { gravity = { softening = 0.1 }, series = { displacement = true }, integrator = { dt "
      "= 0.01 }, "
      "bodies = { "
      "plummer { n = 50 } } }",
      {.precision = Precision::full});
  const sim::State<engine::Host> start = [&] {
    sim::State<engine::Host> copy(50, Precision::full, sim->shape());
    copy.visit([&](const auto& to) {
      if constexpr (std::is_same_v<decltype(to.x), double*>)
        sim->state().visit([&](const auto& from) {
          for (int i = 0; i < 50; ++i)
            to.x[i] = from.x[i], to.y[i] = from.y[i], to.z[i] = from.z[i];
        });
    });
    return copy;
  }();
  sim->advance(20, {});
  const auto kept = sim->keep();
  int rows = 0;
  double measured = 0;
  sim->advance_measured(30, 10, {},
                        [&](const sim::Measurement& m) { measured = m.displacement, ++rows; });
  EXPECT_EQ(rows, 3);
  double sum = 0;
  start.visit([&](const auto& from) {
    sim->state().visit([&](const auto& to) {
      for (int i = 0; i < 50; ++i)
        sum += std::pow(to.x[i] - from.x[i], 2) + std::pow(to.y[i] - from.y[i], 2) +
               std::pow(to.z[i] - from.z[i], 2);
    });
  });
  EXPECT_NEAR(measured, sum / 50, 1e-12 * sum);
  sim->restore(*kept);
  sim->advance(30, {});
  EXPECT_EQ(sim->measure().displacement, measured);
}

}  // namespace
}  // namespace mote::test
