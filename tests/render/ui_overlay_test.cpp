#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/check.h"
#include "engine/readable.h"
#include "render/ui/paint.h"
#include "render/ui/panel.h"
#include "render/ui/ticks.h"
#include "render/ui/widgets.h"
#include "tests/render/ui_headless.h"

namespace mote::render::ui {
namespace {

struct Box {
  float left = 1e9f, top = 1e9f, right = -1e9f, bottom = -1e9f;
  int corners = 0;
};

/// Bounding box of everything drawn in a colour behind the windows; optionally of its last corners
/// only.
Box drawn_in(ImU32 color, int last = 1 << 30) {
  Box box;
  const ImDrawList& list = *ImGui::GetBackgroundDrawList();
  for (int i = std::max(0, list.VtxBuffer.Size - last); i < list.VtxBuffer.Size; ++i) {
    const ImDrawVert& corner = list.VtxBuffer[i];
    if (corner.col != color) continue;
    ++box.corners;
    box.left = std::min(box.left, corner.pos.x);
    box.right = std::max(box.right, corner.pos.x);
    box.top = std::min(box.top, corner.pos.y);
    box.bottom = std::max(box.bottom, corner.pos.y);
  }
  return box;
}

TEST(UiOverlay, TheScaleBarHasARoundLengthOfReadableSize) {
  Headless ui;
  constexpr float text = 13.0f / 15;  // sizes refer to text of 15 pixels; here it has 13
  const auto expect_round = [&](double per_pixel, const engine::UnitSystem& units) {
    ui.frame([&] { return scale_bar(per_pixel, units, 10, 700, 1270), 0; });
    const Box bar = drawn_in(scene_colors().text, 12), ground = drawn_in(scene_colors().veil),
              all = drawn_in(scene_colors().text);
    const double shown = engine::axis_unit("length", 200 * text * per_pixel, units).factor;
    const float width = bar.right - bar.left;
    EXPECT_GE(width, std::floor(80 * text)) << per_pixel;
    EXPECT_LE(width, std::ceil(200 * text)) << per_pixel;
    // Its length is round up to the rounding of the bar to a pixel.
    EXPECT_NEAR(round_below((width + 1) * shown * per_pixel) / (shown * per_pixel), width, 1)
        << per_pixel << " " << units.length;
    EXPECT_NEAR(ground.left, 10, 1);
    EXPECT_NEAR(ground.bottom, 700, 1.5);
    EXPECT_GE(all.left, ground.left);
    EXPECT_LE(all.right, ground.right);
    EXPECT_LE(all.right - all.left, std::max(width, 6.0f * 13)) << "the label is short";
  };
  for (double per_pixel = 1e-9; per_pixel < 1e12; per_pixel *= 1.37) {
    expect_round(per_pixel, {});
    expect_round(per_pixel, *engine::unit_system_named("galactic"));
  }
}

TEST(UiOverlay, TheScaleBarEndsBeforeTheLegend) {
  Headless ui;
  int drawn = 0;
  for (float right = 20; right < 300; right += 7)
    for (double per_pixel = 1; per_pixel < 11; per_pixel *= 1.37) {
      ui.frame([&] {
        return scale_bar(per_pixel, *engine::unit_system_named("galactic"), 10, 700, right), 0;
      });
      const Box ground = drawn_in(scene_colors().veil);
      if (ground.corners == 0) continue;
      ++drawn;
      EXPECT_LE(ground.right, right + 1) << right << " " << per_pixel;  // edges are antialiased
    }
  EXPECT_GT(drawn, 200) << "and is there where there is room";
}

TEST(UiOverlay, NothingIsDrawnForAScaleThatIsNone) {
  Headless ui;
  for (double per_pixel : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    ui.frame([&] { return scale_bar(per_pixel, {}, 0, 0, 1280), 0; });
    EXPECT_EQ(drawn_in(scene_colors().text).corners, 0);
  }
}

TEST(UiOverlay, TheLegendStandsInItsCorner) {
  Headless ui;
  for (double high : {0.0, 1.0, 1e-9, 7e15}) {
    ui.frame([&] { return legend({"speed [km/s]", "viridis", 0, high}, 1250, 680), 0; });
    const Box ground = drawn_in(scene_colors().veil), words = drawn_in(scene_colors().text);
    // Half a pixel for the antialiased edge, one for rounding.
    EXPECT_NEAR(ground.right, 1250, 1.5);
    EXPECT_NEAR(ground.bottom, 680, 1.5);
    EXPECT_GE(words.left, ground.left);
    EXPECT_LE(words.right, ground.right);
    EXPECT_GE(words.top, ground.top);
    EXPECT_LE(words.bottom, ground.bottom);
    EXPECT_GT(words.corners, 4 * 12) << "a name and labels";
  }
  EXPECT_THROW(ui.frame([&] {
    return legend({"", "no such map", 0, 1}, 0, 0), 0;
  }),
               engine::InputError);
}

TEST(UiOverlay, TheLegendOfSpeciesNamesTheirColours) {
  Headless ui;
  Legend species;
  species.name = "species";
  for (const std::size_t count : {1, 3, 16, 17, 255}) {
    species.entries.assign(count, {"one of them", {0.2f, 0.4f, 0.6f}});
    species.entries[0] = {std::string(300, 'w'), {1, 0, 0}};
    ui.frame([&] { return legend(species, 1250, 680), 0; });
    const Box ground = drawn_in(scene_colors().veil), words = drawn_in(scene_colors().text),
              first = drawn_in(IM_COL32(255, 0, 0, 255)),
              others = drawn_in(IM_COL32(51, 102, 153, 255));
    EXPECT_NEAR(ground.right, 1250, 1.5);
    EXPECT_NEAR(ground.bottom, 680, 1.5);
    EXPECT_LE(ground.right - ground.left, 280) << "a long name is cut";
    EXPECT_LE(ground.bottom - ground.top, 360) << "only the first of very many are shown";
    EXPECT_GT(first.corners, 8);
    EXPECT_LT(first.right, words.left) << "the name is right of its dot";
    EXPECT_GT(first.left, ground.left);
    EXPECT_EQ(others.corners > 0, count > 1);
    EXPECT_TRUE(count == 1 || others.top > first.bottom);
    EXPECT_LT(words.bottom, ground.bottom);
    EXPECT_LT(words.right, ground.right);
  }
}

TEST(UiOverlay, WordsOverTheSceneStandOnAGround) {
  Headless ui;
  for (const float align : {0.f, 0.5f, 1.f}) {
    ui.frame([&] { return label(400, 100, "Neptune", align), 0; });
    const Box ground = drawn_in(scene_colors().veil), words = drawn_in(scene_colors().text);
    ASSERT_GT(words.corners, 0);
    EXPECT_LT(ground.left, words.left);
    EXPECT_GT(ground.right, words.right);
    EXPECT_LT(ground.top, words.top);
    EXPECT_GT(ground.bottom, words.bottom);
    EXPECT_NEAR(words.left + align * (words.right - words.left), 400, 2);
  }
}

/// The window of this name, after a second frame in which it finds its size.
ImVec2 size_of_help(Headless& ui, int lines) {
  const std::vector<HelpLine> all(static_cast<std::size_t>(lines),
                                  HelpLine{"Shift+Right", "a hundred steps back"});
  bool open = true;
  for (int i = 0; i < 3; ++i) ui.frame([&] { return help_window(all, &open), 0; });
  ImVec2 size;
  ui.frame([&] {
    help_window(all, &open);
    ImGui::Begin("Keys");
    size = ImGui::GetWindowSize();
    const bool scrolls = ImGui::GetScrollMaxY() > 0;
    ImGui::End();
    EXPECT_FALSE(scrolls) << lines;
    return 0;
  });
  return size;
}

TEST(UiOverlay, StatusThatIsTooLongEndsWithAWholePart) {
  Headless ui;
  const std::string all = "running   step 12,345   t = 0.5 Myr   3 bodies";
  ui.frame([&] {
    std::size_t longest = 0;
    for (float width = text_width("running"); width < 400; ++width) {
      const std::string shown = fitting_parts(all, width);
      EXPECT_LE(text_width(shown), width);
      EXPECT_TRUE(all.starts_with(shown)) << shown;
      EXPECT_TRUE(shown == all || all.substr(shown.size(), 3) == "   ") << shown;
      EXPECT_GE(shown.size(), longest) << "wider, and shorter";
      longest = std::max(longest, shown.size());
    }
    EXPECT_EQ(longest, all.size());
    EXPECT_EQ(fitting_parts(all, 30), fitting("running", 30)) << "no whole part fits";
    return 0;
  });
}

TEST(UiOverlay, HelpThatIsLongHasTwoColumns) {
  Headless ui;
  const ImVec2 few = size_of_help(ui, 20), many = size_of_help(ui, 53);
  EXPECT_GT(many.x, 1.8f * few.x);
  EXPECT_LT(many.y, 0.95f * ImGui::GetIO().DisplaySize.y);
}

TEST(UiOverlay, HelpIsShownUntilItIsClosed) {
  Headless ui;
  const HelpLine lines[] = {{"", "Time"}, {"Right or .", "one step"}};
  bool open = true;
  ui.frame([&] { return help_window(lines, &open), 0; });
  ui.frame([&] { return help_window(lines, &open), 0; });
  const int shown = ImGui::GetDrawData()->TotalVtxCount;
  open = false;
  ui.frame([&] { return help_window(lines, &open), 0; });
  EXPECT_GT(shown, ImGui::GetDrawData()->TotalVtxCount + 100);
}

}  // namespace
}  // namespace mote::render::ui
