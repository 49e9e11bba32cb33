#pragma once

#include <string>

struct ImFontAtlas;

namespace mote::render::ui {

/// The font file: environment MOTE_FONT, else DejaVu Sans or a similar font in the usual folders;
/// "" if there is none.
std::string find_font();

/// Fills an empty atlas with one font for a scale of the user interface (1: 15 pixels). Without a
/// font file it is Dear ImGui's own, which has Latin letters only.
void build_fonts(ImFontAtlas& atlas, double scale);

}  // namespace mote::render::ui
