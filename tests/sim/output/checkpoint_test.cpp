#include "sim/output/checkpoint.h"

#include <gtest/gtest.h>

#include "engine/files.h"
#include "engine/json.h"
#include "engine/math/hash.h"
#include "sim/history/history.h"
#include "sim/io/snapshot.h"
#include "sim/measure/measurement.h"
#include "sim/output/run_folder.h"
#include "sim/output/state_file.h"
#include "sim/scene/read_scene.h"
#include "sim/space/list_fields.h"
#include "tests/support/backend.h"
#include "tests/support/places.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;
using engine::Precision;

std::string scene_text(const std::string& integrator) {
  return R"(
    local n = param("n", 61, { min = 2, max = 1000 })
    return {
      title = "A cluster and a comet",
      gravity = { softening = 0.05 },
      integrator = { ")" +
         integrator + R"(", dt = 0.01 },
      bodies = {
        { name = "comet", mass = 0, position = { 3, 0.1, 0 }, velocity = { 0, 0.2, 0.1 } },
        plummer { n = n },
      },
      seed = 3,
    })";
}

/// A run with changes of live parameters.
void run(sim::Simulation& simulation, std::vector<sim::Edit>& edits, std::uint64_t steps) {
  const auto change = [&](const std::string& path, double value) {
    sim::LiveSettings live = simulation.live();
    set_live(live, path, value);
    simulation.change(live);
    edits.push_back({simulation.step(), path, value});
  };
  simulation.measure();
  simulation.advance(steps / 3, {});
  change("gravity.softening", 0.08);
  simulation.advance(steps / 3, {});
  change("integrator.dt", 0.007);
  simulation.advance(steps - simulation.step(), {});
}

class Checkpoints : public OnEveryBackend {
 protected:
  sim::SceneDescription scene(const std::string& integrator = "leapfrog") const {
    const fs::path file = folder_.file("scene.lua", scene_text(integrator));
    return sim::read_scene(file, {{"n", "40"}});
  }
  static sim::RunOptions options(Precision precision) {
    return {.backend = GetParam(), .precision = precision, .threads = 1};
  }
  fs::path file() const { return folder_ / "a.h5"; }

  /// A checkpoint after ten steps.
  std::string write_short() const {
    const sim::SceneDescription s = scene();
    const sim::Plan plan = sim::make_plan(s, options(Precision::mixed));
    auto simulation = sim::open_simulation(s, plan);
    std::vector<sim::Edit> edits;
    run(*simulation, edits, 10);
    sim::write_checkpoint(file(), *simulation, s, plan, edits);
    return engine::read_file(file());
  }

  static std::string refusal(const fs::path& path) {
    try {
      sim::read_checkpoint(path);
    } catch (const engine::InputError& e) {
      return e.what();
    } catch (const engine::SystemError& e) {
      return e.what();
    }
    return "";
  }

  TemporaryFolder folder_;
};
MOTE_ON_EVERY_BACKEND(Checkpoints);

// States, times and energy errors of a resumed run are bitwise those of an uninterrupted one.
TEST_P(Checkpoints, ContinueBitForBit) {
  const std::uint64_t half = GetParam() == engine::Backend::cuda && gpu_is_emulated() ? 20 : 100;
  for (const char* integrator : {"leapfrog", "yoshida4", "yoshida6"})
    for (Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
      const sim::SceneDescription s = scene(integrator);
      const sim::Plan plan = sim::make_plan(s, options(precision));
      auto simulation = sim::open_simulation(s, plan);
      std::vector<sim::Edit> edits;
      run(*simulation, edits, half);
      sim::write_checkpoint(file(), *simulation, s, plan, edits);
      auto again = sim::open_checkpoint(sim::read_checkpoint(file()), {.threads = 2});
      EXPECT_EQ(again->hash(), simulation->hash());
      for (auto* one : {simulation.get(), again.get()}) one->advance(half, {});
      EXPECT_EQ(again->step(), 2 * half);
      EXPECT_EQ(again->hash(), simulation->hash()) << integrator << ", " << name_of(precision);
      EXPECT_EQ(again->time(), simulation->time());
      EXPECT_EQ(again->interactions(), simulation->interactions());
      EXPECT_EQ(again->measure().energy_error, simulation->measure().energy_error);
      EXPECT_EQ(again->precision(), precision);
      EXPECT_EQ(again->name(0), "comet");
      EXPECT_EQ(again->name(1), "");
    }
}

TEST_P(Checkpoints, StoreTheCompleteRun) {
  write_short();
  const sim::SceneDescription s = scene();
  const sim::Checkpoint c = sim::read_checkpoint(file());
  EXPECT_EQ(c.scene_file, s.file);
  EXPECT_EQ(c.scene_text, s.text);
  EXPECT_EQ(engine::parse_json(c.scene), *s.expanded);
  EXPECT_EQ(*c.parameters, (engine::Json{{"n", 40}}));
  EXPECT_EQ(c.backend, GetParam());
  EXPECT_EQ(c.precision, Precision::mixed);
  EXPECT_EQ(c.run_clock.clock.step, 10u);
  EXPECT_EQ(live_value(c.live, "gravity.softening"), engine::ParamValue(0.08));
  EXPECT_EQ(c.live.dt, 0.007);
  ASSERT_EQ(c.edits.size(), 2u);
  EXPECT_EQ(c.edits[1].step, 6u);
  EXPECT_EQ(c.edits[1].path, "integrator.dt");
  const sim::SceneDescription again = sim::scene_of(c);
  EXPECT_EQ(*again.expanded, *s.expanded);
  EXPECT_EQ(again.body_count(), 41);
  EXPECT_EQ(again.params.at(0).info.name, "n");
  EXPECT_EQ(std::get<std::int64_t>(again.params.at(0).value), 40);
}

// Readers of snapshots can read them.
TEST_P(Checkpoints, AreSnapshots) {
  write_short();
  const sim::Bodies bodies = sim::read_snapshot(file());
  ASSERT_EQ(bodies.count(), 41);
  EXPECT_EQ(bodies.mass[0], 0);
}

TEST_P(Checkpoints, OfAResumedRunContinueBitForBit) {
  write_short();
  const sim::Checkpoint first = sim::read_checkpoint(file());
  const sim::SceneDescription s = sim::scene_of(first);
  const sim::Plan plan = sim::make_plan(s, sim::options_of(first, {.threads = 1}));
  auto simulation = sim::open_checkpoint(first, s, plan);
  simulation->advance(10, {});
  sim::write_checkpoint(folder_ / "b.h5", *simulation, s, plan, first.edits);
  auto again = sim::open_checkpoint(sim::read_checkpoint(folder_ / "b.h5"), {.threads = 1});
  simulation->advance(10, {});
  again->advance(10, {});
  EXPECT_EQ(again->hash(), simulation->hash());
  EXPECT_EQ(again->time(), simulation->time());
}

// A resumed run can be rewound to where it was resumed, and its list of edits is complete.
TEST_P(Checkpoints, AreTheStartOfAHistory) {
  write_short();
  const sim::Checkpoint c = sim::read_checkpoint(file());
  auto simulation = sim::open_checkpoint(c, {.threads = 1});
  sim::History history(*simulation, 10 * simulation->saved_state_bytes(), c.edits);
  history.advance(5, 0, {}, {});
  history.edit("gravity.softening", 0.2);
  EXPECT_EQ(history.edits().size(), 3u);
  ASSERT_TRUE(history.seek(10, {}));
  EXPECT_EQ(simulation->hash(), c.hash);
}

TEST_P(Checkpoints, RefuseAnotherPrecision) {
  write_short();
  const sim::Checkpoint c = sim::read_checkpoint(file());
  EXPECT_EQ(message_of<engine::InputError>(
                [&] { sim::open_checkpoint(c, {.precision = Precision::double_}); }),
            "--precision double: the state in " + file().string() +
                " is in mixed precision; leave the option out");
}

TEST_P(Checkpoints, AreRefusedWhenTruncated) {
  const std::string whole = write_short();
  for (std::size_t size : {std::size_t{0}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
    folder_.file("cut.h5", whole.substr(0, size));
    EXPECT_NE(refusal(folder_ / "cut.h5"), "") << size << " of " << whole.size();
  }
}

/// The offset of some bytes in a file.
std::size_t offset_of(const std::string& file, const void* bytes, std::size_t size) {
  const std::size_t at = file.find(std::string(static_cast<const char*>(bytes), size));
  EXPECT_NE(at, std::string::npos);
  return at;
}

// One bit of the state, the settings, the edits or the scene.
TEST_P(Checkpoints, AreRefusedWhenAltered) {
  if (on_gpu()) GTEST_SKIP() << "the file is the same";
  const std::string whole = write_short();
  const sim::Checkpoint original = sim::read_checkpoint(file());
  std::vector<std::size_t> offsets{
      whole.find("\"first_energy\"") + 18, whole.find("\"gravity.softening\"") + 24,
      whole.find("integrator.dt"),
      offset_of(whole, original.scene_text.data(), original.scene_text.size()) + 7,
      offset_of(whole, original.scene.data(), original.scene.size()) + 99};
  original.state->visit([&](auto s) {
    for (const double number : {s.x[20], s.y[7], s.z[40], s.vx[1], s.vy[2], s.vz[3], s.mass[20]})
      offsets.push_back(offset_of(whole, &number, sizeof number) + 2);
    offsets.push_back(offset_of(whole, s.id + 5, 2 * sizeof(std::uint32_t)));
  });
  const fs::path path = folder_ / "altered.h5";
  for (const std::size_t at : offsets) {
    std::string altered = whole;
    altered[at] = static_cast<char>(altered[at] ^ 1);
    folder_.file("altered.h5", altered);
    EXPECT_EQ(refusal(path),
              path.string() +
                  ": is damaged or was altered: its checksums do not match; use an earlier "
                  "checkpoint, or copy it again")
        << "byte " << at;
  }
}

TEST_P(Checkpoints, AreDistinguishedFromSnapshots) {
  const std::vector<std::uint32_t> id{0};
  const std::vector<double> zero{0};
  sim::write_snapshot(
      file(), {.ids = id,
               .arrays = sim::SnapshotArrays<double>{zero, zero, zero, zero, zero, zero, zero},
               .units = *engine::unit_system_named("nbody")});
  EXPECT_EQ(refusal(file()),
            file().string() + ": is not a checkpoint: it has no dataset Mote/checkpoint");
  EXPECT_NE(refusal(folder_ / "none.h5").find("no such file"), std::string::npos);
}

TEST_P(Checkpoints, LeaveNothingBehindWhenTheyCannotBeWritten) {
  const sim::SceneDescription s = scene();
  const sim::Plan plan = sim::make_plan(s, options(Precision::double_));
  auto simulation = sim::open_simulation(s, plan);
  EXPECT_THROW(sim::write_checkpoint(folder_ / "none/a.h5", *simulation, s, plan, {}),
               engine::SystemError);
  EXPECT_FALSE(fs::exists(folder_ / "none"));
}

// A checkpoint may come from another user: trust is not taken from the file, but errors mention it.
TEST_P(Checkpoints, OfATrustedSceneRequireTrustAgain) {
  fs::create_directories(folder_ / "scenes");
  folder_.file("part.lua", "return { mass = 1, position = { 1, 0, 0 } }");
  const fs::path text = folder_.file("scenes/scene.lua",
                                     "return { integrator = { dt = 1 }, bodies = { "
                                     "include('../part.lua') }, on_end = function(sim) end }");
  const sim::SceneDescription s = sim::read_scene(text, {}, sim::Trust::yes);
  const sim::Plan plan = sim::make_plan(s, options(Precision::double_));
  auto simulation = sim::open_simulation(s, plan);
  sim::write_checkpoint(file(), *simulation, s, plan, {}, engine::Json::object());
  const sim::Checkpoint checkpoint = sim::read_checkpoint(file());
  EXPECT_EQ(sim::scene_of(checkpoint, sim::Trust::yes).hooks.all.size(), 1u);
  try {
    sim::scene_of(checkpoint);
    FAIL() << "it reads a file outside the folder of the scene";
  } catch (const engine::InputError& e) {
    ASSERT_EQ(e.diagnostics().size(), 2u);
    EXPECT_NE(e.diagnostics()[0].problem.find("outside the folder of the scene"),
              std::string::npos);
    EXPECT_EQ(e.diagnostics()[1].text(),
              file().string() +
                  ": its run was started with --trust; if you trust its script, give "
                  "--trust again");
  }
}

/// A liquid of Verlet lists, after so many steps that they belong to earlier positions.
class ListCheckpoints : public Checkpoints {
 protected:
  ListCheckpoints() {
    folder_.file("liquid.lua",
                 "return { lennard_jones = { cutoff = 2, skin = 0.4 }, integrator = { dt = 0.004 "
                 "}, domain = { size = { 6, 6, 6 }, x = 'periodic', y = 'periodic', z = 'periodic' "
                 "}, bodies = { lattice { counts = { 5, 5, 5 }, spacing = 1.2, mass = 125, "
                 "dispersion = 1 } } }");
  }
  void SetUp() override {
    Checkpoints::SetUp();
    if (IsSkipped()) return;
    scene_ = sim::read_scene(folder_ / "liquid.lua", {});
    plan_ = sim::make_plan(scene_, options(Precision::double_));
    simulation_ = sim::open_simulation(scene_, plan_);
    simulation_->advance(30, {});
    sim::write_checkpoint(file(), *simulation_, scene_, plan_, {});
  }
  sim::SceneDescription scene_;
  sim::Plan plan_;
  std::unique_ptr<sim::Simulation> simulation_;
};
MOTE_ON_EVERY_BACKEND(ListCheckpoints);

TEST_P(ListCheckpoints, ContinueBitForBit) {
  const auto again = sim::open_checkpoint(sim::read_checkpoint(file()), {.threads = 1});
  for (auto* one : {simulation_.get(), again.get()}) one->advance(40, {});
  EXPECT_EQ(again->hash(), simulation_->hash());
  // The same lists, too.
  again->state().visit([&]<class Real>(sim::StateView<const Real> a) {
    simulation_->state().visit([&]<class Other>(sim::StateView<const Other> b) {
      for (const sim::FieldInfo& field : sim::fields::list_origin)
        for (engine::Index i = 0; i < a.count; ++i)
          EXPECT_EQ(double(a[field][i]), double(b[field][i]));
    });
  });
}

TEST_P(ListCheckpoints, AreRefusedWhenAListOriginIsAltered) {
  std::string altered = engine::read_file(file());
  sim::read_checkpoint(file()).state->visit([&](auto s) {
    const auto* const origin = s[sim::fields::list_origin[1]] + 7;
    EXPECT_NE(*origin, s.y[7]) << "the test needs a body that has moved since";
    altered[offset_of(altered, origin, sizeof *origin) + 2] ^= 1;
  });
  folder_.file("altered.h5", altered);
  EXPECT_NE(refusal(folder_ / "altered.h5").find("is damaged or was altered"), std::string::npos);
}

/// The checksum of format 1, written out here: the format must not change.
std::string checksum_of(std::initializer_list<std::string_view> texts) {
  std::uint64_t hash = 0;
  for (const std::string_view text : texts) {
    hash = engine::hash_word(hash, text.size());
    for (std::size_t at = 0; at < text.size(); at += 8) {
      std::uint64_t word = 0;
      for (const char c : text.substr(at, 8)) word = word << 8 | static_cast<unsigned char>(c);
      hash = engine::hash_word(hash, word);
    }
  }
  return sim::hash_text(hash);
}

// Format 1, whose state hash covered all fields, images before list origins.
TEST_P(ListCheckpoints, OfOlderVersionsContinueBitForBit) {
  const std::vector<std::string> names{"checkpoint", "scene", "scene_text"};
  auto texts = sim::read_mote_fields(file(), names).texts;
  const auto write_with = [&](std::uint64_t hash) {
    engine::Json json = engine::parse_json(texts["checkpoint"]);
    EXPECT_EQ(json["format"], 3);
    json["format"] = 1, json["state_hash"] = sim::hash_text(hash);
    json.erase("algorithm_checksum");
    const std::string metadata = engine::json_text(json, 1),
                      checksum = checksum_of({metadata, texts["scene"], texts["scene_text"]});
    const std::vector<sim::SnapshotText> all{{"checkpoint", metadata},
                                             {"scene", texts["scene"]},
                                             {"scene_text", texts["scene_text"]},
                                             {"checksum", checksum}};
    sim::write_state(folder_ / "older.h5", *simulation_, scene_, all, false);
  };
  sim::FieldList all;
  for (const sim::FieldVector* vector : {&sim::fields::image, &sim::fields::list_origin})
    for (const sim::FieldInfo& field : *vector) all.push_back(&field);
  write_with(sim::state_hash(engine::Cpu{1}, simulation_->state(), simulation_->time(),
                             simulation_->step(), all));
  const auto again =
      sim::open_checkpoint(sim::read_checkpoint(folder_ / "older.h5"), {.threads = 1});
  for (auto* one : {simulation_.get(), again.get()}) one->advance(40, {});
  EXPECT_EQ(again->hash(), simulation_->hash());
  write_with(simulation_->hash());
  EXPECT_NE(refusal(folder_ / "older.h5").find("is damaged or was altered"), std::string::npos);
}

TEST(OlderCheckpoints, OfFluidsWithoutListOriginsCanBeResumed) {
  const sim::Checkpoint from =
      sim::read_checkpoint(test::source_dir() + "/tests/sim/run/fluid_without_lists.h5");
  const auto sim = sim::open_checkpoint(from, {.backend = engine::Backend::cpu});
  EXPECT_EQ(sim->step(), 20u);
  EXPECT_EQ(sim->hash(), from.hash);
  const sim::StepReport report = sim->advance(10, {});
  EXPECT_EQ(report.steps, 10u);
  EXPECT_EQ(report.health, sim::Health::good);
}

}  // namespace
}  // namespace mote::test
