#include "render/surface.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>

#include "engine/check.h"
#include "tests/support/temporary_folder.h"

namespace mote::render {
namespace {

using test::Environment;

class Offscreen : public testing::Test {
 protected:
  void SetUp() override {
    if (const GlInfo info = gl_info(); !info.problem.empty()) GTEST_SKIP() << info.problem;
  }
};

SurfaceOptions sized(int width, int height) {
  SurfaceOptions options;
  options.width = width;
  options.height = height;
  return options;
}

void fill(const Surface& surface, float red, float green, float blue) {
  const std::array<float, 4> color = {red, green, blue, 1};
  glClearNamedFramebufferfv(surface.framebuffer(), GL_COLOR, 0, color.data());
}

TEST_F(Offscreen, PictureHasItsRowsFromTheTop) {
  const auto surface = open_offscreen(sized(37, 11));  // row size not a multiple of 4 bytes
  ASSERT_EQ(surface->width(), 37);
  ASSERT_EQ(surface->height(), 11);
  fill(*surface, 0, 0, 1);
  glBindFramebuffer(GL_FRAMEBUFFER, surface->framebuffer());
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 10, 2, 1);  // OpenGL's uppermost row
  fill(*surface, 1, 0, 0);
  glDisable(GL_SCISSOR_TEST);
  const Image image = surface->read();
  ASSERT_EQ(image.rgb.size(), 3u * 37 * 11);
  EXPECT_EQ(image.pixel(1, 0)[0], 255);
  EXPECT_EQ(image.pixel(2, 0)[0], 0);
  EXPECT_EQ(image.pixel(0, 1)[0], 0);
  EXPECT_EQ(image.pixel(36, 10)[2], 255);
}

TEST_F(Offscreen, ReadLeavesWhatIsBoundAlone) {
  const auto surface = open_offscreen(sized(8, 8));
  glBindFramebuffer(GL_FRAMEBUFFER, surface->framebuffer());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  surface->read();
  GLint bound = -1;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &bound);
  EXPECT_EQ(bound, 0);
}

TEST_F(Offscreen, CanBeResized) {
  const auto surface = open_offscreen(sized(64, 64));
  surface->resize(100, 50);
  EXPECT_EQ(surface->width(), 100);
  EXPECT_EQ(surface->read().rgb.size(), 3u * 100 * 50);
  EXPECT_THROW(surface->resize(0, 50), engine::InputError);
  EXPECT_EQ(surface->width(), 100) << "a refused size changes nothing";
  fill(*surface, 0, 1, 0);
  EXPECT_EQ(surface->read().pixel(99, 49)[1], 255);
}

TEST_F(Offscreen, RefusesSizesThatCannotBe) {
  EXPECT_THROW(open_offscreen(sized(0, 100)), engine::InputError);
  EXPECT_THROW(open_offscreen(sized(100, 1 << 20)), engine::InputError);
}

TEST_F(Offscreen, ScaleIsThatOfTheOptionsThenOfTheEnvironment) {
  SurfaceOptions options = sized(8, 8);
  {
    const Environment none("MOTE_UI_SCALE", std::nullopt);
    EXPECT_EQ(open_offscreen(options)->scale(), 1);
  }
  const Environment set("MOTE_UI_SCALE", "1.5");
  EXPECT_EQ(open_offscreen(options)->scale(), 1.5);
  options.scale = 2;
  EXPECT_EQ(open_offscreen(options)->scale(), 2);
  options.scale = 1000;
  EXPECT_EQ(open_offscreen(options)->scale(), 4) << "clamped to the supported range";
}

TEST_F(Offscreen, ScaleThatIsNoNumberIsNotHeeded) {
  for (const char* text : {"large", "0", "-2", "nan", "1x"}) {
    const Environment set("MOTE_UI_SCALE", text);
    EXPECT_EQ(open_offscreen(sized(8, 8))->scale(), 1) << text;
  }
}

TEST_F(Offscreen, NothingHappensThere) {
  const auto surface = open_offscreen(sized(8, 8));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(surface->poll(0.02).empty());
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(20));
  surface->show();
  EXPECT_FALSE(surface->full_screen());
  surface->set_clipboard("kept");
  EXPECT_EQ(surface->clipboard(), "kept");
}

TEST_F(Offscreen, PrefersTheGpuThatCudaNames) {
  // Must work on any machine: this is only a preference.
  SurfaceOptions options = sized(8, 8);
  options.cuda_device = 123456;
  EXPECT_FALSE(open_offscreen(options)->info().renderer.empty());
}

}  // namespace
}  // namespace mote::render
