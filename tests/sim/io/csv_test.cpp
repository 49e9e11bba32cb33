#include "sim/io/csv.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/check.h"
#include "tests/support/temporary_folder.h"

namespace mote::sim {
namespace {

using test::message_of;
using test::TemporaryFolder;

const engine::UnitSystem& solar() {
  return *engine::unit_system_named("solar");
}
const engine::UnitSystem& nbody() {
  return *engine::unit_system_named("nbody");
}

class BodiesCsv : public ::testing::Test {
 protected:
  Bodies read(const std::string& text, const engine::UnitSystem& units = nbody()) {
    return read_bodies_csv(folder_.file("b.csv", text), units, "scene.lua:3");
  }
  /// The error messages for a file, without its folder.
  std::string complaints(const std::string& text, const engine::UnitSystem& units = nbody()) {
    std::string all = message_of<engine::InputError>([&] { read(text, units); });
    const std::string folder = (folder_ / "").string();
    for (std::size_t at; (at = all.find(folder)) != all.npos;) all.erase(at, folder.size());
    return all;
  }

  TemporaryFolder folder_;
};

TEST_F(BodiesCsv, ReadsTheOuterSolarSystemDigitForDigit) {
  const Bodies b = read(
      "name,mass_msun,x_au,y_au,z_au,vx_au_day,vy_au_day,vz_au_day\n"
      "Sun,1.00000597682,-4.06428567034226e-3,-6.08813756435987e-3,-1.66162304225834e-6,"
      "6.69048890636161e-6,-6.33922479583593e-6,-3.13202145590767e-9\n"
      "Pluto,0,-21.3858977531573,32.0719104739886,2.49245689556096,"
      "-1.76936577252484e-3,-2.06720938381724e-3,6.58091931493844e-4\n",
      solar());
  ASSERT_EQ(b.count(), 2);
  EXPECT_EQ(b.names, (std::vector<std::string>{"Sun", "Pluto"}));
  EXPECT_EQ(b.mass, (std::vector<double>{1.00000597682, 0}));
  EXPECT_EQ(b.position[0].x, -4.06428567034226e-3);
  EXPECT_EQ(b.position[1].y, 32.0719104739886);
  EXPECT_EQ(b.position[1].z, 2.49245689556096);
  EXPECT_EQ(b.velocity[0].x, 6.69048890636161e-6);
  EXPECT_EQ(b.velocity[0].y, -6.33922479583593e-6);
  EXPECT_EQ(b.velocity[1].z, 6.58091931493844e-4);
}

// numpy.savetxt("b.csv", table, delimiter=",", header="mass,x,y,z").
TEST_F(BodiesCsv, TakesTheHeaderOfSavetxtFromItsComment) {
  const Bodies b = read("# 2026\n# mass,x,y,z\n1.0e+00,0.0e+00,1.0e+00,2.0e+00\n2,0.5,0,0\n");
  ASSERT_EQ(b.count(), 2);
  EXPECT_EQ(b.position[0].z, 2);
  EXPECT_EQ(complaints("# mass,x,y,w\n1,2,3,4\n").substr(0, 30), "b.csv:1: w: unknown column; kn");
  EXPECT_EQ(
      complaints("# stars\n1,2,3,4\n"),
      "b.csv:2: there is no header line: the first line holds numbers; the first line names the "
      "columns, as name,mass,x,y,z,vx,vy,vz");
}

TEST_F(BodiesCsv, SaysWhatSeparatesColumnsAndWhoWritesAnIndex) {
  EXPECT_EQ(
      complaints("mass x y z\n1 2 3 4\n"),
      "b.csv:1: the columns are separated by spaces, not by commas; save the file with commas, "
      "with numpy.savetxt: delimiter=','");
  EXPECT_EQ(
      complaints(",mass,x,y,z\n0,1,2,3,4\n"),
      "b.csv:1: column 1 has no name; name it; if it is the index of a pandas table, write the "
      "file with to_csv(..., index=False)");
}

TEST_F(BodiesCsv, HasBodiesInTheOrderOfTheirIds) {
  const Bodies b = read("id,name,mass,x,y,z\n7,c,3,0,0,0\n1,a,1,0,0,0\n2.0,b,2,0,0,0\n");
  EXPECT_EQ(b.mass, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(b.names, (std::vector<std::string>{"a", "b", "c"}));
  // Labels of a catalogue.
  EXPECT_EQ(read("id,mass,x,y,z\nB2,3,0,0,0\nA1,1,0,0,0\n").mass, (std::vector<double>{3, 1}));
  EXPECT_EQ(complaints("id,mass,x,y,z\n4,1,0,0,0\n4,1,0,0,0\n"),
            "b.csv: id: two bodies have the id 4; number them, or remove the column");
}

TEST_F(BodiesCsv, AcceptsColumnsInAnyOrderAndPutsBodiesWithoutVelocityAtRest) {
  const Bodies b = read("z,mass,y,x\n3,10,2,1\n");
  ASSERT_EQ(b.count(), 1);
  EXPECT_EQ(b.mass[0], 10);
  EXPECT_TRUE((b.position[0] == engine::Vec3d{1, 2, 3}));
  EXPECT_TRUE((b.velocity[0] == engine::Vec3d{0, 0, 0}));
  EXPECT_TRUE(b.names.empty());
}

TEST_F(BodiesCsv, ReportsWhichOtherCharacterSeparatesTheColumns) {
  for (const auto& [header, mark] :
       {std::pair("mass;x;y;z", "semicolons"), std::pair("mass\tx\ty\tz", "tabs")}) {
    try {
      read(std::string(header) + "\n1;2;3;4\n");
      FAIL() << header;
    } catch (const engine::InputError& error) {
      EXPECT_NE(
          std::string(error.what()).find(std::string(":1: the columns are separated by ") + mark),
          std::string::npos)
          << error.what();
      EXPECT_EQ(error.diagnostics().size(), 1u);
    }
  }
}

TEST_F(BodiesCsv, ToleratesCommentsBlankLinesSpacesQuotesAndWindowsLineEnds) {
  const Bodies b = read(
      "\xEF\xBB\xBF# two bodies\r\n"
      "\r\n"
      " name , mass, x,\ty, z\r\n"
      "  # in between\r\n"
      "\"a, \"\"b\"\"\" , +1, \"2\" ,-3e0, .5\r\n"
      "   \r\n"
      ",1,0,0,0");
  ASSERT_EQ(b.count(), 2);
  EXPECT_EQ(b.names, (std::vector<std::string>{"a, \"b\"", ""}));
  EXPECT_TRUE((b.position[0] == engine::Vec3d{2, -3, 0.5}));
}

TEST_F(BodiesCsv, ReportsEveryBadRowInOnePassWithItsLine) {
  EXPECT_EQ(complaints("mass,x,y,z\n"
                       "1,0,0,0\n"
                       "1,0,0\n"
                       "1,abc,,0\n"
                       "# fine\n"
                       "-2,0,0,0\n"
                       "1,nan,inf,1e999\n"
                       "1,0x10,1 2,--1\n"
                       "1,+-1,1;2,+\n"
                       "1,\"0,0,0\n"
                       "1,\"0\"1,0,0\n"
                       "1,0,0,0,0\n"),
            "b.csv:3: 3 fields, but the header has 4\n"
            "b.csv:4: x: \"abc\" is not a number\n"
            "b.csv:4: y: has no value\n"
            "b.csv:6: mass: -2 is negative; a mass is 0 or more\n"
            "b.csv:7: x: nan is not finite\n"
            "b.csv:7: y: inf is not finite\n"
            "b.csv:7: z: 1e999 is beyond the range of double precision\n"
            "b.csv:8: x: \"0x10\" is not a number\n"
            "b.csv:8: y: \"1 2\" is not a number\n"
            "b.csv:8: z: \"--1\" is not a number\n"
            "b.csv:9: x: \"+-1\" is not a number\n"
            "b.csv:9: y: \"1;2\" is not a number\n"
            "b.csv:9: z: \"+\" is not a number\n"
            "b.csv:10: a quoted field has no closing quote\n"
            "b.csv:11: a quoted field has no closing quote\n"
            "b.csv:12: 5 fields, but the header has 4");
}

TEST_F(BodiesCsv, ShowsTwentyProblemsAndCountsTheRest) {
  std::string text = "mass,x,y,z\n";
  for (int i = 0; i < 27; ++i) text += "?" + std::to_string(i) + ",0,0,0\n";
  const std::string all = complaints(text);
  EXPECT_NE(all.find("b.csv:21: mass: \"?19\" is not a number\nb.csv: and 7 more"), all.npos)
      << all;
  EXPECT_EQ(all.find("b.csv:22"), all.npos) << all;
}

TEST_F(BodiesCsv, SuggestsTheClosestColumn) {
  EXPECT_EQ(complaints("masss_msun,X_au,y_au,z_au,colour,name_x,\n1,0,0,0,0,0,0\n", solar()),
            "b.csv:1: masss_msun: unknown column; did you mean 'mass_msun'?\n"
            "b.csv:1: X_au: unknown column; did you mean 'x_au'?\n"
            "b.csv:1: colour: unknown column; known: mass, x, y, z, vx, vy, vz, name, id, "
            "species, with or without a unit, as in x_au\n"
            "b.csv:1: name_x: unknown column; did you mean 'name'?\n"
            "b.csv:1: column 7 has no name\n"
            "b.csv:1: mass: column is missing; mass, x, y and z are required\n"
            "b.csv:1: x: column is missing; mass, x, y and z are required");
}

TEST_F(BodiesCsv, HasLinesOfAtMost65536Characters) {
  const std::string fields = ",1,2,3\n", header = "name,mass,x,y,z\n";
  // Without the mass and its comma.
  const auto name = [&](std::size_t line) { return std::string(line - 8, 'n'); };
  EXPECT_EQ(read(header + name(65536) + ",7" + fields).count(), 1);
  EXPECT_EQ(complaints(header + name(65537) + ",7" + fields),
            "b.csv:2: is longer than 65,536 characters");
}

TEST_F(BodiesCsv, RequiresAllVelocityComponentsOrNone) {
  EXPECT_EQ(complaints("mass,x,y,z,vy\n1,0,0,0,0\n"),
            "b.csv:1: vx: column is missing; give vx, vy and vz, or none of them\n"
            "b.csv:1: vz: column is missing; give vx, vy and vz, or none of them");
}

TEST_F(BodiesCsv, RejectsDuplicateColumns) {
  EXPECT_EQ(complaints("name,name,mass,x,y,z,x_au\na,b,1,0,0,0,0\n", solar()),
            "b.csv:1: name: appears twice in the header; keep one\n"
            "b.csv:1: x_au: is a second column for x; keep one");
}

TEST_F(BodiesCsv, RejectsUnitsThatAreNotThoseOfTheScene) {
  EXPECT_EQ(complaints("mass_kg,x_kpc,y,z_AU\n1,0,0,0\n", solar()),
            "b.csv:1: mass_kg: is in kg, but the unit of mass of the unit system 'solar' is Msun; "
            "convert "
            "the column, or "
            "choose other units in the scene\n"
            "b.csv:1: x_kpc: is in kpc, but the unit of length of the unit system 'solar' is au; "
            "convert the "
            "column, or "
            "choose other units in the scene");
  EXPECT_EQ(
      complaints("mass,x_au,y,z\n1,0,0,0\n"),
      "b.csv:1: x_au: is in au, but the unit system 'nbody' has no units; convert the column, or "
      "choose other "
      "units in the scene");
  EXPECT_EQ(complaints("mass,x_ell,y,z\n1,0,0,0\n"),
            "b.csv:1: x_ell: unknown unit of length 'ell'; known: m, cm, km, au, pc, kpc, mpc; "
            "without a unit, numbers are in the scene's units");
}

TEST_F(BodiesCsv, AcceptsTheUnitsOfEveryUnitSystem) {
  const std::string rest = "\n1,0,0,0,0,0,0\n";
  EXPECT_EQ(
      read("mass_kg,x_m,y_m,z_m,vx_m_s,vy_m_s,vz_m_s" + rest, *engine::unit_system_named("si"))
          .count(),
      1);
  EXPECT_EQ(read("mass_Msun,x_AU,y_au,z_au,vx_au_day,vy_au_d,vz" + rest, solar()).count(), 1);
  EXPECT_EQ(read("mass_1e10msun,x_kpc,y_kpc,z_kpc,vx_km_s,vy_km_s,vz_km_s" + rest,
                 *engine::unit_system_named("galactic"))
                .count(),
            1);
}

TEST_F(BodiesCsv, ReportsWhatIsMissingInAFileWithoutBodies) {
  EXPECT_EQ(complaints("# nothing\n\n"),
            "b.csv: there is no header line; the first line names the columns, as "
            "name,mass,x,y,z,vx,vy,vz");
  EXPECT_EQ(complaints(""), complaints("\n"));
  EXPECT_EQ(complaints("mass,x,y,z\n"), "b.csv: there are no bodies below the header");
  EXPECT_EQ(complaints("mass,\"x,y,z\n1,2,3,4\n"), "b.csv:1: a quoted field has no closing quote");
}

TEST_F(BodiesCsv, ReportsWhereAMissingFileIsNamed) {
  const auto path = folder_ / "none.csv";
  EXPECT_EQ(message_of<engine::InputError>([&] { read_bodies_csv(path, nbody(), "scene.lua:3"); }),
            "scene.lua:3: no such file: " + path.string() + "; check the path");
}

TEST_F(BodiesCsv, CannotReadAFolder) {
  const std::string path = (folder_ / "").string();
  EXPECT_EQ(message_of<engine::SystemError>([&] { read_bodies_csv(path, nbody(), ""); }),
            "read " + path + ": is a folder; check the path and its permissions");
}

}  // namespace
}  // namespace mote::sim
