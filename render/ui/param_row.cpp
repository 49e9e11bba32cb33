#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/ui/number_field.h"
#include "render/ui/number_scale.h"
#include "render/ui/paint.h"
#include "render/ui/tooltip.h"
#include "render/ui/widgets.h"

namespace mote::render::ui {
namespace {

using engine::ParamInfo;
using engine::ParamType;
using engine::ParamValue;
using engine::Vec3d;

/// Columns of a row, from left to right: name, widget, reset button. They are aligned in all rows
/// of a window.
struct Columns {
  float label, widget, button, gap;
};

Columns columns_of_window() {
  Columns columns;
  const float width = std::max(ImGui::GetContentRegionAvail().x, pixels(120));
  columns.gap = pixels(6);
  columns.button = ImGui::GetFrameHeight();
  columns.label = std::round(std::min(0.38f * width, pixels(170)));
  columns.widget = std::max(pixels(40), width - columns.label - columns.button - 2 * columns.gap);
  return columns;
}

struct Row {
  const ParamInfo& info;
  ParamType type;
  const ParamValue& value;
  const ParamValue& default_value;
  const std::string& unit;
  const std::string& disabled_reason;
};

std::string text_with_unit(const Row& row, const ParamValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return "auto";
  if (auto s = std::get_if<std::string>(&value)) return s->empty() ? "\"\"" : *s;
  const std::string text = engine::text_of(value);
  const bool number = row.type == ParamType::integer || row.type == ParamType::real ||
                      row.type == ParamType::vector;
  return number && !row.unit.empty() ? text + " " + row.unit : text;
}

/// Initial value where none is set.
ParamValue first_value(const Row& row) {
  if (!std::holds_alternative<std::monostate>(row.default_value)) return row.default_value;
  const double number = NumberScale(row.info, row.type == ParamType::integer).suggestion();
  switch (row.type) {
    case ParamType::boolean:
      return true;
    case ParamType::integer:
      return static_cast<std::int64_t>(number);
    case ParamType::real:
      return number;
    case ParamType::text:
      return std::string();
    case ParamType::choice:
      return row.info.choices.empty() ? std::string() : row.info.choices.front();
    case ParamType::vector:
      return Vec3d{number, number, number};
  }
  return {};
}

/// Shown while no value is set; a click sets the initial value.
std::optional<ParamValue> auto_button(const Row& row, float width) {
  ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_FrameBg));
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  const bool clicked = ImGui::Button("auto", {width, 0});
  ImGui::PopStyleColor(2);
  if (!clicked) return std::nullopt;
  return first_value(row);
}

std::optional<ParamValue> choice_box(const Row& row, float width) {
  const auto* chosen = std::get_if<std::string>(&row.value);
  std::optional<ParamValue> changed;
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##choice", chosen ? chosen->c_str() : "")) return changed;
  for (const std::string& choice : row.info.choices) {
    const bool same = chosen && *chosen == choice;
    if (ImGui::Selectable(choice.c_str(), same) && !same) changed = choice;
    if (same) ImGui::SetItemDefaultFocus();
  }
  ImGui::EndCombo();
  return changed;
}

std::optional<ParamValue> vector_fields(const Row& row, float width) {
  const auto* given = std::get_if<Vec3d>(&row.value);
  Vec3d vector = given ? *given : Vec3d{};
  const auto* default_value = std::get_if<Vec3d>(&row.default_value);
  const float gap = pixels(3), unit = row.unit.empty() ? 0 : text_width(row.unit) + pixels(6);
  const bool unit_fits = unit < width / 3;
  const float cell = std::floor((width - 2 * gap - (unit_fits ? unit : 0)) / 3);
  double* const numbers[] = {&vector.x, &vector.y, &vector.z};
  const Vec3d default_vector = default_value ? *default_value : Vec3d{};
  const double component_defaults[] = {default_vector.x, default_vector.y, default_vector.z};
  bool changed = false;
  for (int i = 0; i < 3; ++i) {
    if (i > 0) ImGui::SameLine(0, gap);
    const ParamValue component_default =
        default_value ? ParamValue(component_defaults[i]) : ParamValue();
    const std::string name(1, "xyz"[i]);
    if (const auto number = number_field(
            name.c_str(), {row.info, false, *numbers[i], component_default, ""}, cell)) {
      *numbers[i] = std::get<double>(*number);
      changed = true;
    }
  }
  if (unit > 0 && unit_fits) {
    ImGui::SameLine(0, pixels(6));
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", row.unit.c_str());
  }
  return changed ? std::optional<ParamValue>(vector) : std::nullopt;
}

std::optional<ParamValue> widget(const Row& row, float width) {
  if (std::holds_alternative<std::monostate>(row.value)) return auto_button(row, width);
  switch (row.type) {
    case ParamType::boolean: {
      bool on = std::get<bool>(row.value);
      return ImGui::Checkbox("##on", &on) ? std::optional<ParamValue>(on) : std::nullopt;
    }
    case ParamType::integer:
    case ParamType::real:
      return number_field(
          "field",
          {row.info, row.type == ParamType::integer, row.value, row.default_value, row.unit},
          width);
    case ParamType::text:
      if (const auto text = text_field("##text", std::get<std::string>(row.value), width))
        return *text;
      return std::nullopt;
    case ParamType::choice:
      return choice_box(row, width);
    case ParamType::vector:
      return vector_fields(row, width);
  }
  return std::nullopt;
}

/// A circular arrow.
void draw_reset(ImVec2 middle, float size, ImU32 color) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  constexpr float pi = std::numbers::pi_v<float>;
  // Three quarters of a circle; the arrow head at its top points to the left.
  list.PathArcTo(middle, size, -0.47f * pi, pi, 24);
  list.PathStroke(color, 0, pixels(1.5f));
  const float head = size * 0.72f, top = middle.y - size;
  list.AddTriangleFilled({middle.x - head, top}, {middle.x + head * 0.15f, top - head},
                         {middle.x + head * 0.15f, top + head}, color);
}

bool reset_button(const Row& row, float size) {
  const bool clicked = ImGui::InvisibleButton("reset", {size, size});
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const bool hovered = ImGui::IsItemHovered();
  draw_reset({(low.x + high.x) / 2, (low.y + high.y) / 2 + pixels(1)}, pixels(5),
             theme(ImGuiCol_Text, hovered ? 1.f : 0.5f));
  mark_focus();
  if (hovered) ImGui::SetTooltip("Reset to %s", text_with_unit(row, row.default_value).c_str());
  return clicked;
}

/// Draws the name; returns whether the mouse is on it.
bool draw_label(const Row& row, float width) {
  const ImVec2 here = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, ImGui::GetFrameHeight()});
  const ImU32 color = theme(row.disabled_reason.empty() ? ImGuiCol_Text : ImGuiCol_TextDisabled);
  draw_text(*ImGui::GetWindowDrawList(), here.x, here.y + ImGui::GetStyle().FramePadding.y, color,
            fitting(row.info.name, width));
  return ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
}

void tooltip(const Row& row) {
  ImGui::BeginTooltip();
  tooltip_text(row.info.name);
  if (!row.info.help.empty()) tooltip_dim(row.info.help);
  ImGui::Spacing();
  if (!row.info.required) tooltip_dim("default: " + text_with_unit(row, row.default_value));
  const std::string range = engine::range_of(row.info);
  if (!range.empty())
    tooltip_dim((row.info.choices.empty() ? "range: " : "") + range +
                (row.unit.empty() ? "" : " " + row.unit));
  if (range.empty() && !row.unit.empty()) tooltip_dim("unit: " + row.unit);
  if (!row.disabled_reason.empty()) {
    ImGui::Spacing();
    ImGui::PushTextWrapPos(24 * ImGui::GetFontSize());
    ImGui::PushStyleColor(ImGuiCol_Text, opaque(panel_colors().warning));
    ImGui::TextUnformatted(row.disabled_reason.c_str());
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
  } else if (row.type == ParamType::integer || row.type == ParamType::real ||
             row.type == ParamType::vector) {
    tooltip_dim(std::holds_alternative<std::monostate>(row.value)
                    ? "click to set a value"
                    : "Ctrl + click or Enter to type");
  }
  ImGui::EndTooltip();
}

}  // namespace

std::optional<ParamValue> param_row(const std::string& id, const ParamInfo& info, ParamType type,
                                    const ParamValue& value, const ParamValue& default_value,
                                    const std::string& unit, const std::string& disabled_reason) {
  const Row row{info, type, value, default_value, unit, disabled_reason};
  const Columns columns = columns_of_window();
  ImGui::PushID(id.c_str());
  const ImGuiID row_id = ImGui::GetID("row");
  const float left = ImGui::GetCursorScreenPos().x;
  bool hovered = draw_label(row, columns.label);
  ImGui::SameLine(0, columns.gap);
  ImGui::BeginGroup();
  ImGui::BeginDisabled(!disabled_reason.empty());
  std::optional<ParamValue> changed = widget(row, columns.widget);
  ImGui::EndDisabled();
  ImGui::EndGroup();
  const bool busy = ImGui::IsItemActive();
  hovered |= ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) && !busy;
  if (value != default_value && !info.required && disabled_reason.empty()) {
    ImGui::SameLine(0, 0);
    ImGui::SetCursorScreenPos(
        {left + columns.label + columns.widget + 2 * columns.gap, ImGui::GetCursorScreenPos().y});
    if (reset_button(row, columns.button)) changed = default_value;
  }
  if (rests_on(row_id, hovered)) tooltip(row);
  ImGui::PopID();
  return changed;
}

}  // namespace mote::render::ui
