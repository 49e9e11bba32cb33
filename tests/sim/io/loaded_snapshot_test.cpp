#include "sim/io/loaded_snapshot.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include "engine/check.h"
#include "engine/files.h"
#include "tests/sim/io/units_named.h"
#include "tests/support/temporary_folder.h"

namespace mote::sim {
namespace {

using test::TemporaryFolder;

/// Three bodies of two species.
LoadedSnapshot three_bodies(engine::Precision precision) {
  LoadedSnapshot snapshot{{.time = 0.1,
                           .step = 12345678901234567ull,
                           .hash = 0xfedcba9876543210ull,
                           .units = units("solar"),
                           .gravitational = 0.25,
                           .softening = 0.125,
                           .title = "Three \xC3\xA9",
                           .kinds = {{"dark", "#010203"}, {"star", "#ffcc88"}},
                           .columns = {},
                           .domain = {}},
                          State<engine::Host>(3, precision, {.species = true})};
  snapshot.state.visit([]<class Real>(StateView<Real> s) {
    for (engine::Index i = 0; i < 3; ++i) {
      const auto at = [&](int k) {
        return static_cast<Real>(1) / static_cast<Real>(7 * k + i + 1);
      };
      s.mass[i] = at(0), s.x[i] = at(1), s.y[i] = -at(2), s.z[i] = at(3);
      s.vx[i] = at(4), s.vy[i] = -at(5), s.vz[i] = at(6);
    }
  });
  for (std::uint32_t i = 0; i < 3; ++i)
    snapshot.state.id()[i] = 4294967295u - i,
    snapshot.state.species()[i] = static_cast<std::uint8_t>(2 - i);
  return snapshot;
}

TEST(LoadedSnapshots, AreWrittenAgainByteForByte) {
  const TemporaryFolder folder;
  for (const auto precision : {engine::Precision::single, engine::Precision::double_})
    for (const ColumnChoice columns : {ColumnChoice{}, {false, true, true}, {true, false, false}}) {
      LoadedSnapshot snapshot = three_bodies(precision);
      snapshot.metadata.columns = columns;
      if (!columns.species) snapshot.metadata.kinds.clear();
      write_snapshot(folder / "a.h5", data_of(snapshot.state, snapshot.metadata));
      const LoadedSnapshot read = load_snapshot(folder / "a.h5");
      EXPECT_EQ(read.metadata.columns, columns);
      EXPECT_EQ(read.state.precision(), precision);
      write_snapshot(folder / "b.h5", data_of(read.state, read.metadata));
      EXPECT_EQ(engine::read_file(folder / "a.h5"), engine::read_file(folder / "b.h5"));
      const State<engine::Host> copy = copy_of(read.state, true);
      write_snapshot(folder / "c.h5", data_of(copy, read.metadata));
      EXPECT_EQ(engine::read_file(folder / "a.h5"), engine::read_file(folder / "c.h5"));
    }
}

TEST(LoadedSnapshots, KeepAccelerationsAndPotentialsWhereTheyAreNamed) {
  const TemporaryFolder folder;
  for (const auto precision : {engine::Precision::single, engine::Precision::double_}) {
    LoadedSnapshot snapshot = three_bodies(precision);
    snapshot.state.visit([]<class Real>(StateView<Real> s) {
      for (engine::Index i = 0; i < 3; ++i)
        s.ax[i] = static_cast<Real>(i) / 3, s.ay[i] = -s.ax[i], s.az[i] = 7;
    });
    snapshot.potential = {-1.0 / 3, -2, -3};
    write_snapshot(folder / "plain.h5", data_of(snapshot));
    EXPECT_FALSE(load_snapshot(folder / "plain.h5").metadata.columns.acceleration);
    snapshot.metadata.columns = every_column;
    write_snapshot(folder / "a.h5", data_of(snapshot));
    const LoadedSnapshot read = load_snapshot(folder / "a.h5");
    EXPECT_EQ(read.metadata.columns, every_column);
    EXPECT_EQ(read.potential, snapshot.potential) << "in double";
    write_snapshot(folder / "b.h5", data_of(read));
    EXPECT_EQ(engine::read_file(folder / "a.h5"), engine::read_file(folder / "b.h5"));
  }
}

TEST(LoadedSnapshots, HaveAHeadThatCanBeReadAlone) {
  const TemporaryFolder folder;
  const LoadedSnapshot snapshot = three_bodies(engine::Precision::single);
  SnapshotData data = data_of(snapshot.state, snapshot.metadata);
  write_snapshot(folder / "a.h5", data);
  const SnapshotHead head = read_snapshot_head(folder / "a.h5");
  EXPECT_EQ(head.metadata.time, 0.1);
  EXPECT_EQ(head.metadata.step, 12345678901234567ull);
  EXPECT_EQ(head.metadata.hash, 0xfedcba9876543210ull);
  EXPECT_EQ(head.metadata.units.name, "solar");
  EXPECT_EQ(head.metadata.title, "Three \xC3\xA9");
  EXPECT_EQ(head.metadata.softening, 0.125);
  EXPECT_EQ(head.count, 3);
  EXPECT_EQ(head.precision, engine::Precision::single);
  EXPECT_FALSE(head.checkpoint);
  const std::vector<SnapshotText> texts{{"checkpoint", "{}"}};
  data.texts = texts;
  write_snapshot(folder / "a.h5", data);
  EXPECT_TRUE(read_snapshot_head(folder / "a.h5").checkpoint);
}

TEST(LoadedSnapshots, OfAnotherProgramHaveItsUnitsAndIdsFromZero) {
  const TemporaryFolder folder;
  const LoadedSnapshot snapshot = three_bodies(engine::Precision::double_);
  write_snapshot(folder / "a.h5", data_of(snapshot.state, snapshot.metadata));
  const hid_t file = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(H5Ldelete(file, "Mote", H5P_DEFAULT), 0);
  H5Fclose(file);
  const LoadedSnapshot read = load_snapshot(folder / "a.h5");
  EXPECT_EQ(read.metadata.units.name, "solar");
  EXPECT_FALSE(read.metadata.hash);
  EXPECT_FALSE(read.metadata.columns.species);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(read.state.id()[i], i);
}

TEST(LoadedSnapshots, RejectOtherFiles) {
  const TemporaryFolder folder;
  EXPECT_THROW(load_snapshot(folder / "none.h5"), engine::InputError);
  EXPECT_THROW(read_snapshot_head(folder.file("a.h5", "no file of HDF5")), engine::InputError);
}

}  // namespace
}  // namespace mote::sim
