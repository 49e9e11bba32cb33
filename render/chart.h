#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/chart_canvas.h"

/// Plots in files: panels with curves or a map, drawn without a display, in the colours of the
/// window's plots or on white.
namespace mote::render {

enum class ChartTheme { dark, light };

/// x is finite and ascending; x and y have the same length. Non-finite y values break the curve.
struct ChartCurve {
  std::string name;
  std::vector<double> x, y;
  /// Half lengths of bars about y, of the same length; or empty. With bars, points are not joined.
  std::vector<double> spread = {};
};

/// A map of colours for numbers over two axes: one cell for each name on either.
struct ChartCells {
  std::vector<std::string> columns, rows;  ///< from the left, and from the bottom
  std::vector<double> values;              ///< row by row; NaN where there is none
  std::string row_label;                   ///< label of the vertical axis
};

struct ChartPanel {
  std::string title;
  std::string unit;     ///< unit of y; may be empty
  std::string x_label;  ///< label of x, with its unit
  bool log_x = false;   ///< requires x > 0
  bool log_y = false;   ///< shows |y|; zeros are omitted
  std::vector<ChartCurve> curves = {};
  std::optional<ChartCells> cells = {};  ///< instead of curves; log_y: a logarithmic scale
  std::optional<double> reference = {};  ///< y of a dashed line
  std::string note = "no data";          ///< shown where there is no curve
};

struct Chart {
  std::string title, subtitle;
  /// one or more, in rows from the left; the first takes the remaining cells
  std::vector<ChartPanel> panels;
  ChartTheme theme = ChartTheme::dark;
};

/// Returns the content of a PNG or SVG file of this size in pixels, 16 to 16384. Text scales with
/// the picture. Long curves are decimated to the resolution of the width, keeping extremes; the
/// SVG's description records this. The same chart gives the same bytes with the same version of
/// cairo and the same font. Throws engine::SystemError.
std::string chart_file(const Chart& chart, ChartFormat format, int width, int height);

}  // namespace mote::render
