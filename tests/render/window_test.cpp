#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "engine/check.h"
#include "render/surface.h"
#include "tests/support/temporary_folder.h"

namespace mote::render {
namespace {

using test::Environment;

TEST(NoDisplay, IsAReasonNotToTryAWindow) {
  const Environment no_x11("DISPLAY", std::nullopt), no_wayland("WAYLAND_DISPLAY", "");
  EXPECT_NE(no_display_reason().find("WAYLAND_DISPLAY"), std::string::npos);
  const Environment wayland("WAYLAND_DISPLAY", "wayland-0");
  EXPECT_EQ(no_display_reason(), "");
}

std::string what_opening_says() {
  try {
    open_window({});
  } catch (const engine::SystemError& error) {
    return error.what();
  }
  return "";
}

TEST(NoDisplay, IsAnErrorThatNamesTheVariableAndWhatToDo) {
  const Environment no_x11("DISPLAY", std::nullopt), no_wayland("WAYLAND_DISPLAY", std::nullopt);
  const std::string text = what_opening_says();
  EXPECT_NE(text.find("DISPLAY is not set"), std::string::npos) << text;
  EXPECT_NE(text.find("--offscreen"), std::string::npos) << text;
  EXPECT_NE(text.find("--picture"), std::string::npos) << text;
}

TEST(NoDisplay, ThatRefusesIsNamed) {
  const Environment x11("DISPLAY", ":4711"), wayland("WAYLAND_DISPLAY", "nowhere");
  const std::string text = what_opening_says();
  EXPECT_NE(text.find("DISPLAY="), std::string::npos) << text;
  EXPECT_NE(text.find("refused"), std::string::npos) << text;
}

/// Needs a display; ctest runs the others on a virtual one, if available.
class Window : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = no_display_reason(); !reason.empty()) GTEST_SKIP() << reason;
    SurfaceOptions options;
    options.width = 640;
    options.height = 360;
    options.vsync = false;
    try {
      window_ = open_window(options);
    } catch (const engine::SystemError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  Surface& window() { return *window_; }
  void close() { window_.reset(); }
  /// Display servers answer asynchronously; gives up after two seconds.
  template <typename Condition>
  bool comes_true(Condition condition) {
    const auto start = std::chrono::steady_clock::now();
    while (!condition()) {
      if (std::chrono::steady_clock::now() - start > std::chrono::seconds(2)) return false;
      window_->poll(0.01);
    }
    return true;
  }

 private:
  std::unique_ptr<Surface> window_;
};

void fill(const Surface& surface, float red, float green, float blue) {
  const std::array<float, 4> color = {red, green, blue, 1};
  glBindFramebuffer(GL_FRAMEBUFFER, surface.framebuffer());
  glClearBufferfv(GL_COLOR, 0, color.data());
}

TEST_F(Window, IsOpenGl45InTheSizeAskedFor) {
  GLint major = 0, minor = 0, profile = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
  EXPECT_GE(10 * major + minor, 45);
  EXPECT_EQ(profile, GL_CONTEXT_CORE_PROFILE_BIT);
  EXPECT_NE(glCreateFramebuffers, nullptr);
  EXPECT_FALSE(window().info().renderer.empty());
  EXPECT_GT(window().scale(), 0);
  EXPECT_EQ(window().width() * 9, window().height() * 16);
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST_F(Window, HoldsWhatIsDrawnWithoutEncodingIt) {
  fill(window(), 0, 0.5f, 1);
  const Image image = window().read();
  ASSERT_EQ(image.width, window().width());
  EXPECT_EQ(image.pixel(3, 5)[0], 0);
  EXPECT_NEAR(image.pixel(3, 5)[1], 127.5, 1);  // sRGB encoding would make it 188
  EXPECT_EQ(image.pixel(image.width - 1, image.height - 1)[2], 255);
  window().show();
}

TEST_F(Window, FollowsAResize) {
  ASSERT_TRUE(comes_true([&] { return window().width() > 0; }));
  window().resize(500, 300);
  EXPECT_TRUE(comes_true([&] { return window().width() == 500 && window().height() == 300; }))
      << window().width() << " x " << window().height();
  fill(window(), 1, 1, 1);
  EXPECT_EQ(window().read().rgb.size(), 3u * 500 * 300);
}

TEST_F(Window, ReturnsFromFullScreenToWhereItWas) {
  const int width = window().width(), height = window().height();
  window().set_full_screen(true);
  EXPECT_TRUE(window().full_screen());
  EXPECT_TRUE(comes_true([&] { return window().width() > width; }));
  window().set_full_screen(true);
  window().set_full_screen(false);
  EXPECT_FALSE(window().full_screen());
  EXPECT_TRUE(comes_true([&] { return window().width() == width && window().height() == height; }))
      << window().width() << " x " << window().height();
}

TEST_F(Window, SwitchesItsSettings) {
  EXPECT_FALSE(window().vsync());
  window().set_vsync(true);
  EXPECT_TRUE(window().vsync());
  window().set_title("\xcf\x83 = 3 km/s");
  for (const Pointer pointer :
       {Pointer::text, Pointer::hand, Pointer::sideways, Pointer::up_down, Pointer::arrow})
    window().set_pointer(pointer);
  window().set_clipboard("\xc2\xb5");
  EXPECT_EQ(window().clipboard(), "\xc2\xb5");
}

TEST_F(Window, WithVsyncShowsNoMoreThanADisplayCan) {
  window().set_vsync(true);
  window().show();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) window().show();
  // No monitor is faster than 500 a second.
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(32));
}

TEST_F(Window, WaitsForEventsNoLongerThanAsked) {
  while (!window().poll(0.1).empty()) {
  }
  const auto start = std::chrono::steady_clock::now();
  window().poll(0.05);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST_F(Window, LeavesRoomForAPictureInMemoryAndAnotherWindow) {
  close();
  {
    const auto offscreen = open_offscreen({});
    fill(*offscreen, 1, 0, 0);
    EXPECT_EQ(offscreen->read().pixel(0, 0)[0], 255);
  }
  const auto again = open_window({});
  fill(*again, 0, 1, 0);
  EXPECT_EQ(again->read().pixel(0, 0)[1], 255);
}

TEST_F(Window, RefusesSizesThatCannotBe) {
  SurfaceOptions options;
  options.width = 0;
  EXPECT_THROW(open_window(options), engine::InputError);
}

}  // namespace
}  // namespace mote::render
