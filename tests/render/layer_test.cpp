#include "render/ui/layer.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "render/surface.h"
#include "render/ui/fonts.h"
#include "render/ui/theme.h"
#include "tests/render/input_events.h"

namespace mote::render::ui {
namespace {

using Kind = InputEvent::Kind;
constexpr Modifiers control{.control = true};

std::vector<InputEvent> click(double x, double y) {
  return {mouse(Kind::mouse_move, x, y), mouse(Kind::mouse_down, x, y),
          mouse(Kind::mouse_up, x, y)};
}

class LayerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const GlInfo info = gl_info(); !info.problem.empty()) GTEST_SKIP() << info.problem;
    SurfaceOptions options;
    options.width = 640;
    options.height = 360;
    options.scale = 1;
    surface_ = open_offscreen(options);
    layer_ = std::make_unique<Layer>(*surface_);
    frame({});
    frame({});  // windows find their size in their second frame
  }

  Surface& surface() { return *surface_; }
  Layer& layer() { return *layer_; }

  /// A frame with a window that covers (100, 50) to (300, 250) and contains `contents`.
  void frame(const std::vector<InputEvent>& events) {
    layer_->begin(events, 1.0 / 60);
    const auto seen = layer_->scene_events();
    scene_.insert(scene_.end(), seen.begin(), seen.end());
    ImGui::SetNextWindowPos({100, 50});
    ImGui::SetNextWindowSize({200, 200});
    ImGui::Begin("Test", nullptr, ImGuiWindowFlags_NoDecoration);
    if (contents) contents();
    ImGui::End();
    layer_->end();
  }
  /// Frames until all events are handled, and one for their effects.
  void handle(const std::vector<InputEvent>& events) {
    frame(events);
    for (int i = 0; i < 100 && layer_->pending(); ++i) frame({});
    EXPECT_FALSE(layer_->pending());
    frame({});
  }
  std::vector<InputEvent> take_scene() { return std::exchange(scene_, {}); }

  std::function<void()> contents;

 private:
  std::unique_ptr<Surface> surface_;
  std::unique_ptr<Layer> layer_;
  std::vector<InputEvent> scene_;
};

TEST_F(LayerTest, DrawsNoticesWhenThePictureWasRead) {
  const auto pictures = [&](bool noticed) {
    const std::array<float, 4> black = {0, 0, 0, 1};
    glClearNamedFramebufferfv(surface().framebuffer(), GL_COLOR, 0, black.data());
    contents = [noticed] {  // like ui::notice
      if (noticed)
        ImGui::GetForegroundDrawList()->AddRectFilled({120, 80}, {180, 120}, IM_COL32_WHITE);
    };
    frame({});
    layer().draw();
    std::vector<std::uint8_t> read = surface().read().rgb;
    layer().draw_notices();
    return std::pair(read, surface().read().rgb);
  };
  const auto [plain, still_plain] = pictures(false);
  const auto [before, after] = pictures(true);
  EXPECT_EQ(still_plain, plain);
  EXPECT_EQ(before, plain);
  EXPECT_NE(after, plain) << "the user sees them";
}

TEST_F(LayerTest, DrawsAWindowOverWhatIsThere) {
  const std::array<float, 4> red = {1, 0, 0, 1};
  glClearNamedFramebufferfv(surface().framebuffer(), GL_COLOR, 0, red.data());
  frame({});
  layer().draw();
  const Image image = surface().read();
  EXPECT_EQ(image.pixel(50, 200)[0], 255) << "beside the window";
  EXPECT_EQ(image.pixel(50, 200)[1], 0);
  // Inside: the panel's colour at its opacity over red.
  const ImVec4 panel = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  EXPECT_NEAR(image.pixel(200, 200)[0], 255 * (panel.x * panel.w + 1 - panel.w), 1.5);
  EXPECT_NEAR(image.pixel(200, 200)[2], 255 * panel.z * panel.w, 1.5);
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST_F(LayerTest, ClickInOneBatchIsNotLost) {
  int clicks = 0;
  contents = [&] { clicks += ImGui::Button("Press", {150, 40}) ? 1 : 0; };
  frame({});
  handle(click(150, 80));
  EXPECT_EQ(clicks, 1);
  std::vector<InputEvent> twice = click(150, 80);
  const std::vector<InputEvent> second = click(151, 80);
  twice.insert(twice.end(), second.begin(), second.end());
  handle(twice);
  EXPECT_EQ(clicks, 3);
  handle({mouse(Kind::mouse_down, 151, 80), mouse(Kind::mouse_up, 151, 80)});
  EXPECT_EQ(clicks, 4) << "without a movement before it";
}

TEST_F(LayerTest, DragInOneBatchEndsWhereItWasLetGo) {
  float value = 0;
  contents = [&] {
    ImGui::SetNextItemWidth(160);
    ImGui::SliderFloat("##value", &value, 0, 1);
  };
  frame({});
  // The slider's middle is 80 pixels from its left edge, which is the window's padding away from
  // 100.
  const double left = 100 + ImGui::GetStyle().WindowPadding.x,
               y = 50 + ImGui::GetStyle().WindowPadding.y + 10;
  handle({mouse(Kind::mouse_move, left + 20, y), mouse(Kind::mouse_down, left + 20, y),
          mouse(Kind::mouse_move, left + 80, y), mouse(Kind::mouse_up, left + 80, y)});
  EXPECT_NEAR(value, 0.5, 0.01);  // a pixel of 150
}

TEST_F(LayerTest, TypedTextArrivesInItsOrder) {
  std::array<char, 32> buffer{};
  contents = [&] { ImGui::InputText("##text", buffer.data(), buffer.size()); };
  frame({});
  std::vector<InputEvent> events = click(150, 70);
  for (const InputEvent& event :
       {key(Kind::key_down, 'A'), text('a'), key(Kind::key_up, 'A'), text(U'µ'), text('x'),
        key(Kind::key_down, Key::backspace), text('c'), key(Kind::key_up, Key::backspace)})
    events.push_back(event);
  handle(events);
  EXPECT_STREQ(buffer.data(),
               "a\xc2\xb5"
               "c");
  EXPECT_TRUE(layer().wants_keyboard());
  // Copied to the surface, and from it.
  handle({key(Kind::key_down, Key::left_control, control), key(Kind::key_down, 'A', control),
          key(Kind::key_up, 'A', control), key(Kind::key_down, 'C', control),
          key(Kind::key_up, 'C', control)});
  EXPECT_EQ(surface().clipboard(),
            "a\xc2\xb5"
            "c");
  surface().set_clipboard("42");
  handle({key(Kind::key_down, 'V', control), key(Kind::key_up, 'V', control),
          key(Kind::key_up, Key::left_control)});
  EXPECT_STREQ(buffer.data(), "42");
}

TEST_F(LayerTest, SceneGetsWhatTheUserInterfaceLeaves) {
  handle({mouse(Kind::mouse_move, 50, 200)});
  EXPECT_FALSE(layer().wants_mouse());
  EXPECT_EQ(take_scene().size(), 1u);
  handle(click(200, 200));
  EXPECT_TRUE(layer().wants_mouse());
  const std::vector<InputEvent> over = take_scene();
  ASSERT_EQ(over.size(), 1u) << "only the release of a click on a window";
  EXPECT_EQ(over[0].kind, Kind::mouse_up);
  // A drag that began outside the window belongs to the scene, over the window too.
  handle({mouse(Kind::mouse_move, 50, 200), mouse(Kind::mouse_down, 50, 200),
          mouse(Kind::mouse_move, 200, 200), mouse(Kind::mouse_up, 200, 200)});
  EXPECT_EQ(take_scene().size(), 4u);
  handle({key(Kind::key_down, Key::space), key(Kind::key_up, Key::space)});
  EXPECT_EQ(take_scene().size(), 2u);
}

TEST_F(LayerTest, ShortcutsAreNotForTheSceneWhileTextIsTyped) {
  std::array<char, 32> buffer{};
  contents = [&] { ImGui::InputText("##text", buffer.data(), buffer.size()); };
  frame({});
  handle(click(150, 70));
  take_scene();
  handle({key(Kind::key_down, Key::space), text(' '), key(Kind::key_up, Key::space)});
  const std::vector<InputEvent> seen = take_scene();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].kind, Kind::key_up);
}

TEST_F(LayerTest, EventsThatMakeNoSenseDoNoHarm) {
  InputEvent strange = mouse(Kind::mouse_down, 10, 10);
  strange.button = 17;
  InputEvent none = key(Kind::key_down, Key::none);
  handle({strange, none, key(Kind::key_down, static_cast<Key>(99999)),
          key(Kind::key_up, static_cast<Key>(-1))});
}

TEST_F(LayerTest, GrowsWithItsZoom) {
  if (find_font().empty()) GTEST_SKIP() << "no font file";
  frame({});
  EXPECT_EQ(ImGui::GetFontSize(), 15);
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  layer().set_zoom(2);
  frame({});
  EXPECT_EQ(ImGui::GetFontSize(), 30);
  EXPECT_EQ(ImGui::GetStyle().ItemSpacing.x, 2 * spacing);
  layer().draw();
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
  layer().set_zoom(1);
  frame({});
  EXPECT_EQ(ImGui::GetStyle().ItemSpacing.x, spacing) << "scaling must not accumulate";
}

TEST_F(LayerTest, FontHasTheSignsOfUnits) {
  if (find_font().empty()) GTEST_SKIP() << "no font file";
  for (const ImWchar sign : {0x0041, 0x00d7, 0x00b7, 0x2212, 0x00b2, 0x00b3, 0x2192, 0x03c3, 0x00b0,
                             0x2609, 0x2026, 0x2299, 0x207b, 0x2248, 0x2264, 0x25cf})
    EXPECT_NE(ImGui::GetIO().Fonts->Fonts[0]->FindGlyphNoFallback(sign), nullptr)
        << std::hex << sign;
}

TEST_F(LayerTest, WritesNoFilesOfItsOwn) {
  EXPECT_EQ(ImGui::GetIO().IniFilename, nullptr);
  EXPECT_EQ(ImGui::GetIO().LogFilename, nullptr);
}

/// Relative luminance of an sRGB colour, by WCAG 2.
double luminance(const ImVec4& color) {
  const auto linear = [](double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.x) + 0.7152 * linear(color.y) + 0.0722 * linear(color.z);
}

ImVec4 over(const ImVec4& top, const ImVec4& bottom) {
  const auto mix = [&](float a, float b) { return a * top.w + b * (1 - top.w); };
  return {mix(top.x, bottom.x), mix(top.y, bottom.y), mix(top.z, bottom.z), 1};
}

double contrast(const ImVec4& a, const ImVec4& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

class Theme : public testing::TestWithParam<bool> {};

TEST_P(Theme, WordsAreLegibleOnEveryBackground) {
  ImGuiStyle style;
  set_theme(style, 1, GetParam());
  const ImVec4 *colors = style.Colors, black{0, 0, 0, 1}, white{1, 1, 1, 1};
  for (const ImVec4& scene : {black, white})
    for (const ImGuiCol_ panel :
         {ImGuiCol_WindowBg, ImGuiCol_PopupBg, ImGuiCol_TitleBg, ImGuiCol_TitleBgActive}) {
      const ImVec4 below = over(colors[panel], scene);
      EXPECT_GE(contrast(colors[ImGuiCol_Text], below), 7) << panel;
      EXPECT_GE(contrast(colors[ImGuiCol_TextDisabled], below), 4.5) << panel;
      EXPECT_GE(contrast(colors[ImGuiCol_CheckMark], below), 4.5) << panel;
      for (const ImGuiCol_ on :
           {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_Button,
            ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive, ImGuiCol_Header, ImGuiCol_HeaderHovered,
            ImGuiCol_HeaderActive, ImGuiCol_Tab, ImGuiCol_TabHovered, ImGuiCol_TabActive,
            ImGuiCol_TextSelectedBg, ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive,
            ImGuiCol_TableHeaderBg})
        EXPECT_GE(contrast(colors[ImGuiCol_Text], over(colors[on], below)), 4.5) << on;
      EXPECT_GE(contrast(colors[ImGuiCol_TextDisabled], over(colors[ImGuiCol_FrameBg], below)),
                4.5);
    }
}

INSTANTIATE_TEST_SUITE_P(DarkAndLight, Theme, testing::Bool());

TEST_F(LayerTest, TurnsLightOverAWhiteScene) {
  const auto brightness = [&](bool on_white) {
    layer().set_on_white(on_white);
    frame({});
    layer().draw();
    return int{surface().read().pixel(200, 200)[1]};
  };
  EXPECT_LT(brightness(false), 64);
  EXPECT_GT(brightness(true), 192) << "a frame after the background";
  EXPECT_EQ(ImGui::GetFontSize(), find_font().empty() ? 13 : 15);
  EXPECT_LT(brightness(false), 64);
}

}  // namespace
}  // namespace mote::render::ui
