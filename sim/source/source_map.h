#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sim/source/scanner.h"

namespace mote::sim {

/// Lines of the tables and keys of a scene file. Neither Lua nor JSON readers keep lines, so this
/// scans the text once more for brackets, keys and commas. It never fails: computed tables have no
/// line, and the reader falls back to that of the enclosing table.
class SourceMap {
 public:
  struct Node {
    std::string maker;     ///< name before the bracket, as in disk { ... } or disk({ ... })
    std::string variable;  ///< name that the table is assigned to, as in local scene = { ... }
    int line = 0;          ///< line of the opening bracket
    struct Entry {
      std::string key;  ///< empty for list items
      int line;
      const Node* table = nullptr;  ///< when the value begins with a bracket
    };
    std::vector<Entry> entries;
    std::vector<std::size_t> items;  ///< which entries are list items

    const Entry* key(std::string_view name) const;
    const Entry* item(std::size_t index) const;
  };

  /// `first_line`: number of the first line of the text.
  SourceMap(std::string_view text, SceneLanguage language, int first_line = 1);
  SourceMap(const SourceMap&) = delete;
  SourceMap& operator=(const SourceMap&) = delete;

  /// The table that the chunk returns: after its final `return`, or assigned to the variable named
  /// there; for JSON the outermost one. Null if there is none.
  const Node* root() const { return root_; }

  /// The first table that starts on this line after the name `maker`, or null.
  const Node* made_by(std::string_view maker, int line) const;

  /// Second occurrences of keys in a table: the reader of the language would drop the first.
  std::vector<Node::Entry> repeated_keys() const;

 private:
  friend class SourceMapBuilder;
  const Node* assigned_to(std::string_view variable) const;

  std::deque<Node> nodes_;  ///< sorted by their opening brackets; addresses are stable
  const Node* root_ = nullptr;
};

}  // namespace mote::sim
