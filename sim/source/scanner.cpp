#include "sim/source/scanner.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace mote::sim {
namespace {

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

Token Scanner::next() {
  skip_space();
  const int line = line_;
  if (at_ >= text_.size()) return {Token::Kind::end, {}, line};
  const char c = text_[at_];
  const std::size_t start = at_;
  if (is_word(c)) {
    const bool number = is_digit(c);
    while (at_ < text_.size() && (is_word(text_[at_]) || (number && text_[at_] == '.'))) ++at_;
    return {number ? Token::Kind::other : Token::Kind::name, text_.substr(start, at_ - start),
            line};
  }
  if (c == '"' || c == '\'') return quoted(c, line);
  if (const std::size_t level = long_bracket(at_); level > 0) return long_text(level, line);
  ++at_;
  if ((c == '=' || c == '~' || c == '<' || c == '>') && peek() == '=') {
    ++at_;
    return {Token::Kind::other, text_.substr(start, 2), line};
  }
  return {Token::Kind::symbol, text_.substr(start, 1), line};
}

void Scanner::skip_to(std::size_t end) {
  for (; at_ < end && at_ < text_.size(); ++at_)
    if (text_[at_] == '\n') ++line_;
}

/// Length of "[[" or "[==[" at a position, 0 when there is none.
std::size_t Scanner::long_bracket(std::size_t at) const {
  if (!lua_ || at >= text_.size() || text_[at] != '[') return 0;
  std::size_t i = at + 1;
  while (i < text_.size() && text_[i] == '=') ++i;
  return i < text_.size() && text_[i] == '[' ? i - at + 1 : 0;
}

Token Scanner::long_text(std::size_t level, int line) {
  const std::string close = "]" + std::string(level - 2, '=') + "]";
  const std::size_t start = at_ + level;
  const std::size_t end = std::min(text_.find(close, start), text_.size());
  skip_to(end + close.size());
  return {Token::Kind::text, text_.substr(std::min(start, end), end - std::min(start, end)), line};
}

Token Scanner::quoted(char quote, int line) {
  const std::size_t start = at_ + 1;
  std::size_t end = start;
  while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
    end += text_[end] == '\\' ? 2 : 1;
  end = std::min(end, text_.size());
  skip_to(end < text_.size() && text_[end] == quote ? end + 1 : end);
  return {Token::Kind::text, text_.substr(start, end - start), line};
}

void Scanner::skip_space() {
  for (;;) {
    while (at_ < text_.size() && is_space(text_[at_])) skip_to(at_ + 1);
    if (!lua_ || text_.substr(at_, 2) != "--") return;
    if (const std::size_t level = long_bracket(at_ + 2); level > 0) {
      at_ += 2;
      long_text(level, line_);
    } else {
      skip_to(std::min(text_.find('\n', at_), text_.size()));
    }
  }
}

Token unclosed_bracket(std::string_view text, SceneLanguage language, int first_line) {
  Scanner scanner(text, language, first_line);
  std::vector<Token> open;
  for (Token token = scanner.next(); token.kind != Token::Kind::end; token = scanner.next()) {
    if (token.is('{') || token.is('(') || token.is('[')) open.push_back(token);
    if (!token.is('}') && !token.is(')') && !token.is(']')) continue;
    const char closes = token.is('}') ? '{' : token.is(')') ? '(' : '[';
    if (open.empty() || !open.back().is(closes)) return {Token::Kind::end, {}, token.line};
    open.pop_back();
  }
  return open.empty() ? Token{Token::Kind::end, {}, 0} : open.back();
}

std::string unclosed_text(const Token& bracket) {
  return "the " + std::string(bracket.text) + " of line " + std::to_string(bracket.line) +
         " is never closed";
}

}  // namespace mote::sim
