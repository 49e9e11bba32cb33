#include "app/view/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "app/view/orbits.h"
#include "engine/check.h"
#include "engine/log.h"
#include "sim/run/checkpoint.h"
#include "sim/run/opening.h"
#include "sim/run/schedule.h"

namespace mote::app {
namespace {

/// Stepping looks up so often, to hand out frames and to tell how it goes.
constexpr double slice_seconds = 0.01;

double seconds_of(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

double clock_seconds() {
  return seconds_of(std::chrono::steady_clock::now().time_since_epoch());
}

/// A scene that says when it ends takes half a minute to get there, on a machine that is fast enough.
double first_rate(const sim::SceneDescription& scene) {
  constexpr double seconds = 30;
  if (scene.stop.time) return *scene.stop.time / seconds;
  if (scene.stop.steps) return static_cast<double>(*scene.stop.steps) * scene.integrator.dt / seconds;
  return 0;
}

}  // namespace

Session::Session(Opened opened, const Options& options)
    : opened_(std::move(opened)),
      count_(opened_.simulation->count()),
      simulation_(*opened_.simulation),
      history_budget_(options.history),
      rows_(static_cast<std::uint64_t>(opened_.plan.series_steps)) {
  if (options.record) recorder_.emplace(*options.record, opened_);
  pace_.set_rate(first_rate(opened_.scene));
  for (engine::Index i = 0; i < count_ && count_ <= most_orbits; ++i)
    names_.push_back(simulation_.name(static_cast<std::uint32_t>(i)));
  publish();
  thread_ = std::thread([this] { loop(); });
}

Session::~Session() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  post([this] { quit_ = true; });
  thread_.join();
}

const std::string& Session::name(std::uint32_t id) const {
  static const std::string nameless;
  return id < names_.size() ? names_[id] : nameless;
}

void Session::run(bool on) {
  post_in_turn(
      [this, on] {
        if (mode_ == Mode::unhealthy) return;
        past_end_ = false;
        past_end_ = on && steps_to_end() == 0;
        mode_ = on ? Mode::running : Mode::paused;
        pace_.start(clock_seconds(), simulation_.time());
      },
      !on);
}

void Session::step(std::int64_t steps) {
  post_in_turn(
      [this, steps] {
        const std::uint64_t now = mode_ == Mode::seeking ? going_to_ : simulation_.step();
        const auto far = static_cast<std::uint64_t>(steps < 0 ? -steps : steps);
        if (steps < 0) {
          going_to_ = std::max(history_->first(), now - std::min(now, far));
        } else if (now < history_->last()) {
          going_to_ = std::min(now + far, history_->last());
        } else {
          if (mode_ == Mode::unhealthy) return;
          going_to_ = now + far;  // new steps, which are taken like those of a search
        }
        mode_ = Mode::seeking;
      },
      true);
}

void Session::seek(std::uint64_t step) {
  post_in_turn(
      [this, step] {
        going_to_ = std::clamp(step, history_->first(), history_->last());
        mode_ = Mode::seeking;
      },
      true);
}

void Session::edit(const std::string& path, const engine::ParamValue& value) {
  {
    const std::lock_guard lock(mutex_);
    edits_posted_.emplace_back(path, value);
  }
  post_in_turn(
      [this, path, value] {
        ++edits_done_;
        if (sim::live_value(simulation_.live(), path) == value) return;
        history_->edit(path, value);
        if (mode_ == Mode::unhealthy) mode_ = Mode::paused;
        pace_.start(clock_seconds(), simulation_.time());
        ++version_;
      },
      false);
}

void Session::set_rate(double rate) {
  post([this, rate] {
    pace_.set_rate(rate);
    pace_.start(clock_seconds(), simulation_.time());
  });
}

void Session::follow(std::optional<engine::Index> column) {
  post([this, column] {
    follow_ = column;
    ++version_;
  });
}

void Session::tell_bodies(bool on) {
  if (std::exchange(tells_bodies_, on) == on) return;
  post([this, on] { tell_bodies_ = on && count_ <= most_orbits; });
}

void Session::ask_hash() {
  post([this] {
    hash_ = simulation_.hash();
    hash_step_ = simulation_.step();
  });
}

void Session::ask_extent(sim::Scalar scalar) {
  post([this, scalar] {
    const std::pair answer(sim::extent(simulation_), sim::color_range(simulation_, scalar));
    const std::lock_guard lock(mutex_);
    extent_ = answer;
  });
}

void Session::ask_histogram(const sim::HistogramRequest& request) {
  post([this, request] {
    sim::Histogram histogram = simulation_.histogram(request);
    const std::lock_guard lock(mutex_);
    histogram_ = {version_, std::move(histogram)};
  });
}

void Session::checkpoint(const std::filesystem::path& file) {
  post_in_turn(
      [this, file] {
        sim::write_checkpoint(file, simulation_, opened_.scene, opened_.plan, history_->edits_so_far());
        engine::log().info("checkpoint of step {}: {}", simulation_.step(), file.string());
      },
      false);
}

SessionStatus Session::status() const {
  const std::lock_guard lock(mutex_);
  SessionStatus status = status_;
  // A slider must not jump back while a long step is taken.
  for (const auto& [path, value] : edits_posted_) {
    try {
      sim::set_live(status.live, path, value);
    } catch (const engine::InputError&) {
      continue;  // the thread will say so
    }
  }
  return status;
}

void Session::update(sim::Rows& rows) const {
  const std::lock_guard lock(mutex_);
  rows.follow(shared_rows_);
}

std::optional<std::pair<sim::Extent, sim::ValueRange>> Session::take_extent() {
  const std::lock_guard lock(mutex_);
  return std::exchange(extent_, std::nullopt);
}

ShownHistogram Session::histogram() const {
  const std::lock_guard lock(mutex_);
  return histogram_;
}

void Session::offer(const render::SharedPlace& place, const FrameWish& wish) {
  {
    const std::lock_guard lock(mutex_);
    offered_.emplace(place, wish);
  }
  asked_ = true;
  wake_.notify_one();
}

std::optional<PackedFrame> Session::take_packed() {
  const std::lock_guard lock(mutex_);
  return std::exchange(frame_, std::nullopt);
}

bool Session::withdraw() {
  std::unique_lock lock(mutex_);
  packed_.wait(lock, [this] { return !packing_; });
  if (!offered_) return false;
  offered_.reset();
  return true;
}

bool Session::idle() const {
  const std::lock_guard lock(mutex_);
  return commands_.empty() && !busy_ && !status_.going_to && status_.mode != Mode::running;
}

void Session::post(Command command) {
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
  }
  asked_ = true;
  wake_.notify_one();
}

/// For a command that may not be done in the middle of a search of the past. One that `redirects` a search is done at
/// once, unless others wait already: all are done in their order.
void Session::post_in_turn(Command command, bool redirects) {
  post([this, command = std::move(command), redirects] {
    if (after_seek_.empty() && (redirects || mode_ != Mode::seeking)) return command();
    const auto again = [this, command, redirects] {
      if (after_seek_.empty() && (redirects || mode_ != Mode::seeking)) return command();
      after_seek_.push_back(command);
    };
    after_seek_.push_back(again);
  });
}

void Session::loop() {
  if (!begin()) return swallow();
  while (!quit_) {
    bool more = false;
    try {
      more = work();
      publish();
    } catch (const std::exception& e) {
      // What failed once would fail again at once.
      if (mode_ != Mode::unhealthy) mode_ = Mode::paused;
      edits_done_ += after_seek_.size();  // at most so many edits wait
      after_seek_.clear();
      follow_.reset();
      tell_bodies_ = false;
      fail(e.what());
      publish();
    }
    if (quit_ || more) continue;
    std::unique_lock lock(mutex_);
    busy_ = false;
    const auto something = [this] { return !commands_.empty() || offered_.has_value(); };
    // Speeds that are shown fade when nothing happens.
    const double wait = mode_ == Mode::running
                            ? pace_.wait(clock_seconds(), simulation_.time(), simulation_.dt())
                        : speed_.busy() > 1e-3 ? 0.1
                                               : 3600;
    wake_.wait_for(lock, std::chrono::duration<double>(std::min(wait, 3600.0)), something);
    busy_ = true;
  }
  finish();
}

/// False when there is no memory, or the device has failed.
bool Session::begin() {
  try {
    add_row(simulation_.measure());
    history_.emplace(simulation_, history_budget_, opened_.past);
    return true;
  } catch (const std::exception& e) {
    mode_ = Mode::unhealthy;
    fail(e.what());
    publish();
    return false;
  }
}

/// Nothing can be done but to wait for the end.
void Session::swallow() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    commands_.clear();
    busy_ = false;
    wake_.wait(lock, [this] { return ending_ || !commands_.empty(); });
  }
}

void Session::finish() {
  if (!recorder_) return;
  try {
    // Someone who looked at the past has not given up what came behind.
    if (mode_ != Mode::unhealthy && history_->last() != bad_step_) history_->seek(history_->last(), {});
    const sim::StepReport good;
    recorder_->finish(simulation_, history_->edits_so_far(), mode_ == Mode::unhealthy ? bad_ : good,
                      stepping_seconds_);
  } catch (const std::exception& e) {
    engine::log().error("the run could not be made whole: {}", e.what());
  }
}

/// One round: what was asked for, a frame, some steps. True when there is more to do at once.
bool Session::work() {
  asked_ = false;
  do_commands();
  if (quit_) return false;
  pack_offered();
  const auto start = Clock::now();
  const double time = simulation_.time();
  const std::uint64_t interactions = simulation_.interactions(), steps = steps_done_;
  const std::uint64_t step = simulation_.step();
  const bool sought = mode_ == Mode::seeking && going_to_ <= history_->last();
  if (mode_ == Mode::running) advance();
  if (mode_ == Mode::seeking) continue_seek();
  const std::uint64_t taken = steps_done_ - steps;
  const double seconds = seconds_of(Clock::now() - start);
  if (taken > 0) stepping_seconds_ += seconds;
  // Where a kept state was taken up again, more steps lie between than were taken: that is no speed.
  const bool stepped = simulation_.step() - step == taken && !sought && simulation_.time() > time;
  if (taken > 0 && stepped)
    speed_.add(taken, simulation_.interactions() - interactions, simulation_.time() - time, seconds);
  if (simulation_.step() != step) ++version_;
  if (mode_ == Mode::seeking) return true;
  if (mode_ != Mode::running) return asked_;
  return asked_ || pace_.wait(clock_seconds(), simulation_.time(), simulation_.dt()) <= 0;
}

void Session::do_commands() {
  std::vector<Command> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
    busy_ = true;
  }
  do_all(commands);
}

void Session::do_all(const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    try {
      const std::uint64_t step = simulation_.step();
      command();
      cut_rows(step);
      if (simulation_.step() != step) ++version_;
    } catch (const std::exception& e) {
      fail(e.what());
    }
  }
}

/// Rows behind a step at which another past began are void.
void Session::cut_rows(std::uint64_t step) {
  if (history_->branch() == rows_branch_) return;
  rows_branch_ = history_->branch();
  rows_.cut(step);
  if (recorder_) recorder_->cut(step);
}

void Session::take_steps(std::uint64_t steps, const std::function<bool()>& stop) {
  const std::uint64_t before = simulation_.step();
  const auto use = [&](const sim::Measurement& m) {
    cut_rows(before);
    add_row(m);
  };
  take_report(history_->advance(steps, recorder_ ? recorder_->every() : rows_.every(), stop, use));
  cut_rows(before);
}

void Session::pack_offered() {
  std::pair<render::SharedPlace, FrameWish> job;
  {
    const std::lock_guard lock(mutex_);
    if (!offered_) return;
    job = *offered_;
    offered_.reset();
    packing_ = true;
  }
  const auto start = Clock::now();
  PackedFrame frame;
  frame.place = job.first;
  frame.origin = job.second.origin;
  frame.step = simulation_.step();
  frame.version = version_;
  frame.time = simulation_.time();
  const render::SharedPlace& place = job.first;
  try {
    if (job.second.follow && *job.second.follow < count_) {
      frame.origin = simulation_.body(*job.second.follow).position;
      frame.follow = job.second.follow;
    }
    simulation_.pack({place.positions, place.scalars, frame.origin, job.second.scalar, place.on_device,
                      place.ready, place.done});
  } catch (const std::exception& e) {
    frame.written = false;  // the window waits for the place
    fail(e.what());
  }
  pack_seconds_ = seconds_of(Clock::now() - start);
  const std::lock_guard lock(mutex_);
  frame_ = frame;
  packing_ = false;
  packed_.notify_all();
}

/// Says when a slice of stepping is over: after some seconds, or when something was asked for. The first question is always
/// answered with no, so that many small commands do not bring stepping to a halt.
std::function<bool()> Session::stop_after(double seconds) {
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  return [this, end, first = true]() mutable {
    if (std::exchange(first, false)) return false;
    return asked_.load(std::memory_order_relaxed) || Clock::now() >= end;
  };
}

/// From here, with the step as it is now.
std::uint64_t Session::steps_to_end() const {
  const auto& stop = opened_.scene.stop;
  const std::uint64_t now = simulation_.step();
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  if (past_end_) return end;
  if (stop.time) {
    const sim::Clockwork& clock = simulation_.clockwork();
    const double left = *stop.time - clock.base_time;
    end = left > 0 ? clock.base_step + sim::step_at(left, simulation_.dt()) : now;
  }
  if (stop.steps) end = std::min(end, static_cast<std::uint64_t>(*stop.steps));
  return end > now ? end - now : 0;
}

void Session::advance() {
  const std::uint64_t due = pace_.due(clock_seconds(), simulation_.time(), simulation_.dt());
  const std::uint64_t steps = std::min(due, steps_to_end());
  if (steps == 0 && due > 0) {
    mode_ = Mode::paused;
    return tell("the scene ends here; run on as you like");
  }
  if (steps > 0) take_steps(steps, stop_after(slice_seconds));
}

void Session::continue_seek() {
  const std::uint64_t before = simulation_.step();
  const auto stop = stop_after(3 * slice_seconds);
  if (going_to_ > history_->last()) {
    take_steps(going_to_ - before, stop);
    if (mode_ == Mode::seeking && simulation_.step() >= going_to_) mode_ = Mode::paused;
  } else {
    if (history_->seek(going_to_, stop)) mode_ = Mode::paused;
    steps_done_ += simulation_.step() > before ? simulation_.step() - before : 0;
  }
  ++version_;
  if (mode_ != Mode::seeking) do_all(std::exchange(after_seek_, {}));
}

void Session::take_report(const sim::StepReport& report) {
  steps_done_ += report.steps;
  if (report.health == sim::Health::good) {
    const auto limit = opened_.scene.health.energy_error;
    const auto& rows = rows_.all();
    if (!limit || rows.empty()) return;
    if (std::abs(rows.back().energy_error) <= *limit) {
      drift_told_ = false;
      return;
    }
    if (!drift_told_ && mode_ == Mode::running && rows.back().step + rows_.every() >= simulation_.step()) {
      drift_told_ = true;
      mode_ = Mode::paused;
      fail(fmt::format("the energy error {:.3g} passed the scene's limit {:.3g}", rows.back().energy_error,
                       *limit));
    }
    return;
  }
  mode_ = Mode::unhealthy;
  bad_ = report;
  bad_step_ = simulation_.step();
  const auto id = static_cast<std::uint32_t>(report.offender);
  const std::string& name = simulation_.name(id);
  fail(fmt::format(
      "body {}{} is no longer finite at step {}; go back, and take a smaller step or more softening", id,
      name.empty() ? "" : " (" + name + ")", simulation_.step()));
}

void Session::add_row(const sim::Measurement& measurement) {
  rows_.add(measurement);
  if (recorder_) recorder_->row(measurement);
}

void Session::tell(const std::string& message) {
  message_ = message;
  ++messages_;
}

void Session::fail(const std::string& message) {
  if (message == message_) return;  // a frame that fails is asked for again
  tell(message);
  engine::log().warn("{}", message);
}

void Session::publish() {
  SessionStatus s;
  s.mode = mode_;
  s.step = simulation_.step();
  s.first = s.last = s.step;
  s.time = simulation_.time();
  s.dt = simulation_.dt();
  s.version = version_;
  if (mode_ == Mode::seeking) s.going_to = going_to_;
  s.live = simulation_.live();
  s.budget = history_budget_;
  if (history_) {
    s.first = history_->first();
    s.last = history_->last();
    s.branch = history_->branch();
    s.kept = history_->kept_steps();
    s.edits = history_->edits();
    s.kept_bytes = history_->bytes();
  }
  speed_.tick(clock_seconds());
  s.steps_per_second = speed_.steps();
  s.interactions_per_second = speed_.interactions();
  s.time_per_second = speed_.time();
  s.simulate_part = speed_.busy();
  s.pack_milliseconds = 1e3 * pack_seconds_;
  s.wanted_rate = pace_.rate();
  s.limited = mode_ == Mode::running && pace_.limited();
  s.message = message_;
  s.messages = messages_;
  s.hash = hash_;
  s.hash_step = hash_step_;
  s.steps_done = steps_done_;
  if (follow_ && *follow_ < count_) {
    s.body = simulation_.body(*follow_);
    s.body_name = simulation_.name(s.body->id);
  }
  if (tell_bodies_)
    for (engine::Index i = 0; i < count_; ++i) s.bodies.push_back(sim::body_numbers(simulation_.state(), i));
  const std::lock_guard lock(mutex_);
  status_ = std::move(s);
  const std::size_t done = std::min(std::exchange(edits_done_, 0), edits_posted_.size());
  edits_posted_.erase(edits_posted_.begin(), edits_posted_.begin() + static_cast<std::ptrdiff_t>(done));
  shared_rows_.follow(rows_);
}

}  // namespace mote::app
