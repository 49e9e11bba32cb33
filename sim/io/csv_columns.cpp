#include "sim/io/csv_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/text.h"
#include "sim/io/file_keys.h"

namespace mote::sim {
namespace {

constexpr std::array<std::string_view, CsvColumns::numbers> number_names{"mass", "x",  "y", "z",
                                                                         "vx",   "vy", "vz"};

bool is_ignored(std::string_view name) {
  const auto keys = csv_column_keys();
  return std::any_of(keys.begin(), keys.end(), [&](const FileKey& key) {
    // With or without a unit.
    return key.use == KeyUse::ignored && name.starts_with(key.name) &&
           (name.size() == key.name.size() || name[key.name.size()] == '_');
  });
}

std::string_view quantity_of(std::size_t slot) {
  return slot == 0 ? "mass" : slot < 4 ? "length" : "velocity";
}

/// Unit suffixes of column names, and their label in engine::UnitSystem.
struct Suffix {
  std::string_view quantity, text, label;
};
constexpr Suffix suffixes[] = {
    {"mass", "kg", "kg"},
    {"mass", "g", "g"},
    {"mass", "msun", "Msun"},
    {"mass", "1e10msun", "1e10 Msun"},
    {"mass", "1e10_msun", "1e10 Msun"},
    {"mass", "mjup", "Jupiter masses"},
    {"mass", "mearth", "Earth masses"},
    {"length", "m", "m"},
    {"length", "cm", "cm"},
    {"length", "km", "km"},
    {"length", "au", "au"},
    {"length", "pc", "pc"},
    {"length", "kpc", "kpc"},
    {"length", "mpc", "Mpc"},
    {"velocity", "m_s", "m/s"},
    {"velocity", "cm_s", "cm/s"},
    {"velocity", "km_s", "km/s"},
    {"velocity", "au_day", "au/day"},
    {"velocity", "au_d", "au/day"},
    {"velocity", "au_yr", "au/yr"},
    {"velocity", "pc_myr", "pc/Myr"},
    {"velocity", "kpc_gyr", "kpc/Gyr"},
    {"acceleration", "m_s2", "m/s/s"},
    {"acceleration", "au_day2", "au/day/day"},
    {"acceleration", "km2_s2_kpc", "km/s/(kpc/(km/s))"},
    {"specific energy", "m2_s2", "(m/s)^2"},
    {"specific energy", "au2_day2", "(au/day)^2"},
    {"specific energy", "km2_s2", "(km/s)^2"},
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// Parses one header.
class HeaderReader {
 public:
  HeaderReader(const engine::UnitSystem& units, const std::string& location,
               std::vector<engine::Diagnostic>& problems)
      : units_(units), location_(location), problems_(problems) {}

  void column(CsvColumns& columns, const std::string& name) {
    const std::size_t at = columns.header.size();
    columns.header.push_back(name);
    columns.slot.emplace_back();
    if (name == "name") {
      if (columns.name) problem(name, "appears twice in the header", "keep one");
      columns.name = at;
      return;
    }
    if (name == "id") {
      if (columns.id) problem(name, "appears twice in the header", "keep one");
      columns.id = at;
      return;
    }
    if (is_ignored(name)) return;
    const std::size_t end = std::min(name.find('_'), name.size());
    const auto found = std::find(number_names.begin(), number_names.end(), name.substr(0, end));
    if (found == number_names.end()) return unknown(name, end, at);
    const auto slot = static_cast<std::size_t>(found - number_names.begin());
    if (std::find(columns.slot.begin(), columns.slot.end(), slot) != columns.slot.end())
      problem(name, fmt::format("is a second column for {}", *found), "keep one");
    columns.slot[at] = slot;
    if (end < name.size()) check_unit(name, quantity_of(slot), lower(name.substr(end + 1)));
  }

  void check_complete(const CsvColumns& columns) {
    std::array<bool, CsvColumns::numbers> present{};
    for (const auto& slot : columns.slot)
      if (slot) present[*slot] = true;
    const bool moving = present[4] || present[5] || present[6];
    for (std::size_t i = 0; i < CsvColumns::numbers; ++i) {
      if (present[i] || (i > 3 && !moving)) continue;
      problem(std::string(number_names[i]), "column is missing",
              i > 3 ? "give vx, vy and vz, or none of them" : "mass, x, y and z are required");
    }
  }

 private:
  void problem(const std::string& key, const std::string& what, const std::string& remedy) {
    problems_.push_back({location_, key, what, remedy});
  }

  void unknown(const std::string& name, std::size_t end, std::size_t at) {
    if (name.empty())
      return problem("", fmt::format("column {} has no name", at + 1),
                     at == 0 ? "name it; if it is the index of a pandas table, write the file with "
                               "to_csv(..., index=False)"
                             : "");
    std::vector<std::string> known(number_names.begin(), number_names.end());
    known.insert(known.end(), {"name", "id", "species"});
    const std::string meant = engine::closest(name.substr(0, end), known);
    problem(name, "unknown column",
            meant.empty()
                ? "known: " + engine::joined(known, ", ") + ", with or without a unit, as in x_au"
                : fmt::format("did you mean '{}{}'?", meant,
                              std::find(number_names.begin(), number_names.end(), meant) ==
                                      number_names.end()
                                  ? ""
                                  : name.substr(end)));
  }

  void check_unit(const std::string& name, std::string_view quantity, const std::string& suffix) {
    const auto* found =
        std::find_if(std::begin(suffixes), std::end(suffixes),
                     [&](const Suffix& s) { return s.quantity == quantity && s.text == suffix; });
    if (found == std::end(suffixes)) {
      std::vector<std::string> known;
      for (const Suffix& s : suffixes)
        if (s.quantity == quantity) known.emplace_back(s.text);
      return problem(name, fmt::format("unknown unit of {} '{}'", quantity, suffix),
                     "known: " + engine::joined(known, ", ") +
                         "; without a unit, numbers are in the scene's units");
    }
    const std::string own = units_.label(quantity);
    if (found->label == own) return;
    problem(name,
            own.empty() ? fmt::format("is in {}, but the unit system '{}' has no units",
                                      found->label, units_.name)
                        : fmt::format("is in {}, but the unit of {} of the unit system '{}' is {}",
                                      found->label, quantity, units_.name, own),
            "convert the column, or choose other units in the scene");
  }

  const engine::UnitSystem& units_;
  const std::string& location_;
  std::vector<engine::Diagnostic>& problems_;
};

}  // namespace

std::string csv_suffix(std::string_view quantity, const engine::UnitSystem& units) {
  const std::string label = units.label(quantity);
  for (const Suffix& s : suffixes)
    if (!label.empty() && s.quantity == quantity && s.label == label)
      return "_" + std::string(s.text);
  return "";
}

CsvColumns read_csv_columns(const std::vector<std::string>& header, const engine::UnitSystem& units,
                            const std::string& location,
                            std::vector<engine::Diagnostic>& problems) {
  CsvColumns columns;
  HeaderReader reader(units, location, problems);
  for (const std::string& name : header) reader.column(columns, name);
  reader.check_complete(columns);
  return columns;
}

}  // namespace mote::sim
