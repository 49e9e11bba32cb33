#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "render/camera.h"
#include "render/input.h"
#include "render/scene_view.h"

namespace mote::render {

/// Moves a camera by user input: orbit (left drag turns, the wheel zooms, middle, right or
/// Shift+left drag pans) and fly (W A S D Q E, faster with Shift, right drag looks around), both
/// with inertia. Positions are absolute and in double precision; the returned viewpoint is relative
/// to an origin, so bodies far from zero are drawn accurately.
///
/// The end of a movement does not depend on how often update() is called meanwhile.
class CameraControl {
 public:
  /// Factor by which a notch of the wheel divides the distance.
  static constexpr double zoom_per_notch = 1.15;

  void set(const OrbitCamera& camera);
  /// The current camera, without the remaining inertia.
  const OrbitCamera& camera() const { return camera_; }

  /// Handles a mouse or key event of the scene (not of the user interface). Also pass releases that
  /// happen after the user interface has captured the mouse.
  void handle(const InputEvent& event, int width, int height);
  /// Advances inertia, flight and glides by the time since the last picture [s]. True while
  /// anything moves.
  bool update(double seconds);
  /// Keys do what a drag and the wheel do: they turn (look around while flying) and pan by parts of
  /// the picture's height, right and down, and zoom by notches; smoothly, within a tenth of a
  /// second.
  void nudge_turn(const glm::dvec2& heights) { turn_left_ += heights; }
  void nudge_pan(const glm::dvec2& heights) { pan_left_ += heights; }
  void nudge_zoom(double notches);
  /// Multiplies the distance from the target; movements go on.
  void scale(double factor) { camera_.distance *= factor; }
  /// Stops at once; held buttons and keys count as released.
  void stop();

  /// Glides to a view in which the sphere fits the picture.
  void frame(const glm::dvec3& center, double radius, double aspect);
  /// Tracks a moving point; call before each update(). Glides there first. The user may turn
  /// freely; a panned offset moves along with the point.
  void follow(const glm::dvec3& point);

  bool flying() const { return flying_; }
  void set_flying(bool flying);

  Viewpoint viewpoint(const glm::dvec3& origin, int width, int height) const;

 private:
  enum class Drag { none, turn, pan, look };

  /// Remaining part of a glide to another target and distance.
  struct Glide {
    glm::dvec3 offset{0, 0, 0};  // start minus end
    double log_ratio = 0;        // log of the ratio of the distances
    double time = 0;             // since the start [s]; finished from `glide_time` on
  };

  void begin_drag(const InputEvent& event);
  void press_key(Key key, bool down);
  void move(Drag drag, const glm::dvec2& by);
  void turn(const glm::dvec2& degrees);
  void pan(const glm::dvec2& heights);
  void look(const glm::dvec2& degrees);
  void zoom(double log_factor);
  void shift(const glm::dvec3& by);
  glm::dvec3 requested_velocity() const;

  bool coast(double seconds);
  bool advance_zoom(double seconds);
  bool advance(glm::dvec2& left, Drag as, double seconds);
  bool fly(double seconds);
  bool advance_glide(double seconds);

  OrbitCamera camera_;
  bool flying_ = false;

  Drag drag_ = Drag::none;   // the current drag
  Drag coast_ = Drag::none;  // the last drag, which may still coast
  int button_ = 0;           // mouse button of the drag
  glm::dvec2 mouse_{0, 0};   // pixels
  glm::dvec2 moved_{0, 0};   // since the last update, in picture heights, y down
  glm::dvec2 speed_{0, 0};   // speed of the drag [picture heights/s]

  double zoom_left_ = 0;                         // log of the remaining factor on the distance
  glm::dvec2 turn_left_{0, 0}, pan_left_{0, 0};  // remaining nudges [picture heights]

  bool held_[6] = {};  // W S D A E Q
  bool fast_ = false;
  glm::dvec3 velocity_{0, 0, 0};  // right, up, back [target distances/s]

  Glide glide_;
  bool gliding_ = false;
  bool following_ = false, followed_now_ = false;
  glm::dvec3 followed_{0, 0, 0};         // the point
  glm::dvec3 followed_offset_{0, 0, 0};  // offset from the point to the target
};

}  // namespace mote::render
