#include <fcntl.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <limits>
#include <vector>

#include "engine/check.h"
#include "engine/files.h"
#include "sim/io/hdf5_handle.h"
#include "sim/io/snapshot.h"
#include "tests/sim/io/foreign_snapshot.h"
#include "tests/sim/io/units_named.h"
#include "tests/support/temporary_folder.h"

namespace mote::sim {
namespace {

using test::message_of;
using test::TemporaryFolder;

class ForeignSnapshot : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return folder_ / "f.hdf5"; }
  Bodies read(const engine::UnitSystem* system = nullptr) const {
    return read_snapshot(path(), system, "scene.lua:3");
  }
  /// The error message for the file, without its path.
  std::string complaint(const engine::UnitSystem* system = nullptr) const {
    const std::string all = message_of<engine::InputError>([&] { read(system); });
    const std::string start = path().string() + ": ";
    return all.starts_with(start) ? all.substr(start.size()) : all;
  }

  TemporaryFolder folder_;
};

TEST_F(ForeignSnapshot, HasTheBodiesOfAllTypesInOrder) {
  Foreign(path())
      .header({0, 1, 0, 0, 1, 0}, {0, 0, 0, 0, 2.5, 0})
      .body("PartType4", -1)
      .body("PartType1", 0.1)
      .rows("PartType1/Masses", {1, 1}, {7})
      .group("PartType2");
  const Bodies b = read();
  EXPECT_EQ(b.mass, (std::vector<double>{7, 2.5}));
  ASSERT_EQ(b.position.size(), 2u);
  ASSERT_EQ(b.velocity.size(), 2u);
  EXPECT_TRUE((b.position[0] == engine::Vec3d{0.1f, 2, 3}));
  EXPECT_TRUE((b.position[1] == engine::Vec3d{-1, 2, 3}));
  EXPECT_TRUE((b.velocity[1] == engine::Vec3d{4, 5, 6}));
}

TEST_F(ForeignSnapshot, ThatIsMissingIsReportedWhereItWasNamed) {
  EXPECT_EQ(complaint(), "scene.lua:3: no such file: " + path().string() + "; check the path");
}

TEST_F(ForeignSnapshot, MustBeHdf5) {
  folder_.file("f.hdf5", "mass,x,y,z\n1,0,0,0\n");
  EXPECT_EQ(complaint(),
            "is not a valid HDF5 file: file signature not found; write or copy it again");
  EXPECT_EQ(message_of<engine::InputError>([&] { read_snapshot(folder_ / ""); }),
            (folder_ / "").string() + ": is not a file; check the path and its permissions");
}

TEST_F(ForeignSnapshot, IsRejectedWithoutOutputFromHdf5) {
  H5E_auto2_t before = nullptr, after = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  ASSERT_NE(before, nullptr);
  folder_.file("f.hdf5", "no HDF5");
  ::testing::internal::CaptureStderr();
  const std::string message = complaint();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_NE(message, "");
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  EXPECT_EQ(before, after);
}

TEST_F(ForeignSnapshot, MustNotReferToOtherFiles) {
  const std::filesystem::path other = folder_ / "other.hdf5";
  Foreign(other).header({0, 1}).body("PartType1", 1);
  Foreign(path()).header({0, 1}).link_out("PartType1", other, "PartType1");
  EXPECT_EQ(complaint(), "Header announces 1 bodies in PartType1, which is missing");
  Foreign(path())
      .header({0, 1})
      .group("PartType1")
      .link_out("PartType1/Coordinates", other, "PartType1/Coordinates");
  EXPECT_EQ(complaint(), "there is no dataset PartType1/Coordinates");
  Foreign(path())
      .header({0, 1})
      .group("PartType1")
      .rows_outside("PartType1/Coordinates", {1, 3}, other);
  EXPECT_EQ(complaint(),
            "PartType1/Coordinates has its data in other files; join them into one file first");
}

TEST_F(ForeignSnapshot, CannotAnnounceMoreThanItContains) {
  Foreign(path())
      .header({0, 1e6})
      .group("PartType1")
      .rows("PartType1/Coordinates", {1000000, 3}, {});
  const std::string message = complaint();
  EXPECT_TRUE(message.starts_with("PartType1/Coordinates announces 11.4 MiB, but the file has "))
      << message;
}

TEST_F(ForeignSnapshot, MustNotBeTruncated) {
  Foreign(path()).header({0, 1}).body("PartType1", 1).rows("PartType1/Masses", {1}, {1});
  std::filesystem::resize_file(path(), std::filesystem::file_size(path()) - 1);
  const std::string message = complaint();
  EXPECT_TRUE(message.starts_with("is not a valid HDF5 file: truncated file: eof = ")) << message;
}

TEST_F(ForeignSnapshot, MustHaveAHeaderThatCountsTheBodies) {
  Foreign(path()).body("PartType1", 1);
  EXPECT_EQ(complaint(), "there is no group Header; mote reads the HDF5 format of Gadget");
  Foreign(path()).group("Header");
  EXPECT_EQ(complaint(), "Header has no attribute NumPart_ThisFile");
  Foreign(path()).header({0, -1});
  EXPECT_EQ(complaint(),
            "Header/NumPart_ThisFile holds -1; a file may hold up to 2^32 - 1 bodies of a type");
  Foreign(path()).header(std::vector<double>(64, 4294967295.0));
  const std::string message = complaint();
  EXPECT_TRUE(message.starts_with("its 274877906880 bodies need 14.0 TiB, but this machine has "))
      << message;
}

TEST_F(ForeignSnapshot, MustHaveTheGroupsAndDatasetsThatTheHeaderAnnounces) {
  Foreign(path()).header({0, 0, 3});
  EXPECT_EQ(complaint(), "Header announces 3 bodies in PartType2, which is missing");
  Foreign(path()).header({1}).group("PartType0");
  EXPECT_EQ(complaint(), "there is no dataset PartType0/Coordinates");
  Foreign(path()).header({1}).group("PartType0").group("PartType0/Coordinates");
  EXPECT_EQ(complaint(), "PartType0/Coordinates is not a dataset");
  Foreign(path()).header({1}).group("PartType0").rows("PartType0/Coordinates", {1, 3}, {1, 2, 3});
  EXPECT_EQ(complaint(), "there is no dataset PartType0/Velocities");
  Foreign(path()).header({1}).body("PartType0", 1);
  EXPECT_EQ(complaint(),
            "there is no dataset PartType0/Masses and Header/MassTable has no mass for PartType0");
}

TEST_F(ForeignSnapshot, MustHaveDatasetsOfTheRightShape) {
  Foreign(path()).header({2}).body("PartType0", 1);
  EXPECT_EQ(complaint(), "PartType0/Coordinates has the shape 1 x 3, but Header announces 2 x 3");
  Foreign(path()).header({0}).body("PartType0", 1);
  EXPECT_EQ(complaint(), "PartType0/Coordinates has the shape 1 x 3, but Header announces 0 x 3");
  Foreign(path()).header({2}).group("PartType0").rows("PartType0/Coordinates", {2, 2}, {});
  EXPECT_EQ(complaint(), "PartType0/Coordinates has the shape 2 x 2, but Header announces 2 x 3");
  Foreign(path()).header({2}).group("PartType0").rows("PartType0/Coordinates", {6}, {});
  EXPECT_EQ(complaint(), "PartType0/Coordinates has the shape 6, but Header announces 2 x 3");
  Foreign(path()).header({1}).body("PartType0", 1).rows("PartType0/Masses", {2}, {});
  EXPECT_EQ(complaint(), "PartType0/Masses has the shape 2, but Header announces 1");
  Foreign(path())
      .header({2})
      .group("PartType0")
      .rows("PartType0/Coordinates", {2, 3}, {}, H5T_C_S1);
  EXPECT_EQ(complaint(), "PartType0/Coordinates does not hold numbers");
}

TEST_F(ForeignSnapshot, MustHaveValidNumbers) {
  Foreign(path()).header({1}).body("PartType0", std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(complaint(), "PartType0/Coordinates: row 0 holds a number that is not finite");
  Foreign(path())
      .header({2}, {1})
      .group("PartType0")
      .rows("PartType0/Coordinates", {2, 3}, {1, 2, 3, 4, 5, 1e300});
  EXPECT_EQ(complaint(), "PartType0/Coordinates: row 1 holds a number that is not finite");
  Foreign(path()).header({1}).body("PartType0", 1).rows("PartType0/Masses", {1}, {-0.5});
  EXPECT_EQ(complaint(), "PartType0/Masses: row 0 holds a negative mass, -0.5");
}

TEST_F(ForeignSnapshot, MustBeOneFileWithoutCosmology) {
  Foreign(path()).header({1}).attribute("Header", "NumFilesPerSnapshot", {8}).body("PartType0", 1);
  EXPECT_EQ(complaint(), "this is one of the 8 files of a snapshot; join them into one file first");
  Foreign(path()).header({1}).attribute("Header", "OmegaLambda", {0.7}).body("PartType0", 1);
  EXPECT_EQ(
      complaint(),
      "Header/OmegaLambda is 0.7: the quantities are comoving; mote has no expansion; convert "
      "comoving to physical quantities and set the attribute to 0");
}

// Some file systems have no locks (NFS, Lustre): HDF5 would refuse what it cannot lock.
TEST_F(ForeignSnapshot, IsReadWithoutALock) {
  Foreign(path()).header({1}, {1}).body("PartType0", 1);
  const int file = ::open(path().c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::flock(file, LOCK_EX), 0);
  EXPECT_EQ(read().count(), 1);
  ::close(file);
}

// As SWIFT, GIZMO and Gadget-4 write them.
TEST_F(ForeignSnapshot, HasTheUnitsOfItsProgram) {
  const auto file = [&](double length) {
    Foreign all(path());
    all.header({1}, {1}).body("PartType0", 1).group("Units");
    all.attribute("Units", "Unit length in cgs (U_L)", {length})
        .attribute("Units", "Unit mass in cgs (U_M)", {1.989e43})
        .attribute("Units", "Unit time in cgs (U_t)", {length / 1e5});
  };
  file(3.085678e21);
  EXPECT_EQ(read(&units("galactic")).count(), 1);
  file(3.085678e24);
  EXPECT_TRUE(complaint(&units("galactic")).starts_with("its unit of length is 3.08568e+24 cm"));
  Foreign(path())
      .header({1}, {1})
      .body("PartType0", 1)
      .attribute("Header", "UnitLength_In_CGS", {3.085678e24});
  EXPECT_TRUE(complaint(&units("galactic")).starts_with("its unit of length is 3.08568e+24 cm"));
}

TEST_F(ForeignSnapshot, HasBodiesInTheOrderOfTheirIdsUnlessTwoAreTheSame) {
  const auto positions = [&](std::vector<double> ids) {
    Foreign(path())
        .header({0, 3}, {0, 1})
        .group("PartType1")
        .rows("PartType1/Coordinates", {3, 3}, {1, 0, 0, 2, 0, 0, 3, 0, 0})
        .rows("PartType1/Velocities", {3, 3}, std::vector<double>(9))
        .rows("PartType1/ParticleIDs", {3}, std::move(ids), H5T_STD_U64LE);
    std::vector<double> x;
    for (const engine::Vec3d& p : read().position) x.push_back(p.x);
    return x;
  };
  EXPECT_EQ(positions({9, 2, 5}), (std::vector<double>{2, 3, 1}));
  EXPECT_EQ(positions({9, 2, 9}), (std::vector<double>{1, 2, 3}));
}

TEST_F(ForeignSnapshot, MustHaveTheUnitsOfTheSceneWhenItStatesAny) {
  for (const char* where : {"Units", "Header", "Parameters"}) {
    Foreign file(path());
    file.header({1}, {1}).body("PartType0", 1);
    if (where != std::string("Header")) file.group(where);
    file.attribute(where, "UnitLength_in_cm", {3.085678e21})
        .attribute(where, "UnitMass_in_g", {1.989e43})
        .attribute(where, "UnitVelocity_in_cm_per_s", {1e5});
  }
  EXPECT_EQ(read(&units("galactic")).count(), 1);
  EXPECT_EQ(read().count(), 1);
  EXPECT_EQ(complaint(&units("solar")),
            "its unit of length is 3.08568e+21 cm, but that of the unit system 'solar' is "
            "1.49598e+13 cm; "
            "choose the "
            "units of the file in the scene, or convert the file");
  EXPECT_NE(complaint(&units("nbody")), "");
  const std::vector<double> one{1};
  Foreign(path())
      .header({1}, {1})
      .body("PartType0", 1)
      .attribute("Header", "UnitLength_in_cm", one)
      .attribute("Header", "UnitMass_in_g", one)
      .attribute("Header", "UnitVelocity_in_cm_per_s", one);
  EXPECT_EQ(read(&units("nbody")).count(), 1);
  EXPECT_NE(complaint(&units("si")), "");
  Foreign(path()).header({1}, {1}).body("PartType0", 1);
  EXPECT_EQ(read(&units("solar")).count(), 1);
  EXPECT_EQ(read(&units("nbody")).count(), 1);
}

}  // namespace
}  // namespace mote::sim
