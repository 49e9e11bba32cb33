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
    : stepper_(std::move(opened), options.history, options.record, options.scripted),
      walls_(api::walls_of(stepper_.opened().scene)),
      records_(options.record.has_value()),
      scripted_(options.scripted),
      rate_(stepper_.rate()) {
  publish();
  thread_ = std::thread([this] { loop(); });
}

Session::~Session() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  cancelled_ = true;
  post([this] { quit_ = true; });
  thread_.join();
}

engine::Index Session::count() const {
  const std::lock_guard lock(mutex_);
  return status_.count;
}

void Session::run(bool on) {
  post_in_turn([this, on] { stepper_.run(on); }, !on);
}

void Session::step(std::int64_t steps) {
  post_in_turn([this, steps] { stepper_.step(steps); }, true);
}

void Session::seek(std::uint64_t step) {
  post_in_turn([this, step] { stepper_.seek(step); }, true);
}

void Session::edit(const std::string& path, const engine::ParamValue& value) {
  {
    const std::lock_guard lock(mutex_);
    edits_posted_.emplace_back(path, value);
  }
  post_in_turn(
      [this, path, value] {
        ++edits_done_;
        stepper_.change(path, value);
      },
      false);
}

void Session::set_rate(double rate) {
  rate_ = rate;
  post([this, rate] { stepper_.set_rate(rate); });
}

void Session::pass(double seconds) {
  if (counted()) post_in_turn([this, seconds] { stepper_.pass(seconds); }, false);
}

void Session::wait(const std::function<bool()>& stop) {
  if (!counted()) return;
  std::unique_lock lock(mutex_);
  const auto calm = [this] {
    return dead_ || (commands_.empty() && looks_.empty() && !offered_ && !busy_);
  };
  while (!calm_.wait_for(lock, std::chrono::milliseconds(50), calm))
    if (stop()) return;
}

void Session::follow(std::optional<std::uint32_t> body) {
  post([this, body] { stepper_.follow(body); });
}

void Session::tell_bodies(bool on) {
  if (std::exchange(tells_bodies_, on) == on) return;
  post([this, on] { stepper_.tell_bodies(on); });
}

void Session::keep_trail(int places) {
  if (std::exchange(trail_, places) != places)
    post([this, places] { stepper_.keep_trail(places); });
}

void Session::ask_hash() {
  post([this] { stepper_.find_hash(); });
}

void Session::ask_extent(sim::Scalar scalar) {
  post_look([this, scalar] {
    sim::Simulation& simulation = stepper_.simulation();
    const std::pair answer(sim::extent(simulation), sim::color_range(simulation, scalar));
    const std::lock_guard lock(mutex_);
    extent_ = answer;
    later_range_.reset();
  });
}

void Session::ask_range(sim::Scalar scalar) {
  if (range_asked_.exchange(true)) return;
  post_look([this, scalar] {
    range_asked_ = false;
    const sim::ValueRange range = sim::color_range(stepper_.simulation(), scalar);
    const std::lock_guard lock(mutex_);
    later_range_ = range;
  });
}

void Session::ask_histogram(const sim::HistogramRequest& request) {
  post_look([this, request] {
    sim::Histogram histogram = stepper_.simulation().histogram(request);
    const std::lock_guard lock(mutex_);
    histogram_ = {stepper_.version(), std::move(histogram)};
  });
}

void Session::checkpoint(const std::filesystem::path& file) {
  post_in_turn([this, file] { stepper_.checkpoint(file); }, false);
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

std::optional<sim::ValueRange> Session::take_range() {
  const std::lock_guard lock(mutex_);
  return std::exchange(later_range_, std::nullopt);
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
  return commands_.empty() && looks_.empty() && !busy_ && !status_.going_to &&
         status_.mode != Mode::running;
}

void Session::post(Command command) {
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
  }
  asked_ = true;
  wake_.notify_one();
}

void Session::post_look(Command look) {
  {
    const std::lock_guard lock(mutex_);
    looks_.push_back(std::move(look));
  }
  asked_ = true;
  wake_.notify_one();
}

void Session::post_in_turn(Command command, bool redirects) {
  post([this, command = std::move(command), redirects] { stepper_.in_turn(command, redirects); });
}

/// The first picture does not wait for the first measurement, which may take as long as steps: a
/// window asks for the extent of the bodies and offers a place for them in its first frame.
void Session::look_first() {
  std::vector<Command> looks;
  {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, std::chrono::milliseconds(200),
                   [this] { return offered_.has_value() || ending_; });
    looks.swap(looks_);
  }
  for (const Command& look : looks) {
    try {
      look();
    } catch (const std::exception& e) {
      stepper_.fail(e.what());
    }
  }
  pack_offered();
}

bool Session::begin() {
  if (records_) return stepper_.begin();
  const engine::Cancellation cancellation(cancelled_);
  return stepper_.begin();
}

void Session::loop() {
  look_first();
  if (!begin()) {
    publish();
    return swallow();
  }
  while (!quit_) {
    bool more = false;
    try {
      more = work();
      publish();
    } catch (const std::exception& e) {
      edits_done_ += stepper_.give_up(e.what());  // at most so many edits waited
      publish();
    }
    if (quit_ || more) continue;
    std::unique_lock lock(mutex_);
    busy_ = false;
    calm_.notify_all();
    wake_.wait_for(lock, std::chrono::duration<double>(std::min(stepper_.wait(), 3600.0)), [this] {
      return !commands_.empty() || !looks_.empty() || offered_.has_value();
    });
    busy_ = true;
  }
  stepper_.finish();
}

/// Nothing can be done but to wait for the end.
void Session::swallow() {
  std::unique_lock lock(mutex_);
  dead_ = true;
  while (!ending_) {
    commands_.clear();
    looks_.clear();
    busy_ = false;
    wake_.wait(lock, [this] { return ending_ || !commands_.empty() || !looks_.empty(); });
  }
}

/// One round: what was asked for, a frame, some steps. True when there is more to do at once.
bool Session::work() {
  asked_ = false;
  do_commands();
  if (quit_) return false;
  pack_offered();
  const bool more = stepper_.go_on([this] { return asked_.load(std::memory_order_relaxed); });
  return more || asked_;
}

void Session::do_commands() {
  std::vector<Command> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
    std::move(looks_.begin(), looks_.end(), std::back_inserter(commands));
    looks_.clear();
    busy_ = true;
  }
  stepper_.do_all(commands);
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
  sim::Simulation& simulation = stepper_.simulation();
  const auto start = Clock::now();
  PackedFrame frame;
  frame.place = job.first;
  frame.origin = job.second.origin;
  frame.step = simulation.step();
  frame.version = stepper_.version();
  frame.time = simulation.time();
  frame.count = simulation.count();
  frame.scalar = job.second.scalar;
  frame.ids = simulation.ids();
  frame.written = frame.count <= job.second.room;
  if (frame.written) frame.trail = stepper_.take_trail();
  const render::SharedPlace& place = job.first;
  try {
    if (job.second.follow) {
      const auto column = simulation.column(*job.second.follow);
      frame.lost = !column;
      if (column) frame.origin = simulation.body(*column).position;
      if (column) frame.follow = job.second.follow;
    }
    if (frame.written)
      simulation.pack({.positions = place.positions,
                       .scalars = place.scalars,
                       .origin = frame.origin,
                       .scalar = job.second.scalar,
                       .radii = place.radii,
                       .species_radii = walls_,
                       .on_device = place.on_device,
                       .ready = place.ready,
                       .done = place.done});
    if (job.second.contacts)
      frame.contacts = api::contact_lines(simulation.contacts(), frame.origin);
  } catch (const std::exception& e) {
    frame.written = false;  // the window waits for the place
    stepper_.fail(e.what());
  }
  pack_seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
  const std::lock_guard lock(mutex_);
  frame_ = std::move(frame);
  packing_ = false;
  packed_.notify_all();
}

void Session::publish() {
  SessionStatus s;
  stepper_.fill(s);
  s.pack_milliseconds = 1e3 * pack_seconds_;
  const std::lock_guard lock(mutex_);
  status_ = std::move(s);
  const std::size_t done = std::min(std::exchange(edits_done_, 0), edits_posted_.size());
  edits_posted_.erase(edits_posted_.begin(),
                      edits_posted_.begin() + static_cast<std::ptrdiff_t>(done));
  shared_rows_.follow(stepper_.rows());
}

}  // namespace mote::app
