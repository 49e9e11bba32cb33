#pragma once

#include <GL/glew.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/units.h"
#include "render/ui/toolkit.h"
#include "render/ui/widgets.h"

namespace mote::render::ui {

/// Words beside a point of a picture [pixels from the upper left].
struct PlacedWords {
  float x, y;
  std::string words;
  float radius = 0;  ///< radius of the sphere about the point, which words must not cover [pixels]
};
/// Beside a body, as the window and pictures place its name.
void name_tag(const PlacedWords& tag);

/// Explanations in a picture; empty texts and a length of 0 are left out.
struct Caption {
  std::string title, credits;
  std::string time;  ///< "t = 1.25 Gyr"
  std::optional<Legend> legend;
  std::vector<PlacedWords> names;
  bool on_white = false;     ///< the picture has a white background
  double per_pixel = 0;      ///< scale bar: length in the scene that a pixel spans
  engine::UnitSystem units;  ///< units of such lengths
};

/// Writes captions over pictures without a window: the widgets that the window has, in sizes that
/// grow with the picture. The OpenGL context is current in every call; calls of several threads
/// wait for each other.
class CaptionWriter {
 public:
  CaptionWriter();
  ~CaptionWriter();
  void draw(const Caption& caption, GLuint framebuffer, int width, int height);

 private:
  std::unique_ptr<Toolkit> toolkit_;
};

}  // namespace mote::render::ui
