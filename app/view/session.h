#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/view/session_status.h"
#include "app/view/stepper.h"
#include "render/polyline.h"
#include "render/shared_points.h"
#include "sim/run/extent.h"
#include "sim/run/rows.h"

namespace mote::app {

/// A frame that the session has written.
struct PackedFrame {
  render::SharedPlace place;
  engine::Vec3d origin{};
  std::uint64_t step = 0, version = 0;
  double time = 0;
  engine::Index count = 0;                   ///< bodies
  sim::Scalar scalar = sim::Scalar::speed;   ///< that each has
  sim::BodyIds ids;                          ///< which they are
  std::optional<std::uint32_t> follow = {};  ///< the body that the origin is
  bool lost = false;                         ///< the body that it should be is gone
  /// False: the place is given back as it was. Writing failed, or there are more bodies than it
  /// holds.
  bool written = true;
  std::vector<render::Polyline> contacts;  ///< of grains, where they are wished for
  std::vector<TrailPoint> trail;           ///< of few bodies, what came since the last frame
};

/// What a frame is to hold.
struct FrameWish {
  sim::Scalar scalar = sim::Scalar::speed;
  engine::Vec3d origin{};
  std::optional<std::uint32_t> follow;  ///< the origin is where this body is
  bool contacts = false;
  engine::Index room = 0;  ///< bodies that the place holds
};

struct ShownHistogram {
  std::uint64_t version = 0;
  std::optional<sim::Histogram> histogram;
};

/// A simulation in a thread of its own, driven by commands that take effect between steps. The
/// window never waits for a step: it posts commands, offers places for frames, and looks at copies.
/// The clock decides how many steps are taken between frames, never what is in them.
class Session {
 public:
  struct Options {
    std::uint64_t history = std::uint64_t{1} << 30;  ///< bytes
    std::optional<RecordRequest> record;
    bool scripted = false;  ///< at a rate, time passes by pass() alone
  };
  Session(Opened opened, const Options& options);
  /// Ends the thread, which finishes the step that it is in; a recorded run is made whole, with a
  /// checkpoint, as it stands at the furthest step of its branch. What was not measured yet, and is
  /// not recorded, is given up at once.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const sim::SceneDescription& scene() const { return stepper_.opened().scene; }
  const sim::Plan& plan() const { return stepper_.opened().plan; }
  const OpenRequest& request() const { return stepper_.opened().request; }
  const Opened& opened() const { return stepper_.opened(); }
  /// Bodies that there are now.
  engine::Index count() const;

  // What changes or writes the state waits for a search of the past to arrive: an edit is made
  // where the user goes.
  void run(bool on);
  void step(std::int64_t steps);  ///< also backwards
  void seek(std::uint64_t step);
  void edit(const std::string& path, const engine::ParamValue& value);
  void set_rate(double time_per_second);
  /// So many seconds of a script pass.
  void pass(double seconds);
  /// For scripts at a rate: returns when all that was posted or offered before has been done, steps
  /// that are due and a search of the past included, or when `stop` says so. Where the simulation
  /// steps as fast as it goes, at once.
  void wait(const std::function<bool()>& stop);
  /// Whether pass() and wait() do anything: in a script, at a rate.
  bool counted() const { return scripted_ && rate_ > 0; }
  void follow(std::optional<std::uint32_t> body);
  /// Whether status() has the numbers of all bodies, where they are few.
  void tell_bodies(bool on);
  /// Places of each body that its trail reaches through, from now on; 0: no trails.
  void keep_trail(int places);
  void ask_hash();
  void ask_extent(sim::Scalar scalar);
  /// The range of a scalar as it has become; one question waits at most.
  void ask_range(sim::Scalar scalar);
  void ask_histogram(const sim::HistogramRequest& request);
  void checkpoint(const std::filesystem::path& file);

  SessionStatus status() const;
  /// Brings a copy of the rows of measurements up to date.
  void update(sim::Rows& rows) const;
  /// The answer to ask_extent, once.
  std::optional<std::pair<sim::Extent, sim::ValueRange>> take_extent();
  /// The answer to ask_range, once; nothing where the extent was asked for since.
  std::optional<sim::ValueRange> take_range();
  ShownHistogram histogram() const;

  /// Where to write the next frame; at most one at a time.
  void offer(const render::SharedPlace& place, const FrameWish& wish);
  std::optional<PackedFrame> take_packed();
  /// Takes an offered place back; true when it had not been written. Waits for a write that is
  /// going on.
  bool withdraw();

  /// Everything that was posted before has been done. For scripts.
  bool idle() const;

 private:
  using Clock = std::chrono::steady_clock;
  using Command = Stepper::Command;

  void post(Command command);
  void post_look(Command look);
  void post_in_turn(Command command, bool redirects);
  void look_first();
  bool begin();
  void loop();
  void swallow();
  bool work();
  void do_commands();
  void pack_offered();
  void publish();

  Stepper stepper_;  // of the thread; what never changes in it may be read by others
  std::optional<sim::SpeciesRadii> walls_;
  bool records_;
  double pack_seconds_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable wake_, packed_, calm_;
  std::atomic<bool> asked_{false};
  std::atomic<bool> range_asked_{false};
  std::atomic<bool> cancelled_{false};  ///< the first measurement, if it still goes on
  bool quit_ = false;                   // of the thread
  bool ending_ = false;                 // under the lock
  std::vector<Command> commands_;
  std::vector<Command> looks_;  ///< questions, which only look at the state
  std::vector<std::pair<std::string, engine::ParamValue>> edits_posted_;  // and not yet in status_
  std::size_t edits_done_ = 0;                                            // of these; of the thread
  bool busy_ = true;
  bool dead_ = false;  // nothing will be done any more
  std::optional<std::pair<render::SharedPlace, FrameWish>> offered_;
  bool packing_ = false;
  std::optional<PackedFrame> frame_;
  SessionStatus status_;
  sim::Rows shared_rows_;
  std::optional<std::pair<sim::Extent, sim::ValueRange>> extent_;
  std::optional<sim::ValueRange> later_range_;
  ShownHistogram histogram_;

  // Of the caller's thread: what was posted last.
  bool tells_bodies_ = false;
  int trail_ = 0;
  bool scripted_;
  double rate_;

  std::thread thread_;  // last: starts when all else is there
};

}  // namespace mote::app
