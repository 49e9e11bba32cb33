#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace mote::engine {

/// True if texts on this stream may have colours: it is a terminal other than TERM=dumb, and
/// NO_COLOR is unset or empty (no-color.org). CLICOLOR_FORCE, unless empty or 0, replaces the
/// question of the terminal.
bool has_color(std::FILE* stream);

/// Width of the terminal of a stream; 80 if it is none.
std::size_t columns_of(std::FILE* stream);

enum class Style { error, warning, heading };  ///< red, yellow, bold

/// The text as it is written to a stream: in the style, where the stream has colours.
std::string styled(Style style, const std::string& text, std::FILE* stream);

}  // namespace mote::engine
