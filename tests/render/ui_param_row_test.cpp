#include <gtest/gtest.h>

#include "render/ui/widgets.h"
#include "tests/render/ui_headless.h"

namespace mote::render::ui {
namespace {

using engine::ParamInfo;
using engine::ParamType;
using engine::ParamValue;

/// A row whose owner adopts every change.
struct TestedRow {
  ParamInfo info;
  ParamType type;
  ParamValue value, default_value;
  std::string disabled_reason = {};

  std::optional<ParamValue> draw() {
    auto changed = param_row(info.name, info, type, value, default_value, "kpc", disabled_reason);
    if (changed) value = *changed;
    return changed;
  }
};

class UiParamRow : public testing::Test {
 protected:
  std::optional<ParamValue> frame(TestedRow& row) {
    return ui_.frame([&] { return row.draw(); });
  }
  /// A position in the widget, as a fraction of its width.
  void point(TestedRow& row, float part) {
    frame(row);
    const float width = ui_.right() - ui_.left(), low = ui_.left() + 0.42f * width,
                high = ui_.right() - 32;
    ui_.move(low + part * (high - low), ui_.top() + 8);
    frame(row);
  }
  void point_at_reset(TestedRow& row) {
    frame(row);
    ui_.move(ui_.right() - 8, ui_.top() + 8);
    frame(row);
  }
  std::optional<ParamValue> click(TestedRow& row) {
    ui_.press();
    auto pressed = frame(row);
    ui_.release();
    auto released = frame(row);
    return pressed ? pressed : released;
  }
  std::optional<ParamValue> type_text(TestedRow& row, const char* text, int last_key) {
    ui_.hold_control(true);
    EXPECT_EQ(click(row), std::nullopt) << "typing begins";
    ui_.hold_control(false);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(frame(row), std::nullopt);
    ui_.type(text);
    EXPECT_EQ(frame(row), std::nullopt) << "typing continues";
    ui_.hold_key(last_key, true);
    auto changed = frame(row);
    ui_.hold_key(last_key, false);
    for (int i = 0; i < 3; ++i)
      if (auto later = frame(row)) changed = later;
    return changed;
  }
  Headless ui_;
};

TestedRow slider(double value) {
  return {{.name = "angle", .help = "an angle", .minimum = 0, .maximum = 2},
          ParamType::real,
          value,
          0.5};
}
TestedRow free_number(double value) {
  return {{.name = "dt", .help = "a step", .minimum = 0, .minimum_excluded = true},
          ParamType::real,
          value,
          0.5};
}

TEST_F(UiParamRow, ASliderFollowsTheMouseWithinItsBounds) {
  TestedRow row = slider(0.5);
  point(row, 0.8f);
  ui_.press();
  auto changed = frame(row);
  ASSERT_TRUE(changed);
  EXPECT_GT(std::get<double>(*changed), 1.3);
  EXPECT_EQ(frame(row), std::nullopt) << "nothing has moved";
  ui_.move(5000, 300);
  EXPECT_EQ(frame(row), ParamValue(2.0));
  ui_.move(-5000, 300);
  EXPECT_EQ(frame(row), ParamValue(0.0));
  ui_.release();
  EXPECT_EQ(frame(row), std::nullopt);
  ui_.move(5000, 300);
  EXPECT_EQ(frame(row), std::nullopt) << "it is not held";
}

TEST_F(UiParamRow, AnOwnerThatDoesNotAdoptIsToldOnce) {
  TestedRow row = slider(0.5);
  point(row, 0.8f);
  ui_.press();
  const auto draw = [&] {
    return param_row(row.info.name, row.info, row.type, 0.5, row.default_value, "");
  };
  EXPECT_TRUE(ui_.frame(draw));
  EXPECT_EQ(ui_.frame(draw), std::nullopt);
}

TEST_F(UiParamRow, ANumberWithoutBoundsIsDragged) {
  TestedRow row = free_number(0.5);
  point(row, 0.5f);
  EXPECT_EQ(click(row), std::nullopt) << "a click changes nothing";
  for (int i = 0; i < 30; ++i) frame(row);  // so that the next press is no double click
  ui_.press();
  frame(row);
  ui_.move(ImGui::GetIO().MousePos.x + 2, ui_.top());
  EXPECT_EQ(frame(row), std::nullopt) << "small movements are ignored";
  ui_.move(ImGui::GetIO().MousePos.x + 50, ui_.top());
  const auto more = frame(row);
  ASSERT_TRUE(more);
  EXPECT_GT(std::get<double>(*more), 0.5);
  ui_.move(-4000, ui_.top());
  const auto less = frame(row);
  ASSERT_TRUE(less);
  EXPECT_GT(std::get<double>(*less), 0);
  EXPECT_LT(std::get<double>(*less), 0.01);
}

TEST_F(UiParamRow, ResetGivesTheDefault) {
  TestedRow row = slider(1.25);
  point_at_reset(row);
  EXPECT_EQ(click(row), ParamValue(0.5));
  EXPECT_EQ(click(row), std::nullopt) << "it is the default already";
}

TEST_F(UiParamRow, GreyedRefusesEverything) {
  TestedRow row = slider(1.25);
  row.disabled_reason = "cannot change while a simulation runs";
  for (float part : {0.1f, 0.5f, 0.9f}) {
    point(row, part);
    EXPECT_EQ(click(row), std::nullopt);
  }
  point_at_reset(row);
  EXPECT_EQ(click(row), std::nullopt);
  TestedRow on{{.name = "on", .help = ""}, ParamType::boolean, true, false, "no"};
  point(on, 0.04f);
  EXPECT_EQ(click(on), std::nullopt);
}

TEST_F(UiParamRow, ACheckBoxTurnsRound) {
  TestedRow row{{.name = "on", .help = ""}, ParamType::boolean, true, false};
  point(row, 0.04f);
  EXPECT_EQ(click(row), ParamValue(false));
  EXPECT_EQ(click(row), ParamValue(true));
}

TEST_F(UiParamRow, NumbersAreTyped) {
  TestedRow row = slider(0.5);
  point(row, 0.5f);
  EXPECT_EQ(type_text(row, "1.25", Headless::enter), ParamValue(1.25));
  EXPECT_EQ(type_text(row, "17", Headless::enter), ParamValue(2.0)) << "clamped to the range";
  EXPECT_EQ(type_text(row, "1.5", Headless::escape), std::nullopt) << "dropped";
  EXPECT_EQ(type_text(row, "abc", Headless::enter), std::nullopt) << "no number";
  TestedRow free = free_number(0.5);
  point(free, 0.5f);
  EXPECT_EQ(type_text(free, "0", Headless::enter), std::nullopt) << "an excluded minimum";
  EXPECT_EQ(type_text(free, "1e-3", Headless::enter), ParamValue(1e-3));
}

TEST_F(UiParamRow, TypedTextCountsWhenTheMouseClicksElsewhere) {
  TestedRow row{{.name = "title", .help = ""}, ParamType::text, std::string("old"), std::string()};
  point(row, 0.5f);
  EXPECT_EQ(click(row), std::nullopt);
  ui_.type("new");
  EXPECT_EQ(frame(row), std::nullopt);
  ui_.move(200, 250);
  EXPECT_EQ(click(row), ParamValue(std::string("new")));
}

TEST_F(UiParamRow, TypedTextCountsWhenTheMouseClicksWhatComesBefore) {
  // The click takes the keyboard focus before the text field is processed.
  TestedRow before{{.name = "on", .help = ""}, ParamType::boolean, true, false};
  TestedRow row{{.name = "title", .help = ""}, ParamType::text, std::string("old"), std::string()};
  const auto both = [&] {
    before.draw();
    return row.draw();
  };
  point(before, 0.04f);
  const ImVec2 on = ImGui::GetIO().MousePos;
  ui_.move(on.x + 80, on.y + ImGui::GetFrameHeightWithSpacing());
  ui_.frame(both);
  ui_.press();
  ui_.frame(both);
  ui_.release();
  ui_.frame(both);
  ui_.type("new");
  EXPECT_EQ(ui_.frame(both), std::nullopt);
  ui_.move(on.x, on.y);
  ui_.frame(both);
  ui_.press();
  const auto pressed = ui_.frame(both);
  ui_.release();
  const auto released = ui_.frame(both);
  EXPECT_EQ(pressed ? pressed : released, ParamValue(std::string("new")));
  EXPECT_EQ(before.value, ParamValue(false));
}

TEST_F(UiParamRow, WhatIsNotGivenIsAutoUntilItIsClicked) {
  TestedRow row{
      {.name = "dt", .help = "", .minimum = 0, .minimum_excluded = true}, ParamType::real, {}, {}};
  point(row, 0.5f);
  const auto given = click(row);
  ASSERT_TRUE(given);
  EXPECT_EQ(engine::range_problem(row.info, *given), std::nullopt);
  EXPECT_TRUE(std::holds_alternative<double>(*given));
  point_at_reset(row);
  EXPECT_EQ(click(row), ParamValue()) << "and back";
}

TEST_F(UiParamRow, AVectorHasThreeNumbers) {
  TestedRow row{
      {.name = "v", .help = ""}, ParamType::vector, engine::Vec3d{1, 2, 3}, engine::Vec3d{}};
  point(row, 0.1f);
  EXPECT_EQ(type_text(row, "7", Headless::enter), ParamValue(engine::Vec3d{7, 2, 3}));
  point(row, 0.4f);
  EXPECT_EQ(type_text(row, "8", Headless::enter), ParamValue(engine::Vec3d{7, 8, 3}));
  point(row, 0.65f);
  EXPECT_EQ(type_text(row, "9", Headless::enter), ParamValue(engine::Vec3d{7, 8, 9}));
}

TEST_F(UiParamRow, AChoiceIsOneOfTheList) {
  TestedRow row{{.name = "kind", .help = "", .choices = {"one", "two", "three"}},
                ParamType::choice,
                std::string("one"),
                std::string("one")};
  point(row, 0.5f);
  EXPECT_EQ(click(row), std::nullopt) << "the list opens";
  frame(row);
  // The second choice.
  ui_.move(ImGui::GetIO().MousePos.x,
           ui_.top() + ImGui::GetFrameHeight() + 1.7f * ImGui::GetTextLineHeightWithSpacing());
  frame(row);
  EXPECT_EQ(click(row), ParamValue(std::string("two")));
}

}  // namespace
}  // namespace mote::render::ui
