#include <gtest/gtest.h>

#include <vector>

#include "render/ui/widgets.h"
#include "tests/render/ui_headless.h"

namespace mote::render::ui {
namespace {

using Steps = std::optional<std::uint64_t>;

/// Inset of the track for the handle: 9 pixels with text of 15; here it is 13.
constexpr float inset = 8;

Timeline line_of(std::uint64_t first, std::uint64_t last, std::uint64_t now) {
  Timeline line;
  line.first = first;
  line.last = last;
  line.now = now;
  return line;
}

Steps click(Headless& ui, const Timeline& line, float x) {
  const auto draw = [&] { return timeline(line); };
  ui.move(x, ui.top() + 8);
  ui.frame(draw);
  ui.press();
  const Steps pressed = ui.frame(draw);
  ui.release();
  EXPECT_EQ(ui.frame(draw), pressed) << "released";
  EXPECT_EQ(ui.frame(draw), std::nullopt);
  return pressed;
}

TEST(UiTimeline, GivesTheStepsOfItsEndsExactly) {
  Headless ui;
  ui.frame([] { return 0; });
  struct Ends {
    std::uint64_t first, last;
  };
  // Also where neighbouring steps are equal in double precision.
  for (const Ends& ends :
       {Ends{0, 10}, Ends{0, 123457}, Ends{1000, 1003}, Ends{3, (1ull << 62) + 100}}) {
    const Timeline line = line_of(ends.first, ends.last, ends.first);
    EXPECT_EQ(click(ui, line, ui.left() + 1), ends.first);
    EXPECT_EQ(click(ui, line, ui.left() + inset), ends.first);
    EXPECT_EQ(click(ui, line, ui.right() - 1), ends.last);
    EXPECT_EQ(click(ui, line, ui.right() - inset), ends.last);
  }
}

TEST(UiTimeline, GivesTheStepUnderTheMouse) {
  Headless ui;
  ui.frame([] { return 0; });
  const Timeline line = line_of(100, 200, 150);
  const float left = ui.left() + inset, width = ui.right() - ui.left() - 2 * inset;
  for (int step : {100, 110, 137, 150, 199})
    EXPECT_EQ(click(ui, line, left + width * static_cast<float>(step - 100) / 100), step);
}

TEST(UiTimeline, GivesEveryStepOfADragAndItsEnd) {
  Headless ui;
  ui.frame([] { return 0; });
  Timeline line = line_of(0, 1000, 0);
  const auto draw = [&] { return timeline(line); };
  const float middle = (ui.left() + ui.right()) / 2;
  ui.move(middle, ui.top() + 8);
  ui.frame(draw);
  ui.press();
  EXPECT_EQ(ui.frame(draw), 500u);
  EXPECT_EQ(ui.frame(draw), std::nullopt) << "nothing has moved";
  line.last = 1200;
  EXPECT_EQ(ui.frame(draw), std::nullopt) << "only the range has grown";
  line.last = 1000;
  ui.move(ui.right() + 300, 500);  // a drag may leave the bar
  EXPECT_EQ(ui.frame(draw), 1000u);
  ui.move(0, 500);
  EXPECT_EQ(ui.frame(draw), 0u);
  EXPECT_EQ(ui.frame(draw), std::nullopt);
  ui.release();
  EXPECT_EQ(ui.frame(draw), 0u);
  EXPECT_EQ(ui.frame(draw), std::nullopt);
}

TEST(UiTimeline, AHandThatStaysInAStepGivesItOnce) {
  Headless ui;
  ui.frame([] { return 0; });
  const Timeline line = line_of(0, 10, 0);
  const auto draw = [&] { return timeline(line); };
  ui.move((ui.left() + ui.right()) / 2, ui.top() + 8);
  ui.frame(draw);
  ui.press();
  EXPECT_EQ(ui.frame(draw), 5u);
  ui.move(ImGui::GetIO().MousePos.x + 5, ui.top() + 8);
  EXPECT_EQ(ui.frame(draw), std::nullopt);
}

TEST(UiTimeline, WithoutAPastGivesNothing) {
  Headless ui;
  ui.frame([] { return 0; });
  EXPECT_EQ(click(ui, line_of(5, 5, 5), ui.right() - 50), std::nullopt);
}

TEST(UiTimeline, DrawsOnlySoManyKeptStatesAsHaveRoom) {
  Headless ui;
  std::vector<std::uint64_t> saved;
  for (std::uint64_t step = 0; step < 1000000; ++step) saved.push_back(step);
  Timeline line = line_of(0, 999999, 3);
  ui.frame([&] { return timeline(line); });
  const int without = ImGui::GetDrawData()->TotalVtxCount;
  line.saved = line.edits = saved;
  ui.frame([&] { return timeline(line); });
  // At most a tick of 4 corners every 3 pixels, and a diamond of some 30 every pixel.
  EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, without + 100 * 4);
  EXPECT_LT(ImGui::GetDrawData()->TotalVtxCount, without + 400 / 3 * 4 + 400 * 30);
}

}  // namespace
}  // namespace mote::render::ui
