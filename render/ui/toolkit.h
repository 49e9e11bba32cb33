#pragma once

#include <GL/glew.h>

#include <mutex>

#include "render/ui/focus.h"

struct ImGuiContext;

namespace mote::render::ui {

/// Dear ImGui has one current context for all threads. A thread that uses a layer holds this from
/// begin() to the end of drawing if another one may draw captions meanwhile, which hold it, too.
std::mutex& toolkit_mutex();

/// Dear ImGui and its OpenGL 3 backend for one OpenGL context, which is current in every call.
/// Dear ImGui's functions apply to the toolkit whose `use` was called last, in all threads.
class Toolkit {
 public:
  Toolkit();
  ~Toolkit();
  Toolkit(const Toolkit&) = delete;
  Toolkit& operator=(const Toolkit&) = delete;

  /// Makes this the toolkit of Dear ImGui's functions.
  void use() const;
  /// Begins a frame of this size in pixels; rebuilds fonts and style when the scale has changed.
  /// `on_white`: over a picture with a white background, with the light theme.
  void begin(int width, int height, double scale, bool on_white);
  bool on_white() const { return on_white_; }
  KeyboardFocus& focus() { return focus_; }
  /// Draws all lists of a finished frame, or those without notices, or only the notices: they are
  /// in the foreground list.
  enum class Part { all, without_notices, notices };
  void draw(Part part, GLuint framebuffer) const;

 private:
  void fit(double scale, bool on_white);

  ImGuiContext* context_;
  KeyboardFocus focus_;
  double built_for_ = 0;  // scale of fonts and style
  bool on_white_ = false;
  bool started_ = false;  // the backend has created its objects
};

}  // namespace mote::render::ui
