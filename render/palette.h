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

/// Colour of the curve with this index.
inline constexpr unsigned curve(std::size_t index) {
  return curves[index % curves.size()];
}

}  // namespace mote::render::palette
