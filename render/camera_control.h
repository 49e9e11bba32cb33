#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "render/camera.h"
#include "render/input.h"
#include "render/scene_view.h"

namespace mote::render {

/// Moves a camera as a user wants it: orbit (left drag turns, wheel comes nearer, middle, right or
/// Shift+left drag pans) and fly (W A S D Q E, faster with Shift, right drag looks around), both
/// with inertia. Positions are in doubles and absolute; the viewpoint it gives is relative to an
/// origin, so that bodies far from zero are drawn exactly.
///
/// Where a movement ends does not depend on how often update() is called on the way.
class CameraControl {
 public:
  /// A notch of the wheel brings the camera nearer by this factor.
  static constexpr double zoom_per_notch = 1.15;

  void set(const OrbitCamera& camera);
  /// The camera as it is now, without what inertia will still do.
  const OrbitCamera& camera() const { return camera_; }

  /// Takes a mouse or key event of the scene (not of the user interface). Releases should come even
  /// when the user interface has taken the mouse meanwhile.
  void handle(const InputEvent& event, int width, int height);
  /// Lets time pass since the last picture: inertia, flying, the way to a new target. True while
  /// something moves.
  bool update(double seconds);
  /// Stops at once where it is; buttons and keys that are held count as released.
  void stop();

  /// Glides to the place from which a sphere fits the picture.
  void frame(const glm::dvec3& center, double radius, double aspect);
  /// Keeps looking at a point that moves, from wherever the user turns: before each update() of as
  /// many frames as wished. Glides there first. Where the user pans to meanwhile moves along.
  void follow(const glm::dvec3& point);

  bool flying() const { return flying_; }
  void set_flying(bool flying);

  Viewpoint viewpoint(const glm::dvec3& origin, int width, int height) const;

 private:
  enum class Drag { none, turn, pan, look };

  /// What is left of a way to another target and distance.
  struct Glide {
    glm::dvec3 away{0, 0, 0};  // from the end to the start
    double log_away = 0;       // of the distance
    double time = 0;           // since the start, seconds; from `glide_time` on it is over
  };

  void begin_drag(const InputEvent& event);
  void press_key(Key key, bool down);
  void move(Drag drag, const glm::dvec2& by);
  void turn(const glm::dvec2& degrees);
  void pan(const glm::dvec2& heights);
  void look(const glm::dvec2& degrees);
  void zoom(double log_factor);
  void shift(const glm::dvec3& by);
  glm::dvec3 flying_wish() const;

  bool coast(double seconds);
  bool zoom_on(double seconds);
  bool fly(double seconds);
  bool glide_on(double seconds);

  OrbitCamera camera_;
  bool flying_ = false;

  Drag drag_ = Drag::none;   // what the mouse does now
  Drag coast_ = Drag::none;  // what it did last
  int button_ = 0;           // that holds the drag
  glm::dvec2 mouse_{0, 0};   // pixels
  glm::dvec2 moved_{0, 0};   // since the last update, in heights of the picture, y down
  glm::dvec2 speed_{0, 0};   // of the drag, heights a second

  double zoom_left_ = 0;  // logarithm of the factor that the distance still gets

  bool held_[6] = {};  // W S D A E Q
  bool fast_ = false;
  glm::dvec3 velocity_{0, 0, 0};  // right, up, back; distances to the target a second

  Glide glide_;
  bool gliding_ = false;
  bool following_ = false, followed_now_ = false;
  glm::dvec3 followed_{0, 0, 0};  // the point
  glm::dvec3 beside_{0, 0, 0};    // from it to the target
};

}  // namespace mote::render
