#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>
#include "tests/support/places.h"

namespace mote::test {

inline const std::filesystem::path scenes_folder =
    std::filesystem::path(test::source_dir()) / "scenes";

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

/// Bodies that feel no force, in these units: the same motion for all systems of units, up to
/// round-off.
inline std::string coasting_bodies(const std::string& units, const std::string& speed) {
  return "return { units = '" + units + R"(', integrator = { 'leapfrog', dt = '15 min' },
    bodies = {
      { mass = '1e20 kg', position = { 0, 0, 0 }, velocity = { ')" +
         speed + R"(', 0, 0 } },
      { mass = '1e20 kg', position = { 0, '1e6 km', 0 }, velocity = { 0, '11.7 km/s', 0 } } },
    view = { overlay = 'measures', camera = { target = { 0, 0, 0 }, distance = '1e7 km' } },
    stop = { steps = 25 } })";
}

}  // namespace mote::test
