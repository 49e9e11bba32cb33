#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/params.h"
#include "engine/units.h"
#include "render/color_map.h"

/// Widgets of the window, each a function of plain data between Layer::begin and end, free of
/// physics.
namespace mote::render::ui {

/// A curve of a plot; x and y have the same length. x is finite and ascending.
struct Curve {
  std::string name;
  std::span<const double> x, y;
};

struct PlotOptions {
  std::string x_label = {}, y_label = {};  ///< labels with their units
  bool log_y = false;                      ///< shows |y|; zeros are omitted
  float height = 0;                        ///< height of the framed area in lines of text; 0: 8
  std::optional<double> mark_x = {};       ///< a vertical line at the current time
};

/// Curves with axes, ticks at round numbers, a legend, and the values under the mouse. Non-finite
/// points break a curve. Long curves are decimated to the resolution of the width, keeping
/// extremes.
void plot(const char* id, std::span<const Curve> curves, const PlotOptions& options);

/// A histogram: bars over equal bins from `low` to `high`.
void bar_plot(const char* id, std::span<const double> heights, double low, double high,
              const PlotOptions& options);

/// A row with a widget for a parameter, chosen by its type: a slider if bounded, else a drag field,
/// a check box, a combo of choices, text, three numbers; followed by its unit. Hovering shows
/// default, range and help; a button resets a value that is not the default. Returns the new value
/// when the user has changed it (while dragging: at every change). `id`: unique in the window.
/// `disabled_reason`: disables the row and shows this reason in the tooltip.
std::optional<engine::ParamValue> param_row(const std::string& id, const engine::ParamInfo& info,
                                            engine::ParamType type, const engine::ParamValue& value,
                                            const engine::ParamValue& default_value,
                                            const std::string& unit,
                                            const std::string& disabled_reason = {});

/// The past as a bar: saved states as ticks, edits as diamonds, the current step as a draggable
/// handle.
struct Timeline {
  std::uint64_t first = 0, last = 0, now = 0;                     ///< steps
  std::optional<std::uint64_t> target = {};                       ///< while seeking
  std::span<const std::uint64_t> saved = {}, edits = {};          ///< steps, ascending
  std::string first_label = {}, last_label = {}, now_label = {};  ///< times with units
  double dt = 0;  ///< time per step, for the value under the mouse
  std::string time_unit = {};
};
/// The step that the user drags to, while dragging and at the end.
std::optional<std::uint64_t> timeline(const Timeline& timeline);

/// A colour bar with ticks and a name, or the names of categorical colours, over the scene and
/// under all panels. Its lower right corner is at (`right`, `bottom`), pixels of the display.
/// Throws engine::InputError for an unknown map.
struct Legend {
  std::string name;  ///< "speed [km/s]"
  std::string map;   ///< one of color_map_names()
  double low = 0, high = 1;
  struct Entry {
    std::string name;
    Color color;
  };
  std::vector<Entry> entries = {};  ///< replaces the map; of very many, only the first are shown
};
/// Returns where it begins: `right` if there is nothing to show.
float legend(const Legend& legend, float right, float bottom);

/// A bar of a round length in a readable unit ("5 kpc"), `per_pixel` lengths of the scene per
/// pixel, over the scene and under all panels. Its lower left corner is at (`left`, `bottom`),
/// pixels of the display; it ends before `right`, and is left out where there is no room for one.
void scale_bar(double per_pixel, const engine::UnitSystem& units, float left, float bottom,
               float right);

/// Keys and their actions, in two columns. "Left or ," are two keys; a line without keys is a
/// heading.
struct HelpLine {
  std::string keys, what;
};
void help_window(std::span<const HelpLine> lines, bool* open);

/// Rounded to 4 digits with a unit; "1.235e6" style only from a million or below a thousandth,
/// where it is shorter. Integers below 1e9 are taken for counts and written in full: "65,536".
std::string number_with_unit(double value, const std::string& unit);
/// "1.5 GiB", "300 MiB".
std::string bytes_text(double bytes);

}  // namespace mote::render::ui
