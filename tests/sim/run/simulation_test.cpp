#include "sim/run/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/schedule.h"
#include "tests/support/backend.h"
#include "tests/support/places.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Index;
using engine::Precision;

// A tenth of the pairs under sanitizers and on an emulated GPU, for speed.
const int cluster_count = address_sanitized || thread_sanitized || build_is_emulated() ? 500 : 1500;

const std::string softened_cluster = R"(
  return {
    gravity = { softening = 0.01 },
    integrator = { "leapfrog", dt = 0.01 },
    bodies = { plummer { n = )" + std::to_string(cluster_count) +
                                     R"( } },
    seed = 5,
  })";

class Simulations : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(Simulations);

TEST_P(Simulations, GiveTheSameBitsForEveryNumberOfThreadsAndFromRunToRun) {
  MOTE_SKIP_IF_ADDRESS_SANITIZED("it is about threads: the thread sanitizer runs it");
  // A GPU does not use the host's threads for stepping.
  const std::vector<int> thread_counts = on_gpu() ? std::vector{1, 3} : std::vector{1, 2, 3, 8};
  const std::uint64_t steps = on_gpu() && gpu_is_emulated() ? 5 : 20;
  for (Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
    auto first = open(softened_cluster, {.precision = precision, .threads = 1});
    first->advance(steps, {});
    for (int threads : thread_counts) {
      auto again = open(softened_cluster, {.precision = precision, .threads = threads});
      EXPECT_NE(first->hash(), again->hash());
      again->advance(steps, {});
      EXPECT_EQ(first->hash(), again->hash()) << threads << " threads, " << name_of(precision);
    }
  }
}

TEST_P(Simulations, DoNotCareHowStepsAreSlicedOrWhetherTheyAreMeasured) {
  auto whole = open(softened_cluster), sliced = open(softened_cluster);
  whole->advance(30, {});
  for (int slice : {1, 7, 2, 20}) {
    sliced->measure();
    EXPECT_EQ(sliced->advance(static_cast<std::uint64_t>(slice), {}).steps,
              static_cast<std::uint64_t>(slice));
  }
  EXPECT_EQ(whole->hash(), sliced->hash());
  EXPECT_EQ(sliced->step(), 30u);
  EXPECT_DOUBLE_EQ(sliced->time(), 0.3);
}

/// Three numbers of each body, negated by `sign` -1.
std::vector<double> velocities(sim::Simulation& simulation, double sign) {
  std::vector<double> all;
  for (Index i = 0; i < simulation.count(); ++i) {
    const engine::Vec3d v = simulation.body(i).velocity;
    all.insert(all.end(), {sign * v.x, sign * v.y, sign * v.z});
  }
  return all;
}

TEST_P(Simulations, GoBackToTheirStartWithReversedVelocities) {
  auto simulation = open(softened_cluster, {.precision = Precision::double_});
  const engine::Vec3d start = simulation->body(7).position;
  simulation->measure();
  simulation->advance(20, {});
  const double error = simulation->measure().energy_error;
  simulation->change_values({.velocity = velocities(*simulation, -1)});
  EXPECT_NEAR(simulation->measure().energy_error, error, 1e-14) << "a change is no error";
  simulation->advance(20, {});
  // A leapfrog step is symmetric; forty steps round a few hundred times at 1e-16 each, which a
  // cluster amplifies little in 0.4 crossing times.
  EXPECT_LT(length(simulation->body(7).position - start), 1e-12);
}

TEST_P(Simulations, AreUnchangedByValuesThatAreRefused) {
  auto simulation = open(softened_cluster);
  simulation->advance(3, {});
  const std::uint64_t before = simulation->hash();
  std::vector<double> wrong = velocities(*simulation, 1);
  wrong[4] = std::nan("");
  EXPECT_THROW(simulation->change_values({.velocity = wrong}), engine::InputError);
  const std::vector<double> few(5, 1.0), negative(wrong.size() / 3, -1.0);
  EXPECT_THROW(simulation->change_values({.mass = few}), engine::InputError);
  EXPECT_THROW(simulation->change_values({.mass = negative}), engine::InputError);
  EXPECT_EQ(simulation->hash(), before);
}

TEST_P(Simulations, StopBetweenStepsWhenAsked) {
  auto simulation = open(softened_cluster);
  int polls = 0;
  const sim::StepReport report = simulation->advance(1'000'000, [&] { return ++polls > 4; });
  // A GPU takes steps in slices of some milliseconds.
  if (!on_gpu()) {
    EXPECT_EQ(report.steps, 4u);
  }
  EXPECT_GE(report.steps, 4u);
  EXPECT_LT(report.steps, 1'000'000u);
  EXPECT_EQ(simulation->step(), report.steps);
  EXPECT_EQ(report.interactions, report.steps * cluster_count * cluster_count);
}

TEST_P(Simulations, SeedsMakeOtherBodies) {
  sim::SceneDescription scene = scene_of(softened_cluster);
  auto five = open(scene);
  scene.head.seed = 6;
  EXPECT_NE(five->hash(), open(scene)->hash());
}

// Accelerations belong to the positions before the first step, too.
TEST_P(Simulations, BeginWithTheFirstForces) {
  auto simulation = open(R"(
    return {
      gravity = { softening = 0 }, integrator = { dt = 1 },
      bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 0, position = { 2, 0, 0 } } },
    })");
  simulation->state().visit([](auto s) { EXPECT_EQ(s.ax[1], -0.25); });
}

// Sums of 1,500 terms in another order differ by 40 u of their magnitudes. The positions differ by
// round-off too.
TEST_P(Simulations, MeasureWhatTheCpuMeasures) {
  auto simulation = open(softened_cluster, {.precision = Precision::double_});
  const sim::SceneDescription scene = scene_of(softened_cluster);
  auto cpu = sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cpu,
                                                                .precision = Precision::double_}));
  for (int part = 0; part < 2; ++part) {
    const sim::Measurement m = simulation->measure(), expected = cpu->measure();
    EXPECT_NEAR(m.kinetic, expected.kinetic, 1e-13);
    EXPECT_NEAR(m.potential, expected.potential, 1e-13);
    EXPECT_NEAR(m.energy_error, expected.energy_error, 1e-12);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(m.lagrangian_radii[k], expected.lagrangian_radii[k], 1e-12);
    EXPECT_NEAR(m.high.x, expected.high.x, 1e-12);
    EXPECT_NEAR(m.fastest, expected.fastest, 1e-11);
    simulation->advance(5, {});
    cpu->advance(5, {});
  }
}

TEST_P(Simulations, ReportTheBodyThatIsNoLongerFinite) {
  auto simulation = open(R"(
    return {
      precision = "single",
      gravity = { softening = 0 },
      integrator = { "leapfrog", dt = 1 },
      bodies = {
        { mass = 1, position = { 0, 0, 0 } },
        { mass = 0, position = { 1, 0, 0 }, velocity = { 1e38, 0, 0 } },
      },
    })");
  const sim::StepReport report = simulation->advance(10, {});
  EXPECT_TRUE(has(report.health, sim::Health::not_finite));
  EXPECT_EQ(report.offender, 1);
  EXPECT_GT(report.steps, 0u);
  EXPECT_LT(report.steps, 10u);
}

// At 1e20 m a squared distance overflows float: refused at the start, instead of failing later.
TEST_P(Simulations, RefuseForcesThatDoNotFitThePrecision) {
  const sim::SceneDescription scene = scene_of(R"(
    return {
      units = "si", gravity = { softening = 1e18 }, integrator = { dt = 1e13 },
      bodies = { { mass = 1e40, position = { 1e20, 0, 0 } }, { mass = 1e40, position = { -1e20, 0, 0 } } },
    })");
  EXPECT_NO_THROW(open(scene, {.precision = Precision::double_})->advance(3, {}));
  try {
    open(scene, {.precision = Precision::single});
    FAIL() << "accepted";
  } catch (const engine::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("use --precision double"), std::string::npos) << e.what();
  }
}

TEST_P(Simulations, WithoutGravityMoveInStraightLines) {
  auto simulation = open(R"(
    return {
      precision = "double",
      integrator = { "leapfrog", dt = 0.5 },
      bodies = { { mass = 1, position = { 1, 2, 3 }, velocity = { 1, -1, 0.5 } }, { mass = 1, position = { 0, 0, 0 } } },
    })");
  EXPECT_EQ(simulation->measure().potential, 0);
  simulation->advance(4, {});
  EXPECT_TRUE((body(*simulation, 0).position == engine::Vec3d{3, 0, 4}));
  EXPECT_TRUE((body(*simulation, 1).position == engine::Vec3d{0, 0, 0}));
}

TEST_P(Simulations, RefuseNumbersThatDoNotFitThePrecision) {
  sim::SceneDescription scene = scene_of(R"(
    return { integrator = { dt = 1 }, bodies = { { mass = 1, position = { 1e300, 0, 0 } } } })");
  EXPECT_NO_THROW(open(scene, {.precision = Precision::double_}));
  EXPECT_THROW(open(scene, {.precision = Precision::single}), engine::InputError);
}

TEST(Plan, ChoosesDoubleForFewAndSingleForManyBodies) {
  sim::SceneDescription scene = scene_of(
      "return { gravity = {}, integrator = { dt = 1 }, bodies = { plummer { n = 1500 } } }");
  EXPECT_EQ(sim::make_plan(scene, {}).precision, Precision::single);
  EXPECT_EQ(sim::make_plan(scene, {}).series_steps, 20);
  EXPECT_EQ(sim::make_plan(scene, {.precision = Precision::mixed}).precision, Precision::mixed);
  scene.head.precision = "double";
  EXPECT_EQ(sim::make_plan(scene, {}).precision, Precision::double_);
  const sim::SceneDescription few = shipped_scene("figure_eight");
  EXPECT_EQ(sim::make_plan(few, {}).precision, Precision::double_);
  EXPECT_EQ(sim::make_plan(few, {}).series_steps, 1);
}

// Copies in flight to files, and the last good state. What the generator made is gone by then.
TEST(Plan, CountsTheStatesThatARunHolds) {
  const sim::SceneDescription scene = scene_of(
      "return { integrator = { dt = 1 }, species = { star = {} }, bodies = { plummer { n = 5000 } "
      "} }");
  const auto memory = [&](int copies, int saved) {
    return sim::make_plan(
               scene, {.backend = engine::Backend::cpu, .copies = copies, .saved_states = saved})
        .memory;
  };
  const std::uint64_t state =
      sim::State<engine::Host>::bytes(5000, engine::Precision::single, {.species = true});
  EXPECT_EQ(memory(4, 1), memory(2, 0) + 3 * state);
  EXPECT_EQ(memory(3, 0), memory(2, 0) + state);
  EXPECT_GE(memory(0, 0), 5000 * 7 * sizeof(double))
      << "positions, velocities and masses in double";
}

TEST(Plan, RefusesMoreThanFitsBeforeAnythingIsAllocated) {
  sim::SceneDescription scene = scene_of(R"(
    return { gravity = {}, integrator = { dt = 1 }, bodies = { plummer { n = 1000000000 }, plummer { n = 1000000000 } } })");
  try {
    sim::make_plan(scene, {});
    FAIL() << "two thousand million bodies were accepted";
  } catch (const engine::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("2,000,000,000 bodies need"), std::string::npos)
        << e.what();
    EXPECT_NE(std::string(e.what()).find("the largest number that fits now is"), std::string::npos)
        << e.what();
  }
}

TEST(Schedule, FindsTheStepOfATime) {
  EXPECT_EQ(sim::step_at(36525, 5), 7305u);
  EXPECT_EQ(sim::step_at(0.3, 0.1), 3u);  // 0.3 / 0.1 is 2.9999999999999996
  EXPECT_EQ(sim::step_at(0.31, 0.1), 4u);
  EXPECT_EQ(sim::step_at(0, 0.1), 0u);
  EXPECT_EQ(sim::step_at(1e300, 1e-10), sim::never);
}

/// A clock of equal steps from the start.
sim::Clock after(std::uint64_t steps, double dt = 0.1) {
  return {.step = steps, .dt = dt};
}

TEST(Schedule, RecursAtMultiplesOfStepsOrTime) {
  sim::Recurrence steps = sim::Recurrence::every_steps(3);
  EXPECT_EQ(steps.next(after(0)), 3u);
  EXPECT_FALSE(steps.due(after(2)));
  EXPECT_TRUE(steps.due(after(3)));
  steps.advance(after(7));
  EXPECT_EQ(steps.next(after(7)), 9u);
  sim::Recurrence time = sim::Recurrence::every_time(0.25);
  sim::Recurrence listed = sim::Recurrence::at_times({0.25, 0.5, 0.51, 0.75, 1});
  std::vector<std::uint64_t> due, of_list;
  for (std::uint64_t step = 0; step <= 12; ++step) {
    if (time.due(after(step))) due.push_back(step), time.advance(after(step));
    if (listed.due(after(step))) of_list.push_back(step), listed.advance(after(step));
  }
  EXPECT_EQ(due, (std::vector<std::uint64_t>{3, 5, 8, 10}));
  EXPECT_EQ(of_list, (std::vector<std::uint64_t>{3, 5, 6, 8, 10}));
  // A tiny interval or a late start must not loop over all recurrences.
  sim::Recurrence tiny = sim::Recurrence::every_time(1e-300);
  EXPECT_EQ(tiny.next(after(0)), 1u);
  tiny.advance(after(5));
  EXPECT_EQ(tiny.next(after(5)), 6u);
  sim::Recurrence late = sim::Recurrence::every_time(0.25);
  late.advance(after(1'000'000'000'001));
  EXPECT_EQ(late.next(after(1'000'000'000'001)), 1'000'000'000'003u);
  sim::Recurrence every = sim::Recurrence::every_steps(7);
  every.advance(after(7'000'000'000'000));
  EXPECT_EQ(every.next(after(0)), 7'000'000'000'007u);
  // An interval shorter than a step falls on every step, once.
  sim::Recurrence fast = sim::Recurrence::every_time(0.01);
  fast.advance(after(1));
  EXPECT_EQ(fast.next(after(1)), 2u);
  EXPECT_EQ(sim::Recurrence().next(after(0)), sim::never);
  // Longer steps than the interval, long after the last occurrence: the next one is ahead.
  sim::Recurrence before = sim::Recurrence::every_time(0.5);
  before.advance(after(10, 0.01));
  const sim::Clock later{.step = 40, .dt = 0.01};
  EXPECT_EQ(before.next(later), 50u);
  EXPECT_EQ(before.next(later.with(1)), 41u);
  EXPECT_EQ(sim::Recurrence::at_times({0, 2}).next(after(5)), 6u);
}

// Whatever their lengths, each event happens once, at the first step at or after its time: steps
// are not known before they are taken.
TEST(Schedule, MissesNothingWhereStepsHaveDifferentLengths) {
  const std::vector<double> times{0.2, 0.3, 1.9, 2, 3.3, 7};
  sim::Recurrence every = sim::Recurrence::every_time(0.7),
                  listed = sim::Recurrence::at_times(times);
  sim::Clock clock{.dt = 0.3};
  std::size_t happened = 0, of_list = 0;
  for (int k = 1; clock.time() < 8; ++k) {
    const double before = clock.time();
    clock.take_compensated(0.05 + 0.3 * ((k * 7) % 5));  // 0.05 to 1.25
    const double now = clock.time();
    EXPECT_EQ(every.due(clock), std::floor(now / 0.7) > std::floor(before / 0.7)) << now;
    if (every.due(clock)) ++happened, every.advance(clock);
    const bool passed =
        std::any_of(times.begin(), times.end(), [&](double t) { return before < t && t <= now; });
    EXPECT_EQ(listed.due(clock), passed) << now;
    if (listed.due(clock)) ++of_list, listed.advance(clock);
  }
  EXPECT_GT(happened, 5u);
  EXPECT_GT(of_list, 2u);
}

// Products of equal steps, bit for bit; sums of different ones to the last bit, however many.
TEST(Clock, LosesNoTime) {
  sim::Clock equal{.dt = 0.1};
  for (int k = 0; k < 1000; ++k) equal.take(0.1, 1);
  EXPECT_EQ(equal.time(), 1000 * 0.1);
  EXPECT_EQ(equal.base_step, 0u);
  equal.take(0.05, 10);
  EXPECT_EQ(equal.base_step, 1000u);
  EXPECT_EQ(equal.time(), 1000 * 0.1 + 10 * 0.05);
  sim::Clock sum{.dt = 1};
  double plain = 0;
  long double exact = 0;
  for (int k = 0; k < 1'000'000; ++k) {
    const double length = 0.1 + 1e-3 * (k % 7);
    sum.take_compensated(length);
    plain += length, exact += static_cast<long double>(length);
  }
  const double rounding = std::nextafter(1e5, 1e6) - 1e5;
  EXPECT_LE(std::fabs(static_cast<double>(sum.time() - exact)), rounding);
  EXPECT_GT(std::fabs(static_cast<double>(plain - exact)), 100 * rounding);
  EXPECT_EQ(sum.step, 1'000'000u);
}

}  // namespace
}  // namespace mote::test
