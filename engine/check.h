#pragma once

#include <cassert>
#include <stdexcept>
#include <string>
#include <vector>

/// Four kinds of errors:
///   broken contract inside mote      MOTE_EXPECT, an assertion (debug builds, host and device)
///   wrong user input                 InputError: location, problem, remedy; exit code 2
///   machine failure (files, CUDA)    SystemError: call, reason, remedy, source line; exit code 1
///   unhealthy simulation             a bit in sim::StepReport; steps never throw; exit code 3
/// Libraries never print and never exit.
#define MOTE_EXPECT(condition) assert(condition)

/// Exported symbols of libmote.so; all others are hidden.
#define MOTE_API __attribute__((visibility("default")))

namespace mote::engine {

/// One problem in the user's input.
struct MOTE_API Diagnostic {
  std::string place;         ///< location: "scenes/a.lua:7", "--set softening", or empty
  std::string key;           ///< path of the offending value, "gravity.softening", or empty
  std::string problem;       ///< the error, in one clause
  std::string remedy;        ///< the allowed range, a similar name or a command; may be empty
  std::string excerpt = {};  ///< the line of text that contains the error, or empty
  std::size_t caret = 0;     ///< position of the error in the excerpt, from 1
  std::size_t column = 0;    ///< position of the error in the full text, from 1; 0: no excerpt

  /// "place: key: problem; remedy", without what is empty. The excerpt follows on its own line,
  /// with a ^ below the error.
  std::string text() const;
};

/// The user's input is wrong. Carries every problem found, in input order.
class MOTE_API InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  InputError(std::string place, std::string problem, std::string remedy = "");

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// The machine failed: a file, a device, a driver, an allocation.
class MOTE_API SystemError : public std::runtime_error {
 public:
  /// `call`: what was attempted ("write out/series.csv"); `reason`: the system's message; `remedy`:
  /// what to do. The source line is the caller's.
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
