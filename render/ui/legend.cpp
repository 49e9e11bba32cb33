#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "render/color_map.h"
#include "render/ui/axes.h"
#include "render/ui/paint.h"
#include "render/ui/ticks.h"
#include "render/ui/widgets.h"

namespace mote::render::ui {
namespace {

/// More entries would hide the scene.
constexpr std::size_t max_entries = 16;

ImU32 packed(const Color& color) {
  return ImGui::GetColorU32(ImVec4(color.red, color.green, color.blue, 1));
}

ImU32 color_at(const ColorMap& map, int entry) {
  return packed(map.entries[static_cast<std::size_t>(entry)]);
}

/// Interpolates between entries as `sample` does.
void draw_gradient(ImDrawList& list, const ColorMap& map, ImVec2 low, ImVec2 high) {
  // At most one rectangle per pixel, and at least 64 parts of the map.
  const int step = high.x - low.x > 400 ? 1 : 3;
  for (int entry = 0; entry < 255; entry += step) {
    const float left = low.x + (high.x - low.x) * static_cast<float>(entry) / 255;
    const float right = low.x + (high.x - low.x) * static_cast<float>(entry + step) / 255;
    const ImU32 from = color_at(map, entry), to = color_at(map, entry + step);
    list.AddRectFilledMultiColor({left, low.y}, {right, high.y}, from, to, to, from);
  }
}

void draw_ticks(ImDrawList& list, const Ticks& axis, Range range, ImVec2 low, ImVec2 high) {
  const float line_width = std::max(1.f, std::round(pixels(1)));
  for (const Tick& tick : axis.ticks) {
    const double fraction = (tick.position - range.low) / (range.high - range.low);
    const float x =
        std::floor(low.x + static_cast<float>(fraction) * (high.x - low.x - line_width));
    list.AddRectFilled({x, high.y}, {x + line_width, high.y + pixels(4)}, scene_colors().dim);
    // Keeps labels at the ends inside the background.
    const float over = pixels(10), half = text_width(tick.label) / 2, least = low.x - over + half;
    const float middle =
        std::clamp(x + line_width / 2, least, std::max(least, high.x + over - half));
    draw_text(list, middle, high.y + pixels(5), scene_colors().text, tick.label, 0.5f);
  }
}

/// Coloured dots with names to their right, below the common title.
float draw_entries(const Legend& legend, float right, float bottom) {
  const float line = ImGui::GetTextLineHeight(), margin = pixels(14), above = pixels(6),
              gap = pixels(4);
  const float dot = std::round(pixels(5)), text = 2 * dot + pixels(8),
              most = std::round(pixels(216));
  const std::size_t count = legend.entries.size(), shown = std::min(count, max_entries);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < shown; ++i)
    names.push_back(fitting(legend.entries[i].name, most - text));
  if (shown < count) names.push_back(fmt::format("and {} more", count - shown));
  float width = text_width(legend.name);
  for (const std::string& name : names) width = std::max(width, text + text_width(name));
  const float height = 2 * above + line + static_cast<float>(names.size()) * (line + gap);
  const ImVec2 corner(std::floor(right - width - 2 * margin), std::floor(bottom - height));
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.AddRectFilled(corner, {corner.x + width + 2 * margin, corner.y + height},
                     scene_colors().veil, pixels(6));
  const float left = corner.x + margin;
  float y = corner.y + above;
  draw_text(list, left, y, scene_colors().dim, legend.name);
  for (std::size_t i = 0; i < names.size(); ++i) {
    y += line + gap;
    if (i < shown)
      list.AddCircleFilled({left + dot, y + line / 2}, dot, packed(legend.entries[i].color), 24);
    draw_text(list, left + text, y, scene_colors().text, names[i]);
  }
  return corner.x;
}

}  // namespace

float legend(const Legend& legend, float right, float bottom) {
  if (!legend.entries.empty()) return draw_entries(legend, right, bottom);
  if (!std::isfinite(legend.low) || !std::isfinite(legend.high)) return right;
  const Range range = widened({legend.low, legend.high});
  const float width = std::round(pixels(216)), bar = std::round(pixels(11)),
              line = ImGui::GetTextLineHeight();
  const float margin = pixels(14), above = pixels(6);
  const Ticks axis = linear_ticks(range.low, range.high, 5);
  const std::string name =
      fitting(axis.base.empty() ? legend.name : legend.name + "  " + axis.base + " +", width);

  const float height =
      above + (name.empty() ? 0 : line + pixels(4)) + bar + pixels(5) + line + pixels(5);
  const ImVec2 corner(std::floor(right - width - 2 * margin), std::floor(bottom - height));
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.AddRectFilled(corner, {corner.x + width + 2 * margin, corner.y + height},
                     scene_colors().veil, pixels(6));
  float y = corner.y + above;
  if (!name.empty()) {
    draw_text(list, corner.x + margin, y, scene_colors().text, name);
    y += line + pixels(4);
  }
  const ImVec2 low(corner.x + margin, std::round(y)), high(low.x + width, low.y + bar);
  draw_gradient(list, color_map_named(legend.map), low, high);
  const float edge = std::max(1.f, std::round(pixels(0.8f)));
  list.AddRect({low.x - edge, low.y - edge}, {high.x + edge, high.y + edge}, scene_colors().dim, 0,
               0, edge);
  draw_ticks(list, axis, range, low, high);
  return corner.x;
}

}  // namespace mote::render::ui
