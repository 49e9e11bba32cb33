// The window on a simulation that a GPU steps.
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

  Result drive(const std::string& share, const std::string& script, const std::string& interop = "") const {
    write(here() / "script", script);
    Call call{.arguments = {"view", "plummer", "--set", "n=300", "--backend", "cuda", "--share", share,
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

TEST_F(ViewOfAGpu, PassesNoParticleThroughTheHost) {
  if (!gpu_is_emulated())
    GTEST_SKIP() << "whether OpenGL and CUDA share a GPU is for each machine to find out";
  const Result result =
      drive("interop", std::string(a_session) + "expect path interop\nexpect host-bytes 0\n");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
}

TEST_F(ViewOfAGpu, CopiesWhereItIsAskedTo) {
  const Result result = drive("copy", std::string(a_session) + "expect path copy\n");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
}

TEST_F(ViewOfAGpu, CopiesByItselfWhereNothingCanBeShared) {
  if (!gpu_is_emulated()) GTEST_SKIP() << "an emulated GPU alone can be told not to share";
  const Result result = drive("auto", std::string(a_session) + "expect path copy\n", "1");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("points go to OpenGL through host memory: "), std::string::npos) << result.err;
  EXPECT_EQ(drive("interop", "settle\n", "1").code, 1);
}

}  // namespace
}  // namespace mote::test
