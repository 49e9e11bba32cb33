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

/// Where lines of the log are said; `text` is checked against its values when it is compiled. The
/// library behind it is known to log.cpp alone: its own templates would be compiled anew in every
/// file that says something.
class Log {
 public:
  template <class... Values>
  void debug(fmt::format_string<Values...> text, Values&&... values) const {
    say(Level::debug, text, fmt::make_format_args(values...));
  }
  template <class... Values>
  void info(fmt::format_string<Values...> text, Values&&... values) const {
    say(Level::info, text, fmt::make_format_args(values...));
  }
  template <class... Values>
  void warn(fmt::format_string<Values...> text, Values&&... values) const {
    say(Level::warn, text, fmt::make_format_args(values...));
  }
  template <class... Values>
  void error(fmt::format_string<Values...> text, Values&&... values) const {
    say(Level::error, text, fmt::make_format_args(values...));
  }

 private:
  enum class Level { debug, info, warn, error };
  static void say(Level level, fmt::string_view text, fmt::format_args values);
};

/// The log of the process. It has no sinks until a program adds some, so a library that uses mote
/// stays silent. Any thread may log, and sinks may come and go meanwhile. Levels: debug for
/// engineers, info for what was chosen and why, warn for what the user should know, error.
inline Log log() {
  return {};
}

/// How many sinks there are.
std::size_t log_sinks();

/// Takes all sinks away.
void silence_log();

/// Adds a sink that writes plain timed lines to `path`, behind what is there with `append`; throws
/// SystemError when the file cannot be opened. The sink goes away when the returned handle does.
class LogFile {
 public:
  explicit LogFile(const std::string& path, bool append = false);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

 private:
  std::shared_ptr<spdlog::sinks::sink> sink_;
};

/// While it lives, what its thread says goes to the log files alone that were opened in a channel
/// of the same number (and to sinks that are no files), and files that the thread opens hear nobody
/// else but threads of channel 0, which all are in without it: for several runs in one process,
/// each with a log of its own.
class LogChannel {
 public:
  explicit LogChannel(int number);
  ~LogChannel();
  LogChannel(const LogChannel&) = delete;
  LogChannel& operator=(const LogChannel&) = delete;

 private:
  int before_;
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
