#include <gtest/gtest.h>
#include <hdf5.h>

#include <array>
#include <limits>
#include <vector>

#include "engine/check.h"
#include "engine/files.h"
#include "sim/io/hdf5_handle.h"
#include "sim/io/snapshot.h"
#include "tests/sim/io/units_named.h"
#include "tests/support/temporary_folder.h"

namespace mote::sim {
namespace {

using test::message_of;
using test::TemporaryFolder;

using hdf5::Handle;

/// Builds a file as other programs write it.
class Foreign {
 public:
  explicit Foreign(const std::filesystem::path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {}

  Foreign& group(const char* name) {
    Handle(H5Gcreate2(file_.get(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    return *this;
  }
  Foreign& attribute(const char* group, const char* name, const std::vector<double>& values) {
    const hsize_t count = values.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle a(H5Acreate_by_name(file_.get(), group, name, H5T_NATIVE_DOUBLE, space.get(),
                                     H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5Aclose);
    H5Awrite(a.get(), H5T_NATIVE_DOUBLE, values.data());
    return *this;
  }
  Foreign& rows(const std::string& name, const std::vector<hsize_t>& shape,
                const std::vector<double>& values, hid_t type = H5T_IEEE_F32BE) {
    const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                       H5Sclose);
    const Handle d(H5Dcreate2(file_.get(), name.c_str(), type, space.get(), H5P_DEFAULT,
                              H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose);
    if (!values.empty())
      H5Dwrite(d.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    return *this;
  }
  Foreign& header(const std::vector<double>& counts,
                  const std::vector<double>& table = {0, 0, 0, 0, 0, 0}) {
    return group("Header")
        .attribute("Header", "NumPart_ThisFile", counts)
        .attribute("Header", "MassTable", table);
  }
  /// A group with one body at (x, 2, 3) and velocity (4, 5, 6).
  Foreign& body(const std::string& name, double x) {
    return group(name.c_str())
        .rows(name + "/Coordinates", {1, 3}, {x, 2, 3})
        .rows(name + "/Velocities", {1, 3}, {4, 5, 6}, H5T_IEEE_F64BE);
  }
  /// An external link to an object of another file.
  Foreign& link_out(const std::string& name, const std::filesystem::path& other,
                    const std::string& to) {
    H5Lcreate_external(other.c_str(), to.c_str(), file_.get(), name.c_str(), H5P_DEFAULT,
                       H5P_DEFAULT);
    return *this;
  }
  /// A dataset with external storage.
  Foreign& rows_outside(const std::string& name, const std::vector<hsize_t>& shape,
                        const std::filesystem::path& other) {
    const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                       H5Sclose);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_external(creation.get(), other.c_str(), 0, H5F_UNLIMITED);
    Handle(H5Dcreate2(file_.get(), name.c_str(), H5T_IEEE_F32LE, space.get(), H5P_DEFAULT,
                      creation.get(), H5P_DEFAULT),
           H5Dclose);
    return *this;
  }

 private:
  Handle file_;
};

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
  EXPECT_EQ(complaint(),
            "this is a cosmological snapshot (Header/OmegaLambda is not 0); mote has no expansion; "
            "convert "
            "comoving to "
            "physical quantities and set OmegaLambda to 0");
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
