#include "sim/run/snapshot_writer.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <memory>

#include "engine/check.h"
#include "engine/files.h"
#include "sim/io/csv.h"
#include "sim/io/hdf5_handle.h"
#include "sim/io/vtk.h"
#include "sim/run/state_file.h"
#include "tests/support/backend.h"

namespace mote::sim {
namespace {

using test::message_of;
using test::TemporaryFolder;

const char* const two_species_cluster =
    "return { title = 'Cluster', gravity = { softening = 0.1 }, integrator = { 'leapfrog', dt = "
    "0.01 },\n"
    "  species = { star = {}, gas = {} },\n"
    "  bodies = { plummer { n = 40, species = 'star' }, plummer { n = 24, species = 'gas' } } }";

class SnapshotWriters : public test::OnEveryBackend {
 protected:
  TemporaryFolder folder_;
};
MOTE_ON_EVERY_BACKEND(SnapshotWriters);

TEST_P(SnapshotWriters, WriteEachMomentAsItWasWhenItWasHandedOver) {
  const SceneDescription scene = test::scene_of(two_species_cluster);
  const auto simulation = open(scene);
  {
    SnapshotWriter writer({SnapshotFormat::hdf5, SnapshotFormat::csv, SnapshotFormat::vtk});
    for (int i = 0; i < 5; ++i) {
      write_state(folder_ / ("expected_" + std::to_string(i) + ".h5").c_str(), *simulation, scene);
      writer.write(folder_ / ("moment_" + std::to_string(i)).c_str(), *simulation, scene,
                   i == 2 ? std::optional(simulation->hash()) : std::nullopt);
      simulation->advance(3, [] { return false; });
    }
    writer.drain();
    for (int i = 0; i < 5; ++i) {
      const std::string name = "moment_" + std::to_string(i);
      EXPECT_EQ(engine::read_whole(folder_ / (name + ".h5").c_str()),
                engine::read_whole(folder_ / ("expected_" + std::to_string(i) + ".h5").c_str()))
          << i;
      EXPECT_EQ(read_bodies_csv(folder_ / (name + ".csv").c_str(), scene.units, "").count(), 64);
    }
  }
  const std::vector<VtkMoment> index = read_vtk_index(folder_ / SnapshotWriter::vtk_index);
  ASSERT_EQ(index.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(index[i].file, "moment_" + std::to_string(i) + ".vtp");
    EXPECT_EQ(index[i].time, 0.01 * static_cast<double>(3 * i));
  }
}

/// A moment of so many bodies at rest.
Moment moment_at(double time, engine::Index bodies = 4) {
  Moment moment{{}, State<engine::Host>(bodies, engine::Precision::single)};
  moment.facts.time = time;
  moment.facts.units = *engine::unit_system_named("nbody");
  return moment;
}

TEST(SnapshotWriterOfOneThread, FinishesWhatWasHandedOverAtItsEnd) {
  const TemporaryFolder folder;
  {
    SnapshotWriter writer;
    for (int i = 0; i < 4; ++i)
      writer.write(folder / std::to_string(i).c_str(), moment_at(i, 10000));
  }
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(read_snapshot(folder / (std::to_string(i) + ".h5").c_str()).count(), 10000) << i;
}

TEST(SnapshotWriterOfOneThread, ThrowsWhatWentWrongOnceAtTheNextCallAndWritesTheRest) {
  const TemporaryFolder folder;
  const auto gone = folder / "gone";
  std::filesystem::create_directory(gone);
  SnapshotWriter writer;
  writer.write(gone / "a", moment_at(0));
  writer.drain();
  std::filesystem::remove_all(gone);
  const std::string expected = message_of<engine::SystemError>(
      [&] { write_snapshot(gone / "b.h5", data_of(moment_at(1).state, moment_at(1).facts)); });
  writer.write(gone / "b", moment_at(1));
  EXPECT_EQ(message_of<engine::SystemError>([&] { writer.drain(); }), expected);
  EXPECT_NO_THROW(writer.drain());
  writer.write(gone / "c", moment_at(2));
  std::string said;
  // The thread may not have come to it yet when the next one is handed over.
  for (int i = 0; i < 3 && said.empty(); ++i)
    said = message_of<engine::SystemError>(
        [&] { writer.write(folder / ("d" + std::to_string(i)).c_str(), moment_at(3)); });
  EXPECT_NE(said.find("open " + (gone / "c.h5").string() + ": No such file or directory"),
            said.npos)
      << said;
  EXPECT_NO_THROW(writer.drain());
}

TEST(SnapshotWriterOfOneThread, ThrowsNothingAtItsEnd) {
  const TemporaryFolder folder;
  EXPECT_NO_THROW({
    SnapshotWriter writer({SnapshotFormat::tipsy});
    writer.write(folder / "none" / "a", moment_at(0));
  });
}

TEST(SnapshotWriterOfOneThread, KeepsTheIndexInTheOrderOfTimesWhenARunIsTakenUpAgain) {
  const TemporaryFolder folder;
  const auto times = [&] {
    std::vector<double> all;
    for (const VtkMoment& m : read_vtk_index(folder / SnapshotWriter::vtk_index))
      all.push_back(m.time);
    return all;
  };
  {
    SnapshotWriter first({SnapshotFormat::vtk});
    for (int i = 0; i < 4; ++i) first.write(folder / std::to_string(i).c_str(), moment_at(i));
  }
  EXPECT_EQ(times(), (std::vector<double>{0, 1, 2, 3}));
  SnapshotWriter again({SnapshotFormat::vtk});
  again.write(folder / "1", moment_at(1.5));
  again.drain();
  EXPECT_EQ(times(), (std::vector<double>{0, 1.5})) << "the file of time 1 is another one now";
}

TEST(SnapshotWriterOfOneThread, ReadsFilesWhileItWritesOthers) {
  const TemporaryFolder folder;
  SnapshotWriter writer({SnapshotFormat::hdf5}, {}, true);
  writer.write(folder / "first", moment_at(0, 30000));
  writer.drain();
  for (int i = 0; i < 3; ++i) {
    writer.write(folder / std::to_string(i).c_str(), moment_at(i, 30000));
    EXPECT_EQ(read_snapshot(folder / "first.h5").count(), 30000);
  }
  writer.drain();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(read_snapshot(folder / (std::to_string(i) + ".h5").c_str()).count(), 30000);
}

TEST(SnapshotWriterOfOneThread, KeepsNoReaderWaiting) {
  const TemporaryFolder folder;
  const Moment moment = moment_at(0);
  write_snapshot(folder / "a.h5", data_of(moment.state, moment.facts));
  const hdf5::Exclusive written;  // as while another snapshot is written
  EXPECT_EQ(read_snapshot(folder / "a.h5").count(), moment.state.count());
}

TEST(SnapshotWriterOfOneThread, HoldsNoMoreThanTwoMoments) {
  const TemporaryFolder folder;
  // As while another snapshot is written: the first moment cannot be finished.
  auto written = std::make_unique<hdf5::Exclusive>();
  SnapshotWriter writer({SnapshotFormat::hdf5});
  writer.write(folder / "0", moment_at(0));
  writer.write(folder / "1", moment_at(1));
  std::atomic<bool> taken = false;
  std::thread third([&] {
    writer.write(folder / "2", moment_at(2));
    taken = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(taken);
  written.reset();
  third.join();
  writer.drain();
  EXPECT_TRUE(std::filesystem::exists(folder / "2.h5"));
}

}  // namespace
}  // namespace mote::sim
