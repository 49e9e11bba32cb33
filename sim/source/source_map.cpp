#include "sim/source/source_map.h"

#include <algorithm>
#include <set>

namespace mote::sim {

/// Tracks the brackets of a text and records its tables.
class SourceMapBuilder {
 public:
  SourceMapBuilder(SourceMap& map, std::string_view text, SceneLanguage language, int first_line)
      : map_(map), scanner_(text, language, first_line) {}

  void build() {
    Token token = scanner_.next();
    while (token.kind != Token::Kind::end) {
      const Token next = scanner_.next();
      read(token, next);
      previous_[1] = previous_[0];
      previous_[0] = token;
      token = next;
    }
    if (!returned_.empty()) map_.root_ = map_.assigned_to(returned_);
    for (Node& n : map_.nodes_)
      for (std::size_t i = 0; i < n.entries.size(); ++i)
        if (n.entries[i].key.empty()) n.items.push_back(i);
  }

 private:
  using Node = SourceMap::Node;

  /// A bracket, or a block of Lua, that is not closed yet.
  struct Open {
    Node* node;              // null if it is not a table
    bool at_start;           // an entry is about to begin
    std::string_view close;  // the symbol or word that ends it
    Token before;            // the token before it
  };

  bool in_table() const { return !open_.empty() && open_.back().node; }

  void read(const Token& token, const Token& next) {
    if (!open_.empty() && token.kind != Token::Kind::text && token.text == open_.back().close)
      return close(next);
    if (in_table() && open_.back().at_start) begin_entry(token, next);
    const bool list = token.is('[') && !indexes();
    if (token.is('{') || list) return open_table(token, list ? "]" : "}");
    if (token.is('(')) return open_.push_back({nullptr, false, ")", previous_[0]});
    if (token.is('[')) return open_.push_back({nullptr, false, "]", previous_[0]});
    // Blocks: their contents belong to no enclosing table, and a return in them is not the scene's.
    if (token.is("function") || token.is("do") || token.is("if"))
      return open_.push_back({nullptr, false, "end", previous_[0]});
    if (token.is("repeat")) return open_.push_back({nullptr, false, "until", previous_[0]});
    if (in_table() && (token.is(',') || token.is(';'))) open_.back().at_start = true;
    if (open_.empty()) outermost(token, next);
  }

  /// True if "[" here indexes a value instead of starting a list.
  bool indexes() const {
    const Token& before = previous_[0];
    return before.kind == Token::Kind::name || before.kind == Token::Kind::text || before.is(')') ||
           before.is(']');
  }

  /// key = value, or "key": value; everything else is a list item, until [key] turns out to be
  /// followed by =.
  void begin_entry(const Token& token, const Token& next) {
    open_.back().at_start = false;
    const bool named = (token.kind == Token::Kind::name && next.is('=')) ||
                       (token.kind == Token::Kind::text && next.is(':'));
    open_.back().node->entries.push_back(
        {named ? std::string(token.text) : "", token.line, nullptr});
  }

  void open_table(const Token& token, std::string_view close) {
    Node& node = map_.nodes_.emplace_back();
    node.line = token.line;
    const bool in_call = previous_[0].is('(') && !open_.empty();
    const Token& maker = in_call ? open_.back().before : previous_[0];
    if (maker.kind == Token::Kind::name && !maker.is("return")) node.maker = maker.text;
    if (previous_[0].is('=') && previous_[1].kind == Token::Kind::name)
      node.variable = previous_[1].text;
    // The value itself, not an argument of a call or a part of an expression.
    if (in_table() && previous_[0].kind == Token::Kind::symbol)
      open_.back().node->entries.back().table = &node;
    if (open_.empty() && (previous_[0].is("return") || previous_[0].line == 0)) map_.root_ = &node;
    open_.push_back({&node, true, close, previous_[0]});
  }

  void close(const Token& next) {
    const Open closed = open_.back();
    open_.pop_back();
    // The apparent list was the key of a Lua table: ["name"] = value.
    if (closed.node && closed.close == "]" && in_table() && next.is('=')) {
      Node::Entry& entry = open_.back().node->entries.back();
      entry.key = previous_[0].kind == Token::Kind::text ? std::string(previous_[0].text) : "[]";
      entry.table = nullptr;
    }
  }

  /// A chunk ends with its return: if more follows, the table was not its result.
  void outermost(const Token& token, const Token& next) {
    const bool name = previous_[0].is("return") && token.kind == Token::Kind::name &&
                      next.kind == Token::Kind::end;
    returned_ = name ? token.text : std::string_view();
    if (!token.is(';')) map_.root_ = nullptr;
  }

  SourceMap& map_;
  Scanner scanner_;
  std::vector<Open> open_;
  Token previous_[2];
  std::string_view returned_;
};

SourceMap::SourceMap(std::string_view text, SceneLanguage language, int first_line) {
  SourceMapBuilder(*this, text, language, first_line).build();
}

const SourceMap::Node::Entry* SourceMap::Node::key(std::string_view name) const {
  // The last one wins, as in the languages themselves.
  const auto at =
      std::find_if(entries.rbegin(), entries.rend(), [&](const Entry& e) { return e.key == name; });
  return at == entries.rend() ? nullptr : &*at;
}

const SourceMap::Node::Entry* SourceMap::Node::item(std::size_t index) const {
  return index < items.size() ? &entries[items[index]] : nullptr;
}

const SourceMap::Node* SourceMap::made_by(std::string_view maker, int line) const {
  for (const Node& n : nodes_)
    if (n.maker == maker && n.line == line) return &n;
  return nullptr;
}

const SourceMap::Node* SourceMap::assigned_to(std::string_view variable) const {
  const Node* last = nullptr;
  for (const Node& n : nodes_)
    if (n.variable == variable) last = &n;
  return last;
}

std::vector<SourceMap::Node::Entry> SourceMap::repeated_keys() const {
  std::vector<Node::Entry> repeated;
  for (const Node& n : nodes_) {
    std::set<std::string_view> seen;
    for (const Node::Entry& e : n.entries)
      if (!e.key.empty() && e.key != "[]" && !seen.insert(e.key).second) repeated.push_back(e);
  }
  return repeated;
}

}  // namespace mote::sim
