// Panels move, keep their places, and are used with the keyboard alone.
#include <fmt/format.h>

#include "tests/app/picture_files.h"
#include "tests/app/scenes.h"
#include "tests/app/view_fixture.h"

namespace mote::test {
namespace {

/// A window of 1280 x 720 pixels with text of 15: panels are 7.5 pixels from its edges, the left
/// one 315 wide, the right one 337.5.
class ViewPanels : public View {
 protected:
  void SetUp() override {
    View::SetUp();
    if (IsSkipped()) return;
    const Drawing drawing = drawing_here(here());
    if (!drawing.missing.empty()) GTEST_SKIP() << drawing.missing;
  }
  Result arrange(const std::string& script, const std::string& size = "1280 720") const {
    return drive("size " + size + "\nframes 3\nsettle\n" + script + "frames 3\n",
                 {"--ui-scale", "1", "--layout", "layout.json"});
  }
  /// What the window wrote of a panel.
  engine::Json place(const std::string& panel) const {
    const engine::Json layout = json_of(here() / "layout.json");
    for (const engine::Json& entry : layout.at("panels"))
      if (entry.at("panel") == panel) return entry;
    ADD_FAILURE() << "no " << panel;
    return {};
  }
  /// A file that puts every panel at an edge, unfolded, with a size.
  void put_all(const char* edge, double size) const {
    std::string entries;
    for (const char* panel : {"scene", "measurements", "time", "statistics", "log"})
      entries += fmt::format(
          R"({}{{"panel": "{}", "edge": "{}", "width": {}, "height": {}, "folded": false}})",
          entries.empty() ? "" : ",", panel, edge, size, size);
    write(here() / "layout.json", "{\"panels\": [" + entries + "]}");
  }
};

TEST_F(ViewPanels, MoveToTheEdgeWhereTheirTitleIsDroppedAndStayThere) {
  expect_good(arrange("drag 1100 17 200 100\n"));
  EXPECT_EQ(place("measurements").at("edge"), "left");
  EXPECT_EQ(place("measurements").at("width"), 21) << "as the panel that is there";
  // In the next window it is at the upper left, above the panel of the scene.
  expect_good(arrange("drag 150 17 640 700\n"));
  EXPECT_EQ(place("measurements").at("edge"), "bottom");
  EXPECT_EQ(place("scene").at("edge"), "left");
  expect_good(arrange("key Ctrl+0\n"));
  EXPECT_EQ(place("measurements").at("edge"), "right");
}

TEST_F(ViewPanels, AreResizedAtTheirInnerEdge) {
  expect_good(arrange("drag 326 200 386 200\n"));
  EXPECT_NEAR(place("scene").at("width").get<double>(), 21 + 60.0 / 15, 0.1);
  expect_good(arrange("drag 386 200 1200 200\n"));
  EXPECT_NEAR(place("scene").at("width").get<double>(), 0.32 * 1280 / 15, 0.1)
      << "the scene keeps a third";
  expect_good(arrange("drag 940 200 10 200\ndrag 640 603 640 503\n"));
  EXPECT_NEAR(place("measurements").at("width").get<double>(), 22.5, 0.01)
      << "in the panel, not at its edge";
  EXPECT_NEAR(place("time").at("height").get<double>(), 7 + 100.0 / 15, 0.2);
}

TEST_F(ViewPanels, StayFolded) {
  expect_good(arrange("click 305 17\n"));  // the cross
  EXPECT_EQ(place("scene").at("folded"), true);
  // By keys: the first panel is the button into which it was folded.
  expect_good(arrange("frames 2\nkey F6\nframes 3\nkey Enter\n"));
  EXPECT_EQ(place("scene").at("folded"), false);
  // Its cross, by keys.
  expect_good(arrange("key F6\nframes 3\nkey Alt\nframes 3\nkey Enter\n"));
  EXPECT_EQ(place("scene").at("folded"), true);
}

// Five panels of 60 lines each, in a window of 16 lines: each has its title, and the scene the
// rest.
TEST_F(ViewPanels, AreReachableInAWindowThatIsTooSmallForThem) {
  put_all("bottom", 60);
  expect_good(arrange("drag 100 97 10 30\n", "320 240"));
  EXPECT_EQ(place("log").at("edge"), "left") << "the uppermost";
  EXPECT_EQ(place("statistics").at("edge"), "bottom");
  put_all("right", 60);
  // Over the scene, with the others folded: none is wider than leaves a side free.
  expect_good(arrange("drag 260 12 10 30\n", "320 240"));
  EXPECT_EQ(place("statistics").at("edge"), "left");
}

TEST_F(ViewPanels, BadFilesOfPlacesAreReportedAndIgnored) {
  for (const char* text : {"{", "[]", R"({"panels": [{"panel": "time", "edge": "top"}]})",
                           R"({"panels": [{"panel": "time", "width": 1e9}]})",
                           R"({"panels": [{"panel": "time", "folded": 1}]})"}) {
    write(here() / "layout.json", text);
    const Result result = arrange("");
    EXPECT_EQ(result.code, 0) << text;
    EXPECT_NE(result.err.find("layout.json"), std::string::npos) << text << "\n" << result.err;
    EXPECT_EQ(text_of(here() / "layout.json"), text) << "it may be that of a newer version";
  }
  // What another version has, and this one does not, is ignored.
  write(here() / "layout.json", R"({"panels": [{"panel": "new", "edge": "left"}]})");
  expect_good(arrange("drag 1100 17 200 100\n"));
  EXPECT_EQ(place("measurements").at("edge"), "left");
}

TEST_F(ViewPanels, ScriptsNeitherReadNorWriteThePlacesOfTheUser) {
  const fs::path config = here() / "config";
  fs::create_directories(config / "mote");
  write(config / "mote" / "window.json", "{");
  Call with_config = call("size 1280 720\nframes 3\nsettle\ndrag 1100 17 200 100\nframes 3\n");
  with_config.environment["XDG_CONFIG_HOME"] = config.string();
  expect_good(run(with_config));
  EXPECT_EQ(text_of(config / "mote" / "window.json"), "{");
}

TEST_F(ViewPanels, AreLightOverALightBackground) {
  const auto brightness = [&](const std::string& keys) {
    expect_good(arrange(keys + "frames 2\nscreenshot seen.png\nframes 1\n"));
    const PictureFile seen = read_picture(here() / "seen.png");
    fs::remove(here() / "seen.png");
    return int{seen.bytes.get()[3 * (560 * seen.width + 20)]};  // an empty part of the left panel
  };
  EXPECT_LT(brightness(""), 60);
  EXPECT_GT(brightness("key I\n"), 200);
  EXPECT_LT(brightness("key I\nframes 2\nkey I\n"), 60);
}

TEST_F(ViewPanels, TakeTheKeyboardUntilEscape) {
  expect_good(arrange(
      "key F6\nframes 3\nkey Right\nkey Space\nframes 3\nexpect step 0\nexpect mode paused\n"
      "key Escape\nframes 2\nkey Right\nsettle\nexpect step 1\n"
      // A click gives it back, too.
      "key F6\nframes 3\nclick 640 300\nkey Right\nsettle\nexpect step 2\n"
      // Other keys are the scene's all the time.
      "key F6\nframes 3\nkey .\nsettle\nexpect step 3\n"));
}

TEST_F(ViewPanels, AreUsedByKeysAlone) {
  // The list of scenes is closed; then come the hands, the parameters, and the first of them.
  expect_good(
      arrange("key F6\nframes 3\nkey Space\nframes 2\n"
              "key Down\nframes 2\nkey Down\nframes 2\nkey Down\nframes 2\n"
              "key Enter\nframes 6\ntype 0.5\nkey Enter\nframes 3\n"
              "await gravity.softening 0.5\n"
              // Time is the third panel; below its buttons is the timeline, which takes a step.
              "step 20\nkey F6\nframes 3\nkey F6\nframes 3\nkey Down\nframes 2\n"
              "key Enter\nframes 6\ntype 7\nkey Enter\nframes 3\nsettle\nexpect step 7\n"));
}

// Other quantities are in the scene's units: the plot of energies is folded, as its legend has
// another height there, and that of momenta opened for its time axis.
TEST_F(ViewPanels, ShowTheSameTimesAndSpeedsInOtherUnits) {
  struct Part {
    const char* what;
    int left, top, right, bottom;
  };
  const auto window_of = [&](const std::string& units, const std::string& speed,
                             const std::string& steps) {
    write(here() / "scene.lua", coasting_bodies(units, speed));
    expect_good(arrange("step " + steps +
                            "\nsettle\npick 0\nsettle\nclick 1100 48\nframes 3\nclick 1100 248\n"
                            "move 640 853\nframes 10\nscreenshot seen.png\nframes 1\n",
                        "1280 900"));
    PictureFile seen = read_picture(here() / "seen.png");
    fs::remove(here() / "seen.png");
    return seen;
  };
  const PictureFile seen = window_of("si", "18.3 km/s", "25"),
                    other = window_of("solar", "18.3 km/s", "25"),
                    slow = window_of("solar", "9.15 km/s", "12");
  for (const Part& part : {Part{"speed of the picked body", 14, 274, 316, 290},
                           {"its velocity", 14, 334, 316, 372},
                           {"time axis", 990, 373, 1262, 392},
                           {"histogram", 940, 520, 1262, 634},
                           {"legend", 668, 705, 912, 764},
                           {"timeline", 8, 845, 1272, 885},
                           {"time under the pointer", 560, 808, 720, 845}}) {
    const auto bytes = [&](const PictureFile& picture) {
      return part_of(picture, part.left, part.top, part.right, part.bottom);
    };
    EXPECT_TRUE(bytes(other) == bytes(seen)) << part.what;
    EXPECT_FALSE(bytes(slow) == bytes(seen)) << part.what;
  }
}

TEST_F(ViewPanels, BodiesArePickedByKeys) {
  expect_good(
      drive("settle\nkey Down\nframes 2\nexpect body 0\nkey Down\nframes 2\nexpect body 1\n"
            "key Up\nframes 2\nexpect body 0\nkey Up\nframes 2\nexpect body 2\n"
            "key Down\nframes 2\nexpect body 0\nkey Escape\nframes 2\nexpect body none\n"
            "key Up\nframes 2\nexpect body 2\n",
            {"--set", "count=3"}));
}

TEST_F(ViewPanels, TheCameraTurnsAndZoomsByKeys) {
  const auto camera = [&](const std::string& keys) {
    expect_good(arrange("panels off\nframes 2\n" + keys + "settle\nkey Ctrl+S\n"));
    const engine::Json saved = json_of(here() / "scene_tuned.json").at("view").at("camera");
    fs::remove(here() / "scene_tuned.json");
    return saved;
  };
  const auto number = [](const engine::Json& json, const char* key) {
    return json.at(key).get<double>();
  };
  const engine::Json before = camera(""), turned = camera("key Ctrl+Left\nkey Ctrl+Down\n"),
                     near = camera("key PageUp\nkey PageUp\n"), moved = camera("key Alt+Up\n");
  EXPECT_NEAR(number(turned, "azimuth"), number(before, "azimuth") - 12, 1e-3);
  EXPECT_NEAR(number(turned, "elevation"), number(before, "elevation") - 12, 1e-3);
  EXPECT_NEAR(number(near, "distance"), number(before, "distance") / 1.15 / 1.15, 1e-3);
  EXPECT_NE(moved.at("target"), before.at("target"));
  EXPECT_EQ(moved.at("distance"), before.at("distance"));
}

}  // namespace
}  // namespace mote::test
