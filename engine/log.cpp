#include "engine/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <array>
#include <utility>

#include "engine/check.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::engine {
namespace {

/// All sinks, guarded by a mutex.
const std::shared_ptr<spdlog::sinks::dist_sink_mt>& sinks() {
  static const auto all = std::make_shared<spdlog::sinks::dist_sink_mt>();
  return all;
}

spdlog::logger& logger() {
  static spdlog::logger logger = [] {
    spdlog::logger made("mote", sinks());
    made.set_level(spdlog::level::debug);
    made.flush_on(spdlog::level::info);
    // By default spdlog prints when a sink fails. A full disk is reported by the writers of output
    // files.
    made.set_error_handler([](const std::string&) {});
    return made;
  }();
  return logger;
}

thread_local int channel = 0;

/// Forwards lines logged in its own channel or in channel 0.
class ChannelSink final : public spdlog::sinks::sink {
 public:
  explicit ChannelSink(std::shared_ptr<spdlog::sinks::sink> to)
      : to_(std::move(to)), channel_(channel) {}
  void log(const spdlog::details::log_msg& message) override {
    if (channel == channel_ || channel == 0) to_->log(message);
  }
  void flush() override { to_->flush(); }
  void set_pattern(const std::string& pattern) override { to_->set_pattern(pattern); }
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override {
    to_->set_formatter(std::move(formatter));
  }

 private:
  std::shared_ptr<spdlog::sinks::sink> to_;
  int channel_;
};

}  // namespace

LogChannel::LogChannel(int number) : before_(std::exchange(channel, number)) {}

LogChannel::~LogChannel() {
  channel = before_;
}

void Log::write(Level level, fmt::string_view text, fmt::format_args values) {
  constexpr std::array levels{spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                              spdlog::level::err};
  logger().log(levels[static_cast<std::size_t>(level)], printable(fmt::vformat(text, values)));
}

std::size_t log_sinks() {
  return sinks()->sinks().size();
}

void silence_log() {
  sinks()->set_sinks({});
}

LogFile::LogFile(const std::string& path, bool append) {
  try {
    sink_ = std::make_shared<ChannelSink>(
        std::make_shared<spdlog::sinks::basic_file_sink_mt>(path, !append));
  } catch (const spdlog::spdlog_ex& e) {
    throw SystemError("open " + path, e.what(),
                      "check that the folder is writable and the disk has space");
  }
  sink_->set_pattern("%Y-%m-%d %H:%M:%S.%e %l: %v");
  sinks()->add_sink(sink_);
}

LogFile::~LogFile() {
  sinks()->remove_sink(sink_);
}

struct LogLines::Ring {
  std::shared_ptr<spdlog::sinks::ringbuffer_sink_mt> sink;
};

LogLines::LogLines(std::size_t max)
    : ring_(
          std::make_shared<Ring>(Ring{std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(max)})) {
  ring_->sink->set_level(spdlog::level::info);
  ring_->sink->set_pattern("%H:%M:%S %l: %v");
  sinks()->add_sink(ring_->sink);
}

LogLines::~LogLines() {
  sinks()->remove_sink(ring_->sink);
}

std::vector<std::string> LogLines::lines() const {
  return ring_->sink->last_formatted();
}

void log_to_terminal(bool verbose) {
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  sink->set_level(verbose ? spdlog::level::info : spdlog::level::warn);
  sink->set_color_mode(has_color(stderr) ? spdlog::color_mode::always : spdlog::color_mode::never);
  sink->set_color(spdlog::level::warn, sink->yellow);
  sink->set_color(spdlog::level::err, sink->red);
  sink->set_pattern("%^mote: %v%$");
  sinks()->add_sink(sink);
}

}  // namespace mote::engine
