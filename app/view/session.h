#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "api/body_kinds.h"
#include "api/body_meshes.h"
#include "app/view/session_loop.h"
#include "app/view/session_status.h"
#include "render/polyline.h"
#include "render/shared_points.h"
#include "sim/output/measurement_series.h"
#include "sim/run/extent.h"

namespace mote::app {

/// A frame written by the session.
struct PackedFrame {
  render::SharedTarget target;
  engine::Vec3d origin{};
  std::uint64_t step = 0, version = 0;
  double time = 0;
  engine::Index count = 0;                   ///< bodies
  sim::Quantity scalar;                      ///< the quantity written for each
  sim::BodyIds ids;                          ///< ids of the bodies
  std::optional<std::uint32_t> follow = {};  ///< the body at the origin
  bool lost = false;                         ///< the body to follow no longer exists
  /// False: the target is unchanged, because writing failed or there are more bodies than its
  /// capacity.
  bool written = true;
  std::vector<render::Polyline> contacts;        ///< contacts of grains, when requested
  std::shared_ptr<const render::BodyMesh> mesh;  ///< links and skins of bodies, when requested
  api::Appearance appearance;                    ///< when requested, or some have their own
  std::vector<sim::SolidState> solids;           ///< solids of the scene, where axles turn
  MarkedBodies marked;
  std::vector<TrailSample> trail;  ///< new samples since the last frame, for few bodies
};

/// Contents of the next frame.
struct FrameRequest {
  sim::Quantity scalar;
  engine::Vec3d origin{};
  std::optional<std::uint32_t> follow;  ///< put the origin at this body
  bool contacts = false;
  bool kinds = false;          ///< the appearance of each body
  std::string show = {};       ///< view.show: hides bodies
  bool mesh = false;           ///< links and skins of bodies are requested
  engine::Index capacity = 0;  ///< bodies that fit into the target
};

struct ShownHistogram {
  std::uint64_t version = 0;
  std::optional<sim::Histogram> histogram;
};

/// A simulation in a dedicated thread, controlled by commands that take effect between steps. The
/// window never waits for a step: it posts commands, offers frame buffers, and reads copies. The
/// clock affects only the number of steps between frames, never their results.
class Session {
 public:
  struct Options {
    std::uint64_t history = std::uint64_t{1} << 30;  ///< bytes
    std::optional<RecordRequest> record;
    bool scripted = false;  ///< only advance_clock() lets time pass, if a rate is set
  };
  Session(Opened opened, const Options& options);
  /// Watches a run that steps `simulation` elsewhere, without a thread of its own: the thread of
  /// the run calls visit(). What changes the run is refused with a message. `opened` has no
  /// simulation.
  Session(Opened opened, sim::Simulation& simulation);
  bool watches_a_run() const { return watches_; }

  // The thread of a watched run calls these; the simulation must outlive the last call.

  /// Tells whether visit() has anything to do now. It may be asked after every step.
  bool wants_visit() const;
  /// Does what the window waits for, between two steps. `last`: the last step of the run.
  void visit(std::uint64_t last);
  void add_row(const sim::Measurement& measurement);
  /// The run has ended: what was posted is done, and what is posted later is dropped.
  void end_visits(const std::string& how);

  /// Whether a watched run is looked at. If it is not, the window asks for none.
  void set_looked_at(bool on) { looked_at_ = on; }

  /// Ends the thread after its current step. A recorded run is completed, with a checkpoint, in its
  /// state at the last step of the current branch. Otherwise a first measurement is cancelled.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const sim::SceneDescription& scene() const { return loop_.opened().scene; }
  const sim::Plan& plan() const { return loop_.opened().plan; }
  const OpenRequest& request() const { return loop_.opened().request; }
  const Opened& opened() const { return loop_.opened(); }
  /// Current number of bodies.
  engine::Index count() const;

  // Commands that change or write the state are deferred until a seek arrives, so that an edit
  // applies at the step the user goes to.
  void run(bool on);
  void step(std::int64_t steps);  ///< negative: backwards
  void seek(std::uint64_t step);
  void edit(const sim::LiveEdits& edits);
  // Changes by hand (SessionLoop).
  void begin_action();
  void pull(std::uint32_t body, const sim::LiveEdits& edits);
  void let_go();
  void add(const AdditionRequest& request);
  void remove(std::uint32_t body);
  void undo();
  void set_rate(double time_per_second);
  /// Advances the clock of a script [s].
  void advance_clock(double seconds);
  /// Lets scripts with a rate wait: returns when all commands and offers posted before are done,
  /// including steps due and a seek, or when `stop` returns true. Without a rate, returns at once.
  void wait(const std::function<bool()>& stop);
  /// Whether advance_clock() and wait() have an effect: in a script, with a rate.
  bool paced_by_script() const { return scripted_ && rate_ > 0; }
  void follow(std::optional<std::uint32_t> body);
  /// Whether status() includes all bodies, when they are few, and the named ones.
  void publish_bodies(bool on);
  /// Number of positions of each body in its trail, from now on; 0: no trails.
  void set_trail_length(int points);
  void request_hash();
  /// Whether errors of approximate forces are sampled, at intervals of many steps.
  void sample_force_errors(bool on);
  void request_extent(const sim::Quantity& scalar);
  /// The current range of a scalar; at most one request is pending.
  void request_range(const sim::Quantity& scalar);
  void request_histogram(const sim::HistogramRequest& request);
  void checkpoint(const std::filesystem::path& file);

  SessionStatus status() const;
  /// Updates a copy of the series of measurements.
  void update(sim::MeasurementSeries& series) const;
  /// The answer to request_extent, once.
  std::optional<std::pair<sim::Extent, sim::ValueRange>> pop_extent();
  /// The answer to request_range, once; nothing if the extent was requested since.
  std::optional<sim::ValueRange> pop_range();
  ShownHistogram histogram() const;

  /// Between these calls no steps run, so that a frame has the GPU that they keep busy: passing
  /// buffers between CUDA and OpenGL waits for all work under way, and passes of drawing wait for
  /// steps. Begins at most 60 times a second, and waits for the step under way, but not for long;
  /// returns how long it waited for that [s].
  double begin_drawing();
  void end_drawing();

  /// Offers a target for the next frame; at most one at a time.
  void offer(const render::SharedTarget& target, const FrameRequest& request);
  std::optional<PackedFrame> pop_packed();
  /// Withdraws the offered target; true if it was not written. Waits for a write in progress.
  bool withdraw();

  /// Whether all commands posted before are done. For scripts.
  bool idle() const;

 private:
  using Clock = std::chrono::steady_clock;
  using Command = SessionLoop::Command;

  void post(Command command);
  void post_query(Command query);
  void post_in_order(Command command, bool redirects);
  void run_first_queries();
  bool begin();
  void refuse_change();
  void run_thread();
  void drain();
  bool work();
  void run_commands();
  bool hold_steps();
  void pack_offered();
  void publish();

  const bool watches_;
  SessionLoop loop_;  // used by its thread; other threads may read what never changes
  std::optional<sim::SpeciesRadii> walls_;
  api::BodyMeshes meshes_;  // used by the thread only
  api::BodyKinds kinds_;    // used by the thread only
  bool recording_;
  double pack_seconds_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable wake_, packed_, became_idle_, drawn_, held_;
  std::atomic<bool> interrupt_{false};
  std::atomic<bool> range_requested_{false};
  std::atomic<bool> cancelled_{false};  ///< cancels the first measurement
  bool quit_ = false;                   // used by the thread only
  bool ending_ = false;                 // guarded by mutex_
  std::vector<Command> commands_;
  std::vector<Command> queries_;  ///< commands that only read the state
  sim::LiveEdits edits_posted_;   // and not yet in status_
  std::size_t edits_done_ = 0;    // number of edits_posted_ that are done; used by the thread only
  bool busy_ = true;
  bool failed_ = false;  // commands are discarded
  std::optional<std::pair<render::SharedTarget, FrameRequest>> offered_;
  bool packing_ = false;
  bool drawing_ = false;                          ///< a frame has the GPU
  bool steps_held_ = false;                       ///< the thread runs no steps while it has
  std::uint64_t frames_drawn_ = 0, holds_ = 0;    ///< numbers of these so far
  std::uint64_t holds_seen_ = ~std::uint64_t{0};  // used by the caller's thread
  Clock::time_point drawing_began_{};             // used by the caller's thread
  bool stepped_ = true;                           // since the last frame; used by the thread only
  std::optional<PackedFrame> frame_;
  SessionStatus status_;
  sim::MeasurementSeries shared_series_;
  std::optional<std::pair<sim::Extent, sim::ValueRange>> extent_;
  std::optional<sim::ValueRange> range_;
  ShownHistogram histogram_;

  std::atomic<bool> looked_at_{false};
  Clock::time_point next_visit_{};  // used by the thread of a watched run only

  // Used by the caller's thread: what was posted last.
  bool bodies_published_ = false, force_errors_sampled_ = false;
  int trail_ = 0;
  bool scripted_;
  double rate_;

  std::thread thread_;  // last: starts when all other members exist
};

}  // namespace mote::app
