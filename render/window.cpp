#include <GL/glew.h>
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "engine/check.h"
#include "engine/log.h"
#include "render/gl/start.h"
#include "render/glfw_library.h"
#include "render/surface.h"
#include "render/window_input.h"

namespace mote::render {
namespace {

struct WindowDeleter {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using WindowHandle = std::unique_ptr<GLFWwindow, WindowDeleter>;

/// The display decides which GPU draws, whatever CUDA uses. On laptops with two GPUs the user's
/// variables (__NV_PRIME_RENDER_OFFLOAD and __GLX_VENDOR_LIBRARY_NAME, or DRI_PRIME) select one;
/// there is no portable way to do it here.
WindowHandle make_window(const SurfaceOptions& options) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
#ifndef NDEBUG
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
#endif
  // Shaders encode sRGB themselves, and passes that need depth have their own targets.
  glfwWindowHint(GLFW_SRGB_CAPABLE, GLFW_FALSE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "mote");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "mote");
  GlfwLibrary::clear_error();
  WindowHandle window(
      glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr));
  if (!window)
    throw engine::SystemError("open a window with OpenGL 4.5", GlfwLibrary::last_error(),
                              GlfwLibrary::remedy);
  return window;
}

struct ScreenRect {
  int x = 0, y = 0, width = 0, height = 0;

  /// Area of the intersection with another rectangle.
  long long overlap(const ScreenRect& other) const {
    const long long across = std::min(x + width, other.x + other.width) - std::max(x, other.x);
    const long long down = std::min(y + height, other.y + other.height) - std::max(y, other.y);
    return std::max(across, 0LL) * std::max(down, 0LL);
  }
};

ScreenRect rect_of(GLFWwindow* window) {
  ScreenRect rect;
  glfwGetWindowPos(window, &rect.x, &rect.y);
  glfwGetWindowSize(window, &rect.width, &rect.height);
  return rect;
}

/// The monitor that shows most of a window; null if there is none.
GLFWmonitor* monitor_of(const ScreenRect& window) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor* best = glfwGetPrimaryMonitor();
  long long most = 0;
  for (int i = 0; i < count; ++i) {
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
    if (!mode) continue;
    ScreenRect monitor{0, 0, mode->width, mode->height};
    glfwGetMonitorPos(monitors[i], &monitor.x, &monitor.y);
    if (const long long shared = monitor.overlap(window); shared > most) {
      most = shared;
      best = monitors[i];
    }
  }
  return best;
}

/// Refresh interval of the fastest monitor; 1/60 s if unknown.
std::chrono::duration<double> refresh_time() {
  int count = 0, fastest = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i)
    if (const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]))
      fastest = std::max(fastest, mode->refreshRate);
  return std::chrono::duration<double>(1.0 / (fastest > 0 ? fastest : 60));
}

class Window : public Surface {
 public:
  explicit Window(const SurfaceOptions& options)
      : requested_scale_(requested_scale(options)),
        library_(GlfwLibrary::get()),
        window_(make_window(options)),
        input_(window_.get()) {
    glfwMakeContextCurrent(window_.get());
    info_ = start_gl();
    engine::log().debug("OpenGL {} on {} ({}), in a window of GLFW {}", info_.version,
                        info_.renderer, info_.vendor, glfwGetVersionString());
    set_vsync(options.vsync);
  }
  ~Window() override {
    for (GLFWcursor* cursor : cursors_)
      if (cursor) glfwDestroyCursor(cursor);
  }

  int width() const override { return size().width; }
  int height() const override { return size().height; }
  double scale() const override {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_.get(), &x, &y);
    return usable_scale(requested_scale_.value_or(std::max(x, y)));
  }
  GLuint framebuffer() const override { return 0; }
  const GlInfo& info() const override { return info_; }

  std::vector<InputEvent> poll(double seconds) override {
    if (seconds > 0 && input_.empty())
      glfwWaitEventsTimeout(seconds);
    else
      glfwPollEvents();
    return input_.drain();
  }
  void show() override {
    // Compositors may block the swap of a hidden window forever.
    if (width() > 0) glfwSwapBuffers(window_.get());
    if (vsync_) limit_frame_rate();
  }

  bool vsync() const override { return vsync_; }
  void set_vsync(bool on) override {
    vsync_ = on;
    glfwSwapInterval(on ? 1 : 0);
    if (on) min_interval_ = std::chrono::duration_cast<Clock::duration>(0.8 * refresh_time());
  }
  bool full_screen() const override { return glfwGetWindowMonitor(window_.get()) != nullptr; }
  void set_full_screen(bool on) override;
  void set_title(const std::string& title) override {
    glfwSetWindowTitle(window_.get(), title.c_str());
  }
  void resize(int width, int height) override;
  void set_pointer(Pointer pointer) override;

  std::string clipboard() const override {
    const char* text = glfwGetClipboardString(window_.get());
    return text ? text : "";
  }
  void set_clipboard(const std::string& text) override {
    glfwSetClipboardString(window_.get(), text.c_str());
  }

 private:
  using Clock = std::chrono::steady_clock;

  void limit_frame_rate();
  ScreenRect size() const {
    ScreenRect rect;
    if (!glfwGetWindowAttrib(window_.get(), GLFW_ICONIFIED))
      glfwGetFramebufferSize(window_.get(), &rect.width, &rect.height);
    return rect;
  }

  std::optional<double> requested_scale_;
  std::shared_ptr<GlfwLibrary> library_;
  WindowHandle window_;
  WindowInput input_;
  GlInfo info_;
  bool vsync_ = true;
  Clock::duration min_interval_{};  // between pictures with vsync
  Clock::time_point last_shown_;
  ScreenRect windowed_;  // position before full screen
  std::array<GLFWcursor*, 5> cursors_{};
  Pointer pointer_ = Pointer::arrow;
};

/// Limits the frame rate: drivers may ignore vsync, and virtual or remote displays have none.
/// Unlimited drawing would take the GPU from the simulation. The interval is shorter than the
/// display's own, so as never to miss a refresh.
void Window::limit_frame_rate() {
  std::this_thread::sleep_until(last_shown_ + min_interval_);
  last_shown_ = Clock::now();
}

void Window::set_full_screen(bool on) {
  if (on == full_screen()) return;
  if (!on) {
    glfwSetWindowMonitor(window_.get(), nullptr, windowed_.x, windowed_.y, windowed_.width,
                         windowed_.height, GLFW_DONT_CARE);
    return;
  }
  windowed_ = rect_of(window_.get());
  GLFWmonitor* monitor = monitor_of(windowed_);
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (!mode) {
    engine::log().warn("cannot switch to full screen: the display reports no monitor");
    return;
  }
  glfwSetWindowMonitor(window_.get(), monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void Window::resize(int width, int height) {
  const ScreenRect rect = rect_of(window_.get());
  int pixels_x = 0, pixels_y = 0;
  glfwGetFramebufferSize(window_.get(), &pixels_x, &pixels_y);
  // GLFW uses screen coordinates: pixels on X11, fewer on Wayland.
  if (pixels_x > 0) width = static_cast<int>(static_cast<long long>(width) * rect.width / pixels_x);
  if (pixels_y > 0)
    height = static_cast<int>(static_cast<long long>(height) * rect.height / pixels_y);
  glfwSetWindowSize(window_.get(), std::max(width, 1), std::max(height, 1));
}

void Window::set_pointer(Pointer pointer) {
  if (pointer == pointer_) return;
  pointer_ = pointer;
  constexpr std::array<int, 5> shapes = {GLFW_ARROW_CURSOR, GLFW_IBEAM_CURSOR, GLFW_HAND_CURSOR,
                                         GLFW_HRESIZE_CURSOR, GLFW_VRESIZE_CURSOR};
  const auto index = static_cast<std::size_t>(pointer);
  if (!cursors_[index]) cursors_[index] = glfwCreateStandardCursor(shapes[index]);
  glfwSetCursor(window_.get(), cursors_[index]);  // null, if the theme lacks it, means the arrow
}

}  // namespace

std::unique_ptr<Surface> open_window(const SurfaceOptions& options) {
  if (options.width < 1 || options.height < 1)
    throw engine::InputError("",
                             "a window of " + std::to_string(options.width) + " x " +
                                 std::to_string(options.height) + " pixels cannot be opened",
                             "width and height must be at least 1");
  return std::make_unique<Window>(options);
}

}  // namespace mote::render
