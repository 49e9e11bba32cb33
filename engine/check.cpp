#include "engine/check.h"

#include <utility>

namespace mote::engine {
namespace {

std::string join(const std::vector<Diagnostic>& diagnostics) {
  std::string all;
  for (const Diagnostic& d : diagnostics) all += (all.empty() ? "" : "\n") + d.text();
  return all;
}

}  // namespace

std::string Diagnostic::text() const {
  std::string line;
  if (!place.empty()) line += place + ": ";
  if (!key.empty()) line += key + ": ";
  line += problem;
  if (!remedy.empty()) line += "; " + remedy;
  if (!excerpt.empty()) line += "\n  " + excerpt + "\n  " + std::string(caret > 0 ? caret - 1 : 0, ' ') + "^";
  return line;
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join(diagnostics)), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(std::string place, std::string problem, std::string remedy)
    : InputError(std::vector<Diagnostic>{{std::move(place), "", std::move(problem), std::move(remedy)}}) {}

SystemError::SystemError(const std::string& call, const std::string& reason, const std::string& remedy,
                         const char* file, int line)
    : std::runtime_error(call + ": " + reason + (remedy.empty() ? "" : "; " + remedy)),
      file_(file),
      line_(line) {}

}  // namespace mote::engine
