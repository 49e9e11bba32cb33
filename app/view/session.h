#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/view/opening.h"
#include "app/view/pace.h"
#include "app/view/recorder.h"
#include "app/view/session_status.h"
#include "render/shared_points.h"
#include "sim/run/extent.h"
#include "sim/run/history.h"
#include "sim/run/rows.h"

namespace mote::app {

/// A frame that the session has written.
struct PackedFrame {
  render::SharedPlace place;
  engine::Vec3d origin{};
  std::uint64_t step = 0, version = 0;
  double time = 0;
  std::optional<engine::Index> follow = {};  ///< the body that the origin is
  bool written = true;                       ///< false: writing failed, and the place is given back as it was
};

/// What a frame is to hold.
struct FrameWish {
  sim::Scalar scalar = sim::Scalar::speed;
  engine::Vec3d origin{};
  std::optional<engine::Index> follow;  ///< the origin is where this body is
};

struct ShownHistogram {
  std::uint64_t version = 0;
  std::optional<sim::Histogram> histogram;
};

/// A simulation in a thread of its own, driven by commands that take effect between steps. The window never waits for a
/// step: it posts commands, offers places for frames, and looks at copies. The clock decides how many steps are taken
/// between frames, never what is in them.
class Session {
 public:
  struct Options {
    std::uint64_t history = std::uint64_t{1} << 30;  ///< bytes
    std::optional<RecordRequest> record;
  };
  Session(Opened opened, const Options& options);
  /// Ends the thread, which finishes the step that it is in; a recorded run is made whole, with a checkpoint, as it stands
  /// at the furthest step of its branch.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const sim::SceneDescription& scene() const { return opened_.scene; }
  const sim::Plan& plan() const { return opened_.plan; }
  const OpenRequest& request() const { return opened_.request; }
  engine::Index count() const { return count_; }
  /// Of a body by its id, where bodies are few; else "".
  const std::string& name(std::uint32_t id) const;

  // What changes or writes the state waits for a search of the past to arrive: an edit is made where the user goes.
  void run(bool on);
  void step(std::int64_t steps);  ///< also backwards
  void seek(std::uint64_t step);
  void edit(const std::string& path, const engine::ParamValue& value);
  void set_rate(double time_per_second);
  void follow(std::optional<engine::Index> column);
  /// Whether status() has the numbers of all bodies, where they are few.
  void tell_bodies(bool on);
  void ask_hash();
  void ask_extent(sim::Scalar scalar);
  void ask_histogram(const sim::HistogramRequest& request);
  void checkpoint(const std::filesystem::path& file);

  SessionStatus status() const;
  /// Brings a copy of the rows of measurements up to date.
  void update(sim::Rows& rows) const;
  /// The answer to ask_extent, once.
  std::optional<std::pair<sim::Extent, sim::ValueRange>> take_extent();
  ShownHistogram histogram() const;

  /// Where to write the next frame; at most one at a time.
  void offer(const render::SharedPlace& place, const FrameWish& wish);
  std::optional<PackedFrame> take_packed();
  /// Takes an offered place back; true when it had not been written. Waits for a write that is going on.
  bool withdraw();

  /// Everything that was posted before has been done. For scripts.
  bool idle() const;

 private:
  using Clock = std::chrono::steady_clock;
  using Command = std::function<void()>;

  void post(Command command);
  void post_in_turn(Command command, bool redirects);
  void loop();
  bool begin();
  void swallow();
  void finish();
  bool work();
  void do_commands();
  void do_all(const std::vector<Command>& commands);
  void pack_offered();
  std::function<bool()> stop_after(double seconds);
  std::uint64_t steps_to_end() const;
  void advance();
  void continue_seek();
  void cut_rows(std::uint64_t step);
  void take_steps(std::uint64_t steps, const std::function<bool()>& stop);
  void take_report(const sim::StepReport& report);
  void add_row(const sim::Measurement& measurement);
  void tell(const std::string& message);
  void fail(const std::string& message);
  void publish();

  Opened opened_;
  engine::Index count_;
  std::vector<std::string> names_;  ///< of few bodies
  sim::Simulation& simulation_;
  std::uint64_t history_budget_;
  std::optional<sim::History>
      history_;  ///< made by the thread: measuring the first state may take as long as steps
  std::optional<Recorder> recorder_;
  Pace pace_;
  sim::Rows rows_;
  Mode mode_ = Mode::paused;
  std::uint64_t going_to_ = 0, version_ = 1, rows_branch_ = 0, steps_done_ = 0, messages_ = 0;
  std::vector<Command> after_seek_;
  bool past_end_ = false;       ///< the user runs on behind the end of the scene
  bool drift_told_ = false;     ///< and behind the limit of the energy error
  sim::StepReport bad_;         ///< of the last unhealthy step
  std::uint64_t bad_step_ = 0;  ///< which one that was; 0: none
  double stepping_seconds_ = 0;
  std::optional<engine::Index> follow_;
  bool tell_bodies_ = false;
  std::string message_;
  std::uint64_t hash_step_ = 0, hash_ = 0;
  double pack_seconds_ = 0;
  SpeedMeter speed_;

  mutable std::mutex mutex_;
  std::condition_variable wake_, packed_;
  std::atomic<bool> asked_{false};
  bool quit_ = false;    // of the thread
  bool ending_ = false;  // under the lock
  std::vector<Command> commands_;
  std::vector<std::pair<std::string, engine::ParamValue>> edits_posted_;  // and not yet in status_
  std::size_t edits_done_ = 0;                                            // of these; of the thread
  bool busy_ = true;
  std::optional<std::pair<render::SharedPlace, FrameWish>> offered_;
  bool packing_ = false;
  std::optional<PackedFrame> frame_;
  SessionStatus status_;
  sim::Rows shared_rows_;
  std::optional<std::pair<sim::Extent, sim::ValueRange>> extent_;
  ShownHistogram histogram_;

  bool tells_bodies_ = false;  // of the caller's thread: what was posted last

  std::thread thread_;  // last: starts when all else is there
};

}  // namespace mote::app
