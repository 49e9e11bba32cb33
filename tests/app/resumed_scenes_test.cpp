// Every scene that comes with mote, resumed from its checkpoints and verified.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>

#include "engine/machine.h"
#include "tests/app/program.h"
#include "tests/app/scenes.h"
#include "tests/support/on_device.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

/// How a scene is run here.
struct ShortRun {
  std::vector<std::string> settings;  ///< few bodies, if their number is a parameter
  int bodies = 0, steps = 0;          ///< of which a third is before each checkpoint
};

/// The number of bodies by what `mote check` prints, or 0.
int bodies_checked(const fs::path& folder, std::vector<std::string> words) {
  words.insert(words.begin(), "check");
  const Result checked = mote(folder, words);
  std::smatch found;
  if (checked.code != 0 ||
      !std::regex_search(checked.out, found, std::regex("good, ([0-9,]+) bod")))
    return 0;
  std::string digits = found[1];
  std::erase(digits, ',');
  return std::stoi(digits);
}

/// The setting that makes a scene small, if it has a parameter for its size; "" if not.
std::string small_size(const fs::path& scene) {
  const std::string text = text_of(scene);
  for (const auto& [name, small] :
       std::map<std::string, int>{{"n", 128}, {"side", 6}, {"cells", 4}, {"across", 12}})
    if (std::smatch found;
        std::regex_search(text, found, std::regex("param\\(\"" + name + "\", ([0-9]+)")))
      return fmt::format("{}={}", name, std::min(std::stoi(found[1]), small));
  return "";
}

/// Few bodies take steps enough for them to meet, bonds to swing and lists to be built again.
ShortRun short_run_of(const fs::path& scene, const fs::path& folder) {
  ShortRun run;
  if (const std::string size = small_size(scene); !size.empty()) {
    run.settings = {"--set", size};
    run.bodies = bodies_checked(folder, {scene, "--set", size});
  }
  if (run.bodies == 0) run = {{}, bodies_checked(folder, {scene})};  // its least size is larger
  run.steps = run.bodies <= 300 ? 240 : 36;
  return run;
}

class ResumedScene : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  void SetUp() override { MOTE_SKIP_IF_SANITIZED("long; Checkpoints.* restore states"); }
  Result in_folder(std::vector<std::string> words) const { return mote(folder_.path(), words); }
  fs::path at(const std::string& name) const { return folder_.path() / name; }

  TemporaryFolder folder_;
};

// What the forces are made from is there before they are, whatever the scene is made of: bodies
// that are fixed, spin, move with obstacles, come and go.
TEST_P(ResumedScene, GoesOnAsIfItHadNotStoppedAndIsVerified) {
  const auto& [name, backend] = GetParam();
  const bool emulated = backend == "cuda" && gpu_is_emulated();
  if (const std::string problem = engine::cuda_info().problem;
      backend == "cuda" && !problem.empty())
    GTEST_SKIP() << problem;
  const fs::path scene = scenes_folder / (name + ".lua");
  ShortRun run = short_run_of(scene, folder_.path());
  ASSERT_GT(run.bodies, 0);
  // A body of the emulated device takes as long as a thousand on a processor. Which fields a scene
  // has does not depend on its size, and one step tells whether they are restored.
  if (emulated) {
    if (run.bodies > 300) GTEST_SKIP() << "too long for the emulated device";
    run.steps = 3;
  }
  const int part = run.steps / 3;
  std::vector<std::string> words{"run",
                                 scene,
                                 "--backend",
                                 backend,
                                 "--steps",
                                 std::to_string(run.steps),
                                 "--quiet",
                                 "--out",
                                 "whole",
                                 "--checkpoint-keep",
                                 "9",
                                 "--checkpoint-steps",
                                 std::to_string(part),
                                 "--series-steps",
                                 emulated ? "1" : std::to_string(part / 2)};
  words.insert(words.end(), run.settings.begin(), run.settings.end());
  const Result whole = in_folder(words);
  ASSERT_EQ(whole.code, 0) << whole.err;

  const Result verified = in_folder({"verify", "whole", "--quiet"});
  EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
  for (const int from : {part, 2 * part}) {
    const std::string resumed = fmt::format("from-{}", from);
    fs::copy(at("whole"), at(resumed), fs::copy_options::recursive);
    const Result result = in_folder({"resume", resumed, "--from", std::to_string(from), "--quiet"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(hash_of(at(resumed)), hash_of(at("whole"))) << resumed;
    EXPECT_EQ(text_of(at(resumed) / "series.csv"), text_of(at("whole/series.csv"))) << resumed;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, ResumedScene,
                         testing::Combine(testing::ValuesIn(scenes()),
                                          testing::Values("cpu", "cuda")),
                         [](const auto& scene) {
                           return std::get<0>(scene.param) + "_on_" + std::get<1>(scene.param);
                         });

}  // namespace
}  // namespace mote::test
