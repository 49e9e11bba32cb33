#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/exec/ranks.h"
#include "engine/math/random.h"
#include "sim/division.h"
#include "sim/ranks/copies.h"
#include "tests/support/backend.h"
#include "tests/support/ranks.h"

// Several ranks, threads of this process, that share the bodies of a scene between them.
namespace mote::test {
namespace {

using engine::Ranks;

/// Direct sums: 97 stars of equal masses, and test bodies without, some of them fixed.
std::string gravity_scene(const std::string& precision, const std::string& integrator) {
  return fmt::format(
      "local bodies = {{ plummer {{ n = 97 }}, plummer {{ n = 40, mass = 0 }} }}\n"
      "for i = 1, 12 do bodies[#bodies + 1] = {{ mass = i % 3 / 100, fixed = i % 2 == 0,\n"
      "  position = {{ math.cos(i), math.sin(i), i / 10 }}, velocity = {{ 0.1 * i, 0, 0.2 }} }} "
      "end\n"
      "return {{ precision = '{}', gravity = {{ softening = 0.05 }},\n"
      "  integrator = {{ '{}', dt = 1 / 64 }}, bodies = bodies }}",
      precision, integrator);
}

/// Expansions over many leaves, of which one has bodies in one place; a field acts before them.
std::string expansion_scene(const std::string& precision, const std::string& more = "") {
  return fmt::format(
      "local bodies = {{ plummer {{ n = 600 }}, plummer {{ n = 50, mass = 0 }} }}\n"
      "for i = 1, 30 do bodies[#bodies + 1] = {{ mass = i / 3000,\n"
      "  position = {{ 0.25, 0.2, i % 3 / 8 }}, velocity = {{ 0.1, 0, 0.2 }} }} end\n"
      "bodies[#bodies + 1] = {{ mass = 0.01, fixed = true, position = {{ 0.30000001, 0, 0 }} }}\n"
      "return {{ precision = '{}', fields = {{ point_mass {{ mass = 1, softening = 0.3 }} }},\n"
      "  gravity = {{ softening = 0.05, solver = 'multipole', leaf = 8 }}, {}\n"
      "  integrator = {{ 'leapfrog', dt = 1 / 64 }}, bodies = bodies }}",
      precision, more);
}
/// Its lower end, -1.7, is above the float next to it: wrapping a body there again moves it.
const char* const box =
    "domain = { size = { 2, 2, 2 }, center = { -0.7, -0.7, -0.7 }, boundary = 'periodic' },";

/// Fields alone: of positions, of velocities, of time, and one of formulas.
std::string field_scene(int bodies, const std::string& precision) {
  return fmt::format(
      "return {{ precision = '{}', integrator = {{ 'leapfrog', dt = 1 / 64 }}, fields = {{\n"
      "  point_mass {{ mass = 1, softening = 0.3 }}, drag {{ linear = 0.1 }},\n"
      "  rotating_frame {{ angular_velocity = {{ 0, 0, 0.2 }} }},\n"
      "  field {{ acceleration = {{ '-x * cos(t)', 'y / 9', '0' }}, potential = "
      "'x^2 * cos(t) / 2 - y^2 / 18' }} }}, bodies = {{ plummer {{ n = {} }} }} }}",
      precision, bodies);
}

class RanksOf : public OnEveryBackend {
 protected:
  /// What runs of one rank and of several must have in common.
  struct Found {
    std::uint64_t hash = 0, interactions = 0;
    sim::Measurement first, last, again;
  };
  static Found found_in(sim::Simulation& simulation, int steps) {
    Found found;
    found.first = simulation.measure();
    EXPECT_EQ(simulation.advance(static_cast<std::uint64_t>(steps), {}).health, sim::Health::good);
    found.hash = simulation.hash();
    found.interactions = simulation.interactions();
    found.last = simulation.measure();
    found.again = simulation.measure();
    return found;
  }
  /// Energies and the rest, to this relative difference.
  static void expect_same(const sim::Measurement& a, const sim::Measurement& b, double allowed) {
    const auto near = [&](double x, double y, const char* what) {
      EXPECT_LE(std::fabs(x - y), allowed * (1 + std::fabs(x))) << what;
    };
    near(a.kinetic, b.kinetic, "kinetic");
    near(a.potential, b.potential, "potential");
    near(a.energy_error, b.energy_error, "error");
    near(a.momentum.y, b.momentum.y, "momentum");
    near(a.angular_momentum.z, b.angular_momentum.z, "angular momentum");
    near(a.center_of_mass.x, b.center_of_mass.x, "centre");
    near(a.fastest, b.fastest, "fastest");
    near(a.high.z, b.high.z, "box");
    for (std::size_t k = 0; k < a.lagrangian_radii.size(); ++k)
      near(a.lagrangian_radii[k], b.lagrangian_radii[k], "radius");
    EXPECT_EQ(a.fixed_bodies, b.fixed_bodies);
    EXPECT_EQ(a.step, b.step);
  }
  void expect_as_one(const std::string& lua, int steps, const std::vector<int>& numbers,
                     int threads = 1) {
    const sim::SceneDescription scene = scene_of(lua);
    sim::RunOptions alone;
    alone.threads = threads;
    Found one = found_in(*open(scene, alone), steps);
    if (on_gpu()) {
      // Alone, it measures few bodies by another kernel, in another order.
      const Found by_itself = one;
      open_on(1, GetParam(), scene,
              [&](Ranks&, sim::Simulation& simulation) { one = found_in(simulation, steps); });
      EXPECT_EQ(one.hash, by_itself.hash);
      expect_same(one.last, by_itself.last, 1e-12);
    }
    for (const int ranks : numbers)
      open_on(
          ranks, GetParam(), scene,
          [&](Ranks& own, sim::Simulation& simulation) {
            SCOPED_TRACE(fmt::format("rank {} of {}", own.rank(), ranks));
            const Found here = found_in(simulation, steps);
            EXPECT_EQ(here.hash, one.hash);
            EXPECT_EQ(here.interactions, one.interactions);
            expect_same(here.first, one.first, 0);
            expect_same(here.last, one.last, 0);
            expect_same(here.again, one.last, 0);
          },
          {}, threads);
  }
  /// Compares one rank with several after few steps. Borders move by the work of each evaluation.
  void expect_forces_as_one(const std::string& lua, const std::vector<int>& numbers,
                            std::uint64_t steps = 2) {
    const sim::SceneDescription scene = scene_of(lua);
    const auto one = open(scene);
    one->advance(steps, {});
    const std::uint64_t hash = one->hash(), interactions = one->interactions();
    const double potential = one->measure().potential;
    for (const int ranks : numbers)
      open_on(ranks, GetParam(), scene, [&](Ranks& own, sim::Simulation& simulation) {
        SCOPED_TRACE(fmt::format("rank {} of {}", own.rank(), ranks));
        EXPECT_EQ(simulation.advance(steps, {}).health, sim::Health::good);
        EXPECT_EQ(simulation.hash(), hash);
        EXPECT_EQ(simulation.interactions(), interactions);
        const double found = simulation.measure().potential;
        EXPECT_NEAR(found, potential, steps > 64 ? 1e-12 * std::fabs(potential) : 0);
      });
  }
};
MOTE_ON_EVERY_BACKEND(RanksOf);

TEST_P(RanksOf, GravityGiveTheBitsOfOne) {
  for (const char* precision : {"single", "mixed", "double"}) {
    SCOPED_TRACE(precision);
    expect_as_one(gravity_scene(precision, "leapfrog"), 5, {1, 2, 3});
  }
  expect_as_one(gravity_scene("double", "yoshida4"), 3, {2, 3});
  expect_as_one(gravity_scene("mixed", "leapfrog"), 2, {2}, 3);
}

TEST_P(RanksOf, HermiteGiveTheBitsOfOne) {
  for (const char* precision : {"single", "mixed", "double"})
    expect_as_one(gravity_scene(precision, "hermite"), 12, {1, 2, 3});
}

TEST_P(RanksOf, ExpansionsGiveTheBitsOfOne) {
  expect_forces_as_one(expansion_scene("single"), {3});
  if (on_gpu()) return;
  expect_forces_as_one(expansion_scene("mixed"), {1, 2, 5});
  expect_forces_as_one(expansion_scene("double"), {2, 3});
}

TEST_P(RanksOf, PeriodicExpansionsGiveTheBitsOfOne) {
  expect_forces_as_one(expansion_scene("single", box), {2});
  if (on_gpu()) return;
  expect_forces_as_one(expansion_scene("mixed", box), {3});
}

// One rank moves so many bodies in memory; those of several stay. A body far away makes the cells
// of the finest level so large that many have several bodies of the core.
TEST_P(RanksOf, ExpansionsGiveTheBitsOfOneThatMovesBodiesInMemory) {
  if (!on_gpu()) GTEST_SKIP() << "bodies are moved on a GPU alone";
  if (gpu_is_emulated()) GTEST_SKIP() << "more than 100,000 bodies take hours on the emulator";
  expect_forces_as_one(
      "return { gravity = { softening = 0.01, solver = 'multipole' }, integrator = { 'leapfrog', "
      "dt = 1 / 256 }, bodies = { plummer { n = 120000 }, { mass = 1e-6, position = { 10000, 0, 0 "
      "} } } }",
      {2, 3}, 130);
}

TEST_P(RanksOf, FieldsGiveTheBitsOfOne) {
  for (const char* precision : {"single", "mixed", "double"}) {
    SCOPED_TRACE(precision);
    expect_as_one(field_scene(100, precision), 5, {2, 3});
  }
}

// Energies are summed by chunks of 4,096 bodies: the second rank owns a part of a chunk that the
// first one sums.
TEST_P(RanksOf, FieldsSumChunksThatBordersCut) {
  expect_as_one(field_scene(10'000, "double"), 2, {2, 3});
}

// A GPU sums them by the split kernel, whose order of sums follows from the number of all bodies.
TEST_P(RanksOf, ManyTestBodiesGiveTheBitsOfOne) {
  if (on_gpu() && gpu_is_emulated()) GTEST_SKIP() << "too long for the emulated device";
  expect_as_one(
      "return { precision = 'single', gravity = { softening = 0.05 }, integrator = { 'leapfrog', "
      "dt = 1 / 64 }, bodies = { plummer { n = 1500 }, plummer { n = 9000, mass = 0 } } }",
      2, {2, 3});
}

// With a field beside it, since gravity alone takes many steps in a kernel on each GPU, without
// messages.
TEST_P(RanksOf, GravityShareWorkAndBytesEvenly) {
  const sim::SceneDescription scene = scene_of(
      "return { gravity = { softening = 0.05 }, fields = { drag { linear = 0.1 } }, integrator = { "
      "'leapfrog', dt = 1 / 64 }, bodies = { plummer { n = 500 } } }");
  for (const int ranks : {2, 3}) {
    std::vector<sim::RankWork> work;
    open_on(ranks, GetParam(), scene, [&](Ranks& own, sim::Simulation& simulation) {
      simulation.advance(20, {});
      const std::vector<sim::RankWork> found = simulation.rank_work();
      if (own.rank() == 0) work = found;
    });
    ASSERT_EQ(work.size(), static_cast<std::size_t>(ranks));
    std::uint64_t all = 0;
    for (const sim::RankWork& rank : work) {
      all += rank.interactions;
      EXPECT_NEAR(static_cast<double>(rank.interactions) * ranks, 20.0 * 500 * 500,
                  0.2 * 20 * 500 * 500);
      // 21 evaluations, each with three columns of the bodies of the others.
      const double positions = 21 * 3 * 8 * 500.0 * (ranks - 1) / ranks;
      EXPECT_NEAR(static_cast<double>(rank.bytes_received), positions, 0.2 * positions);
      EXPECT_NEAR(static_cast<double>(rank.bytes_sent), positions, 0.2 * positions);
    }
    EXPECT_EQ(all, 20u * 500 * 500);
  }
}

// Edits, other bodies and saved states: every rank makes the same calls.
TEST_P(RanksOf, GravityChangeAndRestoreAsOne) {
  const sim::SceneDescription scene = scene_of(
      "return { precision = 'double', gravity = { softening = live('e', 0.05, { min = 0, max = 1 "
      "}) "
      "}, integrator = { 'leapfrog', dt = 1 / 64 }, bodies = { plummer { n = 90 } } }");
  struct Noted {
    std::vector<std::uint64_t> hashes;
    std::vector<double> energies;
  };
  const auto run = [](sim::Simulation& simulation) {
    Noted noted;
    const auto note = [&] {
      noted.hashes.push_back(simulation.hash());
      const sim::Measurement measured = simulation.measure();
      noted.energies.insert(noted.energies.end(), {measured.energy, measured.energy_error});
    };
    simulation.advance(3, {});
    const auto saved = simulation.save();
    note();
    sim::LiveSettings live = simulation.live();
    sim::set_live(live, "gravity.softening", 0.2);
    simulation.change(live);
    note();
    simulation.advance(2, {});
    note();
    sim::BodyChange change;
    change.removed = {7, 60};
    change.added.mass = {0.1};
    change.added.position = {{0.5, 0, 0}};
    change.added.velocity = {{0, 0.5, 0}};
    simulation.change_bodies(change);
    note();
    sim::BodyChange refused = change;
    refused.removed = {};
    refused.added.mass = {1.7e308};  // pulls more than any number
    EXPECT_THROW(simulation.change_bodies(refused), engine::InputError);
    note();
    simulation.advance(2, {});
    note();
    simulation.restore(*saved);
    note();
    simulation.advance(2, {});
    note();
    return noted;
  };
  const Noted one = run(*open(scene));
  EXPECT_EQ(one.hashes[0], one.hashes[6]);
  EXPECT_EQ(one.hashes[3], one.hashes[4]);
  open_on(3, GetParam(), scene, [&](Ranks&, sim::Simulation& simulation) {
    const Noted here = run(simulation);
    EXPECT_EQ(here.hashes, one.hashes);
    for (std::size_t k = 0; k < one.energies.size(); ++k)
      EXPECT_NEAR(here.energies[k], one.energies[k], on_gpu() ? 1e-12 : 0) << k;
  });
}

// What looks at bodies sees those of all ranks.
TEST_P(RanksOf, GravityShowAllBodies) {
  const sim::SceneDescription scene = scene_of(gravity_scene("double", "leapfrog"));
  struct Seen {
    std::vector<double> columns, potentials;
    std::vector<std::uint64_t> histogram;
    std::vector<float> points;
    double place = 0;
  };
  const auto seen_in = [](sim::Simulation& simulation, int rank) {
    Seen seen;
    simulation.advance(2, {});
    const sim::State<engine::Host>& all = simulation.state();
    all.visit([&](auto s) {
      for (const auto* column : s.common())
        seen.columns.insert(seen.columns.end(), column, column + s.count);
    });
    seen.potentials = simulation.potentials();
    sim::HistogramRequest request;
    request.scalar = sim::Scalar::radius;
    request.bins = 7;
    request.range = {0.5, 1.25};
    request.center = {0.25, 0, 0};
    for (const sim::Histogram& found : {simulation.histogram({}), simulation.histogram(request)}) {
      seen.histogram.insert(seen.histogram.end(), found.counts.begin(), found.counts.end());
      seen.histogram.insert(seen.histogram.end(), {found.below, found.above, found.not_finite});
    }
    seen.place = simulation.body(140).position.y;
    if (rank == 0) {
      seen.points.resize(5 * static_cast<std::size_t>(simulation.count()));
      simulation.pack({seen.points.data(), seen.points.data() + 3 * simulation.count()}, {});
    } else {
      simulation.give_points({}, {});
    }
    return seen;
  };
  const Seen one = seen_in(*open(scene), 0);
  EXPECT_EQ(one.columns.size(), 10u * 149);
  open_on(3, GetParam(), scene, [&](Ranks& own, sim::Simulation& simulation) {
    const Seen here = seen_in(simulation, own.rank());
    EXPECT_EQ(here.columns, one.columns);
    EXPECT_EQ(here.potentials, one.potentials);
    EXPECT_EQ(here.histogram, one.histogram);
    if (own.rank() == 0) {
      EXPECT_EQ(here.points, one.points);
    }
    EXPECT_EQ(here.place, one.place);
  });
}

TEST_P(RanksOf, FieldsStopWhereOneIsToStop) {
  const sim::SceneDescription scene = scene_of(field_scene(64, "double"));
  open_on(2, GetParam(), scene, [](Ranks& own, sim::Simulation& simulation) {
    const auto stop = [&] { return own.rank() == 1 && simulation.step() >= 3; };
    EXPECT_EQ(simulation.advance(100, stop).steps, 3u);
  });
}

TEST_P(RanksOf, FieldsEndWhenOneFails) {
  const sim::SceneDescription scene = scene_of(field_scene(64, "double"));
  bool ended = false;
  const auto run = [&] {
    open_on(2, GetParam(), scene, [&](Ranks& own, sim::Simulation& simulation) {
      if (own.rank() == 1) throw std::runtime_error("the disk is full");
      EXPECT_THROW(simulation.advance(100, {}), engine::SystemError);
      ended = true;
    });
  };
  EXPECT_THROW(run(), std::runtime_error);
  EXPECT_TRUE(ended);
}

// One that the second rank owns: both end after the same step, and name it.
TEST_P(RanksOf, FieldsEndWithTheBodyThatIsNotFinite) {
  const sim::SceneDescription scene = scene_of(
      "local bodies = {}\n"
      "for i = 0, 49 do bodies[i + 1] = { mass = 1, position = { i == 40 and 3 or i / 100, 0, 0 } "
      "} "
      "end\n"
      "return { precision = 'single', fields = { field { acceleration = { 'x^9', '0', '0' } } }, "
      "integrator = { 'leapfrog', dt = 0.1 }, bodies = bodies }");
  const auto end_of = [](sim::Simulation& simulation) {
    const sim::StepReport report = simulation.advance(50, {});
    EXPECT_TRUE(has(report.health, sim::Health::not_finite));
    EXPECT_EQ(report.offender, 40);
    return simulation.step();
  };
  const std::uint64_t one = end_of(*open(scene));
  EXPECT_GT(one, 1u);
  open_on(2, GetParam(), scene,
          [&](Ranks&, sim::Simulation& simulation) { EXPECT_EQ(end_of(simulation), one); });
}

TEST_P(RanksOf, OtherPhysicsAreRefused) {
  const auto refusal = [&](const std::string& lua) {
    const sim::SceneDescription scene = scene_of(lua);
    try {
      open_on(2, GetParam(), scene, [](Ranks&, sim::Simulation&) {});
    } catch (const engine::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string rest = "}, bodies = { plummer { n = 64 } } }";
  for (const std::string& scene :
       {"return { lennard_jones = { sigma = 1e-3 }, integrator = { 'leapfrog', dt = 1e-6 " + rest})
    EXPECT_NE(refusal(scene).find("cannot be divided between GPUs or processes"), std::string::npos)
        << scene;
  EXPECT_NE(refusal("return { gravity = { softening = 0.1 }, integrator = { 'leapfrog', dt = 0.01 "
                    "}, bodies = { plummer { n = 31 } } }")
                .find("31 bodies are too few for 2 GPUs or processes"),
            std::string::npos);
}

// A hand comes while the scene runs: it is refused before anything changes.
TEST_P(RanksOf, GravityRefuseAHand) {
  const sim::SceneDescription scene = scene_of(gravity_scene("double", "leapfrog"));
  open_on(2, GetParam(), scene, [](Ranks&, sim::Simulation& simulation) {
    const std::uint64_t before = simulation.hash();
    sim::LiveSettings live = simulation.live();
    sim::set_live(live, "hand.stiffness", 10.0);
    EXPECT_THROW(simulation.change(live), engine::InputError);
    EXPECT_EQ(simulation.hash(), before);
    simulation.advance(1, {});
    EXPECT_NE(simulation.hash(), before);
  });
}

/// Ranks that pause before and after each exchange, for times that follow from a seed.
class PausingRanks final : public Ranks {
 public:
  PausingRanks(Ranks& inner, std::uint64_t seed)
      : inner_(inner), random_(seed, 0, static_cast<std::uint64_t>(inner.rank())) {}
  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  bool share_memory() const override { return inner_.share_memory(); }

 protected:
  void do_exchange(std::span<const Outgoing> send, std::span<const Incoming> receive) override {
    pause();
    inner_.exchange(send, receive);
    pause();
  }

 private:
  void pause() {
    std::this_thread::sleep_for(std::chrono::microseconds(random_.next_word() % 3 * 100));
  }
  Ranks& inner_;
  engine::Random random_;
};

// A rank that is ahead overwrites nothing that another still reads, and reads nothing that is not
// there yet.
TEST_P(RanksOf, GravityGiveTheBitsOfOneWhoeverIsFirst) {
  const sim::SceneDescription scene = scene_of(gravity_scene("double", "leapfrog"));
  const auto alone = open(scene);
  alone->advance(8, {});
  const std::uint64_t one = alone->hash();
  for (const std::uint64_t seed : {1, 2, 3})
    open_on(
        3, GetParam(), scene,
        [&](Ranks&, sim::Simulation& simulation) {
          simulation.advance(8, {});
          EXPECT_EQ(simulation.hash(), one) << seed;
        },
        [&](Ranks& own) { return std::make_unique<PausingRanks>(own, seed); });
}

/// A state whose numbers say which body and column they belong to.
sim::State<engine::Host> numbered_state(engine::Index count) {
  sim::State<engine::Host> state(count, engine::Precision::double_);
  state.visit([&]<class Real>(sim::StateView<Real> s) {
    for (std::size_t k = 0; k < s.common().size(); ++k)
      for (engine::Index i = 0; i < count; ++i)
        s.common()[k][i] = static_cast<Real>(100 * i + static_cast<engine::Index>(k));
  });
  for (engine::Index i = 0; i < count; ++i) state.id()[i] = static_cast<std::uint32_t>(i);
  return state;
}

TEST(Division, HasRoomForOwnAndReceivedBodiesAlone) {
  const sim::Division gravity(100, 3, sim::CopiesNeeded::positions);
  const sim::Division jerks(100, 3, sim::CopiesNeeded::velocities);
  const sim::Division fields(10'000, 3, sim::CopiesNeeded::none);
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(gravity.held(rank), (engine::Range{0, 100}));
    // To the end of the last chunk that begins with an own body.
    EXPECT_EQ(fields.held(rank).begin, fields.own(rank).begin);
    EXPECT_EQ(fields.held(rank).end, fields.summed(rank).end);
    EXPECT_LT(fields.held(rank).count() - fields.own(rank).count(), 4096);
    EXPECT_EQ(fields.complete(rank), fields.held(rank));
    // Velocities of others are for chunks of sums, and for jerks.
    EXPECT_EQ(gravity.complete(rank), (engine::Range{gravity.own(rank).begin, 100}));
    EXPECT_EQ(jerks.complete(rank), (engine::Range{0, 100}));
  }
  EXPECT_EQ(fields.summed(0), (engine::Range{0, 4096}));
  EXPECT_EQ(fields.summed(1), (engine::Range{4096, 8192}));
  EXPECT_EQ(fields.summed(2), (engine::Range{8192, 10'000}));
}

TEST(Division, LeavesWhatIsNotReceivedNaN) {
  const sim::State<engine::Host> all = numbered_state(100);
  const sim::Division division(100, 3, sim::CopiesNeeded::positions);
  engine::run_ranks(3, [&](Ranks& ranks) {
    const engine::Cpu exec{1, engine::SimdLevel::scalar, &ranks};
    sim::State<engine::Host> share = sim::share_of(all, division, ranks.rank());
    const engine::Range own = division.own(ranks.rank());
    ASSERT_EQ(share.count(), own.count());
    ASSERT_EQ(share.all(), 100);
    const engine::Range complete = division.complete(ranks.rank());
    ASSERT_EQ(own.begin - share.complete_copies().before, complete.begin);
    ASSERT_EQ(own.end + share.complete_copies().after, complete.end);
    const auto expect = [&](bool positions) {
      share.visit([&]<class Real>(sim::StateView<Real> s) {
        const sim::StateView<Real> held = s.with(share.copies());
        for (std::size_t k = 0; k < held.common().size(); ++k)
          for (engine::Index i = 0; i < held.count; ++i) {
            const bool is_own = i >= own.begin && i < own.end, is_mass = k == 0,
                       is_position = k >= 1 && k <= 3;
            if (k > 3 && (i < complete.begin || i >= complete.end)) continue;  // has no memory
            const double value = static_cast<double>(held.common()[k][i]);
            if (is_own || is_mass || (is_position && positions)) {
              ASSERT_EQ(value, static_cast<double>(100 * i) + static_cast<double>(k));
            } else {
              ASSERT_TRUE(std::isnan(value)) << "column " << k << " of body " << i;
            }
          }
      });
    };
    expect(false);
    sim::receive_positions(exec, share, division);
    expect(true);
    // The first rank sums over all bodies of the only chunk.
    const engine::Index summed =
        sim::with_summed_bodies(exec, share, &division, [&] { return share.count(); });
    EXPECT_EQ(summed, ranks.rank() == 0 ? 100 : 0);
    expect(false);
    sim::State<engine::Host> gathered(100, engine::Precision::double_);
    sim::gather_bodies(ranks, gathered, share, division);
    for_columns(gathered, all,
                [&](auto* a, const auto* b, bool) { EXPECT_TRUE(std::equal(a, a + 100, b)); });
  });
}

}  // namespace
}  // namespace mote::test
