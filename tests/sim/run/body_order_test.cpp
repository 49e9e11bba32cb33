// Simulations whose bodies move in memory: nothing outside sees it.
#include "sim/space/body_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "sim/history/history.h"
#include "sim/model/physics.h"
#include "sim/output/checkpoint.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Cpu;
using engine::Cuda;
using engine::Device;
using engine::Host;
using engine::Index;

/// Places of the bodies from the largest x to the smallest.
std::vector<std::uint32_t> along_x(const sim::State<Host>& state) {
  std::vector<std::uint32_t> from(static_cast<std::size_t>(state.count()));
  std::iota(from.begin(), from.end(), 0u);
  state.visit([&](auto s) {
    std::sort(from.begin(), from.end(), [&](std::uint32_t a, std::uint32_t b) {
      return s.x[a] != s.x[b] ? s.x[a] > s.x[b] : s.id[a] < s.id[b];
    });
  });
  return from;
}

/// A force of nothing that wants the bodies in order of x.
template <class Exec>
class SortForce final : public sim::Force<Exec> {
 public:
  using Space = typename Exec::Space;
  explicit SortForce(std::uint64_t every) : every_(every) {}
  void run(const Exec&, sim::State<Space>&, const sim::ForceRequest&, sim::StepReport&) override {}
  double potential_energy(const Exec&, const sim::State<Space>&, const sim::StageTime&) override {
    return 0;
  }
  bool follows_order() const override { return true; }
  std::uint64_t orders_every() const override { return every_; }
  void find_order(const Exec& exec, const sim::State<Space>& state, std::uint32_t* from) override {
    if constexpr (std::is_same_v<Exec, Cpu>)
      std::ranges::copy(along_x(state), from);
    else
      device_order(exec, state, along_x, from);
  }

 private:
  std::uint64_t every_;
};

class SortPhysics final : public sim::Physics {
 public:
  explicit SortPhysics(std::uint64_t every) : every_(every) {}
  const sim::ModuleInfo& info() const override {
    static const sim::ModuleInfo info = [] {
      sim::ModuleInfo made{};
      made.name = made.subject = "sort", made.cuda = true;
      return made;
    }();
    return info;
  }
  std::unique_ptr<sim::Physics> clone() const override {
    return std::make_unique<SortPhysics>(every_);
  }
  void add_forces(const Cpu&, const sim::Model&, const sim::State<Host>&,
                  sim::Forces<Cpu>& forces) const override {
    forces.push_back(std::make_unique<SortForce<Cpu>>(every_));
  }
  void add_forces(const Cuda&, const sim::Model&, const sim::State<Host>&,
                  sim::Forces<Cuda>& forces) const override {
    forces.push_back(std::make_unique<SortForce<Cuda>>(every_));
  }

 private:
  std::uint64_t every_;
};

constexpr std::uint64_t order_interval = 7;

sim::SceneDescription sorted(sim::SceneDescription scene, std::uint64_t after = order_interval) {
  scene.physics.add(SortPhysics(after));
  return scene;
}

/// Bodies that orbit in a field and feel nothing of each other: the path of each is the same bits
/// wherever it is in memory.
const std::string in_a_field = R"(
  return {
    fields = { harmonic_trap { rates = { 1, 1, 1 } } },
    integrator = { "leapfrog", dt = 0.05 },
    bodies = { plummer { n = 70 } },
    seed = 3,
  })";

/// Sums over other bodies in the order of memory.
const std::string attracting = R"(
  return {
    gravity = { softening = 0.05 },
    integrator = { "leapfrog", dt = 0.01 },
    bodies = { plummer { n = 70 } },
    seed = 3,
  })";

std::vector<float> picture(sim::Simulation& simulation) {
  const auto n = static_cast<std::size_t>(simulation.count());
  std::vector<float> points(4 * n);
  simulation.pack({.positions = points.data(), .scalars = points.data() + 3 * n}, {});
  return points;
}

bool moved(sim::Simulation& simulation) {
  return !simulation.hidden_state().order.empty();
}

class BodiesThatMoveInMemory : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(BodiesThatMoveInMemory);

TEST_P(BodiesThatMoveInMemory, AreSeenInTheOrderOfTheirIdsOnTheSamePath) {
  for (const auto precision : {engine::Precision::single, engine::Precision::double_}) {
    const auto still = open(in_a_field, {.precision = precision}),
               sim = open(sorted(scene_of(in_a_field)), {.precision = precision});
    EXPECT_FALSE(still->moves_bodies());
    EXPECT_TRUE(sim->moves_bodies());
    for (const std::uint64_t steps : {6, 1, 13, 1, 30}) {
      still->advance(steps, {});
      sim->advance(steps, {});
      ASSERT_EQ(moved(*sim), sim->step() >= order_interval);
      EXPECT_EQ(sim->hash(), still->hash()) << sim->step();
      EXPECT_EQ(picture(*sim), picture(*still));
      for (Index i = 0; i < sim->count(); ++i) {
        const sim::BodyState a = sim->body(i), b = still->body(i);
        EXPECT_EQ(a.id, i);
        EXPECT_EQ(a.position.x, b.position.x);
        EXPECT_EQ(a.acceleration.y, b.acceleration.y);
        EXPECT_EQ(sim->state().id()[i], i);
      }
      sim->state().visit([&](auto s) {
        for (Index i = 0; i < s.count; ++i)
          EXPECT_EQ(static_cast<double>(s.vz[i]), still->body(i).velocity.z);
      });
    }
  }
}

TEST_P(BodiesThatMoveInMemory, AttractEachOtherAsBeforeUpToRounding) {
  const auto still = open(attracting, {.precision = engine::Precision::double_}),
             sim = open(sorted(scene_of(attracting)), {.precision = engine::Precision::double_});
  still->advance(40, {});
  sim->advance(40, {});
  EXPECT_NE(sim->hash(), still->hash()) << "another order of sums has other bits";
  // Seventy terms of some 2e-16 each, amplified by less than a hundred in 0.4 crossing times.
  for (Index i = 0; i < sim->count(); ++i)
    EXPECT_LT(length(sim->body(i).position - still->body(i).position), 1e-12) << i;
}

// Of seventy terms of 1e-16 each.
TEST_P(BodiesThatMoveInMemory, HaveThePotentialsOfTheirPlaces) {
  const auto sim = open(sorted(scene_of(attracting)), {.precision = engine::Precision::double_});
  sim->advance(40, {});
  ASSERT_TRUE(moved(*sim));
  const std::vector<double> found = sim->potentials();
  sim->state().visit([&](auto s) {
    for (Index i = 0; i < s.count; ++i) {
      double sum = 0;
      for (Index j = 0; j < s.count; ++j) {
        const double x = s.x[j] - s.x[i], y = s.y[j] - s.y[i], z = s.z[j] - s.z[i];
        if (j != i)
          sum -= static_cast<double>(s.mass[j]) / std::sqrt(x * x + y * y + z * z + 0.05 * 0.05);
      }
      EXPECT_NEAR(found[static_cast<std::size_t>(i)] / sum, 1, 1e-14) << i;
    }
  });
}

TEST_P(BodiesThatMoveInMemory, DoNotCareHowStepsAreSliced) {
  const auto whole = open(sorted(scene_of(attracting))),
             sliced = open(sorted(scene_of(attracting)));
  whole->advance(30, {});
  for (const std::uint64_t steps : {1, 6, 8, 3, 12}) {
    sliced->measure();
    sliced->advance(steps, {});
  }
  EXPECT_EQ(sliced->hash(), whole->hash());
  EXPECT_EQ(sliced->measure().energy, whole->measure().energy);
}

TEST_P(BodiesThatMoveInMemory, AreRewoundToTheSameBits) {
  const auto sim = open(sorted(scene_of(attracting)));
  sim::History history(*sim, 3 * sim->saved_state_bytes(), {}, 1);
  const auto now = [&] {
    return std::tuple(sim->hash(), sim->measure().kinetic, sim->body(5).position.x, picture(*sim));
  };
  std::map<std::uint64_t, decltype(now())> seen;
  while (sim->step() < 40) {
    seen.insert({sim->step(), now()});
    history.advance(1, 0, {}, {});
  }
  for (const std::uint64_t step : {20, 3, 35}) {
    ASSERT_TRUE(history.seek(step, {}));
    EXPECT_EQ(now(), seen.at(step)) << step;
  }
}

TEST_P(BodiesThatMoveInMemory, ContinueFromACheckpointWithTheSameBits) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.h5";
  const sim::SceneDescription scene = sorted(scene_of(attracting));
  const sim::Plan plan = sim::make_plan(scene, {.backend = GetParam(), .threads = 1});
  const auto sim = sim::open_simulation(scene, plan);
  sim->advance(10, {});
  sim::write_checkpoint(file, *sim, scene, plan, {});
  const sim::Checkpoint checkpoint = sim::read_checkpoint(file);
  EXPECT_EQ(checkpoint.hidden.order.size(), 70 * sizeof(std::uint32_t));
  EXPECT_EQ(checkpoint.hash, sim->hash());
  const auto again = sim::open_checkpoint(checkpoint, sorted(sim::scene_of(checkpoint)), plan);
  EXPECT_EQ(again->measure().kinetic, sim->measure().kinetic);
  for (auto* one : {sim.get(), again.get()}) one->advance(9, {});
  EXPECT_EQ(again->hash(), sim->hash());
  EXPECT_EQ(again->measure().energy, sim->measure().energy);
}

TEST_P(BodiesThatMoveInMemory, ComeAndGo) {
  const auto still = open(in_a_field), sim = open(sorted(scene_of(in_a_field)));
  sim::BodyChange change{.removed = {0, 17}};
  change.added.mass = {1, 2};
  change.added.position = {{1, 2, 3}, {-3, 1, 0}};
  change.added.velocity = {{0, 0, 1}, {0, 1, 0}};
  for (auto* one : {still.get(), sim.get()}) {
    one->advance(9, {});
    one->change_bodies(change);
    one->advance(9, {});
  }
  ASSERT_TRUE(moved(*sim));
  EXPECT_EQ(sim->hash(), still->hash());
  EXPECT_EQ(sim->id(0), 1u);
  EXPECT_EQ(sim->body(0).id, 1u);
  EXPECT_EQ(sim->body(69).id, 71u);
  EXPECT_EQ(sim->body(69).position.x, still->body(69).position.x);
}

TEST_P(BodiesThatMoveInMemory, StayAsTheyWereWhereAChangeIsRefused) {
  const auto sim = open(sorted(scene_of(attracting))), other = open(sorted(scene_of(attracting)));
  for (auto* one : {sim.get(), other.get()}) one->advance(10, {});
  sim::BodyChange change;
  // Its pull on the others is too large for a double.
  change.added.mass = {1e308};
  change.added.position = {sim->body(3).position + engine::Vec3d{0.03, 0, 0}};
  change.added.velocity = {{0, 0, 0}};
  EXPECT_THROW(sim->change_bodies(change), engine::InputError);
  EXPECT_EQ(sim->hash(), other->hash());
  for (auto* one : {sim.get(), other.get()}) one->advance(10, {});
  EXPECT_EQ(sim->hash(), other->hash());
}

TEST_P(BodiesThatMoveInMemory, AreNamedByTheirIdWhenTheyFail) {
  const auto sim = open(sorted(scene_of(R"(
    return {
      fields = { harmonic_trap { rates = { 1, 1, 1 } } },
      integrator = { "leapfrog", dt = 1 },
      bodies = { { mass = 1, position = { 3, 0, 0 } },
                 { mass = 1, position = { 2, 2e38, 0 }, velocity = { 0, 3e38, 0 } },
                 { mass = 1, position = { 5, 0, 0 } } },
    })"),
                               1),
                        {.precision = engine::Precision::single});
  const sim::StepReport report = sim->advance(20, {});
  EXPECT_EQ(report.health, sim::Health::not_finite);
  EXPECT_EQ(report.offender, 1);
}

TEST_P(BodiesThatMoveInMemory, StayWhereSomethingCountsOnTheirPlace) {
  const auto fluid = open(sorted(shipped_scene("water_drop")));
  EXPECT_FALSE(fluid->moves_bodies());
}

TEST(BodiesThatMove, StayWithAnIntegratorThatKeepsNumbersByTheirPlace) {
  sim::SceneDescription scene = sorted(scene_of(R"(
    return {
      gravity = { softening = 0.1 },
      integrator = { "ias15" },
      bodies = { plummer { n = 8 } },
    })"));
  const auto sim = sim::open_simulation(scene, sim::make_plan(scene, {}));
  EXPECT_FALSE(sim->moves_bodies());
}

TEST(BodyOrders, AreBytesOfAPermutationAndNothingElse) {
  const auto bytes = [](std::vector<std::uint32_t> slots) {
    return std::string(reinterpret_cast<const char*>(slots.data()), 4 * slots.size());
  };
  EXPECT_TRUE(sim::is_body_order(bytes({2, 0, 1}), 3));
  EXPECT_TRUE(sim::is_body_order("", 3));
  EXPECT_FALSE(sim::is_body_order(bytes({2, 0, 1}), 4));
  EXPECT_FALSE(sim::is_body_order(bytes({2, 0, 2}), 3));
  EXPECT_FALSE(sim::is_body_order(bytes({3, 0, 1}), 3));
  EXPECT_FALSE(sim::is_body_order(bytes({2, 0, 1}) + "a", 3));
  EXPECT_EQ(sim::inverse_of({2, 0, 1}), (std::vector<std::uint32_t>{1, 2, 0}));
}

}  // namespace
}  // namespace mote::test
