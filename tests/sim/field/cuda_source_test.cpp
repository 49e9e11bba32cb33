#include "sim/field/cuda_source.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/check.h"
#include "engine/exec/nvrtc.h"
#include "tests/support/backend.h"

namespace mote::sim {
namespace {

/// Fields with all operations, of position and of velocity, with a potential.
std::vector<Field> all_operations() {
  return *test::scene_of(R"lua(return {
    integrator = { dt = 0.1 }, bodies = { { mass = 1, position = { 1, 0, 0 } } },
    fields = {
      field { acceleration = { "-k*x + sqrt(abs(y)) - z/(1+r)", "exp(-x^2)*log(1+m) + sin(t)*cos(y)*tan(z)",
        "asin(x)+acos(y)+atan(z)+atan2(y,x)+sinh(x)+cosh(y)+tanh(z)" }, k = 0.1,
        potential = "min(x,y)+max(y,z)+floor(x)+sign(y)+step(z)+x^y+pow(x,2.5)" },
      field { acceleration = { "vy - vx*t", "-vx", "-vz*abs(vz)" } },
    } })lua")
              .physics.find<std::vector<Field>>();
}

TEST(CudaSource, CompilesWithNvrtc) {
  if (const engine::Nvrtc& nvrtc = engine::nvrtc(); !nvrtc.problem.empty())
    GTEST_SKIP() << nvrtc.problem;
  for (const auto precision : {engine::Precision::single, engine::Precision::double_}) {
    const std::string source = cuda_source(all_operations(), precision, 4);
    const auto code = engine::compile_cuda(source, "sm_90");
    const std::string text(code.begin(), code.end());
    for (const char* kernel : {"add_fields", "kick_fields", "add_potentials"})
      EXPECT_NE(text.find(kernel), std::string::npos) << kernel;
    EXPECT_EQ(text.substr(1, 3), "ELF");
  }
}

TEST(CudaSource, IsRefusedForGpusUnknownToTheCompiler) {
  if (const engine::Nvrtc& nvrtc = engine::nvrtc(); !nvrtc.problem.empty())
    GTEST_SKIP() << nvrtc.problem;
  EXPECT_EQ(engine::nvrtc_for("9.0").problem, "");
  EXPECT_NE(engine::nvrtc_for("99.0").problem.find("compute capability 99.0"), std::string::npos);
  EXPECT_NE(engine::nvrtc_for("99.0").remedy, "");
}

TEST(CudaSource, HoldsNumbersToTheLastBit) {
  const auto fields =
      *test::scene_of(
           R"(return { integrator = { dt = 0.1 }, bodies = { { mass = 1, position = { 1, 0, 0 } } },
    fields = { field { acceleration = { "0.1*x", 0, 0 } } } })")
           .physics.find<std::vector<Field>>();
  EXPECT_NE(cuda_source(fields, engine::Precision::double_, 4).find("0x1.999999999999ap-4;"),
            std::string::npos);
  EXPECT_NE(cuda_source(fields, engine::Precision::single, 4).find("0x1.99999ap-4f;"),
            std::string::npos);
}

TEST(CudaSource, ThatDoesNotCompileIsShownWithTheMessages) {
  if (const engine::Nvrtc& nvrtc = engine::nvrtc(); !nvrtc.problem.empty())
    GTEST_SKIP() << nvrtc.problem;
  const std::string message = test::message_of<engine::SystemError>(
      [] { engine::compile_cuda("int broken = nothing;", "sm_90"); });
  EXPECT_NE(message.find("identifier \"nothing\" is undefined"), std::string::npos) << message;
  EXPECT_NE(message.find("int broken = nothing;"), std::string::npos) << message;
}

}  // namespace
}  // namespace mote::sim
