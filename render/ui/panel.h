#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// The plain widgets that panels are made of, so that no code above render/ knows Dear ImGui. To be
/// used between Layer::begin and end. Text is UTF-8.
namespace mote::render::ui {

/// In pixels, from the upper left corner of the surface.
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
};

/// Height of a letter, in pixels: the unit of every layout.
float em();
/// Height of a row with a widget.
float row();

/// A panel at a fixed place. Everything until it goes out of scope stands in it.
class Panel {
 public:
  /// `title` empty: none is shown; `id` tells panels apart. `open`: has a cross that sets it to
  /// false.
  Panel(const char* id, const std::string& title, const Rect& place, bool* open = nullptr);
  ~Panel();
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
  /// False when it is folded up: its content may be left out.
  explicit operator bool() const { return visible_; }

 private:
  bool visible_;
};

void text(const std::string& words);
void dim(const std::string& words);
void wrapped(const std::string& words);
void trouble(const std::string& words);  ///< wrapped, in the colour of errors
void accent(const std::string& words);
void separator();
void same_line();
void gap();
/// Shown while the mouse rests on the widget before.
void tooltip(const std::string& words);

bool button(const std::string& label, bool enabled = true);
bool check(const std::string& label, bool& value);
/// True when another name was chosen.
bool combo(const std::string& label, const std::vector<std::string>& names, std::size_t& chosen);
bool selectable(const std::string& label, bool selected);
/// A part of a panel, this many lines high, that scrolls by itself; while it lives.
class Lines {
 public:
  Lines(const char* id, int count);
  ~Lines();
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
};
/// Scrolls so far that the line drawn last is in the middle.
void show_this_line();
/// A heading that folds; true while open.
bool section(const std::string& label, bool open_at_first = true);
/// A name at the left and a value at the right half of the panel.
void value(const std::string& name, const std::string& words);
/// Numbers typed; true when changed.
bool number(const std::string& label, double& value);
/// A bar of progress from 0 to 1, or a moving one below 0.
void progress(double part, const std::string& words);

/// Scrolls down when it was at the end.
void lines(const std::vector<std::string>& all);

/// A name with a unit, and three numbers below it, with as many digits as the width has room for.
void vector(const std::string& name, const std::string& unit, double x, double y, double z);

/// Words over the scene, on a ground of their own; `align` 0: left, 0.5: middle, 1: right of x.
void label(float x, float y, const std::string& words, float align = 0, float opacity = 1);

/// The same of what the user is to know and a picture of the scene is not to show: over everything
/// else, and drawn by Layer::draw_notices alone.
void notice(float x, float y, const std::string& words, float align = 0, float opacity = 1);

}  // namespace mote::render::ui
