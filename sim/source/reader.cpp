#include "sim/source/reader.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "engine/decimal_comma.h"
#include "engine/json.h"
#include "engine/quantity.h"
#include "engine/text.h"

namespace mote::sim {
namespace {

using engine::Json;
using engine::ParamInfo;
using engine::ParamType;
using engine::ParamValue;

std::optional<double> to_real(const Value& value) {
  if (auto d = std::get_if<double>(&value.data)) return *d;
  if (auto i = std::get_if<std::int64_t>(&value.data)) return static_cast<double>(*i);
  return std::nullopt;
}

std::optional<std::int64_t> to_integer(const Value& value) {
  if (auto i = std::get_if<std::int64_t>(&value.data)) return *i;
  if (auto d = std::get_if<double>(&value.data))
    if (std::fabs(*d) < 9e15 && *d == std::floor(*d)) return static_cast<std::int64_t>(*d);
  return std::nullopt;
}

std::optional<engine::Vec3d> to_vector(const Value& value) {
  const Table* table = value.table();
  if (!table || !table->members.empty() || table->items.size() != 3) return std::nullopt;
  const auto x = to_real(table->items[0]), y = to_real(table->items[1]),
             z = to_real(table->items[2]);
  if (!x || !y || !z) return std::nullopt;
  return engine::Vec3d{*x, *y, *z};
}

/// Text, or a vector with text in it.
bool has_text(const Value& value) {
  const Table* list = value.table();
  if (!list || list->items.size() > 3) return value.text() != nullptr;
  return std::any_of(list->items.begin(), list->items.end(),
                     [](const Value& item) { return item.text() != nullptr; });
}

/// A number with a unit, or a vector with one in it.
bool has_units(const Value& value) {
  const Table* list = value.table();
  if (!list) return value.text() && engine::has_unit(*value.text());
  return list->items.size() <= 3 && std::any_of(list->items.begin(), list->items.end(), has_units);
}

template <class T>
std::optional<ParamValue> wrap(const std::optional<T>& value) {
  return value ? std::optional<ParamValue>(*value) : std::nullopt;
}

}  // namespace

std::string with_article(ParamType type) {
  switch (type) {
    case ParamType::boolean:
      return "true or false";
    case ParamType::integer:
      return "a whole number";
    case ParamType::real:
      return "a number";
    case ParamType::text:
    case ParamType::choice:
      return "text";
    case ParamType::vector:
      return "a vector {x, y, z}";
  }
  return "?";
}

std::optional<ParamValue> to_param_value(const Value& value, ParamType type) {
  switch (type) {
    case ParamType::boolean: {
      auto b = std::get_if<bool>(&value.data);
      return b ? std::optional<ParamValue>(*b) : std::nullopt;
    }
    case ParamType::integer:
      return wrap(to_integer(value));
    case ParamType::real:
      return wrap(to_real(value));
    case ParamType::text:
    case ParamType::choice:
      return value.text() ? std::optional<ParamValue>(*value.text()) : std::nullopt;
    case ParamType::vector:
      return wrap(to_vector(value));
  }
  return std::nullopt;
}

Json to_json(const ParamValue& value) {
  if (auto b = std::get_if<bool>(&value)) return *b;
  if (auto i = std::get_if<std::int64_t>(&value)) return *i;
  if (auto d = std::get_if<double>(&value)) return *d;
  if (auto s = std::get_if<std::string>(&value)) return *s;
  if (auto v = std::get_if<engine::Vec3d>(&value)) return Json::array({v->x, v->y, v->z});
  return nullptr;
}

void put(Json& object, const std::string& name, const ParamValue& value) {
  if (!std::holds_alternative<std::monostate>(value)) object[name] = to_json(value);
}

void put(Json& object, const std::string& name, const std::vector<ParamValue>& values) {
  if (values.empty()) return;
  Json list = Json::array();
  for (const ParamValue& value : values) list.push_back(to_json(value));
  object[name] = std::move(list);
}

std::string joined_path(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

std::string Reader::location(int line, const std::string& key) const {
  if (line == command_line) return "--set " + key;
  return location_of(line, files_);
}

void Reader::add(engine::Diagnostic diagnostic) {
  if (++count_ < max_problems) problems_->push_back(std::move(diagnostic));
  if (count_ == max_problems)
    problems_->push_back({files_.front(), "", "has more problems than are shown", ""});
}

void Reader::problem(int line, const std::string& key, std::string what, std::string remedy) {
  add({location(line, key), line == command_line ? "" : key, std::move(what), std::move(remedy)});
}

const Value* Reader::find(const Table& table, const std::string& path, const ParamInfo& info) {
  const Member* member = table.find(info.name);
  const Value* item = info.positional && !table.items.empty() ? &table.items.front() : nullptr;
  if (member && item && member->value.line != command_line)
    problem(member->value.line, joined_path(path, info.name),
            "is given twice, as the first item and by its key", "keep one");
  return member ? &member->value : item;
}

std::string Reader::allowed(const ParamInfo& info, const ParamValue& standard) const {
  std::string text;
  if (const std::string range = range_of(info); !range.empty()) text = "allowed: " + range;
  if (!info.unit.empty()) {
    const std::string label(units_ ? units_->label(info.unit) : "");
    text += (text.empty() ? "allowed: any value in " : " in ") +
            (label.empty() ? "units of " + info.unit : label);
  }
  if (!std::holds_alternative<std::monostate>(standard))
    text += (text.empty() ? "" : ", ") + ("default " + engine::text_of(standard));
  return text;
}

/// Converts texts with units to numbers, in vectors by component; false after a problem.
bool Reader::without_units(Value& value, const std::string& key, const ParamInfo& info) {
  if (Table* list = value.table()) {
    bool good = true;
    for (std::size_t i = 0; i < list->items.size(); ++i)
      if (list->items[i].text())
        good = without_units(list->items[i], joined_path(key, std::to_string(i + 1)), info) && good;
    return good;
  }
  const std::string* text = value.text();
  if (!text || !engine::looks_like_quantity(*text)) return true;
  if (!units_) return false;
  if (!units_good_) {  // reported separately; the number alone stands in, lest more errors follow
    value.data = engine::leading_number(*text);
    return true;
  }
  const engine::Converted read = engine::convert(*text, info.unit, *units_);
  if (!read.value) {
    problem(value.line, key, read.problem, read.remedy);
    return false;
  }
  value.data = *read.value;
  return true;
}

std::optional<ParamValue> Reader::checked(const Value* value, int line, const std::string& path,
                                          const ParamInfo& info, ParamType type,
                                          const ParamValue& standard) {
  const std::string key = joined_path(path, info.name);
  if (!value) {
    if (info.required) {
      const std::string more = allowed(info, standard);
      problem(line, key, "is missing",
              info.help + " (" + with_article(type) + (more.empty() ? "" : ", ") + more + ")");
    }
    return std::nullopt;
  }
  Value plain;
  if (!info.unit.empty() && has_text(*value)) {
    plain = *value;
    if (!without_units(plain, key, info)) return std::nullopt;
    value = &plain;
  }
  const auto converted = to_param_value(*value, type);
  if (!converted) {
    const std::string comma = value->text() ? engine::comma_remedy(*value->text()) : "";
    const bool plain_number =
        comma.empty() && info.unit.empty() && has_units(*value) &&
        (type == ParamType::real || type == ParamType::integer || type == ParamType::vector);
    problem(value->line, key,
            (plain_number ? "takes a plain number, no unit, got "
                          : "expected " + with_article(type) + ", got ") +
                describe(*value),
            comma.empty() ? allowed(info, standard) : comma);
    return std::nullopt;
  }
  if (value->text() && !engine::is_utf8(*value->text())) {
    problem(value->line, key, "is not UTF-8", "save the file with this encoding");
    return std::nullopt;
  }
  if (const auto wrong = range_problem(info, *converted)) {
    std::string remedy = allowed(info, standard);
    if (auto text = std::get_if<std::string>(&*converted))
      if (const std::string near = engine::closest(*text, info.choices); !near.empty())
        remedy = "did you mean " + engine::quoted(near) + "? " + remedy;
    const std::string shown =
        std::holds_alternative<engine::Vec3d>(*converted) ? text_of(*converted) : describe(*value);
    problem(value->line, key, shown + " " + *wrong, remedy);
    return std::nullopt;
  }
  return converted;
}

/// Nothing if the list is missing or invalid.
std::optional<std::vector<ParamValue>> Reader::checked_list(const Table& table,
                                                            const std::string& path,
                                                            const ParamInfo& info, ParamType type) {
  const Member* member = table.find(info.name);
  if (!member) return std::nullopt;
  const Value& value = member->value;
  const std::string key = joined_path(path, info.name);
  std::vector<ParamValue> values;
  if (!value.table()) {
    const auto one = checked(&value, value.line, path, info, type, {});
    return one ? std::optional(std::vector<ParamValue>{*one}) : std::nullopt;
  }
  if (!is_list(*value.table())) {
    problem(value.line, key, "expected a list, got " + describe(value), allowed(info, {}));
    return std::nullopt;
  }
  for (const Value& item : value.table()->items) {
    ParamInfo numbered = info;
    numbered.name += "." + std::to_string(values.size() + 1);
    values.push_back(checked(&item, item.line ? item.line : value.line, path, numbered, type, {})
                         .value_or(ParamValue()));
  }
  const bool good = std::none_of(values.begin(), values.end(), [](const ParamValue& v) {
    return std::holds_alternative<std::monostate>(v);
  });
  return good ? std::optional(values) : std::nullopt;
}

void Reader::unknown(const Table& table, int line, const std::string& path,
                     const std::vector<std::string>& known, std::size_t items) {
  for (const Member& m : table.members) {
    if (std::find(known.begin(), known.end(), m.name) != known.end()) continue;
    problem(m.value.line ? m.value.line : line, joined_path(path, m.name), "unknown key",
            known.empty() ? "a list has no keys: leave out '" + m.name + " ='"
                          : engine::did_you_mean(m.name, known, "known here: "));
  }
  if (table.items.size() > items)
    problem(table.items[items].line ? table.items[items].line : line,
            joined_path(path, std::to_string(items + 1)),
            "a value without a key, " + describe(table.items[items]),
            "known here: " + engine::joined(known, ", "));
}

void sort_by_line(std::vector<engine::Diagnostic>& problems, const std::string& file) {
  std::vector<std::pair<int, engine::Diagnostic>> numbered;
  int line = 0;
  for (engine::Diagnostic& d : problems) {
    const std::string prefix = file + ":";
    if (d.place.starts_with(prefix))
      line = std::atoi(d.place.c_str() + prefix.size());
    else if (d.place.starts_with("--"))
      line = 0;
    numbered.emplace_back(line, std::move(d));
  }
  std::stable_sort(numbered.begin(), numbered.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  problems.clear();
  for (auto& [ignored, d] : numbered) problems.push_back(std::move(d));
}

}  // namespace mote::sim
