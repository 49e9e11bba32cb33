#pragma once

#include <spdlog/logger.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace mote::engine {

/// The log of the process. It has no sinks until a program adds some, so a library that uses mote stays
/// silent. Any thread may log, and sinks may come and go meanwhile. Levels: debug for engineers, info for what was chosen and why, warn for what the user should know,
/// error.
spdlog::logger& log();

/// Adds a sink that writes plain timed lines to `path`; throws SystemError when the file cannot be opened.
/// The sink goes away when the returned handle does.
class LogFile {
 public:
  explicit LogFile(const std::string& path);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

 private:
  std::shared_ptr<spdlog::sinks::sink> sink_;
};

/// The last lines of the log, for showing them in a window.
class LogLines {
 public:
  explicit LogLines(std::size_t most = 500);
  ~LogLines();
  LogLines(const LogLines&) = delete;
  LogLines& operator=(const LogLines&) = delete;

  /// The oldest first, "12:30:01 warning: ...".
  std::vector<std::string> lines() const;

 private:
  struct Ring;
  std::shared_ptr<Ring> ring_;
};

/// Adds a sink on standard error: warnings and errors always, info too when `verbose`.
void log_to_terminal(bool verbose);

}  // namespace mote::engine
