#include "render/ui/paint.h"

#include <array>
#include <cmath>
#include <string>

namespace mote::render::ui {

ImU32 curve_color(std::size_t index) {
  // Sky blue, orange, bluish green, reddish purple, yellow, vermilion, and white in place of their black.
  static constexpr std::array colors = {IM_COL32(86, 180, 233, 255), IM_COL32(240, 165, 40, 255),
                                        IM_COL32(40, 196, 146, 255), IM_COL32(222, 143, 190, 255),
                                        IM_COL32(240, 228, 80, 255), IM_COL32(242, 108, 62, 255),
                                        IM_COL32(214, 218, 224, 255)};
  return colors[index % colors.size()];
}

float text_width(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

void draw_text(ImDrawList& list, float x, float y, ImU32 color, std::string_view text, float align) {
  // Letters are sharp only where they start at whole pixels.
  const float left = std::round(x - align * (align > 0 ? text_width(text) : 0));
  list.AddText({left, std::round(y)}, color, text.data(), text.data() + text.size());
}

std::string fitting(std::string_view text, float width) {
  if (text_width(text) <= width) return std::string(text);
  std::size_t length = text.size();
  const float dots = text_width("..");
  // Never between the bytes of one letter.
  while (length > 0 && (text_width(text.substr(0, length)) + dots > width || (text[length] & 0xc0) == 0x80))
    --length;
  return std::string(text.substr(0, length)) + "..";
}

}  // namespace mote::render::ui
