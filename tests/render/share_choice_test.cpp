#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/log.h"
#include "tests/render/share_test.h"
#if defined(MOTE_CUDA_EMULATED)
#include "engine/exec/cuda_check.h"
#include "tests/emulator/emulator.h"
#include "tests/emulator/gl/graphics.h"
#endif

namespace mote::render {
namespace {

/// The chosen path and its report.
using ShareChoice = GlTest;

TEST_F(ShareChoice, AnythingButInteropIsMappedWhenTheCpuSteps) {
  for (const ShareRequest request : {ShareRequest::automatic, ShareRequest::copy}) {
    const SharedPoints shared(10, {}, request);
    EXPECT_EQ(shared.status().path, SharePath::mapped);
    EXPECT_EQ(shared.status().reason, "");
  }
}

TEST_F(ShareChoice, InteropWithoutAGpuThatStepsIsTheUsersMistake) {
  try {
    const SharedPoints shared(10, {}, ShareRequest::interop);
    ADD_FAILURE() << "no error";
  } catch (const engine::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("--backend cuda"), std::string::npos) << error.what();
  }
}

#if !defined(MOTE_CUDA_EMULATED)
TEST_F(ShareChoice, OfAGpu) {
  GTEST_SKIP() << "needs the emulated GPU: -DMOTE_CUDA=EMULATED";
}
#else

/// Number of warnings with these words.
std::ptrdiff_t warnings_with(const std::string& words, const engine::LogLines& said) {
  const std::vector<std::string> lines = said.lines();
  return std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find(" warning: ") != std::string::npos && line.find(words) != std::string::npos;
  });
}

class ShareChoiceOfAGpu : public GlTest {
 protected:
  void TearDown() override {
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess) << "an error was left for the next call";
    unsetenv("MOTE_EMULATOR_NO_INTEROP");
    emulator::fail_registrations_after(-1);
    emulator::reset();
    EXPECT_EQ(emulator::registered_buffers(), 0U);
  }
  std::string renderer() {
    return context().info().renderer.substr(0, context().info().renderer.find(" ("));
  }

  static void expect_copy(const SharedPoints& shared, const std::string& reason) {
    EXPECT_EQ(shared.status().path, SharePath::copy);
    EXPECT_NE(shared.status().reason.find(reason), std::string::npos) << shared.status().reason;
    EXPECT_EQ(emulator::registered_buffers(), 0U);
  }
};

TEST_F(ShareChoiceOfAGpu, InteropIsTakenWhereItCanBeHad) {
  for (const ShareRequest request : {ShareRequest::automatic, ShareRequest::interop}) {
    const SharedPoints shared(10, 0, request);
    EXPECT_EQ(shared.status().path, SharePath::interop);
    EXPECT_EQ(shared.status().reason, "");
    EXPECT_EQ(emulator::registered_buffers(), 6U);
  }
}

TEST_F(ShareChoiceOfAGpu, CopyCanBeAskedFor) {
  expect_copy(SharedPoints(10, 0, ShareRequest::copy), "requested");
}

TEST_F(ShareChoiceOfAGpu, SoftwareThatDrawsIsNamedAndWarnedOfOnce) {
  setenv("MOTE_EMULATOR_NO_INTEROP", "1", 1);
  const std::string reason =
      "OpenGL is drawn by " + renderer() + ", not by the GPU that runs the simulation";
  const engine::LogLines said;
  for (int i = 0; i < 3; ++i) {
    const SharedPoints shared(10, 0, ShareRequest::automatic);
    expect_copy(shared, reason);
    EXPECT_EQ(shared.status().reason, reason);
  }
  EXPECT_EQ(warnings_with(reason, said), 1);
}

TEST_F(ShareChoiceOfAGpu, ForcedInteropFailsWithTheReasonAndAWayOut) {
  setenv("MOTE_EMULATOR_NO_INTEROP", "1", 1);
  try {
    const SharedPoints shared(10, 0, ShareRequest::interop);
    ADD_FAILURE() << "no error";
  } catch (const engine::SystemError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("not by the GPU that runs the simulation"), std::string::npos) << text;
    EXPECT_NE(text.find("--share copy"), std::string::npos) << text;
  }
}

TEST_F(ShareChoiceOfAGpu, AnotherGpuThatDrawsIsNoInterop) {
  emulator::set_device_count(2);
  expect_copy(SharedPoints(10, 1, ShareRequest::automatic), "another GPU (" + renderer() + ")");
}

TEST_F(ShareChoiceOfAGpu, RegistrationThatFailsHalfwayLeavesNothing) {
  emulator::fail_registrations_after(3);
  SharedPoints shared(100, 0, ShareRequest::automatic);
  expect_copy(shared, "could not register OpenGL's buffers: out of memory");
  PointWriter writer(true);
  write_frame(shared, writer, Points::of_frame(1, 100));
  EXPECT_EQ(read_back(shared.shown()), Points::of_frame(1, 100));
}

TEST_F(ShareChoiceOfAGpu, BothBuffersAreMappedByOneCallAFrame) {
  SharedPoints shared(100, 0, ShareRequest::interop);
  PointWriter writer(true);
  const std::size_t before = emulator::map_calls();
  for (int frame = 0; frame < 5; ++frame) {
    const SharedTarget target = next_target(shared);
    EXPECT_EQ(emulator::mapped_buffers(), 2U);
    writer.write(target, Points::of_frame(frame, 100));
    shared.end(target);
    EXPECT_EQ(emulator::mapped_buffers(), 0U);
  }
  EXPECT_EQ(emulator::map_calls() - before, 5U);
}

TEST_F(ShareChoiceOfAGpu, NoFrameMakesTheHostWait) {
  SharedPoints shared(100, 0, ShareRequest::interop);
  PointWriter writer(true);
  const std::size_t before = emulator::host_waits();
  for (int frame = 0; frame < 5; ++frame) write_frame(shared, writer, Points::of_frame(frame, 100));
  EXPECT_EQ(emulator::host_waits(), before);
}

TEST_F(ShareChoiceOfAGpu, APlaceThatIsHandedOutIsUnmappedAtTheEnd) {
  {
    SharedPoints shared(100, 0, ShareRequest::interop);
    ASSERT_TRUE(shared.begin());
    EXPECT_EQ(emulator::mapped_buffers(), 2U);
  }
  EXPECT_EQ(emulator::mapped_buffers(), 0U);
}

#endif

}  // namespace
}  // namespace mote::render
