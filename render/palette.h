#pragma once

#include <array>
#include <cstddef>

/// The colours of panels and plots, in the window and in files: 0xrrggbb, sRGB.
namespace mote::render::palette {

// Bluish blacks, from the panel to pressed widgets; greys for text; and one colour for active
// elements.
inline constexpr unsigned panel = 0x10141b, raised = 0x1d2530, hovered = 0x283444,
                          pressed = 0x324258;
inline constexpr unsigned line = 0x2b3542, words = 0xdfe5ee, dim = 0x98a4b5, accent = 0x62aef0;

/// Okabe and Ito's palette for colour-blind readers, with its dark colours lightened to stand out
/// from a dark ground. Sky blue, orange, bluish green, reddish purple, yellow, vermilion, and white
/// in place of black.
inline constexpr std::array<unsigned, 7> curves = {0x56b4e9, 0xf0a528, 0x28c492, 0xde8fbe,
                                                   0xf0e450, 0xf26c3e, 0xd6dae0};

/// For plots on white: the same colours as Okabe and Ito published them, with their dark blue in
/// place of yellow, and black.
inline constexpr unsigned light_panel = 0xffffff, light_words = 0x1c2430, light_dim = 0x5a6675;
inline constexpr std::array<unsigned, 7> light_curves = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
                                                         0x56b4e9, 0xd55e00, 0x000000};

/// Colour of the curve with this index.
inline constexpr unsigned curve(std::size_t index) {
  return curves[index % curves.size()];
}

}  // namespace mote::render::palette
