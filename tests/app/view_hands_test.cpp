// Bodies that are pulled, thrown, added and removed by the mouse.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/files.h"
#include "engine/json.h"
#include "engine/math/vec.h"
#include "tests/app/view_fixture.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

class ViewHands : public View {
 protected:
  /// Runs the script with a record, and the record without a window: the same bits.
  /// `scene`: named where the record does not hold all of it.
  void expect_repeated(const std::string& script, const std::string& scene = "") {
    expect_good(drive(script, {"--out", "rec"}));
    std::vector<std::string> words{"run", "--replay", "rec/run.json", "--out", "again"};
    if (!scene.empty()) words.insert(words.begin() + 1, scene);
    const Result again = mote(here(), words);
    EXPECT_EQ(again.code, 0) << again.err;
    const engine::Json first = engine::parse_json(engine::read_file(here() / "rec/run.json")),
                       second = engine::parse_json(engine::read_file(here() / "again/run.json"));
    EXPECT_EQ(first.at("state_hash"), second.at("state_hash"));
    EXPECT_EQ(first.at("edits"), second.at("edits"));
    record_ = first;
  }
  engine::Json record_;
};

const char* const pull_body_0 = R"(
    settle
    panels off
    frames 2
    rate 0.5
    run
    frames 5
    press 240 135 Ctrl+left
    frames 4
    move 270 120
    frames 6
    move 300 100
    frames 6
    release 310 90 Ctrl+left
    frames 3
    pause
    settle
    expect hand.stiffness 0
    hash thrown
)";

TEST_F(ViewHands, PullABodyAndThrowItAndRepeatItWithoutAWindow) {
  expect_repeated(std::string(pull_body_0) + R"(
    seek 8
    settle
    expect mode history
    key End
    settle
    hash thrown
)");
  // The camera is 5 away and sees 2 x 5 tan 20 degrees in 270 pixels.
  const double per_pixel = 2 * 5 * 0.36397 / 270;
  double x = 0, before_release = 0;
  int edits = 0;
  for (const engine::Json& edit : record_.at("edits")) {
    ++edits;
    if (edit.at("path") == "hand.body") {
      EXPECT_EQ(edit.at("value"), 0);
    }
    if (edit.at("path") == "hand.x") before_release = std::exchange(x, edit.at("value"));
  }
  EXPECT_GE(edits, 6 + 2 * 3 + 1);
  EXPECT_EQ(x, 0) << "as before";
  // The pull to 310 is at the step of the release, which replaces it.
  EXPECT_NEAR(before_release, (300 - 240) * per_pixel, per_pixel);
}

TEST_F(ViewHands, AddAStarInFlightAndRemoveOneAndUndoBoth) {
  expect_repeated(R"(
    settle
    panels off
    rate 0.5
    run
    frames 4
    pause
    settle
    hash two
    press 380 60 Ctrl+Shift+left
    frames 2
    move 380 40
    frames 2
    release 380 40 Ctrl+Shift+left
    frames 3
    settle
    expect bodies 3
    hash three
    pick 2
    key Delete
    frames 3
    settle
    expect bodies 2
    key Ctrl+Z
    frames 3
    settle
    expect bodies 3
    hash three
    key Ctrl+Z
    frames 3
    settle
    expect bodies 2
    hash two
    key Ctrl+Z
    frames 3
    settle
    hash two
    press 380 60 Ctrl+Shift+left
    release 380 60 Ctrl+Shift+left
    frames 3
    settle
    expect bodies 3
    run
    frames 5
    pause
    settle
)");
  ASSERT_EQ(record_.at("edits").size(), 1u);
  const engine::Json added = record_.at("edits")[0].at("added");
  EXPECT_EQ(added.at("mass"), engine::Json::array({0.5}));  // like the last body
  EXPECT_EQ(added.at("velocity")[0], engine::Json::array({0.0, 0.0, 0.0}));
}

TEST_F(ViewHands, PourGrainsThatDoNotOverlapIntoACup) {
  MOTE_SKIP_IF_SANITIZED("long; the other tests add bodies");
  write(here() / "scene.lua", R"(return { units = "si",
    grains = { radius = 0.005, density = 2500, young_modulus = 1e6, restitution = 0.4, friction = 0.5 },
    fields = { uniform { acceleration = { 0, 0, -9.81 } } },
    obstacles = { plane { normal = { 0, 0, 1 } },
                  plane { normal = { 1, 0, 0 }, point = { -0.03, 0, 0 } },
                  plane { normal = { -1, 0, 0 }, point = { 0.03, 0, 0 } },
                  plane { normal = { 0, 1, 0 }, point = { 0, -0.03, 0 } },
                  plane { normal = { 0, -1, 0 }, point = { 0, 0.03, 0 } } },
    integrator = { dt = 1e-4 },
    bodies = { { position = { 0, 0, 0.006 } } },
    view = { bodies = "spheres", camera = { target = { 0, 0, 0.05 }, distance = 0.2, azimuth = -90, elevation = 0 } } })");
  expect_repeated(R"(
    settle
    panels off
    adds stream
    frames 2
    rate 0.2
    run
    press 240 40 Ctrl+Shift+left
    frames 20
    move 250 40
    frames 20
    release 250 40 Ctrl+Shift+left
    frames 5
    pause
    settle
    hash poured
    seek 10
    settle
    key End
    settle
    hash poured
)");
  int poured = 0;
  for (const engine::Json& edit : record_.at("edits"))
    poured += static_cast<int>(edit.at("added").at("mass").size());
  EXPECT_GE(poured, 19);
  EXPECT_EQ(record_.at("bodies_at_end"), poured + 1);
}

const char* const drag_body_0 = R"(
    settle
    panels off
    rate 0.5
    run
    frames 5
    press 240 135 Ctrl+left
    frames 4
    move 270 120
    frames 20)";

TEST_F(ViewHands, HoldNothingInABranchThatBeginsWithinADragOfThePast) {
  expect_repeated(drag_body_0 + std::string(R"(
    release 270 120 Ctrl+left
    frames 3
    pause
    settle
    expect hand.stiffness 0
    seek 12
    settle
    set integrator.dt 0.004
    step 20
    settle
    expect hand.stiffness 0
)"));
}

/// The second of two drags at one step is undone alone, and a release that was undone comes again.
TEST_F(ViewHands, UndoOneDragOfTwo) {
  expect_repeated(drag_body_0 + std::string(R"(
    pause
    settle
    release 270 120 Ctrl+left
    frames 3
    settle
    hash let-go
    press 270 120 Ctrl+left
    frames 4
    move 200 120
    frames 4
    release 200 120 Ctrl+left
    frames 3
    settle
    hash let-go-again
    key Ctrl+Z
    frames 3
    settle
    hash let-go
    expect hand.stiffness 0
    seek 12
    settle
    set softening 0.2
    step 5
    settle
    expect hand.stiffness 0
    key Ctrl+Z
    frames 3
    settle
    step 5
    settle
    expect hand.stiffness 0
)"));
}

/// What the scene does by itself is no action of the user, whichever setting of the view was
/// changed before.
TEST_F(ViewHands, UndoNothingThatAHookDid) {
  write(here() / "scene.lua",
        R"(return { integrator = { dt = 0.01 }, hand = { body = 1, stiffness = 5 },
    bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 1, 0, 0 } } },
    on_step = { every = 10, run = function(sim)
      sim.data.calls = (sim.data.calls or 0) + 1
      sim:set("hand.x", 0.1 * sim.data.calls)
      if sim.data.calls == 3 then sim:add { mass = 0.1, position = { 1, 1, 1 } } end
    end } })");
  expect_repeated(R"(
    settle
    set view.show ""
    step 35
    settle
    expect bodies 3
    hash before
    key Ctrl+Z
    frames 3
    settle
    expect bodies 3
    hash before
)",
                  "scene.lua");
}

/// A drag borrows the hand of the scene, and what is set later stays.
TEST_F(ViewHands, GiveTheSceneItsOwnHandBack) {
  write(
      here() / "scene.lua",
      R"(return { integrator = { dt = 0.01 }, hand = { body = 1, x = 2, z = 0.5, stiffness = 5, damping = 1 },
    bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 1, 0, 0 } } },
    view = { camera = { target = { 0, 0, 0 }, distance = 5, azimuth = -90, elevation = 60 } } })");
  expect_repeated(std::string(pull_body_0)
                      .replace(std::string(pull_body_0).find("stiffness 0"), 11, "stiffness 5") +
                  R"(
    expect hand.body 1
    expect hand.x 2
    expect hand.z 0.5
    expect hand.damping 1
    set hand.stiffness 7
    step 5
    settle
    expect hand.stiffness 7
)");
}

TEST_F(ViewHands, ThrowAStarThatIsRepeatedWithItsVelocity) {
  expect_repeated(R"(
    settle
    panels off
    rate 0.5
    run
    frames 4
    press 380 60 Ctrl+Shift+left
    frames 2
    move 380 40
    frames 2
    release 380 40 Ctrl+Shift+left
    frames 20
    pause
    settle
    expect bodies 3
    hash thrown
    seek 3
    settle
    expect bodies 2
    key End
    settle
    hash thrown
)");
  ASSERT_EQ(record_.at("edits").size(), 1u);
  const engine::Json v = record_.at("edits")[0].at("added").at("velocity")[0];
  // Along the drag: upwards in a picture that is seen from 60 degrees above the plane of x and y.
  EXPECT_NEAR(v[0], 0, 1e-4);
  EXPECT_GT(v[1], 0.1);
  EXPECT_NEAR(v[2].get<double>() / v[1].get<double>(), std::tan(M_PI / 6), 1e-3);
}

engine::Vec3d vector_of(const engine::Json& json) {
  return {json[0], json[1], json[2]};
}

TEST_F(ViewHands, AddAPlanetOnACircularOrbit) {
  expect_repeated(R"(
    settle
    panels off
    adds planet
    frames 2
    press 300 120 Ctrl+Shift+left
    release 300 120 Ctrl+Shift+left
    frames 3
    settle
    expect bodies 3
    step 20
    settle
)");
  const engine::Json added = record_.at("edits")[0].at("added");
  EXPECT_EQ(added.at("mass"), engine::Json::array({0.0}));
  const engine::Vec3d r = vector_of(added.at("position")[0]),
                      v = vector_of(added.at("velocity")[0]);
  // About the heavier star, of mass 1 and at rest at the origin, with a softening of 0.1.
  const double softened = dot(r, r) + 0.1 * 0.1;
  EXPECT_NEAR(dot(v, v) * std::pow(softened, 1.5) / dot(r, r), 1, 1e-12);
  EXPECT_NEAR(dot(r, v), 0, 1e-12);
}

TEST_F(ViewHands, AddAClusterAboutThePlaceOfTheClick) {
  write(here() / "scene.lua",
        R"(return { gravity = { softening = 0.1 }, integrator = { dt = 0.001 },
    bodies = { { mass = 1e-3, position = { 0, 0, 0 } }, { mass = 5e-4, position = { 1, 0, 0 } } },
    view = { camera = { target = { 0, 0, 0 }, distance = 5, azimuth = -90, elevation = 60 } } })");
  expect_repeated(R"(
    settle
    panels off
    adds cluster
    frames 2
    press 300 120 Ctrl+Shift+left
    release 300 120 Ctrl+Shift+left
    frames 3
    settle
    expect bodies 102
    step 5
    settle
)");
  const engine::Json added = record_.at("edits")[0].at("added");
  engine::Vec3d center{};
  for (const engine::Json& at : added.at("position")) center += 0.01 * vector_of(at);
  const double per_pixel = 2 * 5 * 0.36397 / 270;
  // Its own centre of mass is where the click was, in the plane of the picture.
  const engine::Vec3d clicked{60 * per_pixel, 15 * per_pixel * std::sin(M_PI / 3),
                              15 * per_pixel * std::cos(M_PI / 3)};
  EXPECT_LT(length(center - clicked), per_pixel);
  EXPECT_EQ(added.at("mass")[99], 5e-4) << "like the last body";
}

TEST_F(ViewHands, LiftAGrainFromTheGroundAndDropIt) {
  write(here() / "scene.lua", R"(return { units = "si",
    grains = { radius = 0.005, density = 2500, young_modulus = 1e6, restitution = 0.4, friction = 0.5 },
    fields = { uniform { acceleration = { 0, 0, -9.81 } } }, obstacles = { plane { normal = { 0, 0, 1 } } },
    integrator = { dt = 1e-4 }, bodies = { { position = { 0, 0, 0.005 } } },
    view = { bodies = "spheres", camera = { target = { 0, 0, 0.05 }, distance = 0.2, azimuth = -90, elevation = 0 } } })");
  // A pixel is 0.54 mm wide, so that the grain is 83 pixels below the middle.
  expect_repeated(R"(
    settle
    panels off
    rate 0.1
    run
    frames 2
    press 240 218 Ctrl+left
    frames 5
    move 240 135
    frames 30
    release 240 135 Ctrl+left
    frames 2
    pause
    settle
    expect hand.stiffness 0
    hash dropped
    seek 100
    settle
    key End
    settle
    hash dropped
)");
  double z = 0;
  for (const engine::Json& edit : record_.at("edits"))
    if (edit.at("path") == "hand.z") z = std::max(z, edit.at("value").get<double>());
  EXPECT_NEAR(z, 0.05, 0.001);
  EXPECT_GT(record_.at("last").at("center_of_mass")[2].get<double>(), 0.01);
}

/// The camera moves with a body; the pointer does not.
TEST_F(ViewHands, AddABodyAtRestByAClickWhileTheCameraMoves) {
  expect_repeated(R"(
    settle
    panels off
    rate 1
    pick 1
    run
    frames 20
    press 300 60 Ctrl+Shift+left
    frames 12
    release 300 60 Ctrl+Shift+left
    frames 3
    pause
    settle
    expect bodies 3
)");
  EXPECT_EQ(record_.at("edits").back().at("added").at("velocity")[0],
            engine::Json::array({0.0, 0.0, 0.0}));
}

TEST_F(ViewHands, RefuseBodiesWithoutRoomAndOrbitsWithoutGravity) {
  write(here() / "scene.lua", R"(return { units = "si",
    grains = { radius = 0.005, density = 2500, young_modulus = 1e6 }, integrator = { dt = 1e-4 },
    bodies = { { position = { 0, 0, 0 } } },
    view = { bodies = "spheres", camera = { target = { 0, 0, 0 }, distance = 0.2 } } })");
  const Result result = drive(R"(
    settle
    panels off
    press 242 135 Ctrl+Shift+left
    release 242 135 Ctrl+Shift+left
    frames 3
    settle
    expect bodies 1
    adds cluster
    press 300 60 Ctrl+Shift+left
    release 300 60 Ctrl+Shift+left
    frames 3
    settle
    expect bodies 1
)");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("no room for another body here"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("do not attract each other"), std::string::npos) << result.err;
}

TEST_F(ViewHands, AreRefusedWithoutAFileWhereARecordIsWrong) {
  const Result made =
      mote(here(), {"run", "scene.lua", "--steps", "10", "--out", "made", "--quiet"});
  ASSERT_EQ(made.code, 0) << made.err;
  engine::Json record = engine::parse_json(engine::read_file(here() / "made/run.json"));
  record["edits"] = engine::parse_json(R"([
    {"step": 3, "removed": [77]}, {"step": 4, "removed": [1]},
    {"step": 5, "added": {"mass": [1], "position": [[9, 0, 0]], "velocity": [[0, 0, 0]], "radius": [1]}},
    {"step": 6, "removed": [1, 0, 2]}])");
  write(here() / "wrong.json", engine::json_text(record));
  const Result result = mote(here(), {"run", "--replay", "wrong.json", "--out", "new"});
  EXPECT_EQ(result.code, 2);
  for (const char* const part :
       {"wrong.json: edits.1: no body has the number 77 at step 3",
        "edits.3: bodies of this scene have no radius",
        "edits.4: no body has the number 1 at step 6", "edits.4: removes the last body"})
    EXPECT_NE(result.err.find(part), std::string::npos) << part << " in\n" << result.err;
  EXPECT_FALSE(fs::exists(here() / "new"));
}

TEST_F(ViewHands, OpenWhatIsDroppedOnTheWindow) {
  write(here() / "other.lua",
        "return { integrator = { dt = 0.01 }, gravity = {}, bodies = { plummer { n = 7 } } }");
  write(here() / "stars.csv",
        "mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n0,1,0,0,0,1,0\n0,2,0,0,0,0.7,0\n");
  expect_good(drive(R"(
    settle
    expect bodies 2
    drop stars.txt
    frames 3
    expect bodies 2
    drop stars.csv
    frames 3
    settle
    expect bodies 3
    step 5
    settle
    drop other.lua
    frames 3
    settle
    expect bodies 7
    step 9
    settle
    key Ctrl+Shift+S
    frames 3
    settle
    step 5
    settle
    drop other_step9.h5
    frames 3
    settle
    expect bodies 7
    expect step 9
)"));
  const Result result = drive("settle\ndrop nothing.lua\nframes 10\nexpect bodies 2\n");
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.err.find("nothing.lua: no such scene file"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace mote::test
