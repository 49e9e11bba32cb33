#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include "engine/math/random.h"

namespace mote::test {

/// A corrupted file: text or bytes with some random changes, determined by `number`.
inline std::string mutated(std::string file, std::uint64_t number) {
  engine::Random random(1, 0, number);
  const auto below = [&](std::size_t end) { return end == 0 ? 0 : random.next_word() % end; };
  static const std::string words[] = {
      "-1", "0",    "99999999",  "4294967295", "4294967296", "1e400", "nan",  "-inf", "",     " ",
      "\n", "\n\n", "3 0 1 2\n", "255",        "f 1 2 3\n",  "0x10",  "\xff", "end",  "list", "/"};
  for (std::size_t change = 0, changes = 1 + below(4); change < changes; ++change) {
    const std::size_t at = below(file.size()), length = std::min(below(12), file.size() - at);
    switch (below(7)) {
      case 0:
        if (at < file.size()) file[at] = static_cast<char>(below(256));
        break;
      case 1:
        if (at < file.size()) file[at] = static_cast<char>(file[at] ^ (1 << below(8)));
        break;
      case 2:
        file.erase(at, length);
        break;
      case 3:
        file.insert(at, file.substr(below(file.size()), length));
        break;
      case 4:
        file.resize(at);
        break;
      case 5: {  // replaces a number
        const std::size_t from = file.find_first_of("0123456789", at);
        if (from == file.npos) break;
        const std::size_t end = std::min(file.find_first_not_of("0123456789", from), file.size());
        file.replace(from, end - from, words[below(std::size(words))]);
        break;
      }
      default:
        file.insert(at, words[below(std::size(words))]);
    }
  }
  return file;
}

}  // namespace mote::test
