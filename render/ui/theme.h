#pragma once

struct ImGuiStyle;

namespace mote::render::ui {

/// Colours and sizes of the user interface for a scale (1: ordinary); `light`: dark words on light
/// panels. Normal and dim text is legible (contrast 4.5 : 1 and better) on every panel, whatever is
/// behind it.
void set_theme(ImGuiStyle& style, double scale, bool light);

}  // namespace mote::render::ui
