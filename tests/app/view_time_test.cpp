// The past and its changes in the window: what is gone back to, what parameters do there.
#include "tests/app/view_test.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

TEST_F(View, GoesBackToWhatWasBitForBit) {
  expect_good(drive(R"(
    settle
    hash start
    step 150
    hash end
    seek 70
    settle
    expect step 70
    hash middle
    seek 0
    hash start
    seek 150
    hash end
    seek 70
    hash middle
    key Home
    hash start
    key End
    hash end
    expect branch 0
  )"));
}

TEST_F(View, ChangesLiveParametersAndBranches) {
  expect_good(drive(R"(
    settle
    step 50
    settle
    hash untouched
    set gravity.softening 0.5
    settle
    expect gravity.softening 0.5
    step 50
    settle
    hash changed
    seek 50
    settle
    expect gravity.softening 0.5
    seek 49
    settle
    expect gravity.softening 0.1
    seek 100
    hash changed
    seek 20
    settle
    set integrator.dt 0.02
    settle
    expect branch 1
    expect integrator.dt 0.02
  )"));
}

TEST_F(View, SetsParametersOfTheSceneLiveWhereTheyAreAndElseAtTheNextStart) {
  expect_good(drive(R"(
    settle
    step 5
    set softening 0.25
    settle
    expect gravity.softening 0.25
    expect bodies 2
    set count 5
    settle
    expect bodies 2
    key R
    settle
    expect bodies 5
    expect step 0
    expect gravity.softening 0.25
  )"));
}

TEST_F(View, RefusesValuesOutOfTheirRange) {
  const Result result = drive("settle\nset softening 7\n");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("script:2: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("softening"), std::string::npos) << result.err;
}

TEST_F(View, SaysWhereItBrokeGoesBackAndWritesNoCheckpointOfRuins) {
  // The bullet flies into the target: at step 3 nothing but 1e-110 parts them, and nothing softens their pull.
  write(here() / "scene.lua", R"(
    return { gravity = { softening = 0, constant = 1e-300 }, integrator = { "leapfrog", dt = 1 },
             bodies = { { mass = 1, position = { 0, 0, 0 } },
                        { mass = 1, position = { 3, 1e-110, 0 }, velocity = { -1, 0, 0 } } } })");
  const Result result = drive(R"(
    settle
    step 50
    await mode unhealthy
    key Ctrl+Shift+S
    frames 4
    key Home
    settle
    expect step 0
    expect mode paused
  )");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("is no longer finite at step"), std::string::npos) << result.err;
  for (const std::string& file : files_below(here())) EXPECT_NE(fs::path(file).extension(), ".h5") << file;
}

TEST_F(View, AnEditWaitsForASearchToArriveAndResetKeepsWhatWasSet) {
  expect_good(drive(R"(
    settle
    step 400
    settle
    seek 100
    set integrator.dt 0.003
    settle
    expect step 100
    expect integrator.dt 0.003
    expect branch 1
    key R
    settle
    expect step 0
    expect integrator.dt 0.003
  )"));
}

}  // namespace
}  // namespace mote::test
