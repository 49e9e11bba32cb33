#include <imgui.h>

#include <cmath>

#include "engine/readable.h"
#include "render/ui/paint.h"
#include "render/ui/ticks.h"
#include "render/ui/widgets.h"

namespace mote::render::ui {

void scale_bar(double per_pixel, const engine::UnitSystem& units, float left, float bottom,
               float right) {
  const float margin = pixels(10);
  // Between 80 and 200 pixels of an ordinary display, where there is room: adjacent round lengths
  // differ by a factor of up to 2.5.
  const float room = right - left - 2 * margin;
  const double max_length = per_pixel * std::min(pixels(200), room);
  if (room < pixels(40) || !(max_length > 0) || !std::isfinite(max_length)) return;
  const auto [unit, factor] = engine::axis_unit("length", max_length, units);
  const double length = round_below(factor * max_length);
  const auto width = static_cast<float>(std::round(length / (factor * per_pixel)));
  // Lengths are not counts: large ones are not written in full.
  const std::string label = length < 1e6 ? number_with_unit(length, unit)
                                         : value_text(length, 0) + (unit.empty() ? "" : " " + unit);

  const float line = ImGui::GetTextLineHeight(), cap = pixels(7), thick = std::round(pixels(2));
  const float height = pixels(5) + line + pixels(3) + cap + pixels(8);
  const float inside = std::max(width, text_width(label));
  if (left + inside + 2 * margin > right) return;
  const ImVec2 corner(std::floor(left), std::floor(bottom - height));
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.AddRectFilled(corner, {corner.x + inside + 2 * margin, corner.y + height},
                     scene_colors().veil, pixels(6));
  draw_text(list, corner.x + margin + inside / 2, corner.y + pixels(5), scene_colors().text, label,
            0.5f);

  const float start = std::round(corner.x + margin + (inside - width) / 2);
  const float top = std::round(corner.y + pixels(5) + line + pixels(3)),
              base = std::round(top + cap);
  list.AddRectFilled({start, base - thick}, {start + width, base}, scene_colors().text);
  list.AddRectFilled({start, top}, {start + thick, base}, scene_colors().text);
  list.AddRectFilled({start + width - thick, top}, {start + width, base}, scene_colors().text);
}

}  // namespace mote::render::ui
