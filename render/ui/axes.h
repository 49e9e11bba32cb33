#pragma once

#include <imgui.h>

#include <span>
#include <string>

#include "render/ui/ticks.h"
#include "render/ui/widgets.h"

/// Common parts of plots and bar plots: a frame with axes, grid, labels and a legend above.
namespace mote::render::ui {

/// Name and colour of a curve.
struct Swatch {
  std::string name;
  ImU32 color;
};

/// The inner area of a plot. y on a logarithmic axis is the decimal logarithm.
struct PlotArea {
  ImVec2 low, high;  ///< upper left and lower right corner, pixels
  Range x, y;
  double y_step = 0;  ///< between grid lines
  bool hovered = false;

  float x_of(double value) const;
  float y_of(double value) const;
  double value_at(float pixel) const;  ///< x at a pixel
};

/// Reserves the space of a plot in the window and draws all but its data.
PlotArea draw_axes(const char* id, const PlotOptions& options, Range x, Range y,
                   std::span<const Swatch> legend);

/// An equally large plot with a note instead of axes.
void draw_empty_plot(const char* id, const PlotOptions& options, const char* note);

/// The vertical line of options.mark_x.
void draw_mark(const PlotArea& area, const PlotOptions& options);

/// "km/s" for "speed [km/s]", "" if there is none; and "speed".
std::string unit_of_label(const std::string& label);
std::string name_of_label(const std::string& label);

/// A row of a tooltip: a colour (0: none), a name and a value to its right.
void tooltip_row(ImU32 color, const std::string& name, const std::string& value);

}  // namespace mote::render::ui
