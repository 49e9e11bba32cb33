#include "app/view/session.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "api/contact_lines.h"
#include "api/present.h"
#include "engine/check.h"
#include "engine/exec/cancel.h"

namespace mote::app {

Session::Session(Opened opened, const Options& options)
    : watches_(false),
      loop_(std::move(opened), options.history, options.record, options.scripted),
      walls_(sim::species_radii(loop_.opened().scene)),
      recording_(options.record.has_value()),
      scripted_(options.scripted),
      rate_(loop_.rate()) {
  publish();
  thread_ = std::thread([this] { run_thread(); });
}

Session::Session(Opened opened, sim::Simulation& simulation)
    : watches_(true),
      loop_(std::move(opened), simulation),
      walls_(sim::species_radii(loop_.opened().scene)),
      recording_(false),
      busy_(false),
      scripted_(false),
      rate_(0) {
  publish();
}

Session::~Session() {
  if (watches_a_run()) return;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  cancelled_ = true;
  post([this] { quit_ = true; });
  thread_.join();
}

bool Session::wants_visit() const {
  constexpr std::chrono::milliseconds between_numbers(100);  // of the panels
  const bool asked = interrupt_.load(std::memory_order_relaxed);
  if (!asked && !looked_at_.load(std::memory_order_relaxed)) return false;
  return Clock::now() >= next_visit_ + (asked ? Clock::duration() : between_numbers);
}

void Session::visit(std::uint64_t last) {
  // Visits take at most a twentieth of the run's time, and are no more frequent than pictures.
  constexpr int shares = 20;
  constexpr std::chrono::milliseconds shortest_interval(15);
  const auto start = Clock::now();
  interrupt_ = false;
  loop_.note_progress(last);
  run_commands();
  pack_offered();
  publish();
  const auto end = Clock::now();
  next_visit_ =
      std::max<Clock::time_point>(start + shortest_interval, end + (shares - 1) * (end - start));
}

void Session::add_row(const sim::Measurement& measurement) {
  loop_.add_row(measurement);
}

void Session::end_visits(const std::string& how) {
  loop_.note_end_of_run(how);
  visit(loop_.simulation().step());
  const std::lock_guard lock(mutex_);
  failed_ = true;
}

void Session::refuse_change() {
  post_query(
      [this] { loop_.notify("this run is watched: it goes on by itself, and takes no changes"); });
}

engine::Index Session::count() const {
  const std::lock_guard lock(mutex_);
  return status_.count;
}

void Session::run(bool on) {
  post_in_order([this, on] { loop_.run(on); }, !on);
}

void Session::step(std::int64_t steps) {
  post_in_order([this, steps] { loop_.step(steps); }, true);
}

void Session::seek(std::uint64_t step) {
  post_in_order([this, step] { loop_.seek(step); }, true);
}

void Session::edit(const sim::LiveEdits& edits) {
  if (watches_a_run()) return refuse_change();
  {
    const std::lock_guard lock(mutex_);
    edits_posted_.insert(edits_posted_.end(), edits.begin(), edits.end());
  }
  post_in_order(
      [this, edits] {
        edits_done_ += edits.size();
        loop_.begin_edit(edits);
        for (const auto& [path, value] : edits) loop_.change(path, value);
      },
      false);
}

void Session::begin_action() {
  post_in_order([this] { loop_.begin_action(); }, false);
}

void Session::pull(std::uint32_t body, const sim::LiveEdits& edits) {
  post_in_order([this, body, edits] { loop_.pull(body, edits); }, false);
}

void Session::let_go() {
  post_in_order([this] { loop_.let_go(); }, false);
}

void Session::add(const AdditionRequest& request) {
  post_in_order([this, request] { loop_.add(request); }, false);
}

void Session::remove(std::uint32_t body) {
  post_in_order([this, body] { loop_.remove(body); }, false);
}

void Session::undo() {
  post_in_order([this] { loop_.undo(); }, false);
}

void Session::set_rate(double rate) {
  if (watches_a_run()) return refuse_change();
  rate_ = rate;
  post([this, rate] { loop_.set_rate(rate); });
}

void Session::advance_clock(double seconds) {
  if (paced_by_script()) post_in_order([this, seconds] { loop_.advance_clock(seconds); }, false);
}

void Session::wait(const std::function<bool()>& stop) {
  if (!paced_by_script()) return;
  std::unique_lock lock(mutex_);
  const auto idle = [this] {
    return failed_ || (commands_.empty() && queries_.empty() && !offered_ && !busy_);
  };
  while (!became_idle_.wait_for(lock, std::chrono::milliseconds(50), idle))
    if (stop()) return;
}

void Session::follow(std::optional<std::uint32_t> body) {
  post([this, body] { loop_.follow(body); });
}

void Session::publish_bodies(bool on) {
  if (std::exchange(bodies_published_, on) == on) return;
  post([this, on] { loop_.publish_bodies(on); });
}

void Session::set_trail_length(int points) {
  if (std::exchange(trail_, points) != points)
    post([this, points] { loop_.set_trail_length(points); });
}

void Session::request_hash() {
  post([this] { loop_.compute_hash(); });
}

void Session::sample_force_errors(bool on) {
  if (std::exchange(force_errors_sampled_, on) != on)
    post([this, on] { loop_.sample_force_errors(on); });
}

void Session::request_extent(const sim::Quantity& scalar) {
  post_query([this, scalar] {
    sim::Simulation& simulation = loop_.simulation();
    const std::pair answer(sim::extent(simulation), sim::color_range(simulation, scalar));
    const std::lock_guard lock(mutex_);
    extent_ = answer;
    range_.reset();
  });
}

void Session::request_range(const sim::Quantity& scalar) {
  if (range_requested_.exchange(true)) return;
  post_query([this, scalar] {
    range_requested_ = false;
    const sim::ValueRange range = sim::color_range(loop_.simulation(), scalar);
    const std::lock_guard lock(mutex_);
    range_ = range;
  });
}

void Session::request_histogram(const sim::HistogramRequest& request) {
  post_query([this, request] {
    sim::Histogram histogram = loop_.simulation().histogram(request);
    const std::lock_guard lock(mutex_);
    histogram_ = {loop_.version(), std::move(histogram)};
  });
}

void Session::checkpoint(const std::filesystem::path& file) {
  post_in_order([this, file] { loop_.checkpoint(file); }, false);
}

SessionStatus Session::status() const {
  const std::lock_guard lock(mutex_);
  SessionStatus status = status_;
  // Sliders must not jump back during a long step.
  for (const auto& [path, value] : edits_posted_) {
    try {
      sim::set_live(status.live, path, value);
    } catch (const engine::InputError&) {
      continue;  // the thread reports it
    }
  }
  return status;
}

void Session::update(sim::MeasurementSeries& series) const {
  const std::lock_guard lock(mutex_);
  series.update_from(shared_series_);
}

std::optional<std::pair<sim::Extent, sim::ValueRange>> Session::pop_extent() {
  const std::lock_guard lock(mutex_);
  return std::exchange(extent_, std::nullopt);
}

std::optional<sim::ValueRange> Session::pop_range() {
  const std::lock_guard lock(mutex_);
  return std::exchange(range_, std::nullopt);
}

ShownHistogram Session::histogram() const {
  const std::lock_guard lock(mutex_);
  return histogram_;
}

double Session::begin_drawing() {
  constexpr std::chrono::microseconds frame(16'667);
  constexpr std::chrono::milliseconds longest_step(50);  // longer ones go on beside the frame
  const auto due = drawing_began_ + frame;
  std::this_thread::sleep_until(due);
  const auto now = Clock::now();
  drawing_began_ = now - due < frame ? due : now;  // late by a wake-up: the next one is not
  std::unique_lock lock(mutex_);
  drawing_ = true;
  interrupt_ = true;
  // After a step that was too long, frames do not wait until steps have been held again.
  if (std::exchange(holds_seen_, holds_) != holds_)
    held_.wait_for(lock, longest_step, [this] { return steps_held_ || !busy_ || failed_; });
  return std::chrono::duration<double>(Clock::now() - now).count();
}

void Session::end_drawing() {
  const std::lock_guard lock(mutex_);
  drawing_ = false;
  ++frames_drawn_;
  drawn_.notify_all();
}

/// Waits for the end of a frame, or for what has to be done meanwhile. False if there is none, or
/// if no steps have run since the last one: frames that follow each other at once leave some time.
/// No longer than a slow picture takes: a window that hangs must not stop a run.
bool Session::hold_steps() {
  constexpr std::chrono::milliseconds slow_picture(200);
  std::unique_lock lock(mutex_);
  if (!drawing_ || !stepped_) return false;
  steps_held_ = true;
  ++holds_;
  held_.notify_all();
  const std::uint64_t frame = frames_drawn_;
  const auto is_drawn = [&] { return frames_drawn_ != frame; };
  const bool ended = drawn_.wait_for(lock, slow_picture, [&] {
    return is_drawn() || offered_ || ending_ || !commands_.empty() || !queries_.empty();
  });
  if (!ended) drawing_ = false;
  if (!ended || is_drawn()) stepped_ = false;
  steps_held_ = false;
  return true;
}

void Session::offer(const render::SharedTarget& target, const FrameRequest& request) {
  {
    const std::lock_guard lock(mutex_);
    offered_.emplace(target, request);
  }
  interrupt_ = true;
  wake_.notify_one();
  drawn_.notify_all();
}

std::optional<PackedFrame> Session::pop_packed() {
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
  return commands_.empty() && queries_.empty() && !busy_ && !status_.seek_target &&
         status_.mode != Mode::running;
}

void Session::post(Command command) {
  {
    const std::lock_guard lock(mutex_);
    if (watches_a_run() && failed_) return;  // its run has ended
    commands_.push_back(std::move(command));
  }
  interrupt_ = true;
  wake_.notify_one();
  drawn_.notify_all();
}

void Session::post_query(Command query) {
  {
    const std::lock_guard lock(mutex_);
    if (watches_a_run() && failed_) return;
    queries_.push_back(std::move(query));
  }
  interrupt_ = true;
  wake_.notify_one();
  drawn_.notify_all();
}

void Session::post_in_order(Command command, bool redirects) {
  if (watches_a_run()) return refuse_change();
  post([this, command = std::move(command), redirects] { loop_.run_in_order(command, redirects); });
}

/// Serves the first frame before the first measurement, which may take as long as steps: a window
/// requests the extent of the bodies and offers a target for them in its first frame.
void Session::run_first_queries() {
  std::vector<Command> queries;
  {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, std::chrono::milliseconds(200),
                   [this] { return offered_.has_value() || ending_; });
    queries.swap(queries_);
  }
  for (const Command& query : queries) {
    try {
      query();
    } catch (const std::exception& e) {
      loop_.report_error(e.what());
    }
  }
  pack_offered();
}

bool Session::begin() {
  if (recording_) return loop_.begin();
  const engine::Cancellation cancellation(cancelled_);
  return loop_.begin();
}

void Session::run_thread() {
  run_first_queries();
  if (!begin()) {
    publish();
    return drain();
  }
  while (!quit_) {
    bool more = false;
    try {
      more = work();
      publish();
    } catch (const std::exception& e) {
      edits_done_ += loop_.stop_on_error(e.what());  // at most so many edits were deferred
      publish();
    }
    if (quit_ || more) continue;
    std::unique_lock lock(mutex_);
    busy_ = false;
    became_idle_.notify_all();
    held_.notify_all();
    wake_.wait_for(
        lock, std::chrono::duration<double>(std::min(loop_.wait_seconds(), 3600.0)),
        [this] { return !commands_.empty() || !queries_.empty() || offered_.has_value(); });
    busy_ = true;
  }
  loop_.finish();
}

/// Discards commands until the end.
void Session::drain() {
  std::unique_lock lock(mutex_);
  failed_ = true;
  while (!ending_) {
    commands_.clear();
    queries_.clear();
    busy_ = false;
    wake_.wait(lock, [this] { return ending_ || !commands_.empty() || !queries_.empty(); });
  }
}

/// One iteration: commands, a frame, some steps. True when there is more to do at once.
bool Session::work() {
  interrupt_ = false;
  run_commands();
  if (quit_) return false;
  pack_offered();
  if (hold_steps()) return true;
  const bool more = loop_.run_slice([this] { return interrupt_.load(std::memory_order_relaxed); });
  stepped_ = true;
  return more || interrupt_;
}

void Session::run_commands() {
  std::vector<Command> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
    std::move(queries_.begin(), queries_.end(), std::back_inserter(commands));
    queries_.clear();
    busy_ = !watches_a_run();
  }
  loop_.run_commands(commands);
}

void Session::pack_offered() {
  std::pair<render::SharedTarget, FrameRequest> job;
  {
    const std::lock_guard lock(mutex_);
    if (!offered_) return;
    job = *offered_;
    offered_.reset();
    packing_ = true;
  }
  sim::Simulation& simulation = loop_.simulation();
  const auto start = Clock::now();
  PackedFrame frame;
  frame.target = job.first;
  frame.origin = job.second.origin;
  frame.step = simulation.step();
  frame.version = loop_.version();
  frame.time = simulation.time();
  frame.count = simulation.count();
  frame.scalar = job.second.scalar;
  frame.ids = simulation.ids();
  frame.written = frame.count <= job.second.capacity;
  if (frame.written) frame.trail = loop_.pop_trail();
  try {
    if (job.second.follow) {
      const auto index = simulation.index_of(*job.second.follow);
      frame.lost = !index;
      if (index) frame.origin = simulation.body(*index).position;
      if (index) frame.follow = job.second.follow;
    }
    if (frame.written)
      simulation.pack(
          job.first,
          {.origin = frame.origin, .scalar = job.second.scalar, .species_radii = walls_});
    frame.solids = simulation.solids();
    if (frame.written) frame.marked = loop_.marked_bodies();
    if (job.second.mesh && frame.written) frame.mesh = meshes_.of(simulation);
    const auto show = api::shown_expression(job.second.show);
    if (frame.written && (show || job.second.kinds || !simulation.with_looks(1).empty()))
      frame.appearance = kinds_.of(simulation);
    if (frame.written && show)
      frame.appearance = api::shown_where(std::move(frame.appearance), simulation.computed(*show),
                                          loop_.opened().scene.species.size());
    if (job.second.contacts)
      frame.contacts = api::contact_lines(simulation.contacts(), frame.origin);
  } catch (const std::exception& e) {
    frame.written = false;  // the window waits for the target
    loop_.report_error(e.what());
  }
  pack_seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
  const std::lock_guard lock(mutex_);
  frame_ = std::move(frame);
  packing_ = false;
  packed_.notify_all();
}

void Session::publish() {
  SessionStatus s;
  loop_.fill_status(s);
  s.pack_milliseconds = 1e3 * pack_seconds_;
  const std::lock_guard lock(mutex_);
  status_ = std::move(s);
  const std::size_t done = std::min(std::exchange(edits_done_, 0), edits_posted_.size());
  edits_posted_.erase(edits_posted_.begin(),
                      edits_posted_.begin() + static_cast<std::ptrdiff_t>(done));
  shared_series_.update_from(loop_.series());
}

}  // namespace mote::app
