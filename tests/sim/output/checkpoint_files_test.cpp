// Files read by a scene, as checkpoints store them.
#include <gtest/gtest.h>

#include "engine/files.h"
#include "engine/json.h"
#include "sim/io/snapshot.h"
#include "sim/output/checkpoint_files.h"
#include "sim/scene/read_scene.h"
#include "sim/source/scene_folder.h"
#include "tests/sim/script/hooked_run.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class CheckpointFiles : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "parts");
    folder_.file(
        "scene.lua",
        hooked_text(R"(on_step = { every = include("parts/often.lua").every, run = function(sim)
        sim:row("step", { bodies = sim.count })
        sim:add(gadget { file = "./parts/more.h5" })
      end },)"));
    folder_.file("parts/often.lua", "return { every = 10 }");
    write_body_at(2);
  }
  /// Writes a snapshot of one body.
  void write_body_at(double position) const {
    const std::vector<std::uint32_t> id{0};
    const std::vector<double> zero{0}, x{position};
    sim::write_snapshot(
        folder_ / "parts/more.h5",
        {.ids = id,
         .arrays = sim::SnapshotArrays<double>{x, zero, zero, zero, zero, zero, zero},
         .units = *engine::unit_system_named("nbody")});
  }
  HookedRun begin() const { return {sim::read_scene(folder_ / "scene.lua"), engine::Backend::cpu}; }
  static HookedRun resume(const sim::Checkpoint& checkpoint) {
    return {checkpoint, engine::Backend::cpu};
  }

  TemporaryFolder folder_;
};

TEST_F(CheckpointFiles, AreUsedInsteadOfThoseOnTheDisk) {
  HookedRun whole = begin();
  whole.to(45).save(folder_ / "a.h5");
  write_body_at(7);
  folder_.file("parts/often.lua", "return { every = 3 }");
  HookedRun again = resume(sim::read_checkpoint(folder_ / "a.h5"));
  again.to(55).save(folder_ / "b.h5");
  fs::remove_all(folder_ / "parts");
  HookedRun once_more = resume(sim::read_checkpoint(folder_ / "b.h5"));
  EXPECT_EQ(once_more.to(75).simulation().hash(), whole.to(75).simulation().hash());
  EXPECT_EQ(once_more.simulation().count(), 16 + 7);
}

TEST_F(CheckpointFiles, StayWhatTheyWereForTheWholeRun) {
  HookedRun first = begin();
  first.to(20);
  HookedRun second = begin();
  second.to(10);
  write_body_at(7);
  EXPECT_EQ(second.to(20).simulation().hash(), first.simulation().hash());
}

TEST_F(CheckpointFiles, AreReadFromTheDiskForCheckpointsWithoutThem) {
  begin().to(5).save(folder_ / "a.h5");
  folder_.file("parts/often.lua", "return { every = 3 }");
  sim::Checkpoint old = sim::read_checkpoint(folder_ / "a.h5");
  old.files.clear();
  HookedRun again = resume(old);
  EXPECT_EQ(again.to(6).all(), "step@6 bodies=16");
}

TEST_F(CheckpointFiles, AreStoredForScenesWithoutHooks) {
  folder_.file("scene.lua",
               "return { integrator = { dt = 1 }, bodies = { include('parts/sun.lua') } }");
  folder_.file("parts/sun.lua", "return { mass = 1, position = { 1, 0, 0 } }");
  begin().save(folder_ / "a.h5");
  const sim::Checkpoint checkpoint = sim::read_checkpoint(folder_ / "a.h5");
  ASSERT_EQ(checkpoint.files.size(), 1u);
  EXPECT_EQ(checkpoint.files[0].path, "parts/sun.lua");
  EXPECT_EQ(checkpoint.files[0].text, "return { mass = 1, position = { 1, 0, 0 } }");
  EXPECT_EQ(sim::scene_of(checkpoint).included.size(), 1u);
}

TEST_F(CheckpointFiles, AreStoredOnceUnderAllTheirNames) {
  const sim::StoredFiles stored = sim::pack_files({{"a.lua", "/x/a.lua", "abc"},
                                                   {"b.csv", "/x/b.csv", "defg"},
                                                   {"link.lua", "/x/a.lua", "abc"},
                                                   {"c.h5", "/x/c.h5", "", 7}});
  EXPECT_EQ(stored.bytes, "abcdefg");
  const std::vector<sim::SceneFile> files = sim::unpack_files(stored.index, stored.bytes);
  ASSERT_EQ(files.size(), 4u);
  EXPECT_EQ(files[1].text, "defg");
  EXPECT_EQ(files[2].path, "link.lua");
  EXPECT_EQ(files[2].text, "abc");
  EXPECT_EQ(files[3].hash, 7u);
  EXPECT_THROW(sim::unpack_files(stored.index, "abcdef"), engine::Json::exception);
}

TEST_F(CheckpointFiles, AreRefusedWhenAltered) {
  begin().to(25).save(folder_ / "a.h5");
  const std::string whole = engine::read_file(folder_ / "a.h5");
  for (const std::string& part : {std::string("every = 10"), std::string("parts/often.lua\"")}) {
    std::string altered = whole;
    altered[altered.rfind(part) + 8] ^= 1;
    folder_.file("altered.h5", altered);
    EXPECT_NE(message_of<engine::InputError>([&] {
                sim::read_checkpoint(folder_ / "altered.h5");
              }).find("is damaged or was altered"),
              std::string::npos)
        << part;
  }
}

TEST_F(CheckpointFiles, OfLargeSizeAreIdentifiedByTheirHash) {
  folder_.file("huge.csv", "x");
  fs::resize_file(folder_ / "huge.csv", 130u << 20);
  sim::SceneFolder folder(folder_.path(), sim::Trust::no, sim::SceneFolder::KeepContents::yes);
  const auto find = [&] { return folder.find("huge.csv", 1u << 30); };
  folder.keep("huge.csv", find());
  ASSERT_EQ(folder.kept().size(), 1u);
  EXPECT_EQ(folder.kept()[0].text, "");
  EXPECT_EQ(find().problem, "");
  {
    std::fstream file(folder_ / "huge.csv", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(100'000'001);
    file.put('y');
  }
  EXPECT_EQ(find().problem,
            (folder_ / "huge.csv").string() + " has changed since this run first read it");
}

}  // namespace
}  // namespace mote::test
