#include "render/serve/site.h"

#include <algorithm>
#include <charconv>

namespace mote::render::serve {
namespace {

/// Decodes "a%20b" as "a b". A % without two digits stands for itself.
std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      plain += static_cast<char>(byte);
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

}  // namespace

SiteRequest parse_target(std::string_view target) {
  SiteRequest request;
  const std::size_t mark = target.find('?');
  request.path = decoded(target.substr(0, mark));
  if (mark == target.npos) return request;
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    const std::string_view value = equals == pair.npos ? "" : pair.substr(equals + 1);
    request.query[decoded(pair.substr(0, equals))] = decoded(value);
  }
  return request;
}

}  // namespace mote::render::serve
