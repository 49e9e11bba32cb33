#include <gtest/gtest.h>

#include "engine/json.h"
#include "sim/io/formats.h"
#include "tests/sim/scene/scene_text.h"

namespace mote::sim {
namespace {

/// A scene with these snapshots, on its third line.
SceneText with_snapshots(const std::string& keys, const std::string& units = "galactic") {
  return SceneText(
      "return { units = '" + units +
      "', integrator = { dt = 1 },\n  bodies = { { mass = 1, position = { 0, 0, 0 } } },\n"
      "  snapshots = " +
      keys + "\n}");
}

TEST(SnapshotsOfAScene, AreListsOrSingleValuesWithUnits) {
  const SceneDescription scene = with_snapshots(
                                     "{ times = { 1, '1 kpc/(km/s)', 0 }, format = { 'vtk', "
                                     "'hdf5', 'vtk' }, columns = 'mass', "
                                     "compress = true, steps = 5 }")
                                     .read();
  EXPECT_EQ(scene.snapshots.times, (std::vector<double>{0, 1, 1})) << "in order";
  EXPECT_EQ(snapshot_formats_named(scene.snapshots.format, ""),
            (std::vector<SnapshotFormat>{SnapshotFormat::vtk, SnapshotFormat::hdf5}));
  EXPECT_EQ(scene.snapshots.columns, (std::vector<std::string>{"mass"}));
  EXPECT_TRUE(scene.snapshots.compress);
  EXPECT_EQ(scene.snapshots.steps, 5);
  EXPECT_EQ(
      engine::json_text((*scene.expanded)["snapshots"]),
      R"({"steps":5,"compress":true,"contacts":false,"times":[1.0,1.0,0.0],"format":["vtk","hdf5","vtk"],"columns":["mass"]})");
  const SceneDescription again = SceneText(engine::json_text(scene.expanded), ".json").read();
  EXPECT_EQ(*again.expanded, *scene.expanded);
  EXPECT_EQ(with_snapshots("{ time = 1 }").read().snapshots.format,
            (std::vector<std::string>{"hdf5"}));
}

TEST(SnapshotsOfAScene, AreRefusedWithEveryMistake) {
  EXPECT_EQ(
      with_snapshots(
          "{ times = { 1, -1, 'x' }, format = 'vtp', columns = { 'speed', 'id' }, formats = 1 }")
          .problems(),
      (Lines{"3: snapshots.times.2: -1 is out of range; allowed: >= 0 in kpc/(km/s)",
             "3: snapshots.times.3: expected a number, got text \"x\"; allowed: >= 0 in kpc/(km/s)",
             "3: snapshots.format: text \"vtp\" is not one of the choices; did you mean "
             "\"vtk\"? allowed: one of: hdf5, vtk, xyz, csv, npz, tipsy",
             "3: snapshots.columns.1: text \"speed\" is not one of the choices; "
             "allowed: one of: id, position, velocity, mass, species, acceleration, potential",
             "3: snapshots.formats: unknown key; did you mean 'format'?"}));
  EXPECT_EQ(
      with_snapshots("{ times = {}, columns = { mass = true } }").problems(),
      (Lines{"3: snapshots.times: expected a list, got an empty table; allowed: >= 0 in kpc/(km/s)",
             "3: snapshots.columns: expected a list, got a table; allowed: one of: id, position, "
             "velocity, "
             "mass, species, acceleration, potential"}));
  EXPECT_EQ(with_snapshots("{ columns = { 'acceleration', 'potential' } }").problems(),
            (Lines{"3: snapshots.columns: potential is that of gravity, which the scene does not "
                   "have; leave it out"}));
}

}  // namespace
}  // namespace mote::sim
