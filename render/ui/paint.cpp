#include "render/ui/paint.h"

#include <cmath>
#include <string>

#include "render/ui/toolkit.h"

namespace mote::render::ui {

namespace {

/// Null in tests of widgets.
Toolkit* present_toolkit() {
  return static_cast<Toolkit*>(ImGui::GetIO().UserData);
}

}  // namespace

bool on_light() {
  const Toolkit* const toolkit = present_toolkit();
  return toolkit && toolkit->on_white();
}

const palette::Palette& panel_colors() {
  return on_light() ? palette::light_panels : palette::dark_panels;
}

ImU32 opaque(unsigned rgb) {
  return IM_COL32(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255, 255);
}

ImU32 curve_color(std::size_t index) {
  return opaque(palette::curve(index, on_light()));
}

const SceneColors& scene_colors() {
  static const SceneColors dark{IM_COL32(8, 10, 14, 165), IM_COL32(236, 239, 244, 255),
                                IM_COL32(236, 239, 244, 170)},
      light{IM_COL32(255, 255, 255, 190), IM_COL32(16, 18, 22, 255), IM_COL32(16, 18, 22, 190)};
  return on_light() ? light : dark;
}

KeyboardFocus* keyboard_focus() {
  Toolkit* const toolkit = present_toolkit();
  return toolkit ? &toolkit->focus() : nullptr;
}

bool activated_by_key() {
  return ImGui::IsItemActivated() && !ImGui::IsMouseClicked(0);
}

void mark_focus() {
  if (!ImGui::IsItemFocused() || !ImGui::GetIO().NavVisible) return;
  const float over = pixels(2);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddRect({low.x - over, low.y - over}, {high.x + over, high.y + over},
                                      theme(ImGuiCol_NavHighlight), pixels(4), 0, pixels(2));
}

float text_width(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

void draw_text(ImDrawList& list, float x, float y, ImU32 color, std::string_view text,
               float align) {
  // Text is sharp only at whole pixels.
  const float left = std::round(x - align * (align > 0 ? text_width(text) : 0));
  list.AddText({left, std::round(y)}, color, text.data(), text.data() + text.size());
}

std::string fitting(std::string_view text, float width) {
  if (text_width(text) <= width) return std::string(text);
  std::size_t length = text.size();
  const float dots = text_width("..");
  // Never splits a UTF-8 character.
  while (length > 0 &&
         (text_width(text.substr(0, length)) + dots > width || (text[length] & 0xc0) == 0x80))
    --length;
  return std::string(text.substr(0, length)) + "..";
}

std::string fitting_parts(std::string_view text, float width) {
  for (std::size_t end; text_width(text) > width; text = text.substr(0, end))
    if ((end = text.rfind("   ")) == text.npos) break;
  return fitting(text, width);
}

}  // namespace mote::render::ui
