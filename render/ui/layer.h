#pragma once

#include <memory>
#include <span>

#include "render/input.h"
#include "render/surface.h"

namespace mote::render::ui {

/// Dear ImGui on a surface: context, fonts, style, its input out of InputEvents and its drawing
/// with OpenGL 3. One at a time.
class Layer {
 public:
  explicit Layer(Surface& surface);
  ~Layer();
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  /// Hands events to the user interface and starts a frame of it; `seconds` since the last one.
  /// Between begin and end ImGui functions may be called. What a frame can see is limited (a button
  /// is either down or up), so events may be kept for the next ones; a quick click is not lost.
  void begin(std::span<const InputEvent> events, double seconds);
  /// Ends the frame; nothing is drawn yet.
  void end();
  /// Draws it over what the surface's framebuffer holds, without its notices.
  void draw();
  /// Draws these, once the picture was read that they shall not be in.
  void draw_notices();

  /// Whether the user interface takes the mouse or the keyboard (text is typed), so that the scene
  /// must not.
  bool takes_mouse() const;
  bool takes_keyboard() const;

  /// The events that the frame of the last begin() has seen and that the user interface leaves to
  /// the scene. Releases of buttons and keys always are, so that nothing stays pressed.
  std::span<const InputEvent> for_scene() const;
  /// Whether events are kept for the next frame, which should then come soon.
  bool pending() const;

  /// Size of everything, 1 by default; beside the surface's own scale.
  void set_zoom(double zoom);
  double zoom() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render::ui
