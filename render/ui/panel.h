#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Basic widgets of panels; keeps Dear ImGui out of code above render/. Use between Layer::begin
/// and end. Text is UTF-8.
namespace mote::render::ui {

/// A point in pixels, from the upper left corner of the surface.
struct Point {
  float x = 0, y = 0;
};
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
};

/// Font size in pixels: the unit of every layout.
float em();
/// Height of a row with a widget.
float row();

/// A drag of a panel's title by the mouse.
struct TitleDrag {
  Point at;              ///< position of the mouse
  bool dropped = false;  ///< this is the end of it
};

/// A panel at a position. It contains everything drawn until it goes out of scope.
class Panel {
 public:
  /// `title` empty: no title bar; `id` identifies the panel. `open`: shows a close button that sets
  /// it to false.
  /// `of`: the panel that the keyboard enters here, if that has another id.
  Panel(const std::string& id, const std::string& title, const Rect& rect, bool* open = nullptr,
        const std::string& of = "");
  ~Panel();
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
  /// False while nothing of it is seen: its content may be omitted.
  explicit operator bool() const { return visible_; }
  /// While the user drags its title; the panel stays in place.
  const std::optional<TitleDrag>& drag() const { return drag_; }

 private:
  bool visible_;
  std::optional<TitleDrag> drag_;
};

void text(const std::string& words);
void dim(const std::string& words);
void wrapped(const std::string& words);
void error_text(const std::string& words);  ///< wrapped, in the colour of errors
void accent(const std::string& words);
void separator();
void same_line();
/// Stays on the line if a button with this label fits beside the last widget.
void same_line_if_fits(const std::string& label);
void gap();
/// Shown while the mouse hovers over the previous widget.
void tooltip(const std::string& words);

bool button(const std::string& label, bool enabled = true);
/// A button over the scene, outside of panels, that fills the rectangle. `id`: as of a panel.
bool floating_button(const std::string& id, const std::string& label, const Rect& rect);
float button_width(const std::string& label);
/// A strip between a panel and the scene that can be dragged across: where the mouse is, while it
/// is.
std::optional<Point> splitter(const std::string& id, const Rect& rect);
/// Marks where a dragged panel would go.
void drop_target(const Rect& rect);
bool check(const std::string& label, bool& value);
/// True when another name was selected.
bool combo(const std::string& label, const std::vector<std::string>& names, std::size_t& chosen);
/// A field for a text; the new one once the user has changed it.
std::optional<std::string> entry(const std::string& label, const std::string& words);
bool selectable(const std::string& label, bool selected);
/// A separately scrolling part of a panel, this many lines high, while it lives.
class Lines {
 public:
  Lines(const char* id, int count);
  ~Lines();
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
};
/// Scrolls until the last drawn line is in the middle.
void show_this_line();
/// A collapsible heading; true while open.
bool section(const std::string& label, bool open_at_first = true);
/// A name in the left and a value in the right half of the panel.
void value(const std::string& name, const std::string& words);
/// A number field for typing; true when changed.
bool number(const std::string& label, double& value);
/// A progress bar from 0 to 1, or an animated one below 0.
void progress(double fraction, const std::string& words);

/// Wrapped lines that keep scrolled to the end.
void lines(const std::vector<std::string>& all);

/// A name with a unit, and three numbers below it, with as many digits as fit.
void vector(const std::string& name, const std::string& unit, double x, double y, double z);

/// Text with a background over the scene; `align` 0: left, 0.5: middle, 1: right of x.
void label(float x, float y, const std::string& words, float align = 0, float opacity = 1);

/// A label with a message to the user that a picture of the scene must not contain: over everything
/// else, drawn only by Layer::draw_notices.
void notice(float x, float y, const std::string& words, float align = 0, float opacity = 1);

}  // namespace mote::render::ui
