#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/check.h"
#include "engine/json_fwd.h"
#include "engine/params.h"
#include "engine/units.h"
#include "sim/source/value.h"

namespace mote::sim {

/// `value` as a parameter of this type, or nothing if it has another. Integers convert to reals,
/// reals without a fraction to integers.
std::optional<engine::ParamValue> to_param_value(const Value& value, engine::ParamType type);

engine::Json to_json(const engine::ParamValue& value);

/// Sets a member of an object; does nothing for an empty value or list.
void put(engine::Json& object, const std::string& name, const engine::ParamValue& value);
void put(engine::Json& object, const std::string& name,
         const std::vector<engine::ParamValue>& values);

/// "a number", "true or false", "a vector {x, y, z}", for messages.
std::string with_article(engine::ParamType type);

/// Checks values against descriptions of parameters, and collects all problems instead of stopping
/// at the first.
class Reader {
 public:
  /// `files`: the scene and what it included. Texts with units become numbers in `units`, which
  /// also gives the labels in messages; may be null.
  Reader(std::vector<std::string> files, const engine::UnitSystem* units,
         std::vector<engine::Diagnostic>& problems)
      : files_(std::move(files)), units_(units), problems_(&problems) {}

  /// Unless the scene's choice of units is `good`, texts with units are ignored.
  void use_units(const engine::UnitSystem* units, bool good) { units_ = units, units_good_ = good; }
  /// Number of all problems found; only the first `max_problems` are kept.
  std::size_t problem_count() const { return count_; }

  /// Reads all parameters of `described` that `table` has into `out`; the rest keeps its default.
  /// `line` is that of the table, `path` its path ("" for the scene itself). `echo`, unless null,
  /// receives the resulting values.
  template <class Owner>
  void members(const Table& table, int line, const std::string& path,
               const engine::ParamTable<Owner>& described, Owner& out, engine::Json* echo) {
    for (const engine::Param<Owner>& p : described.params) {
      const Value* value = find(table, path, p.info);
      if (const auto read = checked(value, line, path, p.info, p.type,
                                    p.info.required ? engine::ParamValue() : p.get(Owner{})))
        p.set(out, *read);
      if (echo) put(*echo, p.info.name, p.get(out));
    }
    for (const engine::ListParam<Owner>& p : described.lists) {
      if (const auto read = checked_list(table, path, p.info, p.type)) p.set(out, *read);
      if (echo) put(*echo, p.info.name, p.get(out));
    }
  }

  /// Reports members of `table` that are not among `known`, and list items beyond `items`.
  void unknown(const Table& table, int line, const std::string& path,
               const std::vector<std::string>& known, std::size_t items = 0);

  void problem(int line, const std::string& key, std::string what, std::string remedy = "");
  void add(engine::Diagnostic diagnostic);

  /// "file:line", or "--set key" for what came from the command line.
  std::string location(int line, const std::string& key) const;

 private:
  const Value* find(const Table& table, const std::string& path, const engine::ParamInfo& info);
  std::optional<engine::ParamValue> checked(const Value* value, int line, const std::string& path,
                                            const engine::ParamInfo& info, engine::ParamType type,
                                            const engine::ParamValue& standard);
  std::optional<std::vector<engine::ParamValue>> checked_list(const Table& table,
                                                              const std::string& path,
                                                              const engine::ParamInfo& info,
                                                              engine::ParamType type);
  std::string allowed(const engine::ParamInfo& info, const engine::ParamValue& standard) const;
  bool without_units(Value& value, const std::string& key, const engine::ParamInfo& info);

  std::vector<std::string> files_;
  const engine::UnitSystem* units_;
  bool units_good_ = true;
  std::vector<engine::Diagnostic>* problems_;
  std::size_t count_ = 0;
};

/// Further problems are counted only.
inline constexpr std::size_t max_problems = 100;

template <class Owner>
std::vector<std::string> names_of(const engine::ParamTable<Owner>& table) {
  std::vector<std::string> names;
  for (const auto& p : table.params) names.push_back(p.info.name);
  for (const auto& p : table.lists) names.push_back(p.info.name);
  return names;
}

/// Reads one table whose path is its name; list items are allowed where parameters are positional.
/// False, after a problem with the remedy `example`, if `value` is no table. `more`: further keys.
template <class Owner>
bool read_table(Reader& reader, const Value& value, const engine::ParamTable<Owner>& described,
                Owner& out, engine::Json& echo, const std::string& example = "",
                std::vector<std::string> more = {}) {
  if (!value.table()) {
    reader.problem(value.line, described.name, "expected a table, got " + describe(value), example);
    return false;
  }
  reader.members(*value.table(), value.line, described.name, described, out, &echo);
  std::size_t items = 0;
  for (const auto& p : described.params) items += p.info.positional ? 1 : 0;
  for (const std::string& name : names_of(described)) more.push_back(name);
  reader.unknown(*value.table(), value.line, described.name, more, items);
  return true;
}

/// Sorts problems by line of the scene. Those without one (rows of a data file) stay after their
/// predecessor; settings come first.
void sort_by_line(std::vector<engine::Diagnostic>& problems, const std::string& file);

/// "gravity" and "softening" make "gravity.softening"; an empty path adds nothing.
std::string joined_path(const std::string& path, const std::string& name);

}  // namespace mote::sim
