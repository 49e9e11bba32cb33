#pragma once

struct ImGuiStyle;

namespace mote::render::ui {

/// Colours and measures of the user interface, for a size of it (1: ordinary). Text and dim text
/// are legible (contrast 4.5 : 1 and better) on every panel, whatever is drawn behind it.
void set_theme(ImGuiStyle& style, double scale);

}  // namespace mote::render::ui
