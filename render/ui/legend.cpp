#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "render/color_map.h"
#include "render/ui/axes.h"
#include "render/ui/paint.h"
#include "render/ui/ticks.h"
#include "render/ui/widgets.h"

namespace mote::render::ui {
namespace {

ImU32 color_at(const ColorMap& map, int entry) {
  const Color& color = map.entries[static_cast<std::size_t>(entry)];
  return ImGui::GetColorU32(ImVec4(color.red, color.green, color.blue, 1));
}

/// From entry to entry the colour runs as `sample` does.
void draw_gradient(ImDrawList& list, const ColorMap& map, ImVec2 low, ImVec2 high) {
  // No more rectangles than there are pixels, and at least 64 parts of the map.
  const int part = high.x - low.x > 400 ? 1 : 3;
  for (int entry = 0; entry < 255; entry += part) {
    const float left = low.x + (high.x - low.x) * static_cast<float>(entry) / 255;
    const float right = low.x + (high.x - low.x) * static_cast<float>(entry + part) / 255;
    const ImU32 from = color_at(map, entry), to = color_at(map, entry + part);
    list.AddRectFilledMultiColor({left, low.y}, {right, high.y}, from, to, to, from);
  }
}

void draw_ticks(ImDrawList& list, const Ticks& axis, Range range, ImVec2 low, ImVec2 high) {
  const float thin = std::max(1.f, std::round(pixels(1)));
  for (const Tick& tick : axis.ticks) {
    const double part = (tick.place - range.low) / (range.high - range.low);
    const float x = std::floor(low.x + static_cast<float>(part) * (high.x - low.x - thin));
    list.AddRectFilled({x, high.y}, {x + thin, high.y + pixels(4)}, over_scene_dim);
    // A label at an end stays inside the ground.
    const float over = pixels(10), half = text_width(tick.label) / 2, least = low.x - over + half;
    const float middle = std::clamp(x + thin / 2, least, std::max(least, high.x + over - half));
    draw_text(list, middle, high.y + pixels(5), over_scene, tick.label, 0.5f);
  }
}

}  // namespace

void legend(const Legend& legend, float right, float bottom) {
  if (!std::isfinite(legend.low) || !std::isfinite(legend.high)) return;
  const Range range = widened({legend.low, legend.high});
  const float width = std::round(pixels(216)), bar = std::round(pixels(11)),
              line = ImGui::GetTextLineHeight();
  const float margin = pixels(14), above = pixels(6);
  const Ticks axis = linear_ticks(range.low, range.high, 5);
  const std::string name =
      fitting(axis.base.empty() ? legend.name : legend.name + "  " + axis.base + " +", width);

  const float height = above + (name.empty() ? 0 : line + pixels(4)) + bar + pixels(5) + line + pixels(5);
  const ImVec2 corner(std::floor(right - width - 2 * margin), std::floor(bottom - height));
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.AddRectFilled(corner, {corner.x + width + 2 * margin, corner.y + height}, veil, pixels(6));
  float y = corner.y + above;
  if (!name.empty()) {
    draw_text(list, corner.x + margin, y, over_scene, name);
    y += line + pixels(4);
  }
  const ImVec2 low(corner.x + margin, std::round(y)), high(low.x + width, low.y + bar);
  draw_gradient(list, color_map_named(legend.map), low, high);
  const float edge = std::max(1.f, std::round(pixels(0.8f)));
  list.AddRect({low.x - edge, low.y - edge}, {high.x + edge, high.y + edge}, IM_COL32(236, 239, 244, 60), 0,
               0, edge);
  draw_ticks(list, axis, range, low, high);
}

}  // namespace mote::render::ui
