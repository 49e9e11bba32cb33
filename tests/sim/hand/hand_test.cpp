// Bodies that are pulled, added and removed by hand, recorded and repeated.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "engine/check.h"
#include "engine/json.h"
#include "sim/history/history.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Vec3d;

constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;

sim::LiveEdits pull(double body, Vec3d to, double stiffness, double damping) {
  return {{"hand.body", body}, {"hand.x", to.x},          {"hand.y", to.y},
          {"hand.z", to.z},    {"hand.damping", damping}, {"hand.stiffness", stiffness}};
}

sim::LiveEdits move(Vec3d to) {
  return {{"hand.x", to.x}, {"hand.y", to.y}, {"hand.z", to.z}};
}

const sim::LiveEdits release{{"hand.stiffness", 0.0}};

Vec3d momentum_of(sim::Simulation& simulation) {
  return simulation.measure().momentum;
}

sim::BodyChange star(Vec3d position, Vec3d velocity) {
  sim::BodyChange change;
  change.added.mass = {0.25};
  change.added.position = {position};
  change.added.velocity = {velocity};
  return change;
}

class Hands : public OnEveryBackend {
 protected:
  static constexpr std::uint64_t mebibyte = 1 << 20;

  std::unique_ptr<sim::Simulation> cluster(int n = 24, const std::string& integrator = "leapfrog") {
    return open("return { precision = 'double', gravity = { softening = 0.1 }, integrator = { '" +
                integrator + "', dt = 0.005 }, bodies = { plummer { n = " + std::to_string(n) +
                " } } }");
  }
  std::unique_ptr<sim::Simulation> grains() {
    return open(R"(return { precision = "double", units = "si", seed = 3,
      grains = { radius = 0.005, density = 2500, young_modulus = 2e6, restitution = 0.5, friction = 0.4 },
      fields = { uniform { acceleration = { 0, 0, -9.81 } } },
      obstacles = { plane { normal = { 0, 0, 1 } } },
      integrator = { dt = 1e-4 },
      bodies = { lattice { counts = { 4, 4, 3 }, spacing = 0.0102, position = { 0, 0, 0.016 } } } })");
  }

  /// Drags a body about, adds one, removes one and lets go.
  static void play(sim::History& history, double scale, double rate) {
    const auto advance = [&](std::uint64_t steps) { history.advance(steps, 0, {}, {}); };
    advance(10);
    history.edit_together(pull(3, {scale, 0, scale}, rate * rate, 2 * rate));
    for (int i = 0; i < 8; ++i) {
      advance(3);
      history.edit_together(move({scale * std::cos(i), scale * std::sin(i), scale}));
    }
    history.edit_bodies({.removed = {7}, .added = {}});
    advance(9);
    history.edit_together(release);
    history.edit_bodies({.removed = {3, 5}, .added = {}});
    advance(10);
  }

  /// Repeats its edits without a history, from run.json.
  static std::uint64_t repeated(sim::Simulation& simulation, const sim::History& history,
                                std::uint64_t steps) {
    const engine::Json record =
        engine::parse_json(engine::json_text(sim::edits_json(history.edits_so_far())));
    sim::RepeatedEdits again(simulation, {},
                             sim::read_edits(record, "run.json", simulation.live()));
    for (;;) {
      again.make_edits();
      if (simulation.step() == steps) return simulation.hash();
      again.advance(std::min(steps, again.next_edit()) - simulation.step(), 0, {}, {});
    }
  }
};
MOTE_ON_EVERY_BACKEND(Hands);

/// One period of leapfrog with w dt = a takes a / (2 arcsin(a / 2)) of the time: the phase is ahead
/// by 2 pi a^2 / 24 (1 + a^2 ...) at the end of a period.
TEST_P(Hands, PullABodyToAndFroWithThePeriodOfASpring) {
  const auto sim = open(
      "return { precision = 'double', fields = { uniform { acceleration = { 0, 0, 0 } } }, "
      "integrator = { dt = 0.005 }, bodies = { { mass = 3, position = { 1.5, 2, 3 }, velocity = { "
      "0, 0, 0 } } } }");
  constexpr double rate = 2 * std::numbers::pi, a = rate * 0.005;
  sim::LiveSettings live = sim->live();
  for (const auto& [path, value] : pull(0, {0.5, 2, 3}, rate * rate, 0))
    sim::set_live(live, path, value);
  sim->change(live);
  sim->advance(100, {});
  EXPECT_NEAR(body(*sim, 0).position.x, -0.5, 1e-3);  // at the turning point, second order
  sim->advance(100, {});
  const double phase = 2 * std::numbers::pi * a * a / 24;
  EXPECT_NEAR(body(*sim, 0).velocity.x, -rate * phase, rate * phase * 2 * a * a);
  EXPECT_NEAR(body(*sim, 0).position.x, 1.5, phase * phase);
  EXPECT_EQ(body(*sim, 0).position.y, 2);
}

TEST_P(Hands, GiveTheMomentumThatTheyReport) {
  const auto sim = cluster();
  sim::History history(*sim, 64 * mebibyte);
  history.advance(5, 0, {}, {});
  const Vec3d before = momentum_of(*sim);
  history.edit_together(pull(4, {2, 1, 0}, 400, 40));
  history.advance(20, 0, {}, {});
  history.edit_together(move({2, 2, 0}));
  history.advance(21, 0, {}, {});
  const Vec3d given = sim->momentum_given(), gained = momentum_of(*sim) - before;
  EXPECT_GT(length(given), 0.01);
  // Each of 41 steps rounds 24 bodies' momenta, of at most 1/24 times a speed of a few, twice.
  EXPECT_LT(distance(given, gained), 41 * 48 * 10 * unit_roundoff);
}

/// Adding and removing bodies rebuilds the forces, and rewinding restores a state: the sum
/// continues.
TEST_P(Hands, GoOnWithTheirSumWhateverBodiesComeAndGo) {
  const auto sim = cluster();
  sim::History history(*sim, 64 * mebibyte);
  history.advance(5, 0, {}, {});
  const Vec3d before = momentum_of(*sim);
  history.edit_together(pull(4, {2, 1, 0}, 400, 40));
  history.advance(12, 0, {}, {});
  const std::uint64_t early = sim->step();
  const Vec3d given_early = sim->momentum_given(), thrown{0, 0.5, 0.25};
  history.edit_bodies(star({9, 0, 0}, thrown));
  history.advance(12, 0, {}, {});
  const sim::BodyState leaving = sim->body(*sim->index_of(7));
  history.edit_bodies({.removed = {7}, .added = {}});
  history.edit("gravity.softening", 0.2);
  history.advance(12, 0, {}, {});
  const std::uint64_t end = sim->step();
  const Vec3d given = sim->momentum_given();
  const Vec3d gained = momentum_of(*sim) - before - 0.25 * thrown + leaving.mass * leaving.velocity;
  EXPECT_GT(length(given), 0.01);
  // As above, for 36 steps.
  EXPECT_LT(distance(given, gained), 36 * 48 * 10 * unit_roundoff);
  history.seek(early, {});
  EXPECT_EQ(distance(given_early, sim->momentum_given()), 0);
  history.seek(early + 5, {});  // between two edits
  history.seek(end, {});
  EXPECT_EQ(distance(given, sim->momentum_given()), 0);
  history.edit_together(release);
  EXPECT_EQ(distance(given, sim->momentum_given()), 0) << "no force is left that could report it";
}

TEST_P(Hands, AreRepeatedFromTheirRecordAndRewoundBitForBit) {
  for (const std::string scene : {"grains", "leapfrog", "ias15", "hermite"}) {
    const bool of_grains = scene == "grains";
    const auto open = [&] { return of_grains ? grains() : cluster(24, scene); };
    const auto sim = open();
    sim::History history(*sim, 64 * mebibyte);
    of_grains ? play(history, 0.02, 300) : play(history, 1, 20);
    const std::uint64_t end = sim->step(), hash = sim->hash();
    const double error = sim->measure().energy_error;
    EXPECT_EQ(repeated(*open(), history, end), hash) << scene;
    history.seek(17, {});
    EXPECT_EQ(sim->live().physics.size(), open()->live().physics.size());
    history.seek(end, {});
    EXPECT_EQ(sim->hash(), hash) << scene;
    EXPECT_EQ(sim->measure().energy_error, error) << scene;
  }
}

// A mass whose forces no number can hold.
TEST_P(Hands, KeepTheirSumIfAChangeIsRefused) {
  for (const std::string integrator : {"leapfrog", "ias15", "hermite"}) {
    const auto sim = cluster(24, integrator);
    sim->measure();
    sim::LiveSettings live = sim->live();
    for (const auto& [path, value] : pull(4, {2, 1, 0}, 400, 40)) sim::set_live(live, path, value);
    sim->change(live);
    sim->advance(10, {});
    const Vec3d given = sim->momentum_given();
    const std::uint64_t hash = sim->hash();
    EXPECT_GT(length(given), 0);
    sim::BodyChange change = star({9, 0, 0}, {0, 0, 0});
    change.added.mass = {1e308};
    EXPECT_THROW(sim->change_bodies(change), engine::InputError);
    EXPECT_EQ(distance(given, sim->momentum_given()), 0);
    EXPECT_EQ(sim->hash(), hash);
    sim->advance(10, {});
    const auto undisturbed = cluster(24, integrator);
    undisturbed->measure();
    undisturbed->change(live);
    undisturbed->advance(20, {});
    EXPECT_EQ(sim->hash(), undisturbed->hash());
    EXPECT_EQ(distance(sim->momentum_given(), undisturbed->momentum_given()), 0);
  }
}

/// The hand changes the energy by about as much as there is; the error stays that of leapfrog.
TEST_P(Hands, DoWorkThatIsNoErrorOfTheEnergy) {
  const auto sim = cluster();
  sim->measure();
  sim::History history(*sim, 64 * mebibyte);
  const double before = sim->measure().energy;
  history.edit_together(pull(2, {3, 0, 0}, 100, 20));
  history.advance(100, 0, {}, {});
  const double held = sim->measure().energy_error;
  history.edit_together(release);
  const double after = sim->measure().energy_error;
  EXPECT_GT(std::fabs(sim->measure().energy / before - 1), 0.01);
  EXPECT_NEAR(held, 0, 4 * unit_roundoff);
  EXPECT_NEAR(after, held, 4 * unit_roundoff);
  history.advance(100, 0, {}, {});
  const auto free = cluster();
  free->measure();
  free->advance(200, {});
  EXPECT_LT(std::fabs(sim->measure().energy_error),
            10 * std::fabs(free->measure().energy_error) + 1e-4);
}

TEST_P(Hands, ThatLetGoLeaveNothingBehind) {
  const auto sim = cluster(), other = cluster();
  sim::History history(*sim, 64 * mebibyte);
  // Bodies that are not there are not pulled.
  history.edit_together(pull(99, {2, 1, 0}, 400, 40));
  history.advance(20, 0, {}, {});
  EXPECT_EQ(length(sim->momentum_given()), 0);
  history.edit_together(release);
  history.advance(20, 0, {}, {});
  other->advance(40, {});
  EXPECT_EQ(sim->hash(), other->hash());
  EXPECT_EQ(sim->model().physics.size(), other->model().physics.size());
}

TEST_P(Hands, AreUndone) {
  const auto sim = cluster();
  sim::History history(*sim, 64 * mebibyte);
  history.advance(7, 0, {}, {});
  history.edit_bodies(star({2, 0, 0}, {0, 0.5, 0}));
  history.advance(5, 0, {}, {});
  const std::uint64_t one = sim->hash();
  const std::size_t edits = history.edits().size();
  history.edit_together(pull(24, {2, 2, 0}, 100, 20));
  history.edit_together(move({2, 3, 0}));
  history.advance(6, 0, {}, {});
  history.edit_together(move({2, 4, 0}));
  history.edit_bodies({.removed = {0, 24}, .added = {}});
  history.undo(edits);
  EXPECT_EQ(sim->step(), 12u);
  EXPECT_EQ(sim->hash(), one);
  EXPECT_EQ(history.last(), 12u);
  history.undo(0);
  EXPECT_EQ(sim->step(), 7u);
  EXPECT_EQ(sim->count(), 24);
  const auto free = cluster();
  free->advance(7, {});
  EXPECT_EQ(sim->hash(), free->hash());
}

/// What was made of the past (order in memory, predictions) is kept when a hand comes and goes, so
/// that one that came and went within a step is as if it had not been there.
TEST_P(Hands, ThatComeAndGoBetweenTwoStepsChangeNoBit) {
  for (const char* const integrator : {"leapfrog", "ias15"}) {
    const auto open_it = [&] {
      return open("return { precision = 'double', gravity = {}, integrator = { '" +
                  std::string(integrator) +
                  "', dt = 0.01 }, bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 0.1, "
                  "position = { 1, 0, 0 }, velocity = { 0, 1, 0 } }, { mass = 0.01, position = { "
                  "0, 2, 0.1 }, velocity = { 0.7, 0, 0 } } } }");
    };
    const auto sim = open_it(), other = open_it();
    sim::History history(*sim, 64 * mebibyte);
    history.advance(10, 0, {}, {});
    history.edit_together(pull(2, {3, 0, 0}, 5, 1));
    history.edit_together(release);
    history.advance(20, 0, {}, {});
    other->advance(30, {});
    EXPECT_EQ(sim->hash(), other->hash()) << integrator;
  }
}

/// Changes of the potential while a body is held are not counted twice.
TEST_P(Hands, LeaveTheEnergyErrorToTheIntegratorWhateverChangesMeanwhile) {
  const auto sim = cluster();
  sim->measure();
  sim::History history(*sim, 64 * mebibyte);
  history.edit_together(pull(2, {3, 0, 0}, 100, 20));
  history.advance(20, 0, {}, {});
  history.edit("gravity.softening", 0.2);
  history.edit_bodies(star({2, 0, 0}, {0, 0.5, 0}));
  history.advance(20, 0, {}, {});
  history.edit_together(release);
  EXPECT_NEAR(sim->measure().energy_error, 0, 1e-12);
  // A hand from the start on.
  const auto held = open(
      "return { precision = 'double', gravity = { softening = 0.1 }, hand = { body = 1, x = 2, "
      "stiffness = 20, damping = 4 }, integrator = { dt = 0.005 }, bodies = { plummer { n = 24 } } "
      "}");
  held->measure();
  held->advance(100, {});
  EXPECT_NEAR(held->measure().energy_error, 0, 1e-12);
}

/// A run that is continued while a body is held.
TEST_P(Hands, HoldOnThroughAResumedRun) {
  const auto sim = cluster(), later = cluster();
  sim->measure();
  sim::History history(*sim, 64 * mebibyte);
  history.advance(4, 0, {}, {});
  history.edit_together(pull(4, {2, 1, 0}, 400, 40));
  history.advance(8, 0, {}, {});
  later->resume(sim->state(), sim->run_clock(), sim->live(), sim->hidden_state());
  sim::History other(*later, 64 * mebibyte);
  for (sim::History* h : {&history, &other}) {
    h->advance(8, 0, {}, {});
    h->edit_together(release);
    h->advance(8, 0, {}, {});
  }
  EXPECT_EQ(later->hash(), sim->hash());
  EXPECT_EQ(later->measure().energy_error, sim->measure().energy_error);
}

TEST(BodyEdits, ReportEveryProblemWithItsLocation) {
  const sim::LiveSettings live;
  const std::string message = message_of<engine::InputError>([&] {
    sim::read_edits(engine::parse_json(R"([
      {"step": 1, "removed": [-1, 3]},
      {"step": 1, "removed": []},
      {"step": 2, "added": {"mass": [1, -1], "position": [[0, 0]], "colour": 3}},
      {"step": 2, "added": {"mass": [1, 1], "position": [[0, 0, 0]], "velocity": [[0, 0, 0]]}},
      {"step": 2, "added": 7, "path": "x"}])"),
                    "run.json", live);
  });
  for (const char* const part :
       {"edits.1.removed.1: expected the number of a body", "edits.2: neither adds nor removes",
        "edits.3.added.mass.2: expected a number >= 0",
        "edits.3.added.position.1: expected three numbers", "edits.3.added.colour: unknown key",
        "edits.4.added.position: has 1 items, and mass has 2", "edits.5.path: unknown key",
        "edits.5.added: expected an object"})
    EXPECT_NE(message.find(part), message.npos) << part << " in\n" << message;
}

TEST_P(Hands, CannotAddWhatTheSceneDoesNotKnow) {
  const auto sim = cluster();
  sim::BodyChange change = star({1, 0, 0}, {0, 0, 0});
  change.added.species = {200};
  EXPECT_THROW(sim->change_bodies(change), engine::InputError);
  change.added.species.clear();
  change.added.fixed = {1};
  EXPECT_THROW(sim->change_bodies(change), engine::InputError);
  change.added.fixed.clear();
  change.added.radius = {0.1};
  EXPECT_THROW(sim->change_bodies(change), engine::InputError);
}

TEST_P(Hands, CannotRemoveWhatIsNotThere) {
  const auto sim = cluster();
  const std::uint64_t hash = sim->hash();
  EXPECT_THROW(sim->change_bodies({.removed = {24}, .added = {}}), engine::InputError);
  EXPECT_THROW(sim->change_bodies({.removed = {3, 3}, .added = {}}), engine::InputError);
  EXPECT_EQ(sim->hash(), hash);
}

}  // namespace
}  // namespace mote::test
