#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/present.h"
#include "app/view/hand_tool.h"
#include "app/view/options.h"
#include "app/view/panel_places.h"
#include "app/view/session.h"
#include "engine/log.h"
#include "render/camera_control.h"
#include "render/capture.h"
#include "render/scene_view.h"
#include "render/surface.h"

namespace mote::app {

/// A shipped scene or the open one, in the browser.
struct BrowserEntry {
  std::filesystem::path file;
  std::string name, title, about;
  engine::Index bodies = 0;
};

/// Frame times of the window, smoothed [ms].
struct FrameTimes {
  double frame = 0, share = 0, draw = 0, panels = 0;
  double wait = 0;  ///< time spent waiting for the step under way
};

/// State of the window, shared by keys, panels, scripts and the frame loop. Used by the window's
/// thread only.
struct WindowState {
  ViewOptions options;
  std::shared_ptr<Session> session;  ///< null while nothing is open
  Opener opener;
  std::string error;  ///< why the last scene could not be opened, or ""

  // The scene as edited here.
  sim::View view;                ///< display settings, changed live
  sim::Settings settings;        ///< set by the user; kept when the scene is opened again
  bool restart_changes = false;  ///< some of them take effect only then
  std::map<std::string, engine::ParamValue> tuned;  ///< live parameters changed here, by path

  // Copies of the session's results, updated every frame.
  SessionStatus status;
  sim::MeasurementSeries series;
  ShownHistogram histogram;
  PackedFrame shown;         ///< the drawn frame
  double sphere_radius = 0;  ///< radius of spheres without their own [length]; 0 without spheres

  // Camera and display.
  render::CameraControl camera;
  render::ViewStyle style;
  Panels panels;
  sim::Quantity scalar;
  sim::ValueRange range;
  bool automatic_range = true;
  bool names = true, scale_bar = true, legend = true;
  std::optional<std::uint32_t> picked;  ///< id of a body; it may no longer exist
  bool following = false;
  engine::Vec3d clip_normal{};  ///< normal of a clipping plane that was switched off, or 0
  HandTool hand;
  sim::Extent extent;
  api::DrawnObstacles obstacles;
  std::vector<render::Look> looks;  ///< looks of the species, by number
  /// Factor on the camera's distance that fits into the area that panels leave free what would fill
  /// the full height of the surface, as far to the sides as the subject reaches.
  double distance_factor = 1;
  double free_height = 1, free_width = 1;  ///< the surface's height over those of that area
  double subject_width = 1;        ///< width of the bodies in the scene's picture, in its heights
  bool framed = false;             ///< the camera has been set for this scene
  bool framing_requested = false;  ///< F was pressed: frame all bodies when the extent is known
  sim::HistogramRequest histogram_request{sim::Scalar::speed, 60, {}, {}};

  // Statistics.
  FrameTimes times;
  double frames_per_second = 0;
  std::uint64_t frame = 0;
  render::ShareStatus share;
  std::string splat;
  render::GlInfo gl;
  std::vector<BrowserEntry> scenes;
  std::filesystem::path scrolled_to;  ///< the scene in view in the browser's list
  engine::LogLines log;
  std::string toast;  ///< a message that fades
  double toast_seconds = 0;
  std::string dismissed_halt;  ///< SessionStatus::halt of the message closed by the user

  // Requests to the frame loop.
  struct Requests {
    bool quit = false, vsync_toggle = false, full_screen_toggle = false, record_toggle = false;
    std::optional<std::filesystem::path> screenshot;
    bool screenshot_scene_only = false;
    std::optional<std::pair<int, int>> size;
    int focus = 0;  ///< gives the keyboard to the next panel (1) or the previous one (-1)
  } requests;
  std::vector<std::filesystem::path> written;  ///< files that the window has written in this frame
  std::filesystem::path movie_path;
  std::optional<render::Movie> movie;

  bool moving = false;  ///< the camera moves

  /// True if nothing is pending: requests are done, and the shown frame is that of the current
  /// state.
  bool settled() const;
  /// Returns what the simulation does: "running", "paused", ...; "history" while later steps exist.
  std::string mode_name() const;
  void notify(std::string text) {
    toast = std::move(text);
    toast_seconds = 4;
  }
  /// Tells the user that a watched run takes no changes; false if it is the window's own run.
  bool refuse_to_change();
  void open_scene(const std::filesystem::path& scene);
  /// Opens the same scene again, with the current settings, or the last one that failed to open.
  void reload();
  /// Goes back to the start, keeping live parameters; opens the scene again if other parameters
  /// have changed.
  void reset();
  /// Sets a parameter by name or path: live if possible, else at the next reset. Returns an error
  /// message, or "".
  std::string set(const std::string& path, const engine::ParamValue& value);
  /// Value of a parameter of the scene: the current one if live, else as set here, or as opened.
  engine::ParamValue value_of(const sim::SceneParam& param) const;
  void set_color(const sim::Quantity& scalar);
  /// Selects the scalars of a newly opened scene: that of its view; the histogram's stays if the
  /// scene has it.
  void choose_scalars();
  /// Number of positions of each body in its trail; 0: no trails.
  int trail_length() const;
  void follow(std::optional<std::uint32_t> body, bool camera);

 private:
  bool set_live(const std::string& path, const engine::ParamValue& value);
  void edit(const sim::LiveEdits& edits);
};

/// An unused file name: "stem.png", "stem-2.png", ...
std::filesystem::path free_name(const std::string& stem, const std::string& ending);

}  // namespace mote::app
