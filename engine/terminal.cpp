#include "engine/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>

namespace mote::engine {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

bool has_color(std::FILE* stream) {
  if (!variable("NO_COLOR").empty()) return false;
  const std::string_view forced = variable("CLICOLOR_FORCE");
  if (!forced.empty() && forced != "0") return true;
  return isatty(fileno(stream)) == 1 && variable("TERM") != "dumb";
}

std::size_t columns_of(std::FILE* stream) {
  winsize size{};
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

StyledText styled(Style style, const std::string& text, std::FILE* stream) {
  // Select Graphic Rendition of ECMA-48, 8.3.117.
  constexpr std::array codes{"31", "33", "1"};
  if (text.empty() || !has_color(stream)) return {printable(text)};
  return {"\x1b[" + std::string(codes[static_cast<std::size_t>(style)]) + "m" + printable(text) +
          "\x1b[0m"};
}

void write_out(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace mote::engine
