#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spdlog::sinks {
class sink;
}

namespace mote::engine {

/// Writes lines to the log; format strings are checked at compile time. Only log.cpp includes
/// spdlog, whose templates would otherwise be compiled in every file that logs.
class Log {
 public:
  template <class... Values>
  void debug(fmt::format_string<Values...> text, Values&&... values) const {
    write(Level::debug, text, fmt::make_format_args(values...));
  }
  template <class... Values>
  void info(fmt::format_string<Values...> text, Values&&... values) const {
    write(Level::info, text, fmt::make_format_args(values...));
  }
  template <class... Values>
  void warn(fmt::format_string<Values...> text, Values&&... values) const {
    write(Level::warn, text, fmt::make_format_args(values...));
  }
  template <class... Values>
  void error(fmt::format_string<Values...> text, Values&&... values) const {
    write(Level::error, text, fmt::make_format_args(values...));
  }

 private:
  enum class Level { debug, info, warn, error };
  static void write(Level level, fmt::string_view text, fmt::format_args values);
};

/// The log of the process. It has no sinks until a program adds some, so libmote stays silent by
/// default. Any thread may log, also while sinks are added or removed. Levels: debug for
/// developers, info for choices and their reasons, warn for what the user should know, error.
inline Log log() {
  return {};
}

/// Number of sinks.
std::size_t log_sinks();

/// Removes all sinks.
void silence_log();

/// A sink that writes lines with time stamps to `path`; with `append`, after what is there. Throws
/// SystemError if the file cannot be opened. The destructor removes the sink.
class LogFile {
 public:
  explicit LogFile(const std::string& path, bool append = false);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

 private:
  std::shared_ptr<spdlog::sinks::sink> sink_;
};

/// Puts the calling thread into a channel while it lives, for several runs in one process with
/// separate logs. Threads are in channel 0 otherwise. A log file receives the lines of the channel
/// in which it was opened and of channel 0; other sinks receive all.
class LogChannel {
 public:
  explicit LogChannel(int number);
  ~LogChannel();
  LogChannel(const LogChannel&) = delete;
  LogChannel& operator=(const LogChannel&) = delete;

 private:
  int before_;
};

/// The last lines of the log, to be shown in a window.
class LogLines {
 public:
  explicit LogLines(std::size_t max = 500);
  ~LogLines();
  LogLines(const LogLines&) = delete;
  LogLines& operator=(const LogLines&) = delete;

  /// Oldest first, "12:30:01 warning: ...".
  std::vector<std::string> lines() const;

 private:
  struct Ring;
  std::shared_ptr<Ring> ring_;
};

/// Adds a sink on standard error: warnings and errors always, info too when `verbose`.
void log_to_terminal(bool verbose);

}  // namespace mote::engine
