#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scene/scanner.h"

namespace mote::sim {

/// Where the tables of a scene file and their keys stand in its text. Neither Lua nor JSON readers
/// keep the lines of what they read; this reads the text once more, only for brackets, keys and
/// commas, so that a message can name the line. It never fails: what it cannot follow (tables that
/// are computed) has no line, and the reader falls back to the line of the table around it.
class SourceMap {
 public:
  struct Node {
    std::string maker;     ///< name before the bracket, as in disk { ... } or disk({ ... })
    std::string variable;  ///< name that the table is assigned to, as in local scene = { ... }
    int line = 0;          ///< of the opening bracket
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

  /// The table that the chunk returns: behind the `return` at its end, or that of the variable
  /// which stands there; for JSON the outermost one. Null when there is none.
  const Node* root() const { return root_; }

  /// The first table of this line that stands behind this name, or null.
  const Node* made_by(std::string_view maker, int line) const;

  /// Keys that a table of the text names a second time: the reader of the language would drop the
  /// first.
  std::vector<Node::Entry> repeated_keys() const;

 private:
  friend class SourceMapBuilder;
  const Node* assigned_to(std::string_view variable) const;

  std::deque<Node> nodes_;  ///< in the order of their opening brackets; addresses are stable
  const Node* root_ = nullptr;
};

}  // namespace mote::sim
