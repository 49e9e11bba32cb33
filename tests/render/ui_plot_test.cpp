#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "render/ui/decimate.h"
#include "render/ui/widgets.h"
#include "tests/render/ui_headless.h"

namespace mote::render::ui {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Walk {
  std::vector<double> x, y;

  explicit Walk(int count) {
    std::mt19937 random(7);
    std::normal_distribution<double> step;
    for (int i = 0; i < count; ++i) {
      x.push_back(i);
      y.push_back(i == 0 ? 0 : y.back() + step(random));
    }
  }
};

std::vector<CurvePoint> thinned(const std::vector<double>& x, const std::vector<double>& y,
                                int columns, bool log = false) {
  CurveSummary summary;
  summary.update(x, y, log);
  return summary.points(x.front(), x.back(), columns);
}

bool same(const std::vector<CurvePoint>& a, const std::vector<CurvePoint>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const CurvePoint& p, const CurvePoint& q) {
                      return p.x == q.x && p.y == q.y && p.joined == q.joined;
                    });
}

/// Left and right ends of the letters in the lowest line of dim text of a plot from x = `low` to
/// `high`, in order.
std::vector<std::pair<float, float>> letters_below(Headless& ui, double low, double high) {
  const std::vector<double> x{low, high}, y{1, 2};
  return ui.frame([&] {
    const ImDrawList& list = *ImGui::GetWindowDrawList();
    const int before = list.VtxBuffer.Size;
    const Curve curve{"energy", x, y};
    plot("plot", {&curve, 1}, {.x_label = "time [Gyr]"});
    const ImU32 dim = ImGui::GetColorU32(ImGuiCol_TextDisabled);
    std::vector<ImVec4> letters;
    for (int i = before; i + 3 < list.VtxBuffer.Size; ++i) {
      const ImDrawVert &a = list.VtxBuffer[i], &c = list.VtxBuffer[i + 2];
      if (a.col != dim || c.col != dim || c.pos.x <= a.pos.x || c.pos.y <= a.pos.y) continue;
      letters.emplace_back(a.pos.x, a.pos.y, c.pos.x, c.pos.y);
      i += 3;
    }
    float bottom = 0;
    for (const ImVec4& letter : letters) bottom = std::max(bottom, letter.w);
    std::vector<std::pair<float, float>> ends;
    for (const ImVec4& letter : letters)
      if (letter.w > bottom - 8) ends.emplace_back(letter.x, letter.z);
    std::sort(ends.begin(), ends.end());
    return ends;
  });
}

// As after resuming a checkpoint: the axis begins at an arbitrary value, and a label is shifted
// from its corner.
TEST(UiPlot, LabelsOfTimeDoNotCollide) {
  Headless ui;
  for (const double low : {0.0, 0.36, 0.1234, 4000.0, 1234.5, 31.416})
    for (double length = 1e-3 * std::max(low, 0.1); length < 20 * std::max(low, 0.1);
         length *= 1.01) {
      const auto letters = letters_below(ui, low, low + length);
      EXPECT_GE(letters.size(), 1u) << low << " " << length;
      for (std::size_t i = 1; i < letters.size(); ++i)
        EXPECT_GT(letters[i].first, letters[i - 1].second - 1.5f) << low << " " << length;
    }
}

TEST(UiPlot, ThinningKeepsTheExtremesOfEveryColumn) {
  const Walk walk(100000);
  constexpr int columns = 300;
  const std::vector<CurvePoint> points = thinned(walk.x, walk.y, columns);
  EXPECT_LE(points.size(), 4u * columns);
  const double width = walk.x.back() / columns;
  for (int column = 0; column < columns; ++column) {
    const auto inside = [&](double x) {
      return std::min(static_cast<int>(x / width), columns - 1) == column;
    };
    double low = 1e300, high = -1e300, thin_low = 1e300, thin_high = -1e300;
    for (std::size_t i = 0; i < walk.x.size(); ++i)
      if (inside(walk.x[i])) low = std::min(low, walk.y[i]), high = std::max(high, walk.y[i]);
    for (const CurvePoint& point : points)
      if (inside(point.x))
        thin_low = std::min(thin_low, point.y), thin_high = std::max(thin_high, point.y);
    EXPECT_EQ(thin_low, low) << column;
    EXPECT_EQ(thin_high, high) << column;
  }
  EXPECT_EQ(points.front().x, 0);
  EXPECT_EQ(points.back().x, walk.x.back());
}

TEST(UiPlot, ThinnedPointsAreInOrderAndJoined) {
  const Walk walk(50000);
  const std::vector<CurvePoint> points = thinned(walk.x, walk.y, 100);
  for (std::size_t i = 1; i < points.size(); ++i) {
    EXPECT_LT(points[i - 1].x, points[i].x);
    EXPECT_TRUE(points[i].joined);
  }
  EXPECT_FALSE(points.front().joined);
}

TEST(UiPlot, ACurveThatGrowsIsThinnedLikeANewOne) {
  const Walk walk(10000);
  CurveSummary summary;
  for (std::size_t count : {1, 100, 127, 128, 129, 5000, 10000}) {
    summary.update({walk.x.data(), count}, {walk.y.data(), count}, false);
    const std::vector<double> x(walk.x.begin(), walk.x.begin() + count),
        y(walk.y.begin(), walk.y.begin() + count);
    EXPECT_TRUE(same(summary.points(0, x.back(), 20), thinned(x, y, 20))) << count;
  }
}

TEST(UiPlot, ACurveWithAnotherPastIsSummedUpAnew) {
  // As after stepping from an earlier state: later points differ, and are as many or more.
  Walk walk(20000);
  CurveSummary summary;
  summary.update(walk.x, walk.y, false);
  for (std::size_t i = 3000; i < walk.y.size(); ++i) walk.y[i] = -2 * walk.y[i];
  summary.update(walk.x, walk.y, false);
  EXPECT_TRUE(same(summary.points(0, 19999, 50), thinned(walk.x, walk.y, 50)));
  // Fewer points.
  const Walk shorter(1000);
  summary.update(shorter.x, shorter.y, false);
  EXPECT_EQ(summary.extent().last, 999u);
}

TEST(UiPlot, WhatIsNotFiniteBreaksACurve) {
  struct Gap {
    int count, begin, end;
  };
  // A curve that is not decimated; and one decimated to columns of 200 points: gaps over many
  // points, at the end of a column, and at its beginning.
  for (const Gap& gap :
       {Gap{8, 3, 5}, Gap{4001, 1500, 2500}, Gap{4001, 1950, 2000}, Gap{4001, 2000, 2050}}) {
    Walk walk(gap.count);
    for (int i = gap.begin; i < gap.end; ++i) walk.y[i] = nan;
    const std::vector<CurvePoint> points = thinned(walk.x, walk.y, 20);
    int breaks = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
      if (!points[i].joined) {
        ++breaks;
        EXPECT_EQ(points[i - 1].x, gap.begin - 1);
        EXPECT_EQ(points[i].x, gap.end);
      }
    EXPECT_EQ(breaks, 1) << gap.begin;
    for (const CurvePoint& point : points) EXPECT_TRUE(std::isfinite(point.y));
  }
}

TEST(UiPlot, ZerosAreLeftOutOfALogarithmicCurve) {
  const std::vector<double> x{0, 1, 2, 3, 4}, y{0, 1e-3, 0, -1e-5, nan};
  const std::vector<CurvePoint> points = thinned(x, y, 100, true);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_DOUBLE_EQ(points[0].y, -3);
  EXPECT_DOUBLE_EQ(points[1].y, -5);
  EXPECT_TRUE(points[1].joined);
}

TEST(UiPlot, NothingAndOddThingsCanBeDrawn) {
  Headless ui;
  const std::vector<double> none, one{3}, constant{2, 2, 2}, x{0, 1, 2}, bad{nan, nan, nan},
      zeros{0, 0, 0};
  const std::vector<double> huge{-1.7e308, 0, 1.7e308}, tiny{0.1, 0.1 + 1e-17, 0.1};
  const auto draw = [&] {
    for (bool log : {false, true}) {
      ImGui::PushID(log);
      const Curve curves[] = {{"none", none, none}, {"one", one, one},  {"same", x, constant},
                              {"bad", x, bad},      {"zero", x, zeros}, {"huge", x, huge},
                              {"tiny", x, tiny}};
      for (const Curve& curve : curves)
        plot(curve.name.c_str(), {&curve, 1},
             {.x_label = "x", .y_label = "y", .log_y = log, .mark_x = 1});
      plot("all", curves, {.log_y = log});
      for (const auto* heights : {&none, &one, &constant, &bad, &zeros})
        bar_plot(std::to_string(heights - &none).c_str(), *heights, 0, 1, {.log_y = log});
      ImGui::PopID();
    }
    bar_plot("no width", one, 5, 5, {});
    return 0;
  };
  for (float y : {-1.f, 50.f, 150.f, 250.f}) {
    ui.move(200, y);
    ui.frame(draw);
    ui.frame(draw);
  }
}

TEST(UiPlot, AMillionPointsCostWhatTheWidthCanShow) {
  Headless ui;
  const Walk walk(1000000);
  const Curve curve[] = {{"walk", walk.x, walk.y}};
  for (int i = 0; i < 3; ++i) ui.frame([&] { return plot("walk", curve, {}), 0; });
  // Four points per column, each at most two ends of lines with four corners each, and some for the
  // axes.
  EXPECT_LT(ImGui::GetDrawData()->TotalVtxCount, 400 * 4 * 2 * 4 + 2000);
  EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 400 * 4);
}

}  // namespace
}  // namespace mote::render::ui
