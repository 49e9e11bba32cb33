#include "engine/check.h"

#include <map>
#include <utility>

namespace mote::engine {
namespace {

/// More than so many lines that say the same are one.
constexpr std::size_t most_alike = 3;

/// What is alike in problems that a loop has made: all but the line, and numbers in the path.
std::string likeness(const Diagnostic& d) {
  std::string text = d.place.substr(0, d.place.rfind(':')) + '\n';
  for (const char c : d.key)
    if (c < '0' || c > '9')
      text += c;
    else if (text.back() != '0')
      text += '0';
  return text + '\n' + d.problem + '\n' + d.remedy + '\n' + d.excerpt;
}

std::string join(const std::vector<Diagnostic>& diagnostics) {
  std::map<std::string, std::size_t> alike, shown;
  for (const Diagnostic& d : diagnostics) ++alike[likeness(d)];
  std::string all;
  for (const Diagnostic& d : diagnostics) {
    const std::string like = likeness(d);
    const std::size_t count = alike[like];
    if (count > most_alike && shown[like]++ > 0) continue;
    all += (all.empty() ? "" : "\n") + d.text();
    if (count > most_alike) all += " (and " + std::to_string(count - 1) + " more)";
  }
  return all;
}

}  // namespace

std::string Diagnostic::text() const {
  std::string line;
  if (!place.empty()) line += place + ": ";
  if (!key.empty()) line += key + ": ";
  line += problem;
  if (!remedy.empty()) line += "; " + remedy;
  if (!excerpt.empty())
    line += "\n  " + excerpt + "\n  " + std::string(caret > 0 ? caret - 1 : 0, ' ') + "^";
  return line;
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join(diagnostics)), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(std::string place, std::string problem, std::string remedy)
    : InputError(
          std::vector<Diagnostic>{{std::move(place), "", std::move(problem), std::move(remedy)}}) {}

SystemError::SystemError(const std::string& call, const std::string& reason,
                         const std::string& remedy, const char* file, int line)
    : std::runtime_error(call + ": " + reason + (remedy.empty() ? "" : "; " + remedy)),
      file_(file),
      line_(line) {}

}  // namespace mote::engine
