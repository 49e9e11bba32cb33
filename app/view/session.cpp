#include "app/view/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "app/view/orbits.h"
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

std::uint64_t end_of(const sim::SceneDescription& scene) {
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  if (scene.stop.time) end = std::min(end, sim::step_at(*scene.stop.time, scene.integrator.dt));
  if (scene.stop.steps) end = std::min(end, static_cast<std::uint64_t>(*scene.stop.steps));
  return end;
}

}  // namespace

Session::Session(Opened opened, const Options& options)
    : opened_(std::move(opened)),
      count_(opened_.simulation->count()),
      simulation_(*opened_.simulation),
      history_(simulation_, options.history, opened_.past),
      rows_(static_cast<std::uint64_t>(opened_.plan.series_steps)),
      stop_at_(end_of(opened_.scene)) {
  if (options.record) recorder_.emplace(*options.record, opened_);
  pace_.set_rate(first_rate(opened_.scene));
  add_row(simulation_.measure());
  publish();
  thread_ = std::thread([this] { loop(); });
}

Session::~Session() {
  post([this] { quit_ = true; });
  thread_.join();
}

void Session::run(bool on) {
  post([this, on] {
    if (mode_ == Mode::unhealthy) return;
    if (on && simulation_.step() >= stop_at_) stop_at_ = std::numeric_limits<std::uint64_t>::max();
    mode_ = on ? Mode::running : Mode::paused;
    pace_.start(clock_seconds(), simulation_.time());
  });
}

void Session::step(std::int64_t steps) {
  post([this, steps] {
    const std::uint64_t now = mode_ == Mode::seeking ? going_to_ : simulation_.step();
    if (steps < 0 || now < history_.last()) {
      const auto back = static_cast<std::uint64_t>(steps < 0 ? -steps : 0);
      going_to_ = steps < 0 ? std::max(history_.first(), now - std::min(now, back))
                            : std::min(now + static_cast<std::uint64_t>(steps), history_.last());
      mode_ = Mode::seeking;
      return;
    }
    if (mode_ == Mode::unhealthy) return;
    mode_ = Mode::paused;
    take_steps(static_cast<std::uint64_t>(steps), {});
  });
}

void Session::seek(std::uint64_t step) {
  post([this, step] {
    going_to_ = std::clamp(step, history_.first(), history_.last());
    mode_ = Mode::seeking;
  });
}

void Session::edit(const std::string& path, const engine::ParamValue& value) {
  post([this, path, value] {
    history_.edit(path, value);
    if (mode_ == Mode::unhealthy) mode_ = Mode::paused;
    pace_.start(clock_seconds(), simulation_.time());
    ++version_;
  });
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
  post([this, file] {
    sim::write_checkpoint(file, simulation_, opened_.scene, opened_.plan, history_.edits_so_far());
    engine::log().info("checkpoint of step {}: {}", simulation_.step(), file.string());
  });
}

SessionStatus Session::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
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

void Session::loop() {
  while (!quit_) {
    bool more = false;
    try {
      more = work();
    } catch (const std::exception& e) {
      fail(e.what());
    }
    publish();
    if (quit_ || more) continue;
    std::unique_lock lock(mutex_);
    busy_ = false;
    const auto something = [this] { return !commands_.empty() || offered_.has_value(); };
    const double wait =
        mode_ == Mode::running ? pace_.wait(clock_seconds(), simulation_.time(), simulation_.dt()) : 3600;
    wake_.wait_for(lock, std::chrono::duration<double>(std::min(wait, 3600.0)), something);
    busy_ = true;
  }
  if (!recorder_) return;
  try {
    sim::StepReport end;
    if (mode_ == Mode::unhealthy) end.health = sim::Health::not_finite;
    recorder_->finish(simulation_, history_.edits_so_far(), end, 0);
  } catch (const std::exception& e) {
    engine::log().error("the run could not be made whole: {}", e.what());
  }
}

/// One round: what was asked for, a frame, some steps. True when there is more to do at once.
bool Session::work() {
  asked_ = false;
  do_commands();
  pack_offered();
  const auto start = Clock::now();
  const double time = simulation_.time();
  const std::uint64_t interactions = simulation_.interactions(), steps = steps_done_;
  const std::uint64_t step = simulation_.step();
  if (mode_ == Mode::running) advance();
  if (mode_ == Mode::seeking) continue_seek();
  const std::uint64_t taken = steps_done_ - steps;
  const double seconds = seconds_of(Clock::now() - start);
  if (taken > 0 && mode_ != Mode::seeking && simulation_.time() > time)
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
  if (history_.branch() == rows_branch_) return;
  rows_branch_ = history_.branch();
  rows_.cut(step);
  if (recorder_) recorder_->cut(step);
}

void Session::take_steps(std::uint64_t steps, const std::function<bool()>& stop) {
  const std::uint64_t before = simulation_.step();
  const auto use = [&](const sim::Measurement& m) {
    cut_rows(before);
    add_row(m);
  };
  take_report(history_.advance(steps, recorder_ ? recorder_->every() : rows_.every(), stop, use));
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
  PackedFrame frame{job.first, job.second.origin, simulation_.step(), version_, simulation_.time()};
  if (job.second.follow && *job.second.follow < count_)
    frame.origin = simulation_.body(*job.second.follow).position;
  const render::SharedPlace& place = job.first;
  simulation_.pack({place.positions, place.scalars, frame.origin, job.second.scalar, place.on_device,
                    place.ready, place.done});
  pack_seconds_ = seconds_of(Clock::now() - start);
  const std::lock_guard lock(mutex_);
  frame_ = frame;
  packing_ = false;
  packed_.notify_all();
}

void Session::advance() {
  const std::uint64_t due = pace_.due(clock_seconds(), simulation_.time(), simulation_.dt());
  const std::uint64_t now = simulation_.step();
  const std::uint64_t steps = std::min(due, stop_at_ > now ? stop_at_ - now : 0);
  if (steps == 0 && due > 0) {
    mode_ = Mode::paused;
    message_ = "the scene ends here; run on as you like";
    return;
  }
  const auto end = Clock::now() +
                   std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(slice_seconds));
  const auto stop = [&] { return asked_.load(std::memory_order_relaxed) || Clock::now() >= end; };
  take_steps(steps, stop);
}

void Session::continue_seek() {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(3 * slice_seconds));
  const std::uint64_t before = simulation_.step();
  const bool there =
      history_.seek(going_to_, [&] { return asked_.load(std::memory_order_relaxed) || Clock::now() >= end; });
  steps_done_ += simulation_.step() > before ? simulation_.step() - before : 0;
  ++version_;
  if (there) mode_ = Mode::paused;
}

void Session::take_report(const sim::StepReport& report) {
  steps_done_ += report.steps;
  if (report.health == sim::Health::good) {
    const auto limit = opened_.scene.health.energy_error;
    const auto& rows = rows_.all();
    if (!limit || rows.empty() || std::abs(rows.back().energy_error) <= *limit) return;
    if (mode_ == Mode::running && rows.back().step + rows_.every() >= simulation_.step()) {
      mode_ = Mode::paused;
      fail(fmt::format("the energy error {:.3g} passed the scene's limit {:.3g}", rows.back().energy_error,
                       *limit));
    }
    return;
  }
  mode_ = Mode::unhealthy;
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

void Session::fail(const std::string& message) {
  message_ = message;
  engine::log().warn("{}", message);
}

void Session::publish() {
  SessionStatus s;
  s.mode = mode_;
  s.step = simulation_.step();
  s.first = history_.first();
  s.last = history_.last();
  s.branch = history_.branch();
  s.time = simulation_.time();
  s.dt = simulation_.dt();
  s.version = version_;
  if (mode_ == Mode::seeking) s.going_to = going_to_;
  s.kept = history_.kept_steps();
  s.edits = history_.edits();
  s.live = simulation_.live();
  s.kept_bytes = history_.bytes();
  s.budget = history_.budget();
  speed_.tick(clock_seconds());
  s.steps_per_second = speed_.steps();
  s.interactions_per_second = speed_.interactions();
  s.time_per_second = speed_.time();
  s.simulate_part = speed_.busy();
  s.pack_milliseconds = 1e3 * pack_seconds_;
  s.wanted_rate = pace_.rate();
  s.limited = mode_ == Mode::running && pace_.limited();
  s.message = message_;
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
  shared_rows_.follow(rows_);
}

}  // namespace mote::app
