#pragma once

#include <GL/glew.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/context.h"
#include "render/input.h"
#include "render/picture.h"

namespace mote::render {

struct SurfaceOptions {
  /// Pixels. On a display of twice the usual density a window gets twice as many, to look equally
  /// large.
  int width = 1280, height = 720;
  std::string title = "mote";
  bool vsync = true;
  std::optional<int> cuda_device;  ///< CUDA number of the preferred GPU
  /// of the user interface; default: MOTE_UI_SCALE, else the display's
  std::optional<double> scale;
};

/// Shape of the mouse pointer.
enum class Pointer { arrow, text, hand, sideways, up_down };

/// The viewer's drawing surface and source of input: a window (GLFW), or an offscreen picture (EGL)
/// on machines without a display. Its OpenGL 4.5 core context is current in the thread that made it
/// and used by that thread alone.
class Surface {
 public:
  virtual ~Surface() = default;

  virtual int width() const = 0;  ///< width of the framebuffer [pixels]; 0 while minimised
  virtual int height() const = 0;
  /// scale of the user interface: 1 on ordinary displays, 2 at twice the density
  virtual double scale() const = 0;
  virtual GLuint framebuffer() const = 0;  ///< to draw into; 0 for a window
  virtual const GlInfo& info() const = 0;

  /// Events since the last call. `seconds` > 0: waits that long for one. A mouse that leaves the
  /// window moves to (-1, -1).
  virtual std::vector<InputEvent> poll(double seconds) = 0;
  /// Returns when all that was drawn is done.
  void finish() const;
  /// Shows the picture; waits for the display when vsync is on, or about as long where the driver
  /// does not.
  virtual void show() = 0;

  virtual bool vsync() const { return false; }
  virtual void set_vsync(bool) {}
  virtual bool full_screen() const { return false; }
  virtual void set_full_screen(bool) {}
  virtual void set_title(const std::string&) {}
  /// Pixels, at least 1; the content is lost. A window manager may choose another size.
  virtual void resize(int, int) {}
  virtual void set_pointer(Pointer) {}
  /// Tells whether the picture is looked at, or may be.
  virtual bool watched() const { return true; }
  /// Tells who looks at it, beside the picture, what the simulation does, and why it has stopped.
  virtual void set_state(const std::string& /*mode*/, const std::string& /*trouble*/) {}

  /// Tells of a file or folder that the window has written, for those who sit at another machine.
  virtual void offer_file(const std::filesystem::path& /*path*/) {}

  /// Copied text: the desktop's for a window, else a private clipboard.
  virtual std::string clipboard() const { return clipboard_; }
  virtual void set_clipboard(const std::string& text) { clipboard_ = text; }

  /// Reads the framebuffer. For a window call it before show(), which leaves the content undefined.
  Image read() const;

 private:
  std::string clipboard_;
};

/// Opens a window. Throws engine::SystemError, with an alternative, when there is no display or no
/// OpenGL 4.5. Windows are made, used and destroyed by the main thread.
std::unique_ptr<Surface> open_window(const SurfaceOptions& options);

/// Opens an offscreen picture; its input comes from scripts alone.
std::unique_ptr<Surface> open_offscreen(const SurfaceOptions& options);

/// "" if the environment names an X11 or Wayland display, else the reason why no window can be
/// opened.
std::string no_display_reason();

/// Scale of the user interface: from the options, else MOTE_UI_SCALE, else nothing.
std::optional<double> requested_scale(const SurfaceOptions& options);
/// The scale clamped to 0.5 to 4.
double usable_scale(double scale);

}  // namespace mote::render
