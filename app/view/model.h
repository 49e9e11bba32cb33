#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/present.h"
#include "app/view/options.h"
#include "app/view/session.h"
#include "engine/log.h"
#include "render/camera_control.h"
#include "render/capture.h"
#include "render/scene_view.h"
#include "render/surface.h"

namespace mote::app {

/// Which panels are shown.
struct Panels {
  bool all = true;  ///< Tab
  bool browser = true, parameters = true, plots = true, histogram = true, body = true;
  bool statistics = false, log = false, help = false;
};

/// A shipped scene or a neighbour of the open one, in the browser.
struct BrowserEntry {
  std::filesystem::path file;
  std::string name, title, about;
  engine::Index bodies = 0;
};

/// Times of the last frames of the window, smoothed, in milliseconds.
struct FrameTimes {
  double whole = 0, share = 0, draw = 0, panels = 0;
};

/// What the user wants and what is to be shown: the common ground of keys, panels, scripts and the
/// frame loop. Lives in the thread of the window.
struct Model {
  ViewOptions options;
  std::unique_ptr<Session> session;  ///< null while nothing is open
  Opener opener;
  std::string error;  ///< why the last scene could not be opened, or ""

  // The scene as it is edited here.
  sim::View view;                                   ///< its look, changed live
  sim::Settings settings;                           ///< set by the user, for the next opening too
  bool restart_changes = false;                     ///< some of them wait for that
  std::map<std::string, engine::ParamValue> tuned;  ///< live parameters that were changed here, by
                                                    ///< their paths

  // A copy of how things stand, once a frame.
  SessionStatus status;
  sim::Rows rows;
  ShownHistogram histogram;
  PackedFrame shown;  ///< the frame that is drawn

  // Looking.
  render::CameraControl camera;
  render::ViewStyle style;
  Panels panels;
  sim::Scalar scalar = sim::Scalar::speed;
  sim::ValueRange range;
  bool automatic_range = true;
  bool names = true, scale_bar = true, legend = true;
  std::optional<std::uint32_t> picked;  ///< id of a body; it may be gone
  bool following = false;
  sim::Extent extent;
  api::ObstacleLines obstacles;
  double farther = 1;        ///< the camera stands further off than without panels, by this factor
  bool framed = false;       ///< the camera has been set for this scene
  bool frame_asked = false;  ///< F: the camera goes there when the extent is known
  sim::HistogramRequest histogram_request{sim::Scalar::speed, 60, {}, {}};

  // Statistics.
  FrameTimes times;
  double frames_per_second = 0;
  std::uint64_t frame = 0;
  render::ShareStatus share;
  std::string splat;
  render::GlInfo gl;
  std::vector<BrowserEntry> scenes;
  std::filesystem::path scene_in_sight;  ///< to which the list of them was scrolled
  engine::LogLines log;
  std::string toast;  ///< a line that fades
  double toast_seconds = 0;
  std::string halt_closed;  ///< why the simulation has stopped, where the user has closed that
                            ///< message

  // What the frame loop is asked to do.
  struct Wanted {
    bool quit = false, vsync_toggle = false, full_screen_toggle = false, record_toggle = false;
    std::optional<std::filesystem::path> screenshot;
    bool screenshot_scene_only = false;
    std::optional<std::pair<int, int>> size;
  } wanted;
  std::filesystem::path movie_path;
  std::optional<render::Movie> movie;

  bool moving = false;  ///< the camera glides or turns on

  /// Nothing is going on: what was asked for is done, and the frame shown is that of now.
  bool settled() const;
  void say(std::string text) {
    toast = std::move(text);
    toast_seconds = 4;
  }
  void open_scene(const std::filesystem::path& scene);
  /// Opens the same scene again, with the settings as they are; the one that could not be opened,
  /// if there is one.
  void reload();
  /// Back to the start, with the live parameters as they were set; opens anew when parameters were
  /// set that need it.
  void reset();
  /// Changes a parameter by name or path: live where that can be, else for the next reset. Returns
  /// what is wrong, or "".
  std::string set(const std::string& path, const engine::ParamValue& value);
  /// What a parameter of the scene stands at: where it is a live one, that of now; else as set
  /// here, or as opened.
  engine::ParamValue value_of(const sim::SceneParam& param) const;
  void set_color(sim::Scalar scalar);
  /// Of a scene that has just been opened: what its look says, or what was chosen before where its
  /// bodies have it.
  void choose_scalars();
  /// Places of each body that its trail reaches through; 0: there are no trails.
  int trail_length() const;
  void follow(std::optional<std::uint32_t> body, bool camera);

 private:
  bool set_live(const std::string& path, const engine::ParamValue& value);
  void edit(const std::string& path, const engine::ParamValue& value);
};

/// A file name that is not taken: "stem.png", "stem-2.png", ...
std::filesystem::path free_name(const std::string& stem, const std::string& ending);

}  // namespace mote::app
