#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "render/palette.h"
#include "render/ui/focus.h"

/// Drawing helpers of the widgets: theme colours, sizes relative to text, aligned text.
namespace mote::render::ui {

/// Pixels of `units`: 1 is a thin line with text of 15 pixels. All sizes scale with the text.
inline float pixels(float units) {
  return units * ImGui::GetFontSize() / 15;
}

/// Whether panels are light, with dark words (Toolkit::begin).
bool on_light();
/// The palette of panels now.
const palette::Palette& panel_colors();
/// 0xrrggbb as Dear ImGui has it.
ImU32 opaque(unsigned rgb);
/// Colour of the curve with this index.
ImU32 curve_color(std::size_t index);

/// A colour of the theme, more transparent.
inline ImU32 theme(ImGuiCol color, float opacity = 1) {
  return ImGui::GetColorU32(color, opacity);
}

/// Around marks that are drawn over others.
inline ImU32 outline(float opacity = 1) {
  return theme(ImGuiCol_PopupBg, opacity);
}

/// Colour of filled, dragged or selected parts.
inline ImU32 accent(float opacity = 1) {
  return theme(ImGuiCol_CheckMark, opacity);
}

/// Colours of what is drawn over the scene: behind text, of text, of text that matters less.
struct SceneColors {
  ImU32 veil, text, dim;
};
/// The colours for the background of the present picture (Toolkit::begin).
const SceneColors& scene_colors();

/// The way of the keyboard through the present user interface; null if it has none, as in tests.
KeyboardFocus* keyboard_focus();
/// Whether the last widget was just activated by a key, not by the mouse.
bool activated_by_key();
/// Draws a frame around the last widget if it has the keyboard; for widgets that Dear ImGui does
/// not draw.
void mark_focus();

float text_width(std::string_view text);

/// Aligned at `x` by its left (0), middle (0.5) or right (1); the upper edge is at `y`.
void draw_text(ImDrawList& list, float x, float y, ImU32 color, std::string_view text,
               float align = 0);

/// `text`, shortened with ".." if it is wider than `width`.
std::string fitting(std::string_view text, float width);
/// The first parts of `text`, which three spaces separate, that fit into `width` together.
std::string fitting_parts(std::string_view text, float width);

}  // namespace mote::render::ui
