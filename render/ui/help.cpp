#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "render/ui/paint.h"
#include "render/ui/widgets.h"

namespace mote::render::ui {
namespace {

/// A part of a help line: "Left or ," is two keys, and the word between is drawn small.
struct Part {
  std::string text;
  bool cap = true;
};

std::vector<Part> parts_of(const std::string& keys) {
  std::vector<Part> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t next = keys.find(" or ", begin);
    parts.push_back({keys.substr(begin, next == std::string::npos ? next : next - begin), true});
    if (next == std::string::npos) return parts;
    parts.push_back({"or", false});
    begin = next + 4;
  }
}

float width_of(const Part& part) {
  return text_width(part.text) + (part.cap ? pixels(12) : 0);
}

float width_of(const std::string& keys) {
  float width = 0;
  for (const Part& part : parts_of(keys)) width += width_of(part) + pixels(5);
  return width;
}

/// Draws key caps, right-aligned in their column.
void draw_keys(ImDrawList& list, const std::string& keys, float right, float top) {
  float x = right - width_of(keys) + pixels(5);
  const float line = ImGui::GetTextLineHeight(), over = pixels(1.5f);
  for (const Part& part : parts_of(keys)) {
    const float width = width_of(part);
    if (part.cap) {
      const ImVec2 low(std::round(x), std::round(top - over)),
          high(std::round(x + width), std::round(top + line + over));
      list.AddRectFilled(low, {high.x, high.y + pixels(1)}, theme(ImGuiCol_Text, 0.28f), pixels(4));
      list.AddRectFilled(low, high, theme(ImGuiCol_PopupBg), pixels(4));
      list.AddRectFilled(low, high, theme(ImGuiCol_Text, 0.1f), pixels(4));
      list.AddRect(low, high, theme(ImGuiCol_Text, 0.28f), pixels(4));
    }
    draw_text(list, x + width / 2, top, theme(part.cap ? ImGuiCol_Text : ImGuiCol_TextDisabled),
              part.text, 0.5f);
    x += width + pixels(5);
  }
}

/// Draws a line; one without keys is a heading.
void draw_row(const HelpLine& line, float keys_width) {
  const ImVec2 here = ImGui::GetCursorScreenPos();
  if (line.keys.empty()) {
    ImGui::TextColored(ImGui::GetStyleColorVec4(ImGuiCol_CheckMark), "%s", line.what.c_str());
    return;
  }
  draw_keys(*ImGui::GetWindowDrawList(), line.keys, here.x + keys_width, here.y);
  ImGui::SetCursorScreenPos({here.x + keys_width + pixels(14), here.y});
  ImGui::TextUnformatted(line.what.c_str());
}

/// Widths of a column of lines.
struct Widths {
  float keys = 0, words = 0;
  float all() const { return keys + pixels(14) + words; }
};

Widths widths_of(std::span<const HelpLine> lines) {
  Widths widths;
  for (const HelpLine& line : lines) {
    if (!line.keys.empty()) widths.keys = std::max(widths.keys, width_of(line.keys));
    widths.words = std::max(widths.words, text_width(line.what));
  }
  return widths;
}

float row_height() {
  return ImGui::GetTextLineHeight() + pixels(7);
}

void draw_column(std::span<const HelpLine> lines, const Widths& widths, ImVec2 corner) {
  for (const HelpLine& line : lines) {
    ImGui::SetCursorScreenPos(corner);
    draw_row(line, widths.keys);
    corner.y += row_height();
  }
}

}  // namespace

void help_window(std::span<const HelpLine> lines, bool* open) {
  if (open && !*open) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  // Two columns if one would be too tall and the display is wide enough.
  const bool tall = row_height() * static_cast<float>(lines.size()) > 0.85f * display.y;
  const std::size_t half = tall ? (lines.size() + 1) / 2 : lines.size();
  std::span<const HelpLine> left = lines.first(half), right = lines.subspan(half);
  const float between = pixels(28);
  if (widths_of(left).all() + between + widths_of(right).all() > 0.9f * display.x) {
    left = lines;
    right = {};
  }
  const Widths left_widths = widths_of(left), right_widths = widths_of(right);
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {display.x * 0.95f, display.y * 0.92f});
  ImGui::SetNextWindowBgAlpha(0.99f);
  const ImGuiWindowFlags flags = ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse |
                                 ImGuiWindowFlags_NoSavedSettings;
  KeyboardFocus* const focus = keyboard_focus();
  const bool enters = focus && focus->visit("keys", "Keys");
  const bool visible = ImGui::Begin("Keys", open, flags);
  if (enters) KeyboardFocus::enter_window();
  if (visible) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float second = left_widths.all() + between;
    draw_column(left, left_widths, {corner.x, corner.y + pixels(3)});
    draw_column(right, right_widths, {corner.x + second, corner.y + pixels(3)});
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({right.empty() ? left_widths.all() : second + right_widths.all(),
                  pixels(3) + row_height() * static_cast<float>(left.size())});
  }
  ImGui::End();
}

}  // namespace mote::render::ui
