#include "sim/source/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "engine/text.h"

namespace mote::sim {
namespace {

/// Parses all of `text` as a number of type T.
template <class T>
bool parse_number(std::string_view text, T& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

const Member* Table::find(std::string_view name) const {
  const auto at =
      std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.name == name; });
  return at == members.end() ? nullptr : &*at;
}

Member* Table::find(std::string_view name) {
  return const_cast<Member*>(std::as_const(*this).find(name));
}

namespace {

/// "{1, 2}" for a short list of plain values, "a list of 7 values", "a table".
std::string describe(const Table& table) {
  if (!table.members.empty()) return "a table";
  if (table.items.empty()) return "an empty table";
  std::string shown;
  for (const Value& item : table.items) {
    if (item.table() || table.items.size() > 4)
      return "a list of " + std::to_string(table.items.size()) + " values";
    shown += (shown.empty() ? "{" : ", ") +
             (item.text() ? engine::quoted(*item.text()) : describe(item));
  }
  return shown + "}";
}

}  // namespace

std::string describe(const Value& value) {
  struct Describe {
    std::string operator()(std::monostate) const { return "nothing"; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return std::to_string(i); }
    std::string operator()(double d) const {
      return std::isnan(d) ? "nan" : engine::number_text(d);
    }
    std::string operator()(const std::string& s) const {
      return "text " + engine::quoted(s.size() > 40 ? s.substr(0, 37) + "..." : s);
    }
    std::string operator()(const Table& t) const { return describe(t); }
    std::string operator()(const Unusable& u) const { return u.what; }
  };
  return std::visit(Describe{}, value.data);
}

std::string location_of(int line, const std::vector<std::string>& files) {
  const auto number = static_cast<std::size_t>(std::max(line, 0) / lines_per_file);
  if (number == 0 || number >= files.size())
    return line > 0 ? files.front() + ":" + std::to_string(line) : files.front();
  const int own = line % lines_per_file;
  return own > 0 ? files[number] + ":" + std::to_string(own) : files[number];
}

bool is_function(const Value& value) {
  const auto* unusable = std::get_if<Unusable>(&value.data);
  return unusable && unusable->what == "a function";
}

bool put(Table& root, std::string_view path, Value value) {
  Table* table = &root;
  for (;;) {
    const auto dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    const bool last = dot == std::string_view::npos;
    Value* target = nullptr;
    if (std::int64_t number = 0; parse_number(name, number)) {
      if (number < 1 || number > static_cast<std::int64_t>(table->items.size())) return false;
      target = &table->items[static_cast<std::size_t>(number - 1)];
    } else if (Member* member = table->find(name)) {
      target = &member->value;
    } else {
      const auto at =
          std::lower_bound(table->members.begin(), table->members.end(), name,
                           [](const Member& m, std::string_view n) { return m.name < n; });
      target = &table->members.insert(at, Member{std::string(name), Value{Table{}, command_line}})
                    ->value;
    }
    if (last) {
      *target = std::move(value);
      return true;
    }
    if (!target->table()) return false;
    table = target->table();
    path.remove_prefix(dot + 1);
  }
}

namespace {

/// The items between the brackets of a list: a comma in quotes belongs to its text.
std::vector<std::string> split_items(std::string_view text) {
  std::vector<std::string> items(1);
  bool quotes = false;
  for (const char c : text) {
    if (c == '"') quotes = !quotes;
    if (c == ',' && !quotes)
      items.emplace_back();
    else if (c != ' ' || !items.back().empty())
      items.back() += c;
  }
  for (std::string& item : items) item.erase(item.find_last_not_of(' ') + 1);
  return items;
}

bool is_bracketed(const std::string& typed) {
  return typed.size() >= 2 && ((typed.front() == '{' && typed.back() == '}') ||
                               (typed.front() == '[' && typed.back() == ']'));
}

}  // namespace

Value parse_typed(const std::string& typed) {
  Value value{{}, command_line};
  std::int64_t integer = 0;
  double real = 0;
  if (typed == "true" || typed == "false")
    value.data = typed == "true";
  else if (parse_number(typed, integer))
    value.data = integer;
  else if (parse_number(typed, real))
    value.data = real;
  else if (typed.size() >= 2 && typed.front() == '"' && typed.back() == '"')
    value.data = typed.substr(1, typed.size() - 2);
  else if (is_bracketed(typed)) {
    Table list;
    for (const std::string& item : split_items(std::string_view(typed).substr(1, typed.size() - 2)))
      list.items.push_back(is_bracketed(item) ? Value{item, command_line} : parse_typed(item));
    value.data = std::move(list);
  } else
    value.data = typed;
  return value;
}

}  // namespace mote::sim
