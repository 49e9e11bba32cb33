#include "sim/model/reading.h"

#include <algorithm>

namespace mote::sim {

int SceneReading::two_species(const Value& item, const std::string& path, int& a, int& b) const {
  const Member* names = item.table()->find("species");
  const Table* two = names ? names->value.table() : nullptr;
  if (!two || two->items.size() != 2) {
    reader.problem(item.line, path, "expected the names of two species",
                   "species = { \"a\", \"b\" }");
    return 0;
  }
  int* const numbers[2] = {&a, &b};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string* name = two->items[k].text();
    const auto& all = model.species;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Species& s) { return name && s.name == *name; });
    if (found == all.end()) {
      reader.problem(two->items[k].line, path, "no such species: " + describe(two->items[k]),
                     "define it in species = { ... }");
      return 0;
    }
    *numbers[k] = static_cast<int>(found - all.begin()) + 1;
  }
  return names->value.line;
}

}  // namespace mote::sim
