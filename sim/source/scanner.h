#pragma once

#include <string>
#include <string_view>

namespace mote::sim {

enum class SceneLanguage { lua, json };

/// A piece of a scene's text.
struct Token {
  enum class Kind { name, text, other, symbol, end };

  Kind kind = Kind::other;
  std::string_view text;  ///< text tokens: without their quotes, escapes left as they are
  int line = 0;

  bool is(char symbol) const { return kind == Kind::symbol && text[0] == symbol; }
  bool is(std::string_view name) const { return kind == Kind::name && text == name; }
};

/// Splits Lua or JSON into names, texts, numbers (as `other`) and single-character symbols; skips
/// Lua's comments. JSON differs in that it has no long text in [[ ]].
class Scanner {
 public:
  Scanner(std::string_view text, SceneLanguage language, int first_line = 1)
      : text_(text), lua_(language == SceneLanguage::lua), line_(first_line) {}

  Token next();

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_to(std::size_t end);
  void skip_space();
  std::size_t long_bracket(std::size_t at) const;
  Token long_text(std::size_t level, int line);
  Token quoted(char quote, int line);

  std::string_view text_;
  bool lua_;
  std::size_t at_ = 0;
  int line_;
};

/// The last { ( or [ of a text that is never closed; of kind `end` when there is none, or when
/// others do not match.
Token unclosed_bracket(std::string_view text, SceneLanguage language, int first_line = 1);
/// "the { of line 3 is never closed".
std::string unclosed_text(const Token& bracket);

}  // namespace mote::sim
