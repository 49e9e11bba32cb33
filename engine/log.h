#pragma once

#include <spdlog/logger.h>

#include <memory>
#include <string>

namespace mote::engine {

/// The log of the process. It has no sinks until a program adds some, so a library that uses mote stays
/// silent. Levels: debug for engineers, info for what was chosen and why, warn for what the user should know,
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

/// Adds a sink on standard error: warnings and errors always, info too when `verbose`.
void log_to_terminal(bool verbose);

}  // namespace mote::engine
