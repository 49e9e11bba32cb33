// mote render: movies and pictures from stored snapshots; camera paths.
#include <gtest/gtest.h>
#include <stb_image.h>

#include <cmath>

#include "render/camera_path.h"
#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;
using render::CameraKey;

render::OrbitCamera standing() {
  render::OrbitCamera camera;
  camera.azimuth = 11, camera.elevation = 22, camera.distance = 33, camera.target = {4, 5, 6};
  return camera;
}

render::CameraPath winding() {
  CameraKey a, b, c, d;
  a.at = 0, b.at = 1, c.at = 1.5, d.at = 4;
  a.azimuth = 0, b.azimuth = 90, c.azimuth = 720, d.azimuth = -30;
  a.distance = 10, c.distance = 1000;
  b.target = glm::dvec3(1, 2, 3), d.target = glm::dvec3(-1, 0, 3);
  return {standing(), {d, b, a, c}};
}

TEST(CameraPath, GoesThroughItsKeys) {
  const render::CameraPath path = winding();
  EXPECT_EQ(path.at(0).azimuth, 0);
  EXPECT_EQ(path.at(1).azimuth, 90);
  EXPECT_EQ(path.at(1.5).azimuth, 720);
  EXPECT_EQ(path.at(4).azimuth, -30);
  EXPECT_NEAR(path.at(0).distance, 10, 1e-13);
  EXPECT_NEAR(path.at(0.75).distance, 100, 1e-12) << "half of the way in decades";
  EXPECT_NEAR(path.at(1.5).distance, 1000, 1e-11);
  EXPECT_EQ(path.at(1).target, glm::dvec3(1, 2, 3));
  EXPECT_EQ(path.at(4).target, glm::dvec3(-1, 0, 3));
  EXPECT_EQ(path.at(2).elevation, 22) << "as the scene has it";
  for (const double outside : {-5.0, 9.0}) EXPECT_EQ(path.at(outside).elevation, 22);
  EXPECT_EQ(path.at(-5).azimuth, 0);
  EXPECT_EQ(path.at(9).azimuth, -30);
}

TEST(CameraPath, IsSmoothAndNeverLeavesTheRangeOfItsKeys) {
  const render::CameraPath path = winding();
  // Fritsch and Carlson: slopes are at most three times those of the chords, here at most 1260 per
  // unit; the second derivative in an interval h is at most 6 chord / h + 4 slope / h + 2 slope /
  // h.
  const double d = 1e-3, steepest = 1260, least = 0.5;
  const double speed = 3 * steepest, bend = (6 * steepest + 6 * speed) / least;
  double before = path.at(-d).azimuth, slope_before = 0;
  for (double t = 0; t < 4.5; t += d) {
    const double now = path.at(t).azimuth, slope = (now - before) / d;
    EXPECT_LE(std::abs(now - before), speed * d) << t;
    EXPECT_LE(std::abs(slope - slope_before), bend * d) << t;
    EXPECT_GE(now, t < 1.5 ? 0 : -30) << t;
    EXPECT_LE(now, t <= 1 ? 90 + 1e-9 : 720) << t;
    before = now, slope_before = slope;
  }
}

class Render : public testing::Test {
 protected:
  void SetUp() override {
    const Drawing drawing = drawing_here(here());
    if (!drawing.missing.empty()) GTEST_SKIP() << drawing.missing;
    ffmpeg_ = drawing.movies;
    write(here() / "binary.lua", binary_scene);
    const Result ran = mote(here(), {"run", "binary.lua", "--backend", "cpu", "--quiet", "--out",
                                     "a", "--snapshot-steps", "40"});
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  const fs::path& here() const { return folder_.path(); }
  std::string good(std::vector<std::string> words) const {
    words.insert(words.end(), {"--size", "96x64"});
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  }
  std::string refused(const std::vector<std::string>& words) const {
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 2) << result.out;
    return result.err;
  }
  /// Mean column of the brightest pixels of a picture of 96 x 64 pixels, and the total light.
  std::pair<double, double> light(const fs::path& file) const {
    int width = 0, height = 0, channels = 0;
    stbi_uc* const bytes = stbi_load(file.c_str(), &width, &height, &channels, 1);
    EXPECT_EQ(width, 96) << file;
    EXPECT_EQ(height, 64) << file;
    double sum = 0, moment = 0;
    for (int i = 0; i < width * height; ++i) {
      sum += bytes[i];
      moment += bytes[i] * (i % width);
    }
    stbi_image_free(bytes);
    return {moment / sum, sum};
  }
  bool ffmpeg_ = false;

 private:
  TemporaryFolder folder_;
};

TEST_F(Render, MakesAMovieOfTheFramesAskedFor) {
  const std::string said = good({"render", "a", "--frames", "7"});
  if (ffmpeg_) {
    EXPECT_EQ(said, "a/render.mp4\n");
    EXPECT_EQ(text_of(here() / "a/render.mp4").substr(4, 4), "ftyp");
    EXPECT_NE(refused({"render", "a"}).find("a/render.mp4: already exists; overwrite with --force"),
              std::string::npos);
  } else {
    EXPECT_TRUE(fs::exists(here() / "a/frames/frame_000007.png"));
    EXPECT_FALSE(fs::exists(here() / "a/frames/frame_000008.png"));
  }
  EXPECT_EQ(first_partial_file(here() / "a"), "");
}

TEST_F(Render, MakesPicturesOfTimesBetweenSnapshots) {
  // The camera path looks at a point beside the two bodies, so that their light is left or right.
  write(here() / "path.json",
        R"([ { "at": 0, "target": [3, 0, 0], "azimuth": -90, "elevation": 90, "distance": 12 },
                                   { "at": 1, "target": [-3, 0, 0] } ])");
  EXPECT_EQ(good({"render", "a", "--at", "0.5", "--camera", "path.json"}), "a/render.png\n");
  good({"render", "a", "--at", "0.5", "--camera", "path.json", "-o", "again.png"});
  EXPECT_EQ(text_of(here() / "a/render.png"), text_of(here() / "again.png"));
  good({"render", "a", "--at", "0.3125", "--camera", "path.json", "-o", "first.png"});
  good({"render", "a", "--camera", "path.json", "-o", "last.png"});
  EXPECT_LT(light(here() / "first.png").first, 48);
  EXPECT_GT(light(here() / "last.png").first, 48);
  EXPECT_GT(light(here() / "again.png").second, 0);
}

/// Pictures of stored states, compared with those that the run itself drew.
class RenderedScenes : public Render {
 protected:
  /// `mote render` of the last snapshot draws the same picture as the run at its end.
  void expect_the_picture_of_the_run(const std::string& scene) const {
    write(here() / "scene.lua", scene);
    good({"run", "scene.lua", "--quiet", "--out", "b", "--force", "--steps", "20",
          "--snapshot-steps", "10", "--picture", "end.png"});
    good({"render", "b", "--force", "-o", "again.png"});
    EXPECT_TRUE(text_of(here() / "again.png") == text_of(here() / "end.png")) << scene;
  }
};

const std::string
    large_and_small = R"(return {
  grains = { radius = 0.3, density = 1, young_modulus = 1e3 }, integrator = { dt = 0.01 },
  bodies = { { position = { 0, 0, 0 }, radius = 0.5 }, { position = { 1.2, 0, 0 } } }, )",
    from_the_side =
        "color = 'mass', bodies = 'spheres', camera = { distance = 6, target = { 0, 0, 0 } }";

TEST_F(RenderedScenes, HaveBodiesAsLargeAsTheyAre) {
  expect_the_picture_of_the_run(large_and_small + "view = { " + from_the_side + " } }");
  expect_the_picture_of_the_run(
      "return { lennard_jones = { cutoff = 2.5 }, species = { large = { sigma = 1.5 } }, "
      "integrator = { dt = "
      "0.001 }, bodies = { { mass = 1, position = { 0, 0, 0 }, species = 'large' }, { mass = 2, "
      "position = { "
      "2, 0, 0 } } }, view = { " +
      from_the_side + " } }");
  expect_the_picture_of_the_run(
      "return { fluid = { spacing = 0.5, largest_speed = 1 }, species = { floor = { wall = true } "
      "}, "
      "integrator = { dt = 0.001 }, bodies = { { mass = 0.125, position = { 0, 0, 0 } }, { mass = "
      "0.125, "
      "position = { 0, 0, -0.5 }, species = 'floor' } }, view = { bodies = 'fluid', color = "
      "'mass', camera = "
      "{ distance = 6, target = { 0, 0, 0 } } } }");
}

TEST_F(RenderedScenes, HaveObstaclesWhereTheyAreAtTheTime) {
  expect_the_picture_of_the_run(large_and_small +
                                "obstacles = { plane { point = { 0, 0, -2 } }, box { center = { 0, "
                                "0, 1.6 }, size = { 1, 1, 1 }, "
                                "angular_velocity = { 0, 0, 4 } } }, view = { " +
                                from_the_side + " } }");
}

TEST_F(RenderedScenes, HaveTheContactsThatSnapshotsHold) {
  const std::string on_the_floor =
      large_and_small +
      "obstacles = { plane { point = { 0, 0, -0.49 } } }, snapshots = { contacts "
      "= true }, view = { contacts = true, " +
      from_the_side + " } }";
  expect_the_picture_of_the_run(on_the_floor);
  // Between snapshots, contacts are those of the nearest one.
  good({"render", "b", "--at", "0.14", "-o", "with.png"});
  std::string without = on_the_floor;
  without.replace(without.find("contacts = true, "), 17, "");
  expect_the_picture_of_the_run(without);
  good({"render", "b", "--at", "0.14", "-o", "without.png"});
  EXPECT_FALSE(text_of(here() / "with.png") == text_of(here() / "without.png"));
}

TEST_F(RenderedScenes, HaveTheColoursOfExpressionsAndDensities) {
  // Hardly anything moves, so that the range over all snapshots is that of the last.
  const auto cluster = [](const std::string& color, const std::string& more) {
    return "return { gravity = { softening = 0.1 }, integrator = { dt = 1e-12 }, " + more +
           "bodies = { plummer { n = 300 } }, view = { bodies = 'spheres', radius = 0.05, camera = "
           "{ distance = 6, target = { 0, 0, 0 } }, color = '" +
           color + "' } }";
  };
  for (const char* color : {"x^2 + vy", "density", "speed"})
    expect_the_picture_of_the_run(cluster(color, ""));
  // Potentials come from snapshots that hold them.
  expect_the_picture_of_the_run(
      cluster("potential", "snapshots = { columns = { 'velocity', 'mass', 'potential' } }, "));
  good({"render", "b", "--color", "vx", "-o", "vx.png"});
  good({"render", "b", "--color", "0 + vx", "-o", "same.png"});
  EXPECT_TRUE(text_of(here() / "vx.png") == text_of(here() / "same.png"));
  EXPECT_FALSE(text_of(here() / "vx.png") == text_of(here() / "again.png"));
  EXPECT_NE(refused({"render", "b", "--color", "vx +", "-o", "c.png"})
                .find("--color vx +: ends where a number, a name or ( is expected, at character 5"),
            std::string::npos);
  EXPECT_NE(refused({"render", "a", "--color", "potential", "-o", "c.png"})
                .find("--color potential: snapshots hold no potentials; choose something else, or "
                      "run the scene again with --snapshot-columns velocity,mass,potential\n"),
            std::string::npos);
}

TEST_F(RenderedScenes, HaveNamesAndLooksOfBodies) {
  const std::string before =
                        "return { species = { dark = { visible = false } }, integrator = { dt "
                        "= 0.001 }, bodies = { { mass = 1, position = { 0, 0, 0 }, ",
                    after =
                        " }, { mass = 2, position = { 2, 0, 0 } } }, view = { overlay = "
                        "'measures', radius = 0.3, " +
                        from_the_side + " } }";
  std::vector<std::string> pictures;
  for (const char* look : {"", "name = 'Sun'", "color = '#00ff00'", "display_radius = 0.8",
                           "name = 'Sun', species = 'dark'", "species = 'dark'"}) {
    expect_the_picture_of_the_run(before + look + after);
    pictures.push_back(text_of(here() / "again.png"));
  }
  EXPECT_TRUE(pictures[4] == pictures[5]) << "a hidden body has no name";
  pictures.pop_back();
  for (std::size_t i = 0; i < pictures.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(pictures[i] == pictures[k]) << i << k;
}

const std::string two_species =
    "return { species = { near = {}, far = {} }, integrator = { dt = 0.001 }, bodies = { { mass = "
    "1, position = { -1, 0, 0 }, species = 'near', name = 'a' }, { mass = 2, position = { 2, 0, 0 "
    "}, velocity = { 1, 0, 0 }, species = 'far', name = 'b' } }, view = { overlay = 'measures', "
    "radius = 0.3, ";

TEST_F(RenderedScenes, ShowBodiesWhereAnExpressionIsAboveZero) {
  const auto picture = [&](const std::string& view) {
    expect_the_picture_of_the_run(two_species + view + from_the_side + " } }");
    return text_of(here() / "again.png");
  };
  std::string hidden = two_species;
  hidden.replace(hidden.find("far = {}"), 8, "far = { visible = false }");
  expect_the_picture_of_the_run(hidden + from_the_side + " } }");
  const std::string one = text_of(here() / "again.png"), both = picture("");
  EXPECT_FALSE(one == both);
  EXPECT_TRUE(picture("show = '1 - x', ") == one) << "as a hidden species";
  EXPECT_TRUE(picture("show = 'x < 1', ") == one);
  EXPECT_TRUE(picture("show = 'm', ") == both);
  for (const auto& [show, wanted] :
       {std::pair("(x < 1) * (m < 5)", &one), {"vx <= 0", &one}, {"x", nullptr}, {"", &both}}) {
    good({"render", "b", "--force", "--show", show, "-o", "shown.png"});
    if (wanted)
      EXPECT_TRUE(text_of(here() / "shown.png") == *wanted) << show;
    else
      EXPECT_FALSE(text_of(here() / "shown.png") == one) << show;
  }
  EXPECT_NE(refused({"render", "b", "--show", "x > q", "-o", "c.png"})
                .find("--show x > q: unknown name 'q', at character 5; known are x, y, z"),
            std::string::npos);
}

TEST_F(RenderedScenes, EndAtTheClippingPlane) {
  const auto picture = [&](const std::string& view) {
    expect_the_picture_of_the_run(two_species + view + from_the_side + " } }");
    return text_of(here() / "again.png");
  };
  const std::string both = picture("");
  const std::string one = picture("clip = { normal = { -2, 0, 0 }, offset = -1 }, ");
  EXPECT_FALSE(one == both);
  EXPECT_TRUE(one == picture("show = 'x < 1', ")) << "neither body meets the plane";
  EXPECT_FALSE(picture("clip = { normal = { -1, 0, 0 }, offset = 1 }, ") == one) << "cuts a sphere";
  good({"render", "b", "--force", "--clip", "-3,0,0,-1", "-o", "clipped.png"});
  EXPECT_TRUE(text_of(here() / "clipped.png") == one);
  EXPECT_NE(refused({"render", "b", "--clip", "0,0,0,1", "-o", "c.png"})
                .find("--clip: must be NX,NY,NZ,OFFSET with a normal of some length"),
            std::string::npos);
}

TEST_F(Render, TakesAnyKeyOfTheView) {
  const auto picture = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"render", "a", "--force", "-o", "p.png"});
    good(more);
    return text_of(here() / "p.png");
  };
  const std::string plain = picture({}), light = picture({"--set", "view.background=light"});
  EXPECT_FALSE(light == plain);
  EXPECT_TRUE(picture({"--set", "view.background=dark"}) == plain);
  EXPECT_FALSE(picture({"--set", "view.camera.azimuth=70", "--set", "view.camera.distance=5"}) ==
               plain);
  EXPECT_TRUE(picture({"--set", "view.color=speed", "--set", "view.show=x > 0"}) ==
              picture({"--color", "speed", "--show", "x > 0"}));
  const auto problem = [&](const std::string& set) {
    return refused({"render", "a", "--force", "-o", "p.png", "--set", set});
  };
  EXPECT_EQ(problem("gravity.softening=1"),
            "--set gravity.softening: is no key of the view: the states are computed; keys such as "
            "view.background can be set, `mote help view` lists them; others take a new run\n");
  EXPECT_EQ(problem("view.backgroud=light"),
            "--set view.backgroud: unknown key; did you mean 'background'?\n");
  EXPECT_EQ(problem("view.color=potential")
                .find("--set view.color=potential: snapshots hold no potentials; "),
            0u);
}

TEST_F(Render, RefusesWhatItCannotDraw) {
  EXPECT_NE(refused({"render", "a", "--at", "5"})
                .find("--at 5: is outside the time range of the snapshots; choose a time from"),
            std::string::npos);
  EXPECT_NE(refused({"render", "a", "--at", "0.5", "-o", "m.mp4"}).find("is for a picture"),
            std::string::npos);
  write(
      here() / "path.json",
      R"([ { "azimut": 3 }, { "at": 0, "distance": -1 }, { "at": 0, "time": 1, "azimuth": "x" } ])");
  EXPECT_EQ(refused({"render", "a", "--camera", "path.json"}),
            "path.json: key 1: azimut: unknown key; did you mean 'azimuth'?\n"
            "path.json: key 1: needs either time or at; at runs from 0, the first snapshot, to "
            "1, the last one\n"
            "path.json: key 1: does not change the camera; give azimuth, elevation, distance or "
            "target\n"
            "path.json: key 2: distance: is not above 0; give a length > 0\n"
            "path.json: key 3: needs either time or at; at runs from 0, the first snapshot, to "
            "1, the last one\n"
            "path.json: key 3: azimuth: is not a number; got \"x\"\n"
            "path.json: key 3: does not change the camera; give azimuth, elevation, distance or "
            "target\n");
  for (const char* file : {"snapshot_0000.h5", "snapshot_0001.h5", "snapshot_0002.h5"})
    fs::remove(here() / "a/snapshots" / file);
  EXPECT_EQ(
      refused({"render", "a"}),
      "a: has only one snapshot, but a movie needs two; run it with --snapshot-time, or draw a "
      "picture: -o "
      "picture.png\n");
  EXPECT_FALSE(fs::exists(here() / "a/render.mp4"));
  EXPECT_EQ(good({"render", "a", "-o", "one.png"}), "one.png\n");
}

}  // namespace
}  // namespace mote::test
