#include "render/ui/fonts.h"

#include <imgui.h>
#include <imgui_freetype.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "engine/log.h"

namespace mote::render::ui {
namespace {

constexpr double font_pixels = 15;
constexpr double builtin_pixels = 13;  // design size of Dear ImGui's own font

constexpr std::array<const char*, 8> default_paths = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",                     // Debian, Ubuntu
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",                   // Fedora
    "/usr/share/fonts/TTF/DejaVuSans.ttf",                                 // Arch
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",                              // others
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",                 //
    "/usr/share/fonts/google-noto/NotoSans-Regular.ttf",                   //
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",     //
    "/usr/share/fonts/liberation-sans-fonts/LiberationSans-Regular.ttf"};  //

/// Latin, Greek, Cyrillic, and the symbols of units and formulas, as used in titles and units of
/// scenes. Glyphs that a font lacks cost nothing.
constexpr std::array<ImWchar, 29> ranges = {0x0020, 0x017f,  // Latin
                                            0x02c6, 0x02dd,  // accents
                                            0x0370, 0x03ff,  // Greek
                                            0x0400, 0x045f,  // Cyrillic
                                            0x2010, 0x2044,  // dashes, quotes, bullets, ellipsis
                                            0x2070, 0x209c,  // superscripts and subscripts
                                            0x20ac, 0x20ac,  // euro
                                            0x2100, 0x2150,  // letterlike symbols
                                            0x2190, 0x21ff,  // arrows
                                            0x2200, 0x22ff,  // operators
                                            0x23ce, 0x23cf,  // keys
                                            0x25a0, 0x25ff,  // shapes
                                            0x2605, 0x2647,  // stars, sun, planets
                                            0x2713, 0x2717,  // marks
                                            0};

/// Whether the file has a font signature; Dear ImGui does not check.
bool is_font(const std::string& path) {
  std::array<char, 4> start{};
  std::ifstream file(path, std::ios::binary);
  if (!file.read(start.data(), start.size())) return false;
  const std::string_view magic(start.data(), start.size());
  return magic == std::string_view("\0\1\0\0", 4) || magic == "OTTO" || magic == "true" ||
         magic == "ttcf";
}

}  // namespace

std::string find_font() {
  if (const char* requested = std::getenv("MOTE_FONT"); requested && *requested) {
    if (is_font(requested)) return requested;
    engine::log().warn("MOTE_FONT is '{}', which is not a TrueType or OpenType font; it is ignored",
                       requested);
  }
  for (const char* path : default_paths)
    if (is_font(path)) return path;
  return "";
}

void build_fonts(ImFontAtlas& atlas, double scale) {
  static const std::string path = find_font();
  ImFont* font = nullptr;
  if (!path.empty()) {
    ImFontConfig config;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    font = atlas.AddFontFromFileTTF(
        path.c_str(), static_cast<float>(std::round(font_pixels * scale)), &config, ranges.data());
  }
  if (!font) {
    engine::log().warn(
        "no font found: only Latin letters are shown; install fonts-dejavu-core, or set MOTE_FONT");
    ImFontConfig config;
    config.SizePixels = static_cast<float>(std::round(builtin_pixels * scale));
    atlas.AddFontDefault(&config);
  }
  atlas.Build();
}

}  // namespace mote::render::ui
