#include "sim/scene/misplaced.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "engine/quantity.h"
#include "engine/text.h"
#include "sim/scene/tables.h"
#include "sim/source/reader.h"

namespace mote::sim {

std::string belongs_elsewhere(const std::vector<engine::ParamSheet>& sheets,
                              const std::string& path, const std::string& key) {
  constexpr std::size_t most = 4;
  const std::vector<std::string>& at_top = subtable_names();
  const auto is_top = [&](const std::string& name) {
    return std::find(at_top.begin(), at_top.end(), name) != at_top.end();
  };
  // The key wanted of `bonds` may be one of `bond_kinds`.
  std::string kin = path.substr(0, path.find('.'));
  if (kin.ends_with('s')) kin.pop_back();
  std::vector<std::string> related, exact, top, others;
  for (const engine::ParamSheet& sheet : sheets)
    for (const engine::ParamSheet::Row& row : sheet.rows) {
      // Short keys resemble unrelated ones by chance, as spin does skin.
      constexpr std::size_t shortest = 5;
      const bool same = row.info.name == key || engine::is_synonym(key, row.info.name);
      const bool alike =
          same || (key.size() >= shortest && !engine::closest(key, {row.info.name}).empty());
      if (sheet.name == "scene" || !alike) continue;
      std::string where = sheet.name + " = { " + row.info.name + " = ... }";
      if (is_top(sheet.name + "s") || sheet.name == "species")  // tables of tables
        where = "'" + row.info.name + "' in " + sheet.name + (sheet.name == "species" ? "" : "s");
      const bool is_own = !kin.empty() && sheet.name.starts_with(kin);
      // Functions have so many keys that one is nearly alike for any word.
      if (!is_own && !is_top(sheet.name) && row.info.name != key) continue;
      std::vector<std::string>& list = is_own                 ? related
                                       : !is_top(sheet.name)  ? others
                                       : row.info.name == key ? exact
                                                              : top;
      list.push_back(std::move(where));
    }
  for (const auto* found : {&related, &exact, &top, &others})
    if (!found->empty())  // a key of many functions says nothing
      return found->size() > most ? "" : "did you mean " + engine::joined(*found, " or ") + "?";
  return "";
}

std::string written_as_table(const engine::ParamSheet& table, const Value& value) {
  using Row = engine::ParamSheet::Row;
  const auto value_of = [&](const Row& row) -> std::optional<engine::ParamValue> {
    if (row.list) return std::nullopt;
    const auto read = to_param_value(value, row.type);
    if (read) return range_problem(row.info, *read) ? std::nullopt : read;
    const bool quantity = !row.info.unit.empty() && value.text() && engine::has_unit(*value.text());
    return quantity ? std::optional<engine::ParamValue>(*value.text()) : std::nullopt;
  };
  const Row* best = nullptr;
  const auto rank = [](const Row& row) {
    return row.info.positional ? 2 : !row.info.choices.empty() ? 1 : 0;
  };
  for (const Row& row : table.rows)
    if (value_of(row) && (!best || rank(row) > rank(*best))) best = &row;
  if (!best) return "";
  const std::string text = engine::text_of(*value_of(*best));
  std::string all = best->info.positional ? text : best->info.name + " = " + text;
  for (const Row& row : table.rows)
    if (row.info.required && &row != best) all += ", " + row.info.name + " = ...";
  return "write " + table.name.substr(table.name.rfind('.') + 1) + " = { " + all + " }";
}

std::string uniform_field_for(const Value& value) {
  engine::Vec3d acceleration;
  if (const auto vector = to_param_value(value, engine::ParamType::vector))
    acceleration = std::get<engine::Vec3d>(*vector);
  else if (const auto number = to_param_value(value, engine::ParamType::real))
    acceleration = {0, 0, -std::fabs(std::get<double>(*number))};
  else
    return "";
  return "fields = uniform { acceleration = { " + engine::number_text(acceleration.x) + ", " +
         engine::number_text(acceleration.y) + ", " + engine::number_text(acceleration.z) + " } }";
}

}  // namespace mote::sim
