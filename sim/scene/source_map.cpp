#include "sim/scene/source_map.h"

#include <cctype>

namespace mote::sim {
namespace {

enum class Kind { name, text, other, symbol, end };

struct Token {
  Kind kind;
  std::string_view text;  ///< of a text token: without its quotes, escapes left as they are
  int line;
};

/// Splits Lua or JSON into names, texts, numbers (as `other`) and single-character symbols; skips Lua's comments.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Token next() {
    skip_space();
    const int line = line_;
    if (at_ >= text_.size()) return {Kind::end, {}, line};
    const char c = text_[at_];
    const std::size_t start = at_;
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
      return {Kind::name, text_.substr(start, at_ - start), line};
    }
    if (std::isdigit(static_cast<unsigned char>(c))) {
      while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.')) ++at_;
      return {Kind::other, text_.substr(start, at_ - start), line};
    }
    if (c == '"' || c == '\'') return quoted(c, line);
    if (const std::size_t level = long_bracket(at_); level > 0) return long_text(level, line);
    ++at_;
    if ((c == '=' || c == '~' || c == '<' || c == '>') && peek() == '=') {
      ++at_;
      return {Kind::other, text_.substr(start, 2), line};
    }
    return {Kind::symbol, text_.substr(start, 1), line};
  }

 private:
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_to(std::size_t end) {
    for (; at_ < end && at_ < text_.size(); ++at_)
      if (text_[at_] == '\n') ++line_;
  }

  /// Length of "[[" or "[==[" at a position, 0 when there is none.
  std::size_t long_bracket(std::size_t at) const {
    if (at >= text_.size() || text_[at] != '[') return 0;
    std::size_t i = at + 1;
    while (i < text_.size() && text_[i] == '=') ++i;
    return i < text_.size() && text_[i] == '[' ? i - at + 1 : 0;
  }

  Token long_text(std::size_t level, int line) {
    const std::string close = "]" + std::string(level - 2, '=') + "]";
    const std::size_t start = at_ + level;
    std::size_t end = text_.find(close, start);
    if (end == std::string_view::npos) end = text_.size();
    skip_to(end + close.size());
    return {Kind::text, text_.substr(start, end - start), line};
  }

  Token quoted(char quote, int line) {
    const std::size_t start = ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    const std::size_t end = at_ < text_.size() ? at_ : text_.size();
    at_ = end + (end < text_.size() && text_[end] == quote ? 1 : 0);
    return {Kind::text, text_.substr(start, end - start), line};
  }

  void skip_space() {
    for (;;) {
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) skip_to(at_ + 1);
      if (text_.substr(at_, 2) != "--") return;
      if (const std::size_t level = long_bracket(at_ + 2); level > 0) {
        at_ += 2;
        long_text(level, line_);
      } else {
        const std::size_t end = text_.find('\n', at_);
        skip_to(end == std::string_view::npos ? text_.size() : end);
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

bool is(const Token& t, char symbol) { return t.kind == Kind::symbol && t.text[0] == symbol; }

}  // namespace

SourceMap::SourceMap(std::string_view text) {
  struct Open {
    Node* node;      // null for a bracket that is no table: (, or [ of an index
    bool at_start;   // an entry is about to begin
    char close;
  };
  Scanner scanner(text);
  std::vector<Open> open;
  Token before{Kind::other, {}, 0}, maker{Kind::other, {}, 0};
  bool returning = false;
  Token token = scanner.next();
  while (token.kind != Kind::end) {
    Token next = scanner.next();
    Open* inside = open.empty() ? nullptr : &open.back();
    const bool in_table = inside && inside->node;
    if (in_table && inside->at_start && !is(token, '}') && !is(token, ']')) {
      inside->at_start = false;
      // key = value, or "key": value; everything else is a list item.
      const bool named = (token.kind == Kind::name && is(next, '=')) || (token.kind == Kind::text && is(next, ':'));
      inside->node->entries.push_back({named ? std::string(token.text) : "", token.line, nullptr});
    }
    const bool list = is(token, '[') && before.kind != Kind::name && !is(before, ')') && !is(before, ']');
    if (is(token, '{') || list) {
      const bool called = before.kind == Kind::name || (is(before, '(') && maker.kind == Kind::name);
      const std::string_view name = before.kind == Kind::name ? before.text : maker.text;
      nodes_.push_back({called && name != "return" ? std::string(name) : "", token.line, {}});
      if (in_table && !inside->node->entries.empty() && !inside->node->entries.back().table)
        inside->node->entries.back().table = &nodes_.back();
      if (open.empty() && (returning || before.line == 0)) root_ = &nodes_.back();
      open.push_back({&nodes_.back(), true, list ? ']' : '}'});
    } else if (is(token, '(') || is(token, '[')) {
      open.push_back({nullptr, false, token.text[0] == '(' ? ')' : ']'});
      maker = before;
    } else if (inside && is(token, inside->close)) {
      open.pop_back();
    } else if (in_table && (is(token, ',') || is(token, ';'))) {
      inside->at_start = true;
    }
    if (open.empty()) returning = token.kind == Kind::name && token.text == "return";
    before = token;
    token = next;
  }
}

const SourceMap::Node::Entry* SourceMap::Node::key(std::string_view name) const {
  for (const Entry& e : entries)
    if (e.key == name) return &e;
  return nullptr;
}

const SourceMap::Node::Entry* SourceMap::Node::item(std::size_t index) const {
  for (const Entry& e : entries)
    if (e.key.empty() && index-- == 0) return &e;
  return nullptr;
}

const SourceMap::Node* SourceMap::made_by(std::string_view maker, int line) const {
  for (const Node& n : nodes_)
    if (n.maker == maker && n.line >= line) return &n;
  return nullptr;
}

}  // namespace mote::sim
