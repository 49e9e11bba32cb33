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

/// A value of the scene language that a scene cannot contain: a function, a coroutine, a cycle.
struct Unusable {
  std::string what;
};

/// Line of a value that came from the command line instead of the file.
inline constexpr int command_line = -1;

/// Lines of included file number k are encoded with an offset of k times this; 0 is the scene.
inline constexpr int lines_per_file = 1 << 22;
inline constexpr int max_files = 256;

/// "file:7" for an encoded line, with the names of the files of a scene; "file" if the line is
/// unknown.
std::string location_of(int line, const std::vector<std::string>& files);

/// A parsed value of a scene in Lua or JSON, with its line, not yet interpreted.
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Table, Unusable> data;
  int line = 0;  ///< encoded, see lines_per_file; 0 if unknown
  /// Number, from 1, of the scene's parameter that a script passed on with `live`; 0: none.
  int param = 0;

  const Table* table() const { return std::get_if<Table>(&data); }
  Table* table() { return std::get_if<Table>(&data); }
  const std::string* text() const { return std::get_if<std::string>(&data); }
};

struct Member {
  std::string name;
  Value value;
};

/// True for a table with items and without named members.
inline bool is_list(const Table& table) {
  return !table.items.empty() && table.members.empty();
}

bool is_function(const Value& value);

/// "a number", "text \"abc\"", "a table", for messages.
std::string describe(const Value& value);

/// Sets the value at a path such as "gravity.softening" or "bodies.1.n", creating tables on the
/// way. False if the path crosses a value that is not a table, or passes the end of a list.
bool put(Table& root, std::string_view path, Value value);

/// Parses what a user typed after "name=": true, false, a number, text (quotes optional), or a list
/// of these, {1, 2, 3} or [1, 2, 3].
Value parse_typed(const std::string& typed);

}  // namespace mote::sim
