#include "sim/io/xyz_read.h"

#include <gtest/gtest.h>

#include <functional>
#include <iterator>
#include <string>

#include "engine/check.h"
#include "sim/io/snapshot.h"
#include "sim/io/xyz.h"
#include "tests/sim/io/units_named.h"
#include "tests/support/mutation.h"
#include "tests/support/temporary_folder.h"

namespace mote::sim {
namespace {

using engine::Vec3d;
using test::message_of;
using test::TemporaryFolder;

class Xyz : public ::testing::Test {
 protected:
  Bodies read(const std::string& text, const XyzRequest& request = {}) {
    return read_bodies_xyz(folder_.file("a.xyz", text), request, "scene.lua:3");
  }
  XyzBox box(const std::string& text) {
    return read_xyz_box(folder_.file("a.xyz", text), "scene.lua:3");
  }

  std::string without_folder(std::string all) const {
    const std::string folder = (folder_ / "").string();
    for (std::size_t at; (at = all.find(folder)) != all.npos;) all.erase(at, folder.size());
    return all;
  }
  std::string complaints(const std::string& text, const XyzRequest& request = {}) {
    return without_folder(message_of<engine::InputError>([&] { read(text, request); }));
  }
  std::string complaints_of_box(const std::string& text) {
    return without_folder(message_of<engine::InputError>([&] { box(text); }));
  }

  TemporaryFolder folder_;
};

void expect_vector(Vec3d v, double x, double y, double z) {
  EXPECT_EQ(v.x, x);
  EXPECT_EQ(v.y, y);
  EXPECT_EQ(v.z, z);
}

TEST_F(Xyz, PlainHasPositionsAndOptionallyVelocities) {
  const Bodies still = read("2\nwater, it's = \"\nO 0.1 -2 3e-1\nH\t1  2 3\r\n\n", {.mass = 18});
  ASSERT_EQ(still.count(), 2);
  expect_vector(still.position[0], 0.1, -2, 0.3);
  expect_vector(still.velocity[1], 0, 0, 0);
  EXPECT_EQ(still.mass, (std::vector<double>{18, 18}));
  EXPECT_TRUE(still.species.empty());
  EXPECT_TRUE(still.names.empty());
  const Bodies moving = read("1\n\nAr 1 2 3 4 5 -6");
  EXPECT_EQ(moving.mass, std::vector<double>{1});
  expect_vector(moving.velocity[0], 4, 5, -6);
}

TEST_F(Xyz, AssignsSpeciesByTheirNamesInTheScene) {
  const XyzRequest request{.species = {"Ar", "big one"}};
  const Bodies b = read("4\n\nX 0 0 0\nAr 1 0 0\nbig_one 2 0 0\nX 3 0 0\n", request);
  EXPECT_EQ(b.species, (std::vector<std::uint8_t>{0, 1, 2, 0}));
  EXPECT_EQ(
      complaints("2\n\nAr 0 0 0\nAs 1 0 0\n", request),
      "a.xyz:4: the scene has no species \"As\"; did you mean 'Ar'? (or species = \"...\" for all "
      "bodies of the "
      "file)");
}

TEST_F(Xyz, ExtendedHasTheColumnsOfItsComment) {
  // As ASE writes it, with further columns, which are ignored.
  const Bodies b = read(
      "2\nLattice=\"4 0.0 0 0 5 0 0 0 6\" "
      "Properties=species:S:1:pos:R:3:forces:R:3:masses:R:1:id:I:1:vel:R:3 "
      "pbc=\"T T T\"\nNa 1 2 3 9 9 9 22.5 7 -1 -2 -3\nCl 4 5 6 9 9 9 35 8 0 0 1\n",
      {.mass = 3, .species = {"Cl", "Na"}});
  ASSERT_EQ(b.count(), 2);
  expect_vector(b.position[1], 4, 5, 6);
  expect_vector(b.velocity[0], -1, -2, -3);
  EXPECT_EQ(b.mass, (std::vector<double>{22.5, 35}));
  EXPECT_EQ(b.species, (std::vector<std::uint8_t>{2, 1}));
}

TEST_F(Xyz, NistHasABoxAboutTheOrigin) {
  const std::string text = "    8.0  9.0  10.5\n 2\n  1  -3.9  1 2\n 2 4 -4.5 5\n";
  const Bodies b = read(text, {.mass = 2, .species = {"a"}});
  ASSERT_EQ(b.count(), 2);
  expect_vector(b.position[1], 4, -4.5, 5);
  EXPECT_EQ(b.mass[0], 2);
  EXPECT_TRUE(b.species.empty());
  expect_vector(box(text).size, 8, 9, 10.5);
  expect_vector(box(text).center, 0, 0, 0);
}

TEST_F(Xyz, BoxesExtendFromTheirOrigin) {
  const XyzBox ase = box("0\nLattice=\"4 0 0 0 5 0 0 0 6\" Properties=species:S:1:pos:R:3\n");
  expect_vector(ase.size, 4, 5, 6);
  expect_vector(ase.center, 2, 2.5, 3);
  expect_vector(box("0\nlattice='4 0 0 0 5 0 0 0 6' origin=\"-1 0 1\"\n").center, 1, 2.5, 4);
  expect_vector(box("0\n 4 5 6\n").center, 0, 0, 0);
  expect_vector(box("0\n 4 5 6\n").size, 4, 5, 6);
  expect_vector(box("0\n4 5 6 Origin=\"0 0 -1\"\n").center, 2, 2.5, 2);
}

TEST_F(Xyz, WrittenByMoteReadsBackBitForBit) {
  const std::vector<std::uint32_t> ids{3, 5};
  const std::vector<double> m{1.5, 1e-300}, x{1.0 / 3, -2}, y{0.1, 5e-324}, z{1e300, 7}, vx{1, 2},
      vy{-0.0, 3}, vz{4, 1.0 / 7};
  const std::vector<std::uint8_t> species{2, 0};
  const std::vector<SnapshotSpecies> kinds{{"a", "#ffffff"}, {"b c", "#ffffff"}};
  SnapshotData data{.ids = ids,
                    .arrays = SnapshotArrays<double>{x, y, z, vx, vy, vz, m},
                    .units = units("nbody"),
                    .title = "Title with \"quotes\"",
                    .kinds = kinds,
                    .species = species};
  data.domain.emplace();
  data.domain->low = {-1, -2.25, 0}, data.domain->length = {2, 1.0 / 3, 4};
  data.domain->periodic[0] = data.domain->periodic[1] = data.domain->walled[2] = true;
  write_xyz(folder_ / "out.xyz", data);
  const Bodies b = read_bodies_xyz(folder_ / "out.xyz", {.species = {"a", "b c"}}, "");
  ASSERT_EQ(b.count(), 2);
  EXPECT_EQ(b.mass, m);
  EXPECT_EQ(b.species, species);
  for (std::size_t i = 0; i < 2; ++i) {
    expect_vector(b.position[i], x[i], y[i], z[i]);
    expect_vector(b.velocity[i], vx[i], vy[i], vz[i]);
  }
  const XyzBox box = read_xyz_box(folder_ / "out.xyz", "");
  expect_vector(box.size, 2, 1.0 / 3, 4);
  expect_vector(box.center, 0, -2.25 + 0.5 / 3, 2);
  const std::string text = engine::read_file(folder_ / "out.xyz");
  EXPECT_NE(text.find(" pbc=\"T T F\"\n"), text.npos) << text;
}

TEST_F(Xyz, InvalidIsReportedWithItsLine) {
  EXPECT_EQ(complaints(""), "a.xyz: is empty");
  EXPECT_EQ(
      complaints("two\n\n"),
      "a.xyz:1: expected the number of bodies, got \"two\"; the first line of XYZ is the number of "
      "bodies; NIST's files begin with three box lengths, then the number");
  EXPECT_EQ(complaints("2"), "a.xyz:1: ends before the comment, its second line");
  EXPECT_EQ(complaints("3\n\nA 1 2 3\nA 1 nan 3\nA 1 2\n"),
            "a.xyz:4: nan is not finite\na.xyz:5: 3 fields, not 4");
  EXPECT_EQ(complaints("2\n\nA 1 2 3\n"), "a.xyz: ends after 1 of 2 announced bodies");
  EXPECT_EQ(
      complaints("1\n\nA 1 2 3\n1\n\nA 1 2 3\n"),
      "a.xyz:4: the file continues after its 1 bodies; if it has several frames, keep only one");
  EXPECT_EQ(complaints_of_box("1\nLattice=\"1 0 0 0.5 1 0 0 0 1\"\nA 0 0 0\n"),
            "a.xyz:2: Lattice: is not orthorhombic; the sides of a box must be along the axes");
  EXPECT_EQ(complaints("1\nLattice=\"1 0 0\"\nA 0 0 0\n"),
            "a.xyz:2: Lattice: has 3 numbers, not 9");
  EXPECT_EQ(complaints("1\nProperties=pos:R\nA 0 0 0\n"),
            "a.xyz:2: Properties: is not a sequence of name:type:number; write it as in "
            "Properties=species:S:1:pos:R:3");
  EXPECT_EQ(complaints("1\nProperties=pos:R:2\n0 0\n"),
            "a.xyz:2: Properties: pos has 2 columns, not 3");
  EXPECT_EQ(complaints("1\nProperties=species:S:1\nA\n"),
            "a.xyz:2: Properties: has no positions; write it as in Properties=species:S:1:pos:R:3");
  EXPECT_EQ(complaints("1\nProperties=pos:R:3:mass:R:1\n0 0 0 -1\n"),
            "a.xyz:3: mass: -1 is negative; a mass is 0 or more");
  EXPECT_EQ(complaints("1 2 x\n1\n1 0 0 0\n"), "a.xyz:1: \"x\" is not a number");
  EXPECT_EQ(complaints_of_box("0\nno box\n"),
            "a.xyz:2: defines no box; extended XYZ has Lattice=\"lx 0 0 0 ly 0 0 0 lz\"; "
            "plain XYZ may have three lengths as its comment");
  EXPECT_EQ(complaints_of_box("1 0 2\n0\n"), "a.xyz:1: a length of the box is not greater than 0");
  EXPECT_EQ(message_of<engine::InputError>(
                [&] { read_bodies_xyz(folder_ / "none.xyz", {}, "scene.lua:3"); }),
            "scene.lua:3: no such file: " + (folder_ / "none.xyz").string() + "; check the path");
  std::string many = "30\n\n";
  for (int i = 0; i < 30; ++i) many += "A x y z\n";
  EXPECT_NE(complaints(many).find("and 70 more"), std::string::npos);
}

// What ASE writes after molecular dynamics.
TEST_F(Xyz, HasVelocitiesAsMomentaPerMass) {
  const std::string head = "2\nProperties=species:S:1:pos:R:3:momenta:R:3";
  const Bodies b = read(head + ":masses:R:1\nAr 0 0 0 2 0 0 2\nAr 9 0 0 0 -8 0 4\n");
  expect_vector(b.velocity[0], 1, 0, 0);
  expect_vector(b.velocity[1], 0, -2, 0);
  const std::string plain = head + "\nAr 0 0 0 2 0 0\nAr 9 0 0 0 -8 0\n";
  expect_vector(read(plain, {.mass = 4}).velocity[1], 0, -2, 0);
  EXPECT_EQ(complaints(plain, {.mass = 0}),
            "a.xyz:3: momenta: a body without mass has a momentum; give it a mass, or a velocity\n"
            "a.xyz:4: momenta: a body without mass has a momentum; give it a mass, or a velocity");
  EXPECT_EQ(complaints("1\nProperties=pos:R:3:momenta:R:3:velo:R:3\n0 0 0 0 0 0 0 0 0\n"),
            "a.xyz:2: Properties: has velocities and momenta; remove one of them");
}

TEST_F(Xyz, HasBodiesInTheOrderOfTheirIds) {
  const Bodies b = read("3\nProperties=id:I:1:pos:R:3:mass:R:1\n9 3 0 0 3\n1 1 0 0 1\n4 2 0 0 2\n");
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(b.position[k].x, static_cast<double>(k + 1));
    EXPECT_EQ(b.mass[k], static_cast<double>(k + 1));
  }
  EXPECT_EQ(complaints("2\nProperties=id:I:1:pos:R:3\n1 0 0 0\n1 1 0 0\n"),
            "a.xyz: id: two bodies have the id 1; number them, or remove the column");
}

// A cell whose right angles were computed, or stored in single precision.
TEST_F(Xyz, HasRightAnglesUpToRounding) {
  for (const char* noise : {"6e-16", "-4.4e-07"}) {
    const std::string text =
        std::string("1\nLattice=\"10 0 ") + noise + " 0 10 0 0 0 10\"\nA 1 2 3\n";
    expect_vector(box(text).size, 10, 10, 10);
  }
  // Only the bodies of a skewed cell, in open space.
  const std::string skewed = "1\nLattice=\"5 0 0 2.5 4.33 0 0 0 8\"\nA 1 2 3\n";
  expect_vector(read(skewed).position[0], 1, 2, 3);
}

TEST_F(Xyz, SaysAlongWhichAxesItIsPeriodic) {
  for (const char* pbc :
       {"\"T T F\"", "\"1 1 0\"", "[true, true, false]", "{T T F}", "'True True False'"}) {
    const XyzBox slab = box(std::string("0\nLattice=\"4 0 0 0 5 0 0 0 0\" pbc=") + pbc + "\n");
    EXPECT_TRUE(slab.periodic[0] && slab.periodic[1]) << pbc;
    EXPECT_FALSE(slab.periodic[2]) << pbc;
    expect_vector(slab.size, 4, 5, 0);
  }
  const XyzBox all = box("0\nLattice=\"4 0 0 0 5 0 0 0 6\"\n");
  EXPECT_TRUE(all.periodic[0] && all.periodic[1] && all.periodic[2]);
  EXPECT_EQ(complaints("0\nLattice=\"4 0 0 0 5 0 0 0 6\" pbc=\"yes\"\n"),
            "a.xyz:2: pbc: \"yes\" is not of the form \"T T F\"");
}

TEST_F(Xyz, HasPositionsInTheImagesOfTheBox) {
  const std::string row = "Properties=pos:R:3:image:I:3\n1 2 3 1 0 -2\n";
  expect_vector(read("1\nLattice=\"4 0 0 0 5 0 0 0 6\" " + row).position[0], 5, 2, -9);
  EXPECT_EQ(complaints("1\n" + row),
            "a.xyz:3: image: the box of the images is not known; the comment needs a Lattice along "
            "the axes; else write unwrapped positions");
}

TEST_F(Xyz, WithColumnsUnderWhichItMeansSomethingElseIsRefused) {
  EXPECT_EQ(complaints("1\nProperties=pos:R:3:momentas:R:3\n0 0 0 1 0 0\n"),
            "a.xyz:2: Properties: does not know the column \"momentas\"; did you mean 'momenta'? "
            "Else remove it");
  EXPECT_EQ(complaints("1\nProperties=pos:R:3:move_mask:L:1\n0 0 0 F\n"),
            "a.xyz:3: move_mask: the body is held in the file; remove the column, and say which "
            "bodies are held in the scene (fixed = true)");
  EXPECT_EQ(read("1\nProperties=pos:R:3:move_mask:L:3\n0 0 0 T T T\n").count(), 1);
  EXPECT_EQ(complaints("1\nLatice=\"4 0 0 0 5 0 0 0 6\"\n0 0 0\n"),
            "a.xyz:2: latice: is not a key of extended XYZ; did you mean 'lattice'?");
  const engine::UnitSystem galactic = units("galactic");
  EXPECT_EQ(complaints("1\nProperties=pos:R:3 units=nbody\n0 0 0\n", {.units = &galactic}),
            "a.xyz:2: units: are \"nbody\", but those of the scene are galactic; choose the units "
            "of the file in the scene, or convert the file and remove the key");
}

TEST_F(Xyz, ChangedAtRandomIsAcceptedOrRejectedWithSingleLines) {
  const std::string files[] = {"3\n10 10 10\nO 0.1 -2 3e-1\nH 1 2 3\nH 4 5 6\n",
                               "2\na drop\nAr 1 2 3 4 5 -6\nAr 2 2 3 4 5 -6\n",
                               "2\nLattice=\"4 0 0 0 5 0 0 0 6\" "
                               "Properties=species:S:1:pos:R:3:velo:R:3:mass:R:1:id:I:1 Time=1\n"
                               "A 1 2 3 0 0 0 2 7\nB 1 1 3 0 1 0 2 8\n",
                               "4 5 6\n2\n1 0.5 0.5 0.5\n2 1 1 1\n"};
  int good = 0, rejected = 0;
  const auto check = [&](const std::function<void()>& read_it, int number) {
    try {
      read_it(), ++good;
    } catch (const engine::InputError& error) {  // any other exception fails the test
      ++rejected;
      EXPECT_LE(error.diagnostics().size(), 21u);
      for (const engine::Diagnostic& d : error.diagnostics()) {
        EXPECT_FALSE(d.place.empty() || d.problem.empty());
        EXPECT_EQ(d.text().find('\n'), std::string::npos) << number << ": " << d.text();
      }
    }
  };
  for (int i = 0; i < 400; ++i) {
    const std::string text =
        test::mutated(files[i % std::size(files)], static_cast<std::uint64_t>(i));
    check([&] { read(text, {.species = {"A", "B"}}); }, i);
    check([&] { box(text); }, i);
  }
  EXPECT_GT(good, 40);
  EXPECT_GT(rejected, 40);
}

}  // namespace
}  // namespace mote::sim
