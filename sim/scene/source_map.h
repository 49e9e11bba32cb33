#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace mote::sim {

/// Where the tables of a scene file and their keys stand in its text. Neither Lua nor JSON readers keep the lines of
/// what they read; this reads the text once more, only for brackets, keys and commas, so that a message can name
/// the line. It never fails: what it cannot follow (tables that are computed) has no line, and the reader falls back
/// to the line of the table around it.
class SourceMap {
 public:
  struct Node {
    std::string maker;  ///< name before the bracket, as in disk { ... } or disk({ ... })
    int line = 0;       ///< of the opening bracket
    struct Entry {
      std::string key;  ///< empty for list items
      int line;
      const Node* table = nullptr;  ///< when the value begins with a bracket
    };
    std::vector<Entry> entries;

    const Entry* key(std::string_view name) const;
    const Entry* item(std::size_t index) const;
  };

  /// Understands Lua ( [key] = or key = ) and JSON ( "key": ) alike.
  explicit SourceMap(std::string_view text);
  SourceMap(const SourceMap&) = delete;
  SourceMap& operator=(const SourceMap&) = delete;

  /// The table that the chunk returns: the last one that follows a `return` at the outermost level; for JSON the
  /// outermost one. Null when there is none.
  const Node* root() const { return root_; }

  /// The first table at or after `line` that stands behind this name, or null.
  const Node* made_by(std::string_view maker, int line) const;

 private:
  std::deque<Node> nodes_;  ///< in the order of their opening brackets; addresses are stable
  const Node* root_ = nullptr;
};

}  // namespace mote::sim
