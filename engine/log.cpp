#include "engine/log.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <algorithm>

#include "engine/check.h"

namespace mote::engine {

spdlog::logger& log() {
  static spdlog::logger logger = [] {
    spdlog::logger made("mote");
    made.set_level(spdlog::level::debug);
    made.flush_on(spdlog::level::info);
    // Otherwise spdlog itself prints when a sink fails. A full disk is reported by the files that matter.
    made.set_error_handler([](const std::string&) {});
    return made;
  }();
  return logger;
}

LogFile::LogFile(const std::string& path) {
  try {
    sink_ = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path, true);
  } catch (const spdlog::spdlog_ex& e) {
    throw SystemError("open " + path, e.what(), "check that the folder is writable and the disk has space");
  }
  sink_->set_pattern("%Y-%m-%d %H:%M:%S.%e %l: %v");
  log().sinks().push_back(sink_);
}

LogFile::~LogFile() {
  auto& sinks = log().sinks();
  sinks.erase(std::remove(sinks.begin(), sinks.end(), sink_), sinks.end());
}

void log_to_terminal(bool verbose) {
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  sink->set_level(verbose ? spdlog::level::info : spdlog::level::warn);
  sink->set_pattern("mote: %v");
  log().sinks().push_back(sink);
}

}  // namespace mote::engine
