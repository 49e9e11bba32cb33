#pragma once

#include <GL/glew.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/context.h"
#include "render/input.h"
#include "render/picture.h"

namespace mote::render {

struct SurfaceOptions {
  /// Pixels. A window on a display of twice the usual density gets twice as many, so that it looks
  /// as large.
  int width = 1280, height = 720;
  std::string title = "mote";
  bool vsync = true;
  std::optional<int> cuda_device;  ///< prefer the GPU that CUDA calls so
  std::optional<double> scale;  ///< of the user interface; else what MOTE_UI_SCALE or the display
                                ///< says
};

/// What the mouse pointer looks like.
enum class Pointer { arrow, text, hand, sideways, up_down };

/// What the viewer draws on, and where its input comes from: a window (GLFW), or a picture in
/// memory (EGL) on machines without a display. Its OpenGL 4.5 core context is current in the thread
/// that made it and used by that thread alone.
class Surface {
 public:
  virtual ~Surface() = default;

  virtual int width() const = 0;  ///< of the framebuffer, pixels; 0 while minimised
  virtual int height() const = 0;
  virtual double scale() const = 0;  ///< size of the user interface, 1 on ordinary displays, 2 on
                                     ///< those of twice the density
  virtual GLuint framebuffer() const = 0;  ///< to draw into: 0 for a window
  virtual const GlInfo& info() const = 0;

  /// What has happened since the last call. `seconds` > 0: waits so long for something to happen. A
  /// mouse that leaves the window has moved to (-1, -1).
  virtual std::vector<InputEvent> poll(double seconds) = 0;
  /// Shows what was drawn; waits for the display when vsync is on, or about as long where the
  /// driver does not.
  virtual void show() = 0;

  virtual bool vsync() const { return false; }
  virtual void set_vsync(bool) {}
  virtual bool full_screen() const { return false; }
  virtual void set_full_screen(bool) {}
  virtual void set_title(const std::string&) {}
  /// Pixels, at least 1; what is drawn is lost. A window manager may give a window another size.
  virtual void resize(int, int) {}
  virtual void set_pointer(Pointer) {}

  /// Text that was copied: the desktop's for a window, else one of our own.
  virtual std::string clipboard() const { return clipboard_; }
  virtual void set_clipboard(const std::string& text) { clipboard_ = text; }

  /// What stands in the framebuffer now, as a picture. Of a window: before show(), which leaves it
  /// undefined.
  Image read() const;

 private:
  std::string clipboard_;
};

/// A window. Throws engine::SystemError when there is no display or no OpenGL 4.5, with what to do
/// instead. Windows are made, used and destroyed by the main thread.
std::unique_ptr<Surface> open_window(const SurfaceOptions& options);

/// A picture in memory; its input comes from scripts alone.
std::unique_ptr<Surface> open_offscreen(const SurfaceOptions& options);

/// Whether a window can be tried: X11 or Wayland is named by the environment. "" or the reason why
/// not.
std::string no_display_reason();

/// Size of the user interface: what the options say, else MOTE_UI_SCALE, else nothing.
std::optional<double> wished_scale(const SurfaceOptions& options);
/// The nearest one within 0.5 and 4.
double usable_scale(double scale);

}  // namespace mote::render
