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

/// Where a program is on PATH, as a shell would find it; nothing when it is not there.
std::optional<std::filesystem::path> program_named(std::string_view name);

/// Another program that runs beside this one and reads its standard input from here. No shell is
/// involved. Signals of the terminal (Ctrl+C) do not reach it, and its death raises no SIGPIPE
/// here. What it writes to standard error is kept for error messages; its standard output is thrown
/// away.
class PipedProgram {
 public:
  /// Throws engine::SystemError when it cannot be started.
  PipedProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  /// Kills the program when `finish` was not called.
  ~PipedProgram();
  PipedProgram(const PipedProgram&) = delete;
  PipedProgram& operator=(const PipedProgram&) = delete;

  /// Waits until the program has taken all bytes. Throws engine::SystemError with its last words
  /// when it died.
  void write(std::span<const std::uint8_t> bytes);
  /// Ends its input and waits for its end. Throws engine::SystemError with its last words when it
  /// failed.
  void finish();

 private:
  void close_files() noexcept;
  int wait() noexcept;
  [[noreturn]] void fail(const std::string& reason);
  std::string last_words() const;

  std::string name_;
  pid_t process_ = -1;  ///< -1: none is running
  int input_ = -1, errors_ = -1;
};

}  // namespace mote::render
