#pragma once

#include <memory>
#include <span>

#include "render/input.h"
#include "render/surface.h"

namespace mote::render::ui {

/// Dear ImGui on a surface: context, fonts, style, input from InputEvents and drawing with OpenGL
/// 3. One at a time.
class Layer {
 public:
  explicit Layer(Surface& surface);
  ~Layer();
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  /// Passes events to the user interface and starts its frame; `seconds` since the last one. Call
  /// ImGui functions between begin and end. A frame sees a button either down or up, so events may
  /// be deferred to later frames; a quick click is not lost.
  void begin(std::span<const InputEvent> events, double seconds);
  /// Ends the frame; nothing is drawn yet.
  void end();
  /// Draws it, without notices, over the surface's framebuffer.
  void draw();
  /// Draws the notices, after the picture has been read back without them.
  void draw_notices();

  /// Whether the user interface captures the mouse or the keyboard (text input), so that the scene
  /// must not.
  bool wants_mouse() const;
  bool wants_keyboard() const;

  /// Gives the keyboard to the next panel (1) or the previous one (-1), from the next frame on.
  /// Arrows, Space, Enter and Tab then are the panel's; Escape or a click give it back to the
  /// scene.
  void focus_panel(int by);

  /// The events of the last begin() that the user interface leaves to the scene, always with
  /// releases of buttons and keys, so that nothing stays pressed.
  std::span<const InputEvent> scene_events() const;
  /// Whether events are deferred to the next frame, which should then come soon.
  bool pending() const;

  /// Scale of the user interface, 1 by default; multiplies the surface's own scale.
  void set_zoom(double zoom);
  double zoom() const;
  /// Whether the scene has a white background: panels, and what is drawn over the scene, are light
  /// with dark words then. From the next frame on.
  void set_on_white(bool on);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render::ui
