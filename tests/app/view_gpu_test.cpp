// The window with a simulation on a GPU.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/app/program.h"
#include "tests/support/on_device.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class ViewOfAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
    const Drawing drawing = drawing_here(here());
    if (!drawing.missing.empty()) GTEST_SKIP() << drawing.missing;
  }
  const fs::path& here() const { return folder_.path(); }

  Result drive(const std::string& share, const std::string& script,
               const std::string& interop = "") const {
    write(here() / "script", script);
    Call call{
        .arguments = {"view", "plummer", "--set", "n=300", "--backend", "cuda", "--share", share,
                      "--offscreen", "--size", "320x180", "--paused", "--drive", "script"},
        .folder = here()};
    if (!interop.empty()) call.environment["MOTE_EMULATOR_NO_INTEROP"] = interop;
    return run(call);
  }

 private:
  TemporaryFolder folder_;
};

const char* const a_session = R"(
  settle
  hash start
  step 20
  settle
  set gravity.softening 0.1
  step 5
  settle
  color acceleration
  settle
  double 160 80
  settle
  seek 0
  hash start
)";

std::string session_and(const char* more) {
  return fmt::format("{}{}", a_session, more);
}

TEST_F(ViewOfAGpu, PassesNoParticleThroughTheHost) {
  if (!gpu_is_emulated())
    GTEST_SKIP() << "whether OpenGL and CUDA share a GPU depends on the machine";
  const Result result = drive("interop", session_and("expect path interop\nexpect host-bytes 0\n"));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
}

TEST_F(ViewOfAGpu, CopiesOnRequest) {
  const Result result = drive("copy", session_and("expect path copy\n"));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
}

TEST_F(ViewOfAGpu, FallsBackToCopyingIfNothingCanBeShared) {
  if (!gpu_is_emulated()) GTEST_SKIP() << "only an emulated GPU can refuse to share";
  const Result result = drive("auto", session_and("expect path copy\n"), "1");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("points go to OpenGL through host memory: "), std::string::npos)
      << result.err;
  EXPECT_EQ(drive("interop", "settle\n", "1").code, 1);
}

// The window keeps its last frame and reports the error and the remedy; the scene opens again on
// the CPU.
TEST_F(ViewOfAGpu, StaysOpenWhenTheGpuFails) {
  if (!gpu_is_emulated()) GTEST_SKIP() << "only an emulated GPU can be made to fail";
  for (const char* share : {"interop", "copy"}) {
    fs::remove(here() / "fault.png");
    write(
        here() / "script",
        "settle\nstep 2\nsettle\nexpect step 2\nscreenshot fault.png\nframes 3\nstep 1\nframes 3\n"
        "expect halt cudaErrorLaunchFailure\nexpect halt Ctrl+R opens the scene again, on the CPU\n"
        "expect step 2\nscreenshot after.png scene\nkey Ctrl+R\nawait path mapped\nsettle\nstep "
        "3\nsettle\n"
        "expect step 3\nexpect halt none\nexpect error none\n");
    const Result result =
        run({.arguments = {"view", "plummer", "--set", "n=600", "--share", share, "--offscreen",
                           "--size", "320x180", "--paused", "--drive", "script"},
             .folder = here(),
             .environment = {{"MOTE_EMULATOR_FAULT", (here() / "fault.png").string()}}});
    EXPECT_EQ(result.code, 0) << share << ": " << result.err;
    EXPECT_TRUE(fs::exists(here() / "after.png")) << share;
  }
}

}  // namespace
}  // namespace mote::test
