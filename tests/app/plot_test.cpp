// mote plot: series and density of stored runs as PNG and SVG.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/measure/profile.h"
#include "tests/app/program.h"
#include "tests/app/scenes.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

/// Width and height of a PNG, by its header.
std::pair<int, int> size_of_png(const fs::path& file) {
  const std::string bytes = text_of(file).substr(0, 24);
  const auto number = [&](std::size_t at) {
    int value = 0;
    for (std::size_t i = at; i < at + 4; ++i)
      value = value * 256 + static_cast<unsigned char>(bytes.at(i));
    return value;
  };
  return bytes.starts_with("\x89PNG\r\n\x1a\n") ? std::pair{number(16), number(20)}
                                                : std::pair{0, 0};
}

/// Points of the longest path in an SVG.
int longest_path(const std::string& svg) {
  int most = 0;
  for (std::size_t at = svg.find(" d=\""); at != svg.npos; at = svg.find(" d=\"", at + 1)) {
    const std::string path = svg.substr(at + 4, svg.find('"', at + 4) - at - 4);
    if (path.find_first_of("CZ") != path.npos) continue;  // glyphs, markers and boxes
    most = std::max(most, static_cast<int>(1 + std::count(path.begin(), path.end(), 'L')));
  }
  return most;
}

/// The largest x of a glyph on a line of an SVG.
double rightmost_glyph(const std::string& svg, double line) {
  double most = 0;
  for (std::size_t at = svg.find("<use "); at != svg.npos; at = svg.find("<use ", at + 1)) {
    const std::string glyph = svg.substr(at, svg.find('>', at) - at);
    const std::size_t x = glyph.find(" x=\""), y = glyph.find(" y=\"");
    if (x != glyph.npos && y != glyph.npos && std::abs(std::stod(glyph.substr(y + 4)) - line) < 1)
      most = std::max(most, std::stod(glyph.substr(x + 4)));
  }
  return most;
}

class Plot : public testing::Test {
 protected:
  void SetUp() override {
    if (mote(here(), {"doctor"}).out.find("-DMOTE_RENDER=OFF") != std::string::npos)
      GTEST_SKIP() << "this build draws no pictures";
    write(here() / "binary.lua", binary_scene);
    const Result ran =
        mote(here(), {"run", "binary.lua", "--backend", "cpu", "--quiet", "--out", "a"});
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  const fs::path& here() const { return folder_.path(); }
  std::string good(const std::vector<std::string>& words) const {
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result.out;
  }
  std::string refused(const std::vector<std::string>& words) const {
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 2) << result.out;
    return result.err;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Plot, HasTitlesAndAPointForEachRow) {
  EXPECT_EQ(good({"plot", "a"}), "a/plot.png\na/plot.svg\n");
  EXPECT_EQ(size_of_png(here() / "a/plot.png"), std::pair(1920, 1080));
  const std::string svg = text_of(here() / "a/plot.svg");
  const auto rows = static_cast<long>(lines_of(text_of(here() / "a/series.csv")).size()) - 1;
  ASSERT_GT(rows, 50);
  const std::string points = "(" + std::to_string(rows) + " points)";
  for (const std::string& text :
       {"Energy: kinetic " + points, "potential " + points, "total " + points,
        std::string("elative energy error"), std::string("Virial ratio"),
        std::string("Lagrangian radii: 10 % ") + points})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  EXPECT_EQ(svg.find("Density"), std::string::npos) << "two bodies have no profile";
  EXPECT_EQ(longest_path(svg), rows);
}

TEST_F(Plot, IsTheSameBytesForTheSameRun) {
  good({"plot", "a"});
  const std::string png = text_of(here() / "a/plot.png"), svg = text_of(here() / "a/plot.svg");
  good({"plot", "a"});
  EXPECT_EQ(text_of(here() / "a/plot.png"), png);
  EXPECT_EQ(text_of(here() / "a/plot.svg"), svg);
  EXPECT_EQ(first_partial_file(here() / "a"), "");
}

TEST_F(Plot, HasTheSizeNameAndPanelsThatAreAskedFor) {
  EXPECT_EQ(good({"plot", "a", "-o", "p.png", "--what", "momentum", "--size", "640x400"}),
            "p.png\n");
  EXPECT_EQ(size_of_png(here() / "p.png"), std::pair(640, 400));
  good({"plot", "a", "-o", "p.svg", "--what", "profile,momentum"});
  const std::string svg = text_of(here() / "p.svg");
  EXPECT_NE(svg.find("Momenta"), std::string::npos);
  EXPECT_NE(svg.find("a profile needs 32 bodies with mass"), std::string::npos);
  EXPECT_EQ(svg.find("Energy"), std::string::npos);
  EXPECT_FALSE(fs::exists(here() / "a/plot.png"));
}

TEST_F(Plot, HasPanelsOfWhatWasMeasured) {
  const std::string liquid =
      R"(return { units = "si", domain = { size = { 5.2, 5.2, 5.2 }, %DOMAIN% },
    lennard_jones = { cutoff = 2.2 }, integrator = { dt = 0.001 }, stop = { steps = 40 },
    bodies = lattice { structure = "fcc", counts = { 3, 3, 3 }, spacing = 1.7, mass = 108 },
    %MORE% })";
  const auto plotted = [&](const std::string& domain, const std::string& more,
                           const std::vector<std::string>& what = {}) {
    std::string scene = liquid;
    scene.replace(scene.find("%DOMAIN%"), 8, domain).replace(scene.find("%MORE%"), 6, more);
    write(here() / "liquid.lua", scene);
    good({"run", "liquid.lua", "--backend", "cpu", "--quiet", "--out", "b", "--force"});
    std::vector<std::string> words{"plot", "b", "-o", "p.svg"};
    words.insert(words.end(), what.begin(), what.end());
    good(words);
    return text_of(here() / "p.svg");
  };
  const auto has = [](const std::string& svg, const std::vector<const char*>& titles) {
    for (const char* title :
         {"Energy", "elative energy error", "Virial ratio", "Lagrangian radii", "Temperature",
          "Pressure", "Mean square displacement", "Radial distribution", "Density"}) {
      const bool wanted = std::any_of(titles.begin(), titles.end(),
                                      [&](const char* t) { return std::string(t) == title; });
      EXPECT_EQ(svg.find(title) != svg.npos, wanted) << title;
    }
  };
  has(plotted("", ""), {"Energy", "elative energy error", "Temperature", "Pressure"});
  // Without gravity, virial ratio, radii and profile mean nothing in an open domain, too.
  has(plotted("boundary = 'wall'", ""),
      {"Energy", "elative energy error", "Temperature", "Pressure"});
  has(plotted("boundary = 'wall'", "", {"--what", "virial_ratio,radii,profile"}),
      {"Virial ratio", "Lagrangian radii", "Density"});
  const std::string measured =
      "series = { displacement = true }, radial_distribution = { range = 2, bins = 25, every = 5 }";
  const std::string all = plotted("", measured);
  has(all, {"Energy", "elative energy error", "Temperature", "Pressure", "Mean square displacement",
            "Radial distribution"});
  EXPECT_NE(all.find("g(r): all pairs (25 points)"), std::string::npos);
  const std::string chosen =
      plotted("", measured, {"--what", "radial_distribution,pressure,temperature,displacement"});
  has(chosen, {"Temperature", "Pressure", "Mean square displacement", "Radial distribution"});
  EXPECT_NE(chosen.find("Pressure: pressure (41 points)"), std::string::npos);
  // Of a run that has none of it.
  EXPECT_EQ(refused({"plot", "a", "--what", "temperature"}),
            "--what temperature: is not in a/series.csv, which has no such column; runs with "
            "molecules have it\n");
  EXPECT_EQ(refused({"plot", "a", "--what", "displacement"}),
            "--what displacement: is not in a/series.csv, which has no such column; add series = { "
            "displacement = true } to the scene\n");
  EXPECT_EQ(refused({"plot", "a", "--what", "radial_distribution"}),
            "--what radial_distribution: needs a/radial_distribution.csv, which is not there; a "
            "run writes it at its end if its scene has a table radial_distribution\n");
}

// A unit without its end is another one. Times are in the unit that a reader expects.
TEST_F(Plot, KeepsLongUnitsWithinThePicture) {
  write(here() / "ball.lua", R"(return { units = "galactic", gravity = { softening = 0.1 },
    integrator = { dt = 1.00113717e-6 }, stop = { steps = 3 }, bodies = { plummer { n = 64 } } })");
  good({"run", "ball.lua", "--backend", "cpu", "--quiet", "--out", "b"});
  good({"plot", "b", "-o", "p.svg", "--size", "1280x720", "--theme", "light"});
  const std::string svg = text_of(here() / "p.svg");
  EXPECT_NE(svg.find("Density at t = 2.937 kyr"), std::string::npos);
  // The titles of the lower panels: below a row of 294 pixels that begins at 92, a gap of 22, and
  // 14 for the text itself. That of the density is in the right half, up to its closing bracket,
  // which is 3 pixels wide or more.
  const double line = 92 + 294 + 22 + 14, margin = 26;
  EXPECT_LT(rightmost_glyph(svg, line), 1280 - margin - 3);
  EXPECT_GT(rightmost_glyph(svg, line), 1280 / 2 + margin);
}

TEST_F(Plot, IsOnWhiteForPrint) {
  good({"plot", "a", "-o", "dark.svg"});
  good({"plot", "a", "-o", "light.svg", "--theme", "light"});
  const auto is_white = [&](const char* file) {
    const std::string svg = text_of(here() / file);
    const std::string rectangle = svg.substr(svg.find("<rect"), 200);
    return rectangle.find("100%, 100%, 100%") != rectangle.npos ||
           rectangle.find("100%,100%,100%") != rectangle.npos;
  };
  EXPECT_TRUE(is_white("light.svg"));
  EXPECT_FALSE(is_white("dark.svg"));
}

TEST_F(Plot, SaysHowManyOfVeryManyPointsItHas) {
  fs::rename(here() / "a/series.csv", here() / "a/series.csv.part");  // as in a run in progress
  std::string table = lines_of(text_of(here() / "a/series.csv.part")).at(0) + "\n";
  for (int i = 0; i < 20000; ++i) {
    table += std::to_string(i) + "," + std::to_string(i);
    for (int column = 2; column < 19; ++column) table += "," + std::to_string(1 + i % 7);
    table += "\n";
  }
  write(here() / "a/series.csv.part", table + "20000,20000,1");  // a row that is being written
  good({"plot", "a", "-o", "p.svg", "--what", "virial_ratio", "--size", "800x450"});
  const std::string svg = text_of(here() / "p.svg");
  EXPECT_NE(svg.find(" of 20000 points)"), std::string::npos);
  EXPECT_GT(longest_path(svg), 500);
  EXPECT_LT(longest_path(svg), 4 * 800 + 8);  // four points a column of pixels, and one beyond each
                                              // end
}

TEST_F(Plot, ShowsColumnsOfTheSeriesAndOfTablesOfHooks) {
  write(here() / "wall.lua", R"(return { units = "si", integrator = { dt = 0.0002 },
stop = { steps = 20 }, grains = { radius = 0.5, stiffness = 1000 },
obstacles = { plane { name = "floor", point = { 0, 0, -0.5 }, normal = { 0, 0, 1 } } },
bodies = { { mass = 1, radius = 0.5, position = { 0, 0, 0 }, velocity = { 0, 0, -1 } } },
on_step = { every = 5, run = function(sim) sim:row("heights", { top = sim.time, low = 2 }) end } })");
  const Result ran = mote(here(), {"run", "wall.lua", "--backend", "cpu", "--quiet", "--out", "w"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  good({"plot", "w", "-o", "p.svg", "--what", "floor_force_z,floor_torque_x,top,heights.low"});
  const std::string svg = text_of(here() / "p.svg");
  for (const char* part :
       {"floor_force_z: floor_force_z (21 points)", "floor_torque_x: floor_torque_x (21 points)",
        "top: heights (4 points)", "heights.low: heights (4 points)"})
    EXPECT_NE(svg.find(part), std::string::npos) << part << svg.substr(0, 3000);
  good({"plot", "w", "-o", "all.svg"});
  const std::string all = text_of(here() / "all.svg");
  EXPECT_NE(all.find("Energy lost or gained"), std::string::npos) << all.substr(0, 3000);
  for (const char* part : {"nergy error", "Virial", "Lagrangian", "Density"})
    EXPECT_EQ(all.find(part), std::string::npos) << part;
}

// 25 steps of 15 minutes are 6.25 hours, in seconds and in days.
TEST_F(Plot, ShowsTheSameTimesForTheSameMotionInOtherUnits) {
  const auto chart_of = [&](const std::string& units, const std::string& steps) {
    write(here() / "coasting.lua", coasting_bodies(units, "18.3 km/s"));
    good({"run", "coasting.lua", "--backend", "cpu", "--quiet", "--out", "c", "--force", "--steps",
          steps});
    good({"plot", "c", "-o", "p.svg", "--what", "energy_error"});
    return text_of(here() / "p.svg");
  };
  const std::string chart = chart_of("si", "25");
  EXPECT_TRUE(chart_of("solar", "25") == chart);
  EXPECT_FALSE(chart_of("solar", "24") == chart);
  // The file has what the scene has: 6.25 h are 0.26 day.
  chart_of("solar", "25");
  const std::vector<std::string> rows = lines_of(text_of(here() / "c/series.csv"));
  EXPECT_NEAR(std::stod(rows.back()), 6.25 / 24, 1e-12);
}

TEST_F(Plot, LaysSeveralRunsOverEachOther) {
  good({"run", "binary.lua", "--backend", "cpu", "--quiet", "--out", "far", "--set", "distance=2"});
  EXPECT_EQ(good({"plot", "a", "far", "-o", "both.svg", "--what", "energy,energy_error"}),
            "both.svg\n");
  const std::string svg = text_of(here() / "both.svg");
  for (const char* part : {"a, far", "2 runs", "a: kinetic", "far: kinetic", "far: total"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  good({"plot", "a", "-o", "one.svg", "--what", "energy"});
  EXPECT_EQ(text_of(here() / "one.svg").find("a: kinetic"), std::string::npos);
  EXPECT_EQ(refused({"plot", "a", "far"}),
            "plot: several runs have no folder in common for their plot; name a file with -o, as "
            "-o compared.png\n");
  write(here() / "s/jobs.json", "{}");
  EXPECT_EQ(refused({"plot", "a", "s", "-o", "p.svg"}),
            "s: is a sweep, which is plotted alone; name runs, or one sweep\n");
}

// Seconds and days have one axis; kilograms and solar masses have no energy in common.
TEST_F(Plot, LaysOnlyValuesOfTheSameUnitOverEachOther) {
  for (const char* units : {"si", "solar"}) {
    write(here() / "coasting.lua", coasting_bodies(units, "18.3 km/s"));
    good({"run", "coasting.lua", "--backend", "cpu", "--quiet", "--out", units, "--steps", "25"});
  }
  good({"plot", "si", "solar", "-o", "p.svg", "--what", "energy,energy_error"});
  const std::string svg = text_of(here() / "p.svg");
  for (const char* part :
       {"\nEnergy: si: kinetic (26 points)", "\nEnergy: solar: kinetic (26 points)",
        "Relative energy error: si (26 points), solar (26 points)"})
    EXPECT_NE(svg.find(part), std::string::npos) << part << " in " << svg.substr(0, 1000);
}

TEST_F(Plot, RefusesWhatCannotBePlotted) {
  EXPECT_EQ(refused({"plot", "b"}),
            "b: is not a folder; name a folder written by `mote run` or `mote sweep`\n");
  EXPECT_EQ(refused({"plot", "a", "--by", "distance"}),
            "--by distance: is for the folder of a sweep; remove it\n");
  EXPECT_EQ(refused({"plot", "a", "--what", "energy,vriial_ratio,radi"}),
            "--what vriial_ratio: is no plot and no column of the run; did you mean "
            "'virial_ratio'?\n"
            "--what radi: is no plot and no column of the run; did you mean 'radii'?\n");
  EXPECT_EQ(refused({"plot", "a", "--what", "xyzzy"})
                .find("--what xyzzy: is no plot and no column of the run; plots: energy, "),
            0u);
  EXPECT_NE(refused({"plot", "a", "-o", "p.pdf"}).find("must end in .png or .svg"),
            std::string::npos);
  write(here() / "a/series.csv", lines_of(text_of(here() / "a/series.csv")).at(0) + "\n");
  EXPECT_EQ(refused({"plot", "a"}).substr(0, 30), "a: has no rows in series.csv; ");
  EXPECT_FALSE(fs::exists(here() / "a/plot.png"));
}

// A ball of uniform density, sampled on a spiral: each shell has its fraction up to a few bodies.
TEST(DensityProfile, OfAnEvenBallIsFlatAndHoldsAllMass) {
  constexpr int n = 4000;
  sim::State<engine::Host> state(n, engine::Precision::double_);
  state.visit([&]<class Real>(sim::StateView<Real> s) {
    for (int i = 0; i < n; ++i) {
      const double r = 2 * std::cbrt((i + 0.5) / n),
                   z = 1 - 2 * std::fmod(i * 0.6180339887498949, 1.0);
      const double angle = i * 2.399963229728653 * 7, flat = std::sqrt(1 - z * z);
      s.mass[i] = static_cast<Real>(3.0 / n);
      s.x[i] = static_cast<Real>(5 + r * flat * std::cos(angle)),
      s.y[i] = static_cast<Real>(r * flat * std::sin(angle));
      s.z[i] = static_cast<Real>(r * z);
    }
  });
  const auto profile = sim::density_profile(state);
  ASSERT_GE(profile.size(), 6u);
  double mass = 0;
  engine::Index count = 0;
  const double even = 3 / (4 * 3.14159265358979 / 3 * 8);
  for (const sim::ProfileShell& shell : profile) {
    mass += shell.mass;
    count += shell.count;
    // Radii are ordered, so that a shell loses or gains a body at either end. The centre of mass is
    // off by 1 % of a radius, which shifts surfaces by area / volume of the shell.
    const double area = 4 * 3.14159265358979 * (shell.low * shell.low + shell.high * shell.high);
    const double tolerance =
        even * (2.0 / static_cast<double>(shell.count) + 0.02 * area / shell.volume());
    EXPECT_NEAR(shell.density(), even, tolerance) << shell.low << " to " << shell.high;
  }
  EXPECT_NEAR(mass, 3, 1e-12);
  EXPECT_EQ(count, n);
  EXPECT_EQ(sim::density_profile(sim::State<engine::Host>(31, engine::Precision::double_)).size(),
            0u);
}

}  // namespace
}  // namespace mote::test
