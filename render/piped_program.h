#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mote::render {

/// Path of a program on PATH, as a shell would find it; nothing if it is not there.
std::optional<std::filesystem::path> program_named(std::string_view name);

/// A child process with a pipe to its standard input. No shell is involved. Signals of the terminal
/// (Ctrl+C) do not reach it, and its death raises no SIGPIPE here. Its standard error is kept for
/// error messages; its standard output is discarded.
class PipedProgram {
 public:
  /// Throws engine::SystemError when it cannot be started.
  PipedProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  /// Kills the program if `finish` was not called.
  ~PipedProgram();
  PipedProgram(const PipedProgram&) = delete;
  PipedProgram& operator=(const PipedProgram&) = delete;

  /// Blocks until the program has read all bytes. Throws engine::SystemError with its last error
  /// output when it died.
  void write(std::span<const std::uint8_t> bytes);
  /// Closes its input and waits for its exit. Throws engine::SystemError with its last error output
  /// when it failed.
  void finish();

 private:
  void close_files() noexcept;
  int wait() noexcept;
  [[noreturn]] void fail(const std::string& reason);
  std::string last_error_output() const;

  std::string name_;
  pid_t process_ = -1;  ///< -1: none is running
  int input_ = -1, errors_ = -1;
};

}  // namespace mote::render
