#pragma once

#include <optional>
#include <string>
#include <vector>

/// Plots in files: pictures of panels with curves, drawn without a display. In the colours of the
/// window's plots.
namespace mote::render {

/// x is finite and ascends; x and y have the same length. Values that are not finite break the
/// curve.
struct ChartCurve {
  std::string name;
  std::vector<double> x, y;
};

struct ChartPanel {
  std::string title;
  std::string unit;     ///< of y; may be empty
  std::string x_label;  ///< with its unit
  bool log_x = false;   ///< every x is positive
  bool log_y = false;   ///< of |y|; zeros are left out
  std::vector<ChartCurve> curves = {};
  std::optional<double> reference = {};  ///< a value of y with a dashed line
  std::string note = "no data";          ///< shown where there is no curve
};

struct Chart {
  std::string title, subtitle;
  std::vector<ChartPanel> panels;  ///< one or more, in rows from the left; the first takes what is
                                   ///< left over
};

enum class ChartFormat { png, svg };

/// The content of a PNG or SVG file of this size in pixels, 16 to 16384. Letters grow with the
/// picture. Curves of very many points are thinned to what the width can show, keeping extremes;
/// the description inside an SVG says so. The same chart gives the same bytes with one version of
/// cairo and one font. Throws engine::SystemError.
std::string chart_file(const Chart& chart, ChartFormat format, int width, int height);

}  // namespace mote::render
