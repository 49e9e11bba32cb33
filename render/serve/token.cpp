#include "render/serve/token.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "engine/check.h"

namespace mote::render::serve {

std::string random_token() {
  std::array<unsigned char, 20> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw engine::SystemError("get random numbers", std::strerror(errno), "try again");
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

bool same_token(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  // `volatile` keeps the compiler from leaving the loop at the first difference.
  volatile unsigned char different = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    different = static_cast<unsigned char>(different | (a[i] ^ b[i]));
  return different == 0;
}

}  // namespace mote::render::serve
