#include <algorithm>

#include "engine/check.h"
#include "engine/text.h"
#include "sim/expression/expression.h"

namespace mote::sim {
namespace {

/// True for a UTF-8 continuation byte.
bool is_continuation(const std::string& text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

/// Adds an excerpt of an expression around the byte `wrong`, counted from 1: one line, cut if long.
/// Everything before the first mistake is ASCII, so that bytes are characters there.
void add_excerpt(engine::Diagnostic& problem, const std::string& text, std::size_t wrong) {
  constexpr std::size_t most = 60;
  const std::size_t at = std::min(wrong, text.size() + 1) - 1;
  std::size_t begin = at > most / 2 ? at - most / 2 : 0;
  begin = std::min(begin, text.size() > most ? text.size() - most : 0);
  std::size_t end = std::min(begin + most, text.size());
  while (is_continuation(text, end)) ++end;
  const std::string before = begin > 0 ? "..." : "";
  problem.excerpt = before + text.substr(begin, end - begin) + (end < text.size() ? "..." : "");
  std::replace_if(
      problem.excerpt.begin(), problem.excerpt.end(),
      [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  problem.caret = before.size() + at - begin + 1;
  problem.column = at + 1;
}

}  // namespace

engine::Diagnostic diagnostic_of(const ExpressionProblem& wrong, const std::string& text,
                                 const std::string& location, const std::string& key) {
  engine::Diagnostic problem{location, key, wrong.problem + ", at character ", wrong.remedy};
  if (engine::is_utf8(text)) add_excerpt(problem, text, wrong.character);
  problem.problem += std::to_string(problem.column > 0 ? problem.column : wrong.character);
  return problem;
}

}  // namespace mote::sim
