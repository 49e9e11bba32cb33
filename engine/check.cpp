#include "engine/check.h"

#include <map>
#include <utility>

namespace mote::engine {
namespace {

/// More similar problems than this are merged into one line.
constexpr std::size_t max_similar = 3;

/// Key under which the problems that a loop produces are similar: all but the line and the numbers
/// in the path.
std::string similarity_key(const Diagnostic& d) {
  std::string text = d.place.substr(0, d.place.rfind(':')) + '\n';
  for (const char c : d.key)
    if (c < '0' || c > '9')
      text += c;
    else if (text.back() != '0')
      text += '0';
  return text + '\n' + d.problem + '\n' + d.remedy + '\n' + d.excerpt;
}

std::string join(const std::vector<Diagnostic>& diagnostics) {
  std::map<std::string, std::size_t> similar, shown;
  for (const Diagnostic& d : diagnostics) ++similar[similarity_key(d)];
  std::string all;
  for (const Diagnostic& d : diagnostics) {
    const std::string key = similarity_key(d);
    const std::size_t count = similar[key];
    if (count > max_similar && shown[key]++ > 0) continue;
    all += (all.empty() ? "" : "\n") + d.text();
    if (count > max_similar) all += " (and " + std::to_string(count - 1) + " more)";
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
