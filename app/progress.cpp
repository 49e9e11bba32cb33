#include "app/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "engine/json.h"
#include "engine/text.h"

namespace mote::app {
namespace {

std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

}  // namespace

double progress_interval(ProgressStyle style) {
  return style == ProgressStyle::terminal ? 0.1 : style == ProgressStyle::json ? 1 : 5;
}

std::string progress_bar(double part) {
  const int cells = 24, full = static_cast<int>(part * cells);
  return "[" + std::string(static_cast<std::size_t>(full), '=') +
         std::string(static_cast<std::size_t>(cells - full), ' ') + "]";
}

void RewrittenLine::show(std::string line) {
  line.resize(std::min(line.size(), terminal_columns() - 1));  // a line that wraps cannot be rewritten
  const std::size_t shown = line.size();
  if (shown < width_) line += std::string(width_ - shown, ' ');
  width_ = shown;
  fmt::print(stderr, "\r{}", line);
  std::fflush(stderr);
}

void RewrittenLine::clear() {
  if (width_ > 0) fmt::print(stderr, "\r{}\r", std::string(width_, ' '));
  width_ = 0;
}

ProgressStyle progress_style(bool quiet, bool json) {
  if (json) return ProgressStyle::json;
  if (quiet) return ProgressStyle::none;
  return isatty(STDERR_FILENO) ? ProgressStyle::terminal : ProgressStyle::lines;
}

Progress::Progress(ProgressStyle style, std::uint64_t total_steps, std::string time_unit, std::string what)
    : style_(style),
      total_(total_steps),
      time_unit_(std::move(time_unit)),
      what_(std::move(what)),
      start_(Clock::now()),
      printed_(start_) {}

void Progress::update(std::uint64_t step, double time, std::uint64_t interactions) {
  if (style_ == ProgressStyle::none) return;
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - printed_).count() < progress_interval(style_)) return;
  printed_ = now;
  print(step, time, interactions, std::chrono::duration<double>(now - start_).count());
}

void Progress::print(std::uint64_t step, double time, std::uint64_t interactions, double seconds) {
  const double part = total_ > 0 ? static_cast<double>(step) / static_cast<double>(total_) : 1;
  const double steps_a_second = static_cast<double>(step) / seconds;
  const double pairs_a_second = static_cast<double>(interactions) / seconds;
  const double left = steps_a_second > 0 ? static_cast<double>(total_ - step) / steps_a_second : 0;
  if (style_ == ProgressStyle::json) {
    engine::Json line{{"event", "progress"},
                      {"step", step},
                      {"steps", total_},
                      {"time", time},
                      {"steps_per_second", steps_a_second},
                      {"interactions_per_second", pairs_a_second},
                      {"seconds", seconds},
                      {"seconds_left", left}};
    fmt::print("{}\n", engine::json_text(line));
    std::fflush(stdout);
    return;
  }
  std::string line = fmt::format("{:3.0f} %  {} {} of {}, t = {:.4g}{}{}, {:.3g} {}s/s", 100 * part, what_,
                                 engine::with_thousands(static_cast<long long>(step)),
                                 engine::with_thousands(static_cast<long long>(total_)), time,
                                 time_unit_.empty() ? "" : " ", time_unit_, steps_a_second, what_);
  if (interactions > 0) line += fmt::format(", {:.3g} interactions/s", pairs_a_second);
  line += ", " + engine::duration_text(left) + " left";
  if (style_ == ProgressStyle::terminal) return line_.show(progress_bar(part) + " " + line);
  fmt::print(stderr, "{}\n", line);
  std::fflush(stderr);
}

void Progress::finish() {
  line_.clear();
}

}  // namespace mote::app
