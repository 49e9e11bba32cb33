#pragma once

#include <array>
#include <cstddef>

/// The colours of panels and plots, in the window and in files: 0xrrggbb, sRGB.
namespace mote::render::palette {

/// Colours of panels: grounds from the panel to pressed widgets, text, and marks.
struct Palette {
  unsigned panel, popup, title, raised, header, hovered, pressed, tab;
  unsigned line, handle, handle_hovered;        ///< separators, and scroll bars
  unsigned words, dim, error, warning;          ///< text
  unsigned accent, slider, bars, bars_hovered;  ///< active elements
};
/// Bluish blacks and light grey text.
inline constexpr Palette dark_panels = {
    .panel = 0x10141b,
    .popup = 0x161c25,
    .title = 0x182130,
    .raised = 0x1d2530,
    .header = 0x1f2d40,
    .hovered = 0x283444,
    .pressed = 0x324258,
    .tab = 0x151b24,
    .line = 0x2b3542,
    .handle = 0x364354,
    .handle_hovered = 0x495a70,
    .words = 0xdfe5ee,
    .dim = 0x98a4b5,
    .error = 0xff8773,
    .warning = 0xf2a64d,
    .accent = 0x62aef0,
    .slider = 0x35648f,
    .bars = 0x4c8fcb,
    .bars_hovered = 0x8cc6f7,
};
/// Bluish whites and nearly black text.
inline constexpr Palette light_panels = {
    .panel = 0xf6f8fb,
    .popup = 0xffffff,
    .title = 0xdbe7f5,
    .raised = 0xe4e9f0,
    .header = 0xdce6f2,
    .hovered = 0xd0dcea,
    .pressed = 0xbccde2,
    .tab = 0xe9edf3,
    .line = 0xc3cbd6,
    .handle = 0xb4bfcd,
    .handle_hovered = 0x8b99ab,
    .words = 0x1c2430,
    .dim = 0x4d5867,
    .error = 0xb3261e,
    .warning = 0x8a5200,
    .accent = 0x0a5ca8,
    .slider = 0x8fb6de,
    .bars = 0x2f77b8,
    .bars_hovered = 0x0a5ca8,
};

/// Okabe and Ito's palette for colour-blind readers, with its dark colours lightened to stand out
/// from a dark ground. Sky blue, orange, bluish green, reddish purple, yellow, vermilion, and white
/// in place of black.
inline constexpr std::array<unsigned, 7> curves = {0x56b4e9, 0xf0a528, 0x28c492, 0xde8fbe,
                                                   0xf0e450, 0xf26c3e, 0xd6dae0};

/// Colours for plots on white: those of `curves` as Okabe and Ito published them, with their dark
/// blue in place of yellow, and black.
inline constexpr unsigned light_panel = 0xffffff, light_words = 0x1c2430, light_dim = 0x5a6675;
inline constexpr std::array<unsigned, 7> light_curves = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
                                                         0x56b4e9, 0xd55e00, 0x000000};

/// Colour of the curve with this index.
inline constexpr unsigned curve(std::size_t index, bool on_light) {
  return (on_light ? light_curves : curves)[index % curves.size()];
}

}  // namespace mote::render::palette
