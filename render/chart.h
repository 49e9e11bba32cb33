#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/chart_canvas.h"

/// Plots in files: panels with curves, drawn without a display, in the colours of the window's
/// plots.
namespace mote::render {

/// x is finite and ascending; x and y have the same length. Non-finite y values break the curve.
struct ChartCurve {
  std::string name;
  std::vector<double> x, y;
};

struct ChartPanel {
  std::string title;
  std::string unit;     ///< of y; may be empty
  std::string x_label;  ///< with its unit
  bool log_x = false;   ///< requires x > 0
  bool log_y = false;   ///< shows |y|; zeros are omitted
  std::vector<ChartCurve> curves = {};
  std::optional<double> reference = {};  ///< y of a dashed line
  std::string note = "no data";          ///< shown where there is no curve
};

struct Chart {
  std::string title, subtitle;
  /// one or more, in rows from the left; the first takes the remaining cells
  std::vector<ChartPanel> panels;
};

/// Returns the content of a PNG or SVG file of this size in pixels, 16 to 16384. Text scales with
/// the picture. Long curves are decimated to the resolution of the width, keeping extremes; the
/// SVG's description records this. The same chart gives the same bytes with the same version of
/// cairo and the same font. Throws engine::SystemError.
std::string chart_file(const Chart& chart, ChartFormat format, int width, int height);

}  // namespace mote::render
