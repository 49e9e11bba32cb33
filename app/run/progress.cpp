#include "app/run/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "app/run/block_steps_text.h"
#include "engine/json.h"
#include "engine/readable.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::app {
namespace {

/// Width of the progress bar.
constexpr std::size_t max_cells = 24, min_cells = 6;

}  // namespace

double progress_interval(ProgressStyle style) {
  return style == ProgressStyle::terminal ? 0.1 : style == ProgressStyle::json ? 1 : 5;
}

std::string ProgressText::text() const {
  std::string line = head;
  for (const std::string& detail : details) line += ", " + detail;
  return line;
}

std::string ProgressText::fitted(std::size_t columns) const {
  std::string line = head.substr(0, columns);
  for (const std::string& detail : details) {
    if (line.size() + 2 + detail.size() > columns) break;
    line += ", " + detail;
  }
  const std::size_t around = std::strlen("[] ");
  const std::size_t left = columns - line.size();
  if (left < around + min_cells) return line;
  const std::size_t cells = std::min(max_cells, left - around);
  const auto full =
      static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(cells));
  return "[" + std::string(full, '=') + std::string(cells - full, ' ') + "] " + line;
}

void RewrittenLine::show(const ProgressText& words) {
  std::string line = words.fitted(engine::columns_of(stderr) - 1);  // a line that wraps cannot be
                                                                    // rewritten
  const std::size_t shown = line.size();
  if (shown < width_) line += std::string(width_ - shown, ' ');
  width_ = shown;
  engine::print(stderr, "\r{}", line);
}

void RewrittenLine::clear() {
  if (width_ > 0) engine::print(stderr, "\r{}\r", std::string(width_, ' '));
  width_ = 0;
}

ProgressStyle progress_style(bool quiet, bool json) {
  if (json) return ProgressStyle::json;
  if (quiet) return ProgressStyle::none;
  return isatty(STDERR_FILENO) ? ProgressStyle::terminal : ProgressStyle::lines;
}

Progress::Progress(ProgressStyle style, std::uint64_t total_steps, const engine::UnitSystem& units,
                   std::string what)
    : style_(style),
      total_(total_steps),
      units_(units),
      what_(std::move(what)),
      start_(Clock::now()),
      printed_(start_) {}

void Progress::update(std::uint64_t step, double time, std::uint64_t interactions) {
  if (style_ == ProgressStyle::none) return;
  if (!std::exchange(counting_, true)) first_step_ = step, first_interactions_ = interactions;
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - printed_).count() < progress_interval(style_)) return;
  printed_ = now;
  print(step, time, interactions, std::chrono::duration<double>(now - start_).count());
}

void Progress::print(std::uint64_t step, double time, std::uint64_t interactions, double seconds) {
  const double fraction = total_ > 0 ? static_cast<double>(step) / static_cast<double>(total_) : 1;
  const double steps_a_second = static_cast<double>(step - first_step_) / seconds;
  const double pairs_a_second = static_cast<double>(interactions - first_interactions_) / seconds;
  const double left = steps_a_second > 0 ? static_cast<double>(total_ - step) / steps_a_second : 0;
  const auto block_steps = block_steps_ ? block_steps_() : std::nullopt;
  if (style_ == ProgressStyle::json) {
    engine::Json line{{"event", "progress"},
                      {"step", step},
                      {"steps", total_},
                      {"time", time},
                      {"steps_per_second", steps_a_second},
                      {"interactions_per_second", pairs_a_second},
                      {"seconds", seconds},
                      {"seconds_left", left}};
    if (block_steps) {
      line["bins"] = block_steps->in_use();
      line["shortest_step"] = block_steps->shortest();
    }
    engine::print("{}\n", engine::json_text(line));
    std::fflush(stdout);
    return;
  }
  ProgressText words{
      fraction,
      fmt::format("{:3.0f} %, {} left", 100 * fraction, engine::duration_text(left)),
      {fmt::format("{} {} of {}", what_, engine::with_thousands(static_cast<long long>(step)),
                   engine::with_thousands(static_cast<long long>(total_))),
       "t = " + engine::readable_time(time, units_),
       fmt::format("{:.3g} {}s/s", steps_a_second, what_)}};
  if (interactions > 0)
    words.details.push_back(fmt::format("{:.3g} interactions/s", pairs_a_second));
  if (block_steps) words.details.push_back(block_steps_text(*block_steps, units_));
  if (style_ == ProgressStyle::terminal) return line_.show(words);
  engine::print(stderr, "{}\n", words.text());
}

void Progress::finish() {
  line_.clear();
}

}  // namespace mote::app
