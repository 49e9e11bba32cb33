#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace mote::test {

inline const std::filesystem::path scenes_folder =
    std::filesystem::path(MOTE_SOURCE_DIR) / "scenes";

/// The names of all scenes that come with mote, sorted.
inline std::vector<std::string> scenes() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(scenes_folder))
    if (entry.path().extension() == ".lua" && entry.path().stem() != "mote")  // annotations for
                                                                              // editors
      names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace mote::test
