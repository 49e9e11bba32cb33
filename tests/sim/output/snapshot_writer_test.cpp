#include "sim/output/snapshot_writer.h"

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
#include "sim/output/state_file.h"
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

TEST_P(SnapshotWriters, WriteStatesAsTheyWereWhenQueued) {
  const SceneDescription scene = test::scene_of(two_species_cluster);
  const auto simulation = open(scene);
  {
    SnapshotWriter writer({SnapshotFormat::hdf5, SnapshotFormat::csv, SnapshotFormat::vtk});
    for (int i = 0; i < 5; ++i) {
      write_state(folder_ / ("expected_" + std::to_string(i) + ".h5").c_str(), *simulation, scene);
      writer.write(folder_ / ("snapshot_" + std::to_string(i)).c_str(), *simulation, scene,
                   i == 2 ? std::optional(simulation->hash()) : std::nullopt);
      simulation->advance(3, [] { return false; });
    }
    writer.drain();
    for (int i = 0; i < 5; ++i) {
      const std::string name = "snapshot_" + std::to_string(i);
      EXPECT_EQ(engine::read_file(folder_ / (name + ".h5").c_str()),
                engine::read_file(folder_ / ("expected_" + std::to_string(i) + ".h5").c_str()))
          << i;
      EXPECT_EQ(read_bodies_csv(folder_ / (name + ".csv").c_str(), scene.units, "").count(), 64);
    }
  }
  const std::vector<VtkFrame> index = read_vtk_index(folder_ / SnapshotWriter::vtk_index);
  ASSERT_EQ(index.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(index[i].file, "snapshot_" + std::to_string(i) + ".vtp");
    EXPECT_EQ(index[i].time, 0.01 * static_cast<double>(3 * i));
  }
}

/// A snapshot of `bodies` bodies at rest.
LoadedSnapshot snapshot_at(double time, engine::Index bodies = 4) {
  LoadedSnapshot snapshot{{}, State<engine::Host>(bodies, engine::Precision::single)};
  snapshot.metadata.time = time;
  snapshot.metadata.units = *engine::unit_system_named("nbody");
  return snapshot;
}

TEST(SnapshotWriter, WritesQueuedSnapshotsAtItsEnd) {
  const TemporaryFolder folder;
  {
    SnapshotWriter writer;
    for (int i = 0; i < 4; ++i)
      writer.write(folder / std::to_string(i).c_str(), snapshot_at(i, 10000));
  }
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(read_snapshot(folder / (std::to_string(i) + ".h5").c_str()).count(), 10000) << i;
}

TEST(SnapshotWriter, ThrowsErrorsOnceAtTheNextCallAndWritesTheRest) {
  const TemporaryFolder folder;
  const auto gone = folder / "gone";
  std::filesystem::create_directory(gone);
  SnapshotWriter writer;
  writer.write(gone / "a", snapshot_at(0));
  writer.drain();
  std::filesystem::remove_all(gone);
  const std::string expected = message_of<engine::SystemError>([&] {
    write_snapshot(gone / "b.h5", data_of(snapshot_at(1).state, snapshot_at(1).metadata));
  });
  writer.write(gone / "b", snapshot_at(1));
  EXPECT_EQ(message_of<engine::SystemError>([&] { writer.drain(); }), expected);
  EXPECT_NO_THROW(writer.drain());
  writer.write(gone / "c", snapshot_at(2));
  std::string message;
  // The thread may not have processed it yet when the next one is queued.
  for (int i = 0; i < 3 && message.empty(); ++i)
    message = message_of<engine::SystemError>(
        [&] { writer.write(folder / ("d" + std::to_string(i)).c_str(), snapshot_at(3)); });
  EXPECT_NE(message.find("open " + (gone / "c.h5").string() + ": No such file or directory"),
            message.npos)
      << message;
  EXPECT_NO_THROW(writer.drain());
}

TEST(SnapshotWriter, ThrowsNothingAtItsEnd) {
  const TemporaryFolder folder;
  EXPECT_NO_THROW({
    SnapshotWriter writer({SnapshotFormat::tipsy});
    writer.write(folder / "none" / "a", snapshot_at(0));
  });
}

TEST(SnapshotWriter, KeepsTheIndexInTheOrderOfTimesWhenARunIsResumed) {
  const TemporaryFolder folder;
  const auto times = [&] {
    std::vector<double> all;
    for (const VtkFrame& m : read_vtk_index(folder / SnapshotWriter::vtk_index))
      all.push_back(m.time);
    return all;
  };
  {
    SnapshotWriter first({SnapshotFormat::vtk});
    for (int i = 0; i < 4; ++i) first.write(folder / std::to_string(i).c_str(), snapshot_at(i));
  }
  EXPECT_EQ(times(), (std::vector<double>{0, 1, 2, 3}));
  SnapshotWriter again({SnapshotFormat::vtk});
  again.write(folder / "1", snapshot_at(1.5));
  again.drain();
  EXPECT_EQ(times(), (std::vector<double>{0, 1.5})) << "the file of time 1 was overwritten";
}

TEST(SnapshotWriter, ReadsFilesWhileItWritesOthers) {
  const TemporaryFolder folder;
  SnapshotWriter writer({SnapshotFormat::hdf5}, {}, true);
  writer.write(folder / "first", snapshot_at(0, 30000));
  writer.drain();
  for (int i = 0; i < 3; ++i) {
    writer.write(folder / std::to_string(i).c_str(), snapshot_at(i, 30000));
    EXPECT_EQ(read_snapshot(folder / "first.h5").count(), 30000);
  }
  writer.drain();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(read_snapshot(folder / (std::to_string(i) + ".h5").c_str()).count(), 30000);
}

TEST(SnapshotWriter, DoesNotBlockReaders) {
  const TemporaryFolder folder;
  const LoadedSnapshot snapshot = snapshot_at(0);
  write_snapshot(folder / "a.h5", data_of(snapshot.state, snapshot.metadata));
  const hdf5::Exclusive writing;  // as while another snapshot is written
  EXPECT_EQ(read_snapshot(folder / "a.h5").count(), snapshot.state.count());
}

TEST(SnapshotWriter, HoldsNoMoreThanTwoSnapshots) {
  const TemporaryFolder folder;
  // As while another snapshot is written: the first one cannot be finished.
  auto writing = std::make_unique<hdf5::Exclusive>();
  SnapshotWriter writer({SnapshotFormat::hdf5});
  writer.write(folder / "0", snapshot_at(0));
  writer.write(folder / "1", snapshot_at(1));
  std::atomic<bool> queued = false;
  std::thread third([&] {
    writer.write(folder / "2", snapshot_at(2));
    queued = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(queued);
  writing.reset();
  third.join();
  writer.drain();
  EXPECT_TRUE(std::filesystem::exists(folder / "2.h5"));
}

}  // namespace
}  // namespace mote::sim
