#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "app/view/drive.h"
#include "app/view/frame_feed.h"
#include "app/view/screenshots.h"
#include "app/view/watched_run.h"
#include "app/view/window_file.h"
#include "app/view/window_state.h"
#include "render/ui/layer.h"

namespace mote::app {

/// The main loop of a window: input, results of the simulation, the scene, the panels.
class FrameLoop {
 public:
  /// With `watched`, shows that run until it is over, in place of one of its own.
  explicit FrameLoop(const ViewOptions& options, WatchedRun* watched = nullptr);
  ~FrameLoop();
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  void frame();
  double elapsed();
  double fading_seconds() const;
  void receive_scene();
  void start_session(Opened opened);
  void show_session(std::shared_ptr<Session> session, bool same);
  bool is_over() const;
  std::unique_lock<std::mutex> toolkit_turn() const;
  void draw_and_rest();
  void end_session();
  void erase_ended();
  void show_messages();
  std::optional<RecordRequest> record_request();
  bool still() const;
  double idle_seconds();
  void watch_file();
  void handle(const render::InputEvent& event);
  void click(const render::InputEvent& event);
  void pick(double x, double y);
  void drop(const std::filesystem::path& file);
  std::optional<std::uint32_t> body_at(double x, double y);
  void advance_script_clock();
  void update_from_session();
  void report_state();
  void offer_points();
  void receive_frame(bool wait = false);
  void show_trails(bool moved, bool others);
  void apply_extent();
  void widen_range();
  void request_histogram();
  void move_camera(double seconds);
  /// Tells whether the window is looked at, or its picture is to be stored.
  bool looked_at() const;
  /// Whether a picture of this frame is looked at. Offscreen that is so when it is read, and in
  /// the first frame of each line of a script, which shows what the line has changed.
  bool seen() const;
  void draw_scene();
  render::PointBuffers points() const;
  void draw_panels();
  void write_images();
  void apply_requests();
  void measure_frame_time(double seconds);
  void smooth(double& time, Clock::time_point start) const;

  WatchedRun* watched_;
  WindowState model_;
  std::unique_ptr<render::Surface> surface_;
  std::unique_ptr<render::ui::Layer> layer_;
  std::unique_ptr<render::SceneView> view_;
  std::optional<FrameFeed> feed_;
  std::optional<Drive> drive_;
  Screenshots screenshots_;
  std::optional<WindowFile> file_;
  Trails trails_;
  std::vector<std::future<void>> ending_;  ///< sessions finishing their last step

  Clock::time_point next_picture_{};  ///< of a watched run, which leaves the GPU to its steps

  int records_begun_ = 0;
  std::uint64_t messages_ = 0;       ///< messages of the session shown so far
  std::uint64_t range_version_ = 0;  ///< state version of the last colour-range request
  bool changed_ = true;              ///< the last frame showed something new
  std::uint64_t trail_step_ = 0;
  Clock::time_point last_frame_, last_watch_;
  double now_ = 0, last_histogram_ = -1, last_click_ = -1;  ///< sums of frame times [s]
  std::uint64_t histogram_version_ = 0;
  double click_x_ = -100, click_y_ = -100;
  double seconds_ = 0;        ///< duration of this frame
  double frame_timeout_ = 0;  ///< timeout of the next frame [s]
  double last_change_ = 0;    ///< when something new was last shown, as now_ [s]
  bool script_ = false;
  /// The wait for input was over before this frame, or has just ended. Its times are not shown: a
  /// picture in which nothing moves stays as it is, down to its numbers, and nothing has to be sent
  /// to a browser.
  bool resting_ = false;
};

}  // namespace mote::app
