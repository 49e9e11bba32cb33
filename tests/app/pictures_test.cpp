// Pictures and movies of runs, and the view options of scenes.
#include <gtest/gtest.h>

#include "engine/json.h"
#include "render/color_map.h"
#include "tests/app/picture_files.h"
#include "tests/app/program.h"
#include "tests/app/scenes.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class Pictures : public testing::Test {
 protected:
  void SetUp() override {
    const Drawing drawing = drawing_here(here());
    if (!drawing.missing.empty()) GTEST_SKIP() << drawing.missing;
    ffmpeg_ = drawing.movies;
    write(here() / "binary.lua", binary_scene);
  }
  const fs::path& here() const { return folder_.path(); }

  Result draw(std::vector<std::string> more) const {
    const std::vector<std::string> words{"run",    "binary.lua", "--steps", "8",
                                         "--size", "96x64",      "--out",   "a"};
    more.insert(more.begin(), words.begin(), words.end());
    return mote(here(), more);
  }

  /// Expects a PNG file of 96 x 64 pixels: the first bytes of the format, width and height.
  static void expect_png(const fs::path& file) {
    const std::string start = text_of(file).substr(0, 24);
    EXPECT_EQ(start.substr(0, 8), "\x89PNG\r\n\x1a\n") << file;
    EXPECT_EQ(start.substr(16), std::string("\0\0\0\x60\0\0\0\x40", 8)) << file;
  }

  bool ffmpeg_ = false;

 private:
  TemporaryFolder folder_;
};

TEST_F(Pictures, StandInTheFolderOfTheRun) {
  const Result result = draw({"--picture"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_png(here() / "a/picture.png");
  EXPECT_NE(result.out.find(", a/picture.png\n"), std::string::npos) << result.out;
  EXPECT_TRUE(json_of(here() / "a/run.json").contains("renderer"));
}

TEST_F(Pictures, StandWhereTheyAreAskedFor) {
  ASSERT_EQ(draw({"--picture", "end.png"}).code, 0);
  expect_png(here() / "end.png");
  EXPECT_FALSE(fs::exists(here() / "a/picture.png"));
}

TEST_F(Pictures, MakeAMovieWithTheRun) {
  const Result result = draw({"--movie", "--frames", "3"});
  ASSERT_EQ(result.code, 0) << result.err;
  if (ffmpeg_) {
    EXPECT_EQ(text_of(here() / "a/movie.mp4").substr(4, 4), "ftyp");
    EXPECT_NE(result.out.find(", a/movie.mp4\n"), std::string::npos) << result.out;
  } else {
    expect_png(here() / "a/frames/frame_000003.png");
    EXPECT_FALSE(fs::exists(here() / "a/frames/frame_000004.png"));
  }
  EXPECT_EQ(first_partial_file(here() / "a"), "");
}

// ias15 passes the end of a run with its last step. On a circle of speed 1 the end is a point of
// that circle, which short steps of another integrator reach, too.
TEST_F(Pictures, AreOfTheEndThatTheLastStepPasses) {
  const auto end_of = [&](const std::string& integrator) {
    write(
        here() / "circle.lua",
        "return { precision = 'double', gravity = {}, integrator = " + integrator +
            ", bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 0, position = { 1, 0, 0 "
            "}, velocity = { 0, 1, 0 } } }, view = { color = 'id', overlay = 'measures', camera = "
            "{ distance = 4, target = { 0, 0, 0 } } }, stop = { time = 3 } }");
    const Result result = mote(
        here(), {"run", "circle.lua", "--picture", "--size", "320x180", "--out", "c", "--force"});
    EXPECT_EQ(result.code, 0) << result.err;
    return text_of(here() / "c/picture.png");
  };
  EXPECT_TRUE(end_of("{ 'ias15' }") == end_of("{ 'yoshida6', dt = 0.01 }"));
}

// At the right are the time and the legend of the speed; the scale bar at the left is in the
// scene's unit of length.
TEST_F(Pictures, ExplainTheSameMotionInTheSameUnits) {
  const auto right_half = [&](const std::string& units, const std::string& speed) {
    write(here() / "coasting.lua", coasting_bodies(units, speed));
    const Result result = mote(here(), {"run", "coasting.lua", "--picture", "--size", "640x360",
                                        "--out", "c", "--force", "--backend", "cpu"});
    EXPECT_EQ(result.code, 0) << result.err;
    const PictureFile picture = read_picture(here() / "c/picture.png");
    return part_of(picture, picture.width / 2, 0, picture.width, picture.height);
  };
  const std::string seen = right_half("si", "18.3 km/s");
  EXPECT_TRUE(right_half("solar", "18.3 km/s") == seen);
  EXPECT_FALSE(right_half("solar", "9.15 km/s") == seen);
}

// Its parts are removed when it is complete: then the movie itself is the first part.
TEST_F(Pictures, GoOnInAMovieOfARunThatIsTakenFurther) {
  if (!ffmpeg_) GTEST_SKIP() << "without ffmpeg";
  ASSERT_EQ(draw({"--movie", "--frames", "9"}).code, 0);
  const auto bytes = fs::file_size(here() / "a/movie.mp4");
  const Result further = mote(here(), {"resume", "a", "--steps", "40"});
  ASSERT_EQ(further.code, 0) << further.err;
  EXPECT_GT(fs::file_size(here() / "a/movie.mp4"), bytes);
  EXPECT_FALSE(fs::exists(here() / "a/movie.parts"));
}

/// Draws a body at rest after some steps, with additional scene keys.
class PicturesOfOneBody : public Pictures {
 protected:
  std::string picture(const std::string& more, const std::string& steps = "0") const {
    write(
        here() / "one.lua",
        "return { integrator = { dt = 0.05 }, bodies = { { mass = 1, position = { 0, 0, 0 } } }, " +
            more + " }");
    const Result result = mote(here(), {"run", "one.lua", "--steps", steps, "--size", "96x64",
                                        "--out", "a", "--force", "--picture", "end.png"});
    EXPECT_EQ(result.code, 0) << result.err;
    return text_of(here() / "end.png");
  }
};

TEST_F(PicturesOfOneBody, ShowObstaclesWhereTheyAreAtTheTime) {
  const std::string grain =
      "view = { bodies = 'spheres', camera = { distance = 6, target = { 0, 0, 0 } } }, grains = { "
      "radius = "
      "0.5, density = 1, young_modulus = 1e3 }";
  const auto with_box = [&](const std::string& steps, const std::string& moves) {
    return picture(
        grain + ", obstacles = { box { center = { 0, 0, 1.2 }, size = { 1, 1, 1 }" + moves + " } }",
        steps);
  };
  const std::string plain = picture(grain), at_rest = with_box("0", "");
  EXPECT_NE(at_rest, plain);
  EXPECT_EQ(with_box("2", ""), at_rest);
  EXPECT_EQ(with_box("0", ", angular_velocity = { 0, 0, 4 }"), at_rest);
  EXPECT_NE(with_box("2", ", angular_velocity = { 0, 0, 4 }"), at_rest);
}

TEST_F(PicturesOfOneBody, DrawGrainsAsLargeAsTheyAreUnlessTheLookSaysOtherwise) {
  const auto of_radius = [&](const std::string& radius, const std::string& look) {
    return picture(
        "grains = { radius = " + radius +
        ", density = 1, young_modulus = 1e3 }, view = { bodies = 'spheres', camera = { distance = "
        "6, target = { 0, "
        "0, 0 } }" +
        look + " }");
  };
  EXPECT_NE(of_radius("0.5", ""), of_radius("1", ""));
  EXPECT_EQ(of_radius("0.5", ""), of_radius("1", ", radius = 0.5"));
}

TEST_F(PicturesOfOneBody, ShowContactsOfGrainsWhereTheyAreAskedFor) {
  const auto over_a_floor = [&](const std::string& height, const std::string& look) {
    return picture(
        "grains = { radius = 0.5, density = 1, young_modulus = 1e3 }, obstacles = { plane { point "
        "= { 0, "
        "0, " +
        height + " } } }, view = { " + look +
        " bodies = 'spheres', camera = { distance = 6, target = { 0, 0, 0 } } }");
  };
  EXPECT_NE(over_a_floor("-0.49", "contacts = true,"), over_a_floor("-0.49", ""));
  EXPECT_EQ(over_a_floor("-0.51", "contacts = true,"), over_a_floor("-0.51", ""));
}

TEST_F(PicturesOfOneBody, ShowTheSurfaceOfAFluid) {
  const auto as = [&](const std::string& bodies) {
    return picture("view = { radius = 0.5, bodies = '" + bodies +
                   "', camera = { distance = 6, target = { 0, 0, 0 } } }");
  };
  EXPECT_NE(as("fluid"), as("spheres"));
  EXPECT_NE(as("fluid"), as("stars"));
}

TEST_F(Pictures, ThatCannotBeWrittenDoNotCostTheRun) {
  fs::create_directories(here() / "end.png" / "in the way");
  const Result result = draw({"--picture", "end.png"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("end.png"), std::string::npos) << result.err;
  EXPECT_EQ(json_of(here() / "a/run.json").at("status"), "done");
  EXPECT_TRUE(fs::exists(here() / "a/series.csv"));
}

TEST(ViewOfAScene, HasTheColourMapsThatCanBeDrawn) {
  const TemporaryFolder folder;
  const engine::Json schema = engine::parse_json(mote(folder.path(), {"schema", "--json"}).out);
  EXPECT_EQ(schema.at("view").at("keys").at("map").at("choices"),
            engine::Json(render::color_map_names()));
}

}  // namespace
}  // namespace mote::test
