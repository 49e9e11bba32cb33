#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/text.h"

/// Output to terminals. All code prints through these functions (script/check_layers checks it),
/// which escape control characters in texts from scenes, files and users.
namespace mote::engine {

/// True if texts on this stream may have colours: it is a terminal other than TERM=dumb, and
/// NO_COLOR is unset or empty (no-color.org). CLICOLOR_FORCE, unless empty or 0, replaces the
/// question of the terminal.
bool has_color(std::FILE* stream);

/// Width of the terminal of a stream; 80 if it is none.
std::size_t columns_of(std::FILE* stream);

enum class Style { error, warning, heading };  ///< red, yellow, bold

/// A printable text with the codes of a style.
struct StyledText {
  std::string text;
};

/// The text as it is written to a stream: in the style, where the stream has colours.
StyledText styled(Style style, const std::string& text, std::FILE* stream);

/// Writes a text unchanged. Write errors do not throw, so that a run continues when its output is
/// closed; std::ferror(stream) reports them, and the program does so for standard output when it
/// ends.
void write_out(std::FILE* stream, std::string_view text);

namespace detail {

template <class T>
decltype(auto) shown(const T& value) {
  if constexpr (std::is_same_v<T, StyledText>)
    return std::string_view(value.text);
  else if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return printable(value);
  else
    return (value);
}

template <class T>
using Shown = std::remove_cvref_t<decltype(shown(std::declval<const T&>()))>;

template <class... T>
void print_on(std::FILE* stream, fmt::string_view text, const T&... values) {
  const auto write = [&](const auto&... shown) {
    write_out(stream, fmt::vformat(text, fmt::make_format_args(shown...)));
  };
  write(shown(values)...);
}

}  // namespace detail

/// Formats and writes, with all texts among the values made printable.
template <class... T>
void print(std::FILE* stream, fmt::format_string<detail::Shown<T>...> text, const T&... values) {
  detail::print_on(stream, text, values...);
}
template <class... T>
void print(fmt::format_string<detail::Shown<T>...> text, const T&... values) {
  detail::print_on(stdout, text, values...);
}

}  // namespace mote::engine
