#include "app/view/stepper.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "app/view/orbits.h"
#include "engine/check.h"
#include "engine/exec/cancel.h"
#include "engine/json.h"
#include "engine/log.h"
#include "sim/run/checkpoint.h"
#include "sim/run/health.h"
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

/// More names would hide the bodies.
constexpr std::size_t most_names = 64;

/// A scene that says when it ends takes half a minute to get there, on a machine that is fast
/// enough.
double first_rate(const sim::SceneDescription& scene) {
  constexpr double seconds = 30;
  if (scene.stop.time) return *scene.stop.time / seconds;
  if (scene.stop.steps)
    return static_cast<double>(*scene.stop.steps) * scene.integrator.dt / seconds;
  return 0;
}

}  // namespace

std::optional<std::string> gpu_words(const std::string& why) {
  if (!why.starts_with("CUDA: ")) return std::nullopt;  // engine/exec/cuda_check.h
  return why +
         ". What was shown stays; Ctrl+R opens the scene again, on the CPU unless --backend cuda "
         "was asked "
         "for";
}

Stepper::Stepper(Opened opened, std::uint64_t history, const std::optional<RecordRequest>& record,
                 bool scripted)
    : opened_(std::move(opened)),
      simulation_(*opened_.simulation),
      history_budget_(history),
      pace_(scripted),
      rows_(static_cast<std::uint64_t>(opened_.plan.series_steps)),
      energy_(opened_.scene) {
  if (record) recorder_.emplace(*record, opened_);
  pace_.set_rate(first_rate(opened_.scene));
}

bool Stepper::begin() {
  try {
    add_row(simulation_.measure());
    history_.emplace(simulation_, history_budget_, opened_.past);
    sim::HookHost& host = *this;  // which is nobody else's business
    hooks_.emplace(opened_.scene, simulation_, host, opened_.hook_data);
    hooks_->remember();
    hooks_->start();
    obey_hooks();
    return true;
  } catch (const engine::Cancelled&) {
    return false;
  } catch (const std::exception& e) {
    mode_ = Mode::unhealthy;
    halt(e.what());
    return false;
  }
}

void Stepper::finish() {
  if (!recorder_) return;
  try {
    // Someone who looked at the past has not given up what came behind.
    if (mode_ != Mode::unhealthy && history_->last() != bad_step_)
      history_->seek(history_->last(), {});
    const sim::StepReport end = mode_ == Mode::unhealthy ? bad_ : sim::StepReport();
    HookEnd hooks{hook_end_, hooks_->data(), nullptr};
    hooks_->end(end.health == sim::Health::good && hook_end_.kind != sim::HookVerdict::Kind::fail);
    if (hooks_->verdict().kind == sim::HookVerdict::Kind::fail) hooks.verdict = hooks_->verdict();
    hooks.data = hooks_->data();
    recorder_->finish(simulation_, history_->edits_so_far(), end, stepping_seconds_, hooks,
                      energy_);
  } catch (const std::exception& e) {
    engine::log().error("the run could not be made whole: {}", e.what());
  }
}

void Stepper::do_all(const std::vector<Command>& commands) {
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

void Stepper::in_turn(Command command, bool redirects) {
  if (after_seek_.empty() && (redirects || mode_ != Mode::seeking)) return command();
  after_seek_.push_back([this, command = std::move(command), redirects] {
    if (after_seek_.empty() && (redirects || mode_ != Mode::seeking)) return command();
    after_seek_.push_back(command);
  });
}

void Stepper::run(bool on) {
  if (mode_ == Mode::unhealthy) return;
  past_end_ = false;
  past_end_ = on && steps_to_end() == 0;
  if (on) go_on_after_hooks();
  mode_ = on ? Mode::running : Mode::paused;
  pace_.start(clock_seconds(), simulation_.time());
}

void Stepper::step(std::int64_t steps) {
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
  go_on_after_hooks();
  mode_ = Mode::seeking;
}

void Stepper::seek(std::uint64_t step) {
  going_to_ = std::clamp(step, history_->first(), history_->last());
  halt_.clear();
  mode_ = Mode::seeking;
}

void Stepper::change(const std::string& path, const engine::ParamValue& value) {
  if (sim::live_value(simulation_.live(), path) == value) return;
  history_->edit(path, value);
  if (mode_ == Mode::unhealthy) {
    mode_ = Mode::paused;
    halt_.clear();
  }
  pace_.start(clock_seconds(), simulation_.time());
  ++version_;
}

void Stepper::set_rate(double rate) {
  pace_.set_rate(rate);
  pace_.start(clock_seconds(), simulation_.time());
}

void Stepper::pass(double seconds) {
  if (mode_ == Mode::running) pace_.pass(seconds, simulation_.dt());
}

void Stepper::follow(std::optional<std::uint32_t> body) {
  follow_ = body;
  ++version_;
}

void Stepper::find_hash() {
  hash_ = simulation_.hash();
  hash_step_ = simulation_.step();
}

void Stepper::checkpoint(const std::filesystem::path& file) {
  if (bad_step_ > 0 && simulation_.step() == bad_step_)
    throw engine::InputError(
        file.string(), "bodies are not finite here: nobody could go on from such a checkpoint",
        "go back a step first");
  sim::write_checkpoint(file, simulation_, opened_.scene, opened_.plan, history_->edits_so_far(),
                        hooks_->data());
  engine::log().info("checkpoint of step {}: {}", simulation_.step(), file.string());
}

bool Stepper::go_on(const Stop& asked) {
  const auto start = Clock::now();
  const double time = simulation_.time();
  const std::uint64_t interactions = simulation_.interactions(), steps = steps_done_;
  const std::uint64_t step = simulation_.step();
  const bool sought = mode_ == Mode::seeking && going_to_ <= history_->last();
  if (mode_ == Mode::running) advance(asked);
  if (mode_ == Mode::seeking) continue_seek(asked);
  const std::uint64_t taken = steps_done_ - steps;
  const double seconds = seconds_of(Clock::now() - start);
  if (taken > 0) stepping_seconds_ += seconds;
  // Where a kept state was taken up again, more steps lie between than were taken: that is no
  // speed.
  const bool stepped = simulation_.step() - step == taken && !sought && simulation_.time() > time;
  speed_.tick(clock_seconds());  // first: what was done belongs to the seconds that it took
  if (taken > 0 && stepped)
    speed_.add(taken, simulation_.interactions() - interactions, simulation_.time() - time,
               seconds);
  if (simulation_.step() != step) ++version_;
  if (mode_ == Mode::seeking) return true;
  return mode_ == Mode::running && wait() <= 0;
}

double Stepper::wait() const {
  if (mode_ == Mode::running)
    return pace_.wait(clock_seconds(), simulation_.time(), simulation_.dt());
  return speed_.busy() > 1e-3 ? 0.1 : 3600;  // speeds that are shown fade when nothing happens
}

std::size_t Stepper::give_up(const std::string& why) {
  if (mode_ != Mode::unhealthy) mode_ = Mode::paused;
  const std::size_t dropped = after_seek_.size();
  after_seek_.clear();
  follow_.reset();
  tell_bodies_ = false;
  halt(gpu_words(why).value_or(why));
  return dropped;
}

void Stepper::cut_rows(std::uint64_t step) {
  if (history_->branch() == rows_branch_) return;
  rows_branch_ = history_->branch();
  rows_.cut(step);
  energy_.cut(step);
  hooks_->rewind(step);
  if (recorder_) recorder_->cut(step);
}

void Stepper::take_steps(std::uint64_t steps, const Stop& stop) {
  if (!trail_.on() || simulation_.count() > most_sampled) return take_part(steps, stop);
  trail_.space(pace_.rate() > 0 ? pace_.rate() : speed_.time(), simulation_.dt());
  trail_.start(simulation_);
  const Mode mode = mode_;
  while (steps > 0 && mode_ == mode) {
    const std::uint64_t before = simulation_.step(), part = std::min(steps, trail_.next(before));
    take_part(part, stop);
    if (simulation_.step() != before + part) return;  // told to stop, or unhealthy
    steps -= part;
    trail_.take(simulation_);
  }
}

/// Says when a slice of stepping is over: after some seconds, or when something was asked for. The
/// first question is always answered with no, so that many small commands do not bring stepping to
/// a halt.
Stepper::Stop Stepper::stop_after(double seconds, const Stop& asked) const {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(seconds));
  return [asked, end, first = true]() mutable {
    if (std::exchange(first, false)) return false;
    return asked() || Clock::now() >= end;
  };
}

/// From here, with the step as it is now.
std::uint64_t Stepper::steps_to_end() const {
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

void Stepper::advance(const Stop& asked) {
  const std::uint64_t due = pace_.due(clock_seconds(), simulation_.time(), simulation_.dt());
  const std::uint64_t steps = std::min(due, steps_to_end());
  if (steps == 0 && due > 0) {
    mode_ = Mode::paused;
    return tell("the scene ends here; run on as you like");
  }
  const std::uint64_t before = simulation_.step();
  if (steps > 0) take_steps(steps, stop_after(slice_seconds, asked));
  pace_.took(simulation_.step() - before);
}

void Stepper::continue_seek(const Stop& asked) {
  const std::uint64_t before = simulation_.step();
  const auto stop = stop_after(3 * slice_seconds, asked);
  if (going_to_ > history_->last()) {
    take_steps(going_to_ - before, stop);
    if (mode_ == Mode::seeking && simulation_.step() >= going_to_) mode_ = Mode::paused;
  } else {
    if (history_->seek(going_to_, stop)) {
      mode_ = Mode::paused;
      trail_.arrive(simulation_);
    }
    steps_done_ += simulation_.step() > before ? simulation_.step() - before : 0;
  }
  ++version_;
  if (mode_ != Mode::seeking) do_all(std::exchange(after_seek_, {}));
}

void Stepper::take_report(const sim::StepReport& report) {
  steps_done_ += report.steps;
  if (report.health == sim::Health::good) return watch_energy();
  mode_ = Mode::unhealthy;
  bad_ = report;
  bad_step_ = simulation_.step();
  if (has(report.health, sim::Health::step_too_long))
    return halt(sim::long_step_words(simulation_, bad_step_, simulation_.time()));
  const auto id = static_cast<std::uint32_t>(report.offender);
  const std::string& name = simulation_.name(id);
  halt(
      fmt::format("body {}{} is no longer finite at step {}; go back, and take a smaller step or "
                  "more softening",
                  id, name.empty() ? "" : " (" + name + ")", simulation_.step()));
}

void Stepper::watch_energy() {
  if (energy_.trouble().empty()) drift_told_ = false;
  if (energy_.trouble().empty() || drift_told_ || mode_ != Mode::running) return;
  drift_told_ = true;
  mode_ = Mode::paused;
  halt(energy_.trouble());
}

void Stepper::add_row(const sim::Measurement& measurement) {
  rows_.add(measurement);
  if (recorder_) recorder_->row(measurement);
  const bool warned = !energy_.warning().empty();
  energy_.look(measurement, simulation_.clockwork().first_energy);
  if (!warned && !energy_.warning().empty()) fail(energy_.warning());
}

void Stepper::halt(const std::string& why) {
  halt_ = why;
  engine::log().warn("{}", why);
}

void Stepper::tell(const std::string& message) {
  message_ = message;
  ++messages_;
}

void Stepper::fail(const std::string& message) {
  if (message == message_) return;  // a frame that fails is asked for again
  tell(message);
  engine::log().warn("{}", message);
}

void Stepper::fill(SessionStatus& s) {
  s.mode = mode_;
  s.step = simulation_.step();
  s.time = simulation_.time();
  s.dt = simulation_.dt();
  s.count = simulation_.count();
  s.version = version_;
  if (mode_ == Mode::seeking) s.going_to = going_to_;
  s.live = simulation_.live();
  fill_past(s);
  speed_.tick(clock_seconds());
  s.steps_per_second = speed_.steps();
  s.interactions_per_second = speed_.interactions();
  s.time_per_second = speed_.time();
  s.simulate_part = speed_.busy();
  s.wanted_rate = pace_.rate();
  s.limited = mode_ == Mode::running && pace_.limited();
  s.message = message_;
  s.messages = messages_;
  s.halt = halt_;
  s.hash = hash_;
  s.hash_step = hash_step_;
  s.steps_done = steps_done_;
  fill_bodies(s);
}

void Stepper::fill_past(SessionStatus& s) const {
  s.first = s.last = s.step;
  s.budget = history_budget_;
  if (!history_) return;
  s.first = history_->first();
  s.last = history_->last();
  s.branch = history_->branch();
  s.kept = history_->kept_steps();
  for (const sim::Edit& e : history_->edits())
    if (!e.bodies) s.edits.push_back(e.step);
  s.kept_bytes = history_->bytes();
}

void Stepper::fill_bodies(SessionStatus& s) {
  if (const auto column = follow_ ? simulation_.column(*follow_) : std::nullopt) {
    s.body = simulation_.body(*column);
    s.body_name = simulation_.name(*follow_);
  }
  if (!tell_bodies_) return;
  if (simulation_.count() <= most_orbits)
    for (engine::Index i = 0; i < simulation_.count(); ++i)
      s.bodies.push_back(sim::body_numbers(simulation_.state(), i));
  fill_names(s);
}

/// Which bodies have names changes with the bodies alone.
void Stepper::fill_names(SessionStatus& s) {
  const std::pair now(simulation_.ids(), simulation_.count());
  if (named_of_ != now) {
    named_.clear();
    for (engine::Index i = 0; i < now.second && named_.size() < most_names; ++i)
      if (!simulation_.name(simulation_.id(i)).empty()) named_.push_back(i);
    named_of_ = now;
  }
  for (const engine::Index i : named_)
    s.named.push_back({simulation_.name(simulation_.id(i)),
                       s.bodies.empty() ? simulation_.body(i).position
                                        : s.bodies[static_cast<std::size_t>(i)].position});
}

}  // namespace mote::app
