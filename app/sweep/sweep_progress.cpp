#include "app/sweep/sweep_progress.h"

#include <fmt/format.h>

#include <cstdio>

#include "engine/json.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::app {
namespace {

int ended(const SweepCounts& counts) {
  return counts.done + counts.failures();
}

ProgressText words_of(const SweepCounts& counts, int total, int running, double rate, double left) {
  const double part = static_cast<double>(ended(counts)) / total;
  ProgressText words{part, fmt::format("{} of {} done", engine::with_thousands(counts.done),
                                       engine::with_thousands(total))};
  if (rate > 0) words.head += ", " + engine::duration_text(left) + " left";
  const auto add = [&](int count, const char* what) {
    if (count > 0) words.details.push_back(engine::with_thousands(count) + what);
  };
  add(counts.unhealthy, " unhealthy");
  add(counts.failed, " failed");
  words.details.push_back(std::to_string(running) + " running");
  words.details.push_back(fmt::format("{:.3g} runs/s", rate));
  return words;
}

}  // namespace

SweepProgress::SweepProgress(ProgressStyle style, int total, int before)
    : style_(style), total_(total), before_(before), start_(Clock::now()), printed_(start_) {}

double SweepProgress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

double SweepProgress::rate(const SweepCounts& counts) const {
  return (ended(counts) - before_) / seconds();
}

void SweepProgress::update(const SweepCounts& counts, int running) {
  if (style_ == ProgressStyle::none) return;
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - printed_).count() < progress_interval(style_)) return;
  printed_ = now;
  const double per_second = rate(counts);
  const double left = per_second > 0 ? (total_ - ended(counts)) / per_second : 0;
  const ProgressText words = words_of(counts, total_, running, per_second, left);
  if (style_ == ProgressStyle::terminal) return line_.show(words);
  if (style_ == ProgressStyle::lines) {
    engine::print(stderr, "{}\n", words.text());
    return;
  }
  engine::print("{}\n", engine::json_text(engine::Json{{"event", "progress"},
                                                       {"done", counts.done},
                                                       {"unhealthy", counts.unhealthy},
                                                       {"failed", counts.failed},
                                                       {"running", running},
                                                       {"jobs", total_},
                                                       {"runs_per_second", per_second},
                                                       {"seconds", seconds()},
                                                       {"seconds_left", left}}));
  std::fflush(stdout);
}

void SweepProgress::job(const JobResult& result) {
  if (style_ != ProgressStyle::json) return;
  const bool hashed = result.last->is_object();
  engine::Json line{
      {"event", "job"}, {"job", result.job}, {"status", result.status}, {"reason", result.reason}};
  for (const char* key : {"seconds", "state_hash"})
    if (hashed && result.last->contains(key)) line[key] = result.last->at(key);
  engine::print("{}\n", engine::json_text(line));
  std::fflush(stdout);
}

}  // namespace mote::app
