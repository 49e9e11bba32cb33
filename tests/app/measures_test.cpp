// Measurements of liquids during a run.
#include <gtest/gtest.h>

#include "tests/app/program.h"

namespace mote::test {
namespace {

const char* const liquid_scene = R"(return {
  domain = { size = { 5.2, 5.2, 5.2 } },
  lennard_jones = { cutoff = 2.2 },
  integrator = { dt = 0.004 },
  bodies = lattice { structure = "fcc", counts = { 3, 3, 3 }, spacing = 5.2 / 3, mass = 108, dispersion = 1.2 },
  series = { steps = 5, displacement = true },
  radial_distribution = { range = 2.5, bins = 50, every = 7, from = 10 },
  on_step = { every = 20, run = function(sim)
    sim:row("ways", { displacement = sim.displacement })
    if sim.step == 40 then sim:add { mass = 1, position = { 0.9, 0.9, 0.9 } } end
  end },
})";

std::vector<std::string> run_of(const std::string& folder, const std::string& steps) {
  return {"run",     "liquid.lua", "--backend",          "cpu", "--out", folder, "--quiet",
          "--steps", steps,        "--checkpoint-steps", "17"};
}

int samples_of(const std::filesystem::path& run) {
  return json_of(run / "run.json").at("radial_distribution").at("samples").get<int>();
}

TEST(MeasuresOfLiquids, GoOnWhereARunIsTakenFurther) {
  const TemporaryFolder folder;
  const auto& here = folder.path();
  write(here / "liquid.lua", liquid_scene);
  const Result whole = mote(here, run_of("whole", "90"));
  ASSERT_EQ(whole.code, 0) << whole.err;
  const Result part = mote(here, run_of("part", "42"));
  ASSERT_EQ(part.code, 0) << part.err;
  EXPECT_TRUE(
      text_of(here / "part/radial_distribution.csv").starts_with("low,high,g,coordination\n"));
  EXPECT_EQ(samples_of(here / "part"), 5);
  const Result further = mote(here, {"resume", "part", "--quiet", "--steps", "90"});
  ASSERT_EQ(further.code, 0) << further.err;
  for (const char* file : {"series.csv", "radial_distribution.csv", "rows/ways.csv"})
    EXPECT_EQ(text_of(here / "part" / file), text_of(here / "whole" / file)) << file;
  // At 14, 21, ... 84; step 7 is before the first sample.
  EXPECT_EQ(samples_of(here / "whole"), 11);
  EXPECT_EQ(samples_of(here / "part"), 11);
  EXPECT_TRUE(lines_of(text_of(here / "whole/series.csv"))
                  .front()
                  .ends_with(",temperature,pressure,displacement"));
  // The rows of step 20 in both files are the same measurement.
  const std::vector<std::string> series = lines_of(text_of(here / "whole/series.csv")),
                                 rows = lines_of(text_of(here / "whole/rows/ways.csv"));
  EXPECT_EQ(series[5].substr(series[5].rfind(',')), rows[1].substr(rows[1].rfind(',')));
}

TEST(MeasuresOfLiquids, CountTheStartWhereNothingIsPassedOver) {
  const TemporaryFolder folder;
  std::string scene = liquid_scene;
  scene.replace(scene.find(", from = 10"), 11, "");
  write(folder / "liquid.lua", scene);
  const Result result = mote(folder.path(), run_of("out", "14"));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(samples_of(folder / "out"), 3);
}

// Tables have the same header in all units, which are beside them.
TEST(MeasuresOfLiquids, HaveTheirUnitsBesideThem) {
  const TemporaryFolder folder;
  std::string scene = liquid_scene;
  scene.replace(scene.find("return {"), 8, "return { units = 'si',");
  write(folder / "liquid.lua", scene);
  const Result result = mote(folder.path(), run_of("out", "20"));
  ASSERT_EQ(result.code, 0) << result.err;
  const std::filesystem::path out = folder / "out";
  EXPECT_EQ(lines_of(text_of(out / "rows/ways.csv")).front(), "time,step,displacement");
  EXPECT_EQ(json_of(out / "rows/ways.units.json"), engine::parse_json(R"({"time": "s"})"));
  EXPECT_EQ(lines_of(text_of(out / "radial_distribution.csv")).front(), "low,high,g,coordination");
  EXPECT_EQ(json_of(out / "radial_distribution.units.json"),
            engine::parse_json(R"({"low": "m", "high": "m"})"));
  // They are files of the run, which --force removes.
  std::string without = liquid_scene;
  without.replace(without.find("radial_distribution ="), 21, "-- ");
  write(folder / "liquid.lua", without);
  std::vector<std::string> again = run_of("out", "5");
  again.push_back("--force");
  EXPECT_EQ(mote(folder.path(), again).code, 0);
  for (const char* file : {"rows", "radial_distribution.csv", "radial_distribution.units.json"})
    EXPECT_FALSE(std::filesystem::exists(out / file)) << file;
}

TEST(MeasuresOfLiquids, AreNotThereUnlessTheyAreAskedFor) {
  const TemporaryFolder folder;
  std::string scene = liquid_scene;
  scene.replace(scene.find(", displacement = true"), 21, "");
  write(folder / "liquid.lua", scene);
  const Result result = mote(folder.path(), run_of("out", "20"));
  EXPECT_NE(result.code, 0);
  EXPECT_NE(
      result.err.find("sim.displacement: is not measured; add series = { displacement = true }"),
      std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace mote::test
