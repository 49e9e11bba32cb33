#include "app/view/session_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "app/view/orbits.h"
#include "engine/check.h"
#include "engine/exec/cancel.h"
#include "engine/json.h"
#include "engine/log.h"
#include "sim/output/checkpoint.h"
#include "sim/run/health.h"
#include "sim/run/initial_state.h"

namespace mote::app {
namespace {

/// Longest stepping between frames and status updates [s].
constexpr double slice_seconds = 0.01;

double seconds_of(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

double clock_seconds() {
  return seconds_of(std::chrono::steady_clock::now().time_since_epoch());
}

/// Plays a scene with an end in half a minute, if the machine is fast enough.
double first_rate(const sim::SceneDescription& scene) {
  constexpr double seconds = 30;
  if (scene.stop.time) return *scene.stop.time / seconds;
  if (scene.stop.steps)
    return static_cast<double>(*scene.stop.steps) * scene.integrator.dt / seconds;
  return 0;
}

}  // namespace

std::optional<std::string> gpu_error_message(const std::string& why) {
  if (!why.starts_with("CUDA: ")) return std::nullopt;  // engine/exec/cuda_check.h
  return why +
         ". The last frame stays visible; Ctrl+R opens the scene again, on the CPU unless "
         "--backend cuda was given";
}

SessionLoop::SessionLoop(Opened opened, std::uint64_t history,
                         const std::optional<RecordRequest>& record, bool scripted)
    : opened_(std::move(opened)),
      simulation_(*opened_.simulation),
      history_budget_(history),
      playback_(scripted),
      series_(static_cast<std::uint64_t>(opened_.plan.series_steps)) {
  if (record) recorder_.emplace(*record, opened_);
  playback_.set_rate(first_rate(opened_.scene));
}

SessionLoop::SessionLoop(Opened opened, sim::Simulation& watched)
    : opened_(std::move(opened)),
      simulation_(watched),
      history_budget_(0),
      playback_(false),
      series_(static_cast<std::uint64_t>(opened_.plan.series_steps)),
      mode_(Mode::running),
      watched_last_(watched.step()),
      watched_interactions_(watched.interactions()),
      watched_time_(watched.time()),
      watched_at_(Clock::now()),
      steps_done_(watched.step()) {}

void SessionLoop::note_progress(std::uint64_t last) {
  watched_last_ = last;
  const auto now = Clock::now();
  const std::uint64_t taken = simulation_.step() - steps_done_;
  speed_.tick(clock_seconds());
  if (taken == 0) return;
  speed_.add(taken, simulation_.interactions() - watched_interactions_,
             simulation_.time() - watched_time_, seconds_of(now - watched_at_));
  steps_done_ += taken;
  watched_interactions_ = simulation_.interactions();
  watched_time_ = simulation_.time();
  watched_at_ = now;
  ++version_;
  if (trail_.on() && simulation_.count() <= max_sampled_bodies) trail_.sample(simulation_);
  if (samples_force_errors_) update_force_errors();
}

void SessionLoop::note_end_of_run(const std::string& how) {
  mode_ = Mode::paused;
  watched_last_ = simulation_.step();
  halt_ = how;
}

bool SessionLoop::begin() {
  try {
    const sim::Measurement first = simulation_.measure();
    history_.emplace(simulation_, history_budget_, opened_.edits);
    sim::RunHost& host = *this;  // a private base
    loop_.emplace(opened_.scene, simulation_, *history_, host, opened_.hook_data,
                  sim::EnergyHealth(opened_.scene));
    loop_->hooks().record_data();
    loop_->add(first);
    loop_->start();
    note_end();
    return true;
  } catch (const engine::Cancelled&) {
    return false;
  } catch (const std::exception& e) {
    mode_ = Mode::unhealthy;
    halt(e.what());
    return false;
  }
}

void SessionLoop::finish() {
  if (!recorder_) return;
  try {
    // Viewing the past discards nothing: the run ends at its last step.
    if (mode_ != Mode::unhealthy && history_->last() != bad_step_)
      history_->seek(history_->last(), {});
    const sim::StepReport end = mode_ == Mode::unhealthy ? bad_report_ : sim::StepReport();
    sim::Hooks& scripts = loop_->hooks();
    HookEnd hooks{hook_end_, scripts.data(), nullptr};
    scripts.end(end.health == sim::Health::good && hook_end_.kind != sim::HookVerdict::Kind::fail);
    if (scripts.verdict().kind == sim::HookVerdict::Kind::fail) hooks.verdict = scripts.verdict();
    hooks.final_data = scripts.data();
    const RecordedEnd how{end, loop_->health(), loop_->offender(),
                          mode_ == Mode::unhealthy               ? bad_reason_
                          : loop_->health() != sim::Health::good ? loop_->reason()
                                                                 : ""};
    recorder_->finish(simulation_, history_->edits_so_far(), how, stepping_seconds_, hooks,
                      loop_->energy());
  } catch (const std::exception& e) {
    engine::log().error("the run could not be completed: {}", e.what());
  }
}

void SessionLoop::run_commands(const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    try {
      const std::uint64_t step = simulation_.step();
      command();
      if (loop_) loop_->note_discarded(step);
      if (simulation_.step() != step) ++version_;
    } catch (const std::exception& e) {
      report_error(e.what());
    }
  }
}

void SessionLoop::run_in_order(Command command, bool redirects) {
  if (after_seek_.empty() && (redirects || mode_ != Mode::seeking)) return command();
  after_seek_.push_back([this, command = std::move(command), redirects] {
    if (after_seek_.empty() && (redirects || mode_ != Mode::seeking)) return command();
    after_seek_.push_back(command);
  });
}

void SessionLoop::run(bool on) {
  if (mode_ == Mode::unhealthy) return;
  past_end_ = false;
  past_end_ = on && steps_to_end() == 0;
  if (on) clear_halt();
  mode_ = on ? Mode::running : Mode::paused;
  playback_.start(clock_seconds(), simulation_.time());
}

void SessionLoop::step(std::int64_t steps) {
  const std::uint64_t now = mode_ == Mode::seeking ? seek_target_ : simulation_.step();
  const auto far = static_cast<std::uint64_t>(steps < 0 ? -steps : steps);
  if (steps < 0) {
    seek_target_ = std::max(history_->first(), now - std::min(now, far));
  } else if (now < history_->last()) {
    seek_target_ = std::min(now + far, history_->last());
  } else {
    if (mode_ == Mode::unhealthy) return;
    seek_target_ = now + far;  // new steps, run like a seek
  }
  clear_halt();
  mode_ = Mode::seeking;
}

void SessionLoop::seek(std::uint64_t step) {
  seek_target_ = std::clamp(step, history_->first(), history_->last());
  halt_.clear();
  mode_ = Mode::seeking;
}

void SessionLoop::change(const std::string& path, const engine::ParamValue& value) {
  if (sim::live_value(simulation_.live(), path) == value) return;
  history_->edit(path, value);
  note_edited();
}

void SessionLoop::note_edited() {
  if (mode_ == Mode::unhealthy) {
    mode_ = Mode::paused;
    halt_.clear();
  }
  playback_.start(clock_seconds(), simulation_.time());
  ++version_;
  force_errors_outdated_ = true;
}

void SessionLoop::set_rate(double rate) {
  playback_.set_rate(rate);
  playback_.start(clock_seconds(), simulation_.time());
}

void SessionLoop::advance_clock(double seconds) {
  if (mode_ == Mode::running) playback_.advance_clock(seconds, simulation_.dt());
}

void SessionLoop::follow(std::optional<std::uint32_t> body) {
  follow_ = body;
  ++version_;
}

void SessionLoop::compute_hash() {
  hash_ = simulation_.hash();
  hash_step_ = simulation_.step();
}

void SessionLoop::checkpoint(const std::filesystem::path& file) {
  if (bad_step_ > 0 && simulation_.step() == bad_step_)
    throw engine::InputError(
        file.string(),
        "bodies are not finite at this step: a checkpoint of it could not be resumed",
        "go back a step first");
  sim::write_checkpoint(file, simulation_, opened_.scene, opened_.plan, history_->edits_so_far(),
                        loop_->hooks().data());
  engine::log().info("checkpoint of step {}: {}", simulation_.step(), file.string());
}

bool SessionLoop::run_slice(const Stop& interrupted) {
  const auto start = Clock::now();
  const double time = simulation_.time();
  const std::uint64_t interactions = simulation_.interactions(), steps = steps_done_;
  const std::uint64_t step = simulation_.step();
  const bool seek_in_past = mode_ == Mode::seeking && seek_target_ <= history_->last();
  if (mode_ == Mode::running) advance(interrupted);
  if (mode_ == Mode::seeking) continue_seek(interrupted);
  const std::uint64_t taken = steps_done_ - steps;
  const double seconds = seconds_of(Clock::now() - start);
  if (taken > 0) stepping_seconds_ += seconds;
  // Restoring a saved state skips steps, which must not count as speed.
  const bool stepped =
      simulation_.step() - step == taken && !seek_in_past && simulation_.time() > time;
  speed_.tick(clock_seconds());  // before add(): the work belongs to the interval it took
  if (taken > 0 && stepped)
    speed_.add(taken, simulation_.interactions() - interactions, simulation_.time() - time,
               seconds);
  if (simulation_.step() != step) ++version_;
  if (samples_force_errors_) update_force_errors();
  if (mode_ == Mode::seeking) return true;
  return mode_ == Mode::running && wait_seconds() <= 0;
}

double SessionLoop::wait_seconds() const {
  if (mode_ == Mode::running)
    return playback_.wait_seconds(clock_seconds(), simulation_.time(), simulation_.dt());
  return speed_.busy() > 1e-3 ? 0.1 : 3600;  // lets the averages decay
}

std::size_t SessionLoop::stop_on_error(const std::string& why) {
  if (mode_ != Mode::unhealthy) mode_ = Mode::paused;
  const std::size_t dropped = after_seek_.size();
  after_seek_.clear();
  follow_.reset();
  publish_bodies_ = false;
  halt(gpu_error_message(why).value_or(why));
  return dropped;
}

void SessionLoop::run_steps(std::uint64_t steps, const Stop& stop) {
  if (!trail_.on() || simulation_.count() > max_sampled_bodies) return advance_loop(steps, stop);
  trail_.set_spacing(playback_.rate() > 0 ? playback_.rate() : speed_.time(), simulation_.dt());
  trail_.start(simulation_);
  const Mode mode = mode_;
  while (steps > 0 && mode_ == mode) {
    const std::uint64_t before = simulation_.step(),
                        part = std::min(steps, trail_.steps_to_next(before));
    advance_loop(part, stop);
    if (simulation_.step() != before + part) return;  // interrupted or unhealthy
    steps -= part;
    trail_.sample(simulation_);
  }
}

/// Ends a slice of stepping after some seconds or on interruption. The first poll never ends it, so
/// that a stream of small commands cannot stop progress.
SessionLoop::Stop SessionLoop::stop_after(double seconds, const Stop& interrupted) const {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(seconds));
  return [interrupted, end, first = true]() mutable {
    if (std::exchange(first, false)) return false;
    return interrupted() || Clock::now() >= end;
  };
}

/// From the current step, with the current step size.
std::uint64_t SessionLoop::steps_to_end() const {
  const auto& stop = opened_.scene.stop;
  const std::uint64_t now = simulation_.step();
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  if (past_end_) return end - now;
  if (stop.time) end = simulation_.ahead().step_at(*stop.time);
  if (stop.steps) end = std::min(end, static_cast<std::uint64_t>(*stop.steps));
  return end > now ? end - now : 0;
}

void SessionLoop::advance(const Stop& interrupted) {
  const std::uint64_t due = playback_.due(clock_seconds(), simulation_.time(), simulation_.dt());
  const std::uint64_t steps = std::min(due, steps_to_end());
  if (steps == 0 && due > 0) {
    mode_ = Mode::paused;
    return notify("end of the scene; Space continues");
  }
  const std::uint64_t before = simulation_.step();
  if (steps > 0) run_steps(steps, stop_after(slice_seconds, interrupted));
  playback_.consume(simulation_.step() - before);
}

void SessionLoop::continue_seek(const Stop& interrupted) {
  const std::uint64_t before = simulation_.step();
  const auto stop = stop_after(3 * slice_seconds, interrupted);
  if (seek_target_ > history_->last()) {
    run_steps(seek_target_ - before, stop);
    if (mode_ == Mode::seeking && simulation_.step() >= seek_target_) mode_ = Mode::paused;
  } else {
    if (history_->seek(seek_target_, stop)) {
      mode_ = Mode::paused;
      trail_.on_seek_end(simulation_);
    }
    steps_done_ += simulation_.step() > before ? simulation_.step() - before : 0;
  }
  ++version_;
  if (mode_ != Mode::seeking) run_commands(std::exchange(after_seek_, {}));
}

void SessionLoop::halt(const std::string& why) {
  halt_ = why;
  engine::log().warn("{}", why);
}

void SessionLoop::notify(const std::string& message) {
  message_ = message;
  ++messages_;
}

void SessionLoop::report_error(const std::string& message) {
  if (message == message_) return;  // a failed frame is requested again
  notify(message);
  engine::log().warn("{}", message);
}

void SessionLoop::fill_status(SessionStatus& s) {
  s.mode = mode_;
  s.step = simulation_.step();
  s.time = simulation_.time();
  s.dt = simulation_.dt();
  s.block_steps = simulation_.block_steps();
  s.count = simulation_.count();
  s.version = version_;
  if (mode_ == Mode::seeking) s.seek_target = seek_target_;
  s.live = simulation_.live();
  fill_past(s);
  speed_.tick(clock_seconds());
  if (mode_ == Mode::running || mode_ == Mode::seeking) {  // at rest the averages never reach 0
    s.steps_per_second = speed_.steps();
    s.interactions_per_second = speed_.interactions();
    s.time_per_second = speed_.time();
    s.simulate_fraction = speed_.busy();
  }
  s.target_rate = playback_.rate();
  s.limited = mode_ == Mode::running && playback_.limited();
  s.message = message_;
  s.messages = messages_;
  s.halt = halt_;
  s.hash = hash_;
  s.hash_step = hash_step_;
  if (samples_force_errors_) s.force_errors = force_errors_;
  s.steps_done = steps_done_;
  fill_body(s);
}

void SessionLoop::fill_past(SessionStatus& s) const {
  s.first = watched_last_ > 0 ? 0 : s.step;
  s.last = std::max(s.step, watched_last_);
  s.budget = history_budget_;
  if (!history_) return;
  s.first = history_->first();
  s.last = history_->last();
  s.branch = history_->branch();
  s.saved_steps = history_->saved_steps();
  for (const sim::Edit& e : history_->edits())
    if (!e.by_scene) s.edits.push_back(e.step);
  for (const sim::Edit& e : history_->edits_so_far())
    s.other_bodies = s.other_bodies || (e.bodies && !e.by_scene);
  s.saved_bytes = history_->bytes();
}

void SessionLoop::fill_body(SessionStatus& s) {
  if (const auto index = follow_ ? simulation_.index_of(*follow_) : std::nullopt) {
    s.body = simulation_.body(*index);
    s.body_name = simulation_.name(*follow_);
  }
}

MarkedBodies SessionLoop::marked_bodies() {
  MarkedBodies marked;
  if (const auto index = follow_ ? simulation_.index_of(*follow_) : std::nullopt)
    marked.body = simulation_.body(*index);
  if (!publish_bodies_) return marked;
  if (simulation_.count() <= max_orbit_bodies)
    for (engine::Index i = 0; i < simulation_.count(); ++i)
      marked.bodies.push_back(sim::body_state(simulation_.state(), i));
  fill_names(marked);
  return marked;
}

/// The set of named bodies changes only with the set of bodies.
void SessionLoop::fill_names(MarkedBodies& marked) {
  const std::pair now(simulation_.ids(), simulation_.count());
  if (named_for_ != now) named_ = simulation_.named(), named_for_ = now;
  for (const engine::Index i : named_)
    marked.named.push_back({simulation_.name(simulation_.id(i)), simulation_.id(i),
                            marked.bodies.empty()
                                ? simulation_.body(i).position
                                : marked.bodies[static_cast<std::size_t>(i)].position});
}

}  // namespace mote::app
