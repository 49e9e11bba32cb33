#pragma once

#include <cassert>
#include <stdexcept>
#include <string>
#include <vector>

/// Four kinds of trouble, four answers:
/// - a broken contract inside mote: MOTE_EXPECT, an assertion (debug builds, host and device);
/// - the user's input is wrong: InputError with problem, place and remedy; the program ends with
/// code 2;
/// - the machine fails (files, CUDA, GL): SystemError with call, reason, remedy and source line;
/// code 1;
/// - a simulation becomes unhealthy: a bit in sim::StepReport, nothing is thrown inside a step;
/// code 3. Libraries never print and never exit.
#define MOTE_EXPECT(condition) assert(condition)

/// What libmote.so shows to those who link it; all else is hidden in there.
#define MOTE_API __attribute__((visibility("default")))

namespace mote::engine {

/// One thing that is wrong with what the user gave.
struct MOTE_API Diagnostic {
  std::string place;    ///< "scenes/a.lua:7", "--set softening", or empty when there is none
  std::string key;      ///< path of the offending value, "gravity.softening", or empty
  std::string problem;  ///< what is wrong, in one clause
  std::string remedy;   ///< what would be right: the allowed range, a similar name, a command; may
                        ///< be empty
  std::string excerpt = {};  ///< the text in which something is wrong, one line of it, or empty
  std::size_t caret = 0;     ///< which character of the excerpt is wrong, from 1
  std::size_t column = 0;    ///< which character of the whole text that is, from 1; 0 when there is
                             ///< no excerpt

  /// "place: key: problem; remedy", leaving out what is empty; the excerpt in a line below, and a ^
  /// below its character.
  std::string text() const;
};

/// The user's input is wrong. Carries every problem that was found, in the order of the input.
class MOTE_API InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  InputError(std::string place, std::string problem, std::string remedy = "");

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// The machine failed: a file, a device, a driver, memory.
class MOTE_API SystemError : public std::runtime_error {
 public:
  /// `call`: what was attempted ("write out/series.csv"); `reason`: what the system said; `remedy`:
  /// what to do. The place in the source is that of the caller.
  SystemError(const std::string& call, const std::string& reason, const std::string& remedy,
              const char* file = __builtin_FILE(), int line = __builtin_LINE());

  SystemError(const SystemError&) = default;
  SystemError& operator=(const SystemError&) = default;

  const char* file() const { return file_; }
  int line() const { return line_; }

 private:
  const char* file_;
  int line_;
};

}  // namespace mote::engine
