#include "app/commands/schema_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/commands/help_text.h"
#include "engine/params.h"
#include "engine/text.h"
#include "sim/scene/read_scene.h"

namespace mote::app {
namespace {

using engine::ParamSheet;

/// The help on a key: its meaning, and in a line below it type, unit, range and default.
HelpEntry entry_of(const ParamSheet::Row& row, const std::string& names) {
  const engine::ParamInfo& info = row.info;
  std::vector<std::string> facts{(row.list ? "list of " : "") + std::string(name_of(row.type))};
  if (!info.unit.empty()) facts.back() += " [" + info.unit + "]";
  if (info.positional) facts.push_back("or first item");
  if (const std::string range = engine::range_of(info); !range.empty()) facts.push_back(range);
  const std::string standard = engine::text_of(row.standard);
  if (info.required)
    facts.emplace_back("required");
  else if (standard != "none" && standard != "\"\"")
    facts.push_back("default: " + standard);
  if (info.live) facts.emplace_back("live");
  return {names, "", info.help + "\n" + engine::joined(facts, "; ")};
}

}  // namespace

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const ParamSheet& sheet : sim::scene_sheets()) names.push_back(sheet.name);
  return names;
}

std::vector<std::string> key_names() {
  std::set<std::string> names;
  for (const ParamSheet& sheet : sim::scene_sheets())
    for (const ParamSheet::Row& row : sheet.rows) names.insert(row.info.name);
  return {names.begin(), names.end()};
}

bool print_table(const std::string& name) {
  bool found = false;
  for (const ParamSheet& sheet : sim::scene_sheets()) {
    if (sheet.name != name) continue;
    found = true;
    HelpSection section{"Table " + sheet.name, {}, sheet.help};
    for (const ParamSheet::Row& row : sheet.rows)
      section.entries.push_back(entry_of(row, row.info.name));
    print_section(section);
  }
  return found;
}

bool print_keys(const std::string& name) {
  HelpSection section{"Keys of this name"};
  for (const ParamSheet& sheet : sim::scene_sheets())
    for (const ParamSheet::Row& row : sheet.rows)
      if (const std::string path = sheet.name + "." + row.info.name;
          row.info.name == name || path == name)
        section.entries.push_back(entry_of(row, path));
  if (!section.entries.empty()) print_section(section);
  return !section.entries.empty();
}

}  // namespace mote::app
