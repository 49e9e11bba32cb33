// Mean square displacements, on every backend.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/space/list_fields.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Precision;

class Displacements : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(Displacements);

/// Free bodies in a box that is periodic along x and y and open along z.
std::string free_bodies(const std::string& bodies) {
  return "return { domain = { size = { 4, 5, 0 }, z = \"open\" }, lennard_jones = { epsilon = 0, "
         "cutoff = 1 "
         "}, "
         "series = { displacement = true }, integrator = { dt = 0.05 }, bodies = { " +
         bodies + " } }";
}

TEST_P(Displacements, OfFreeBodiesGrowWithTheSquareOfTimeAcrossPeriodicBorders) {
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const auto sim =
        open(free_bodies("lattice { counts = { 4, 5, 3 }, mass = 120, dispersion = 1.5 }"),
             {.precision = precision});
    const double speed2 = 2 * sim->measure().kinetic / 120;
    EXPECT_EQ(sim->measure().displacement, 0);
    double most_images = 0;
    for (int k = 1; k <= 4; ++k) {
      sim->advance(100, {});
      const double t = sim->time();
      // Positions are rounded in each of 400 steps, by at most a quarter of 2^-23 of 16;
      // displacements are 30 and more.
      const double relative = precision == Precision::single ? 2e-5 : 1e-12;
      EXPECT_NEAR(sim->measure().displacement, speed2 * t * t, relative * speed2 * t * t) << t;
      sim->state().visit([&](const auto& s) {
        for (engine::Index i = 0; i < s.count; ++i)
          most_images =
              std::max(most_images, std::abs(static_cast<double>(s[sim::fields::image[0]][i])));
      });
    }
    EXPECT_GT(most_images, 5) << "no body crossed a border";
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
  // Bodies initially at rest lag behind 6 D t by the velocity relaxation (Risken 1989,
  // section 3.1). A mean of 6,000 squares has a standard error of sqrt(2 / 6000) = 1.8 %.
  EXPECT_NEAR(sim->measure().displacement, 6 * diffusion * (t - 1.5 / friction),
              4 * 0.018 * 6 * diffusion * t);
}

TEST_P(Displacements, StartWhereBodiesAreAdded) {
  const auto sim = open(
      free_bodies(
          "{ mass = 1, position = { 1, 1, 0 }, velocity = { 3, 0, 0 } }, { mass = 1, position = { "
          "-1, 1, 0 }, velocity = { 0, -2, 1 } }"),
      {.precision = Precision::double_});
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

TEST_P(Displacements, AreRestoredFromSavedStatesAndWorkWithGravity) {
  // Few bodies with gravity only: without displacements, a GPU would measure these in batches.
  const auto sim = open(
      "return { gravity = { softening = 0.1 }, series = { displacement = true }, integrator = { dt "
      "= 0.01 }, "
      "bodies = { "
      "plummer { n = 50 } } }",
      {.precision = Precision::double_});
  const sim::State<engine::Host> start = [&] {
    sim::State<engine::Host> copy(50, Precision::double_, sim->layout());
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
  const auto saved = sim->save();
  int samples = 0;
  double measured = 0;
  sim->advance_measured(30, 10, {},
                        [&](const sim::Measurement& m) { measured = m.displacement, ++samples; });
  EXPECT_EQ(samples, 3);
  double sum = 0;
  start.visit([&](const auto& from) {
    sim->state().visit([&](const auto& to) {
      for (int i = 0; i < 50; ++i)
        sum += std::pow(to.x[i] - from.x[i], 2) + std::pow(to.y[i] - from.y[i], 2) +
               std::pow(to.z[i] - from.z[i], 2);
    });
  });
  EXPECT_NEAR(measured, sum / 50, 1e-12 * sum);
  sim->restore(*saved);
  sim->advance(30, {});
  EXPECT_EQ(sim->measure().displacement, measured);
}

}  // namespace
}  // namespace mote::test
