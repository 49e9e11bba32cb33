#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "app/view/camera_roll.h"
#include "app/view/drive.h"
#include "app/view/feed.h"
#include "app/view/model.h"
#include "render/ui/layer.h"

namespace mote::app {

/// What happens in a window, frame by frame: input, what the simulation has sent, the picture, the
/// panels.
class FrameLoop {
 public:
  explicit FrameLoop(const ViewOptions& options);
  ~FrameLoop();
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  void frame();
  double elapsed();
  double fading_seconds() const;
  void take_opened();
  void start_session(Opened opened);
  void end_session();
  void forget_ended();
  void say_messages();
  std::optional<RecordRequest> record_request();
  double idle_seconds();
  void watch_file();
  void handle(const render::InputEvent& event);
  void click(const render::InputEvent& event);
  void pick(double x, double y);
  void pass_time();
  void look_at_session();
  void offer_points();
  void take_frame();
  void show_trails(bool moved, bool others);
  void take_extent();
  void widen_range();
  void ask_histogram();
  void move_camera(double seconds);
  void draw_scene();
  render::PointBuffers points() const;
  void draw_panels();
  void take_pictures();
  void do_wanted();
  void meter(double seconds);

  Model model_;
  std::unique_ptr<render::Surface> surface_;
  std::unique_ptr<render::ui::Layer> layer_;
  std::unique_ptr<render::SceneView> view_;
  std::optional<Feed> feed_;
  std::optional<Drive> drive_;
  CameraRoll roll_;
  Trails trails_;
  std::vector<std::future<void>> ending_;  ///< sessions that finish their last step

  int records_ = 0;                  ///< begun so far
  std::uint64_t messages_ = 0;       ///< of the session, shown so far
  std::uint64_t range_version_ = 0;  ///< of the state whose range of colours was asked for last
  bool fresh_ = true;                ///< the last frame showed something new
  std::uint64_t trail_step_ = 0;
  Clock::time_point last_frame_, last_watch_;
  double now_ = 0, last_histogram_ = -1, last_click_ = -1;  ///< seconds of frames
  std::uint64_t histogram_version_ = 0;
  double click_x_ = -100, click_y_ = -100;
  double seconds_ = 0;  ///< of this frame
  double nap_ = 0;      ///< the next one, seconds
  bool script_ = false;
};

}  // namespace mote::app
