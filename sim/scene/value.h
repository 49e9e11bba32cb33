#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mote::sim {

struct Member;
struct Value;

/// A table of a scene: named members (sorted by name, so that nothing depends on hash order) and a
/// list.
struct Table {
  std::vector<Member> members;
  std::vector<Value> items;

  const Member* find(std::string_view name) const;
  Member* find(std::string_view name);
};

/// Something a scene language can hold and a scene cannot: a function, a coroutine, a cycle.
struct Unusable {
  std::string what;
};

/// Line of a value that came from the command line instead of the file.
inline constexpr int command_line = -1;

/// A scene may include files. Lines of the one with the number k are counted from k times this; 0
/// is the scene.
inline constexpr int lines_a_file = 1 << 22;
inline constexpr int most_files = 256;

/// "file:7" for a line as values carry it, by the names of the files of a scene; "file" where it is
/// not known.
std::string place_of(int line, const std::vector<std::string>& files);

/// What a scene file says, whatever its language: the common ground of Lua and JSON. Knows lines,
/// no meaning.
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Table, Unusable> data;
  int line = 0;  ///< in the scene file, or as `lines_a_file` says; 0 when it is not known

  const Table* table() const { return std::get_if<Table>(&data); }
  Table* table() { return std::get_if<Table>(&data); }
  const std::string* text() const { return std::get_if<std::string>(&data); }
};

struct Member {
  std::string name;
  Value value;
};

/// A table of items alone.
inline bool is_list(const Table& table) {
  return !table.items.empty() && table.members.empty();
}

bool is_function(const Value& value);

/// "a number", "text \"abc\"", "a table", for messages.
std::string describe(const Value& value);

/// Puts a value at a path such as "gravity.softening" or "bodies.1.n", making tables on the way.
/// False when the path runs through something that is no table or past the end of a list.
bool put(Table& root, std::string_view path, Value value);

/// Reads what a user typed behind "name=": true, false, a number, text (quotes optional), or a list
/// of these, {1, 2, 3} or [1, 2, 3].
Value parse_typed(const std::string& typed);

}  // namespace mote::sim
