#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "render/chart.h"

namespace mote::render {

/// Where a chart is drawn: the same calls for every format. Lengths are in units of which `scale`
/// pixels make one; y goes down. Colours are 0xrrggbb.
class ChartCanvas {
 public:
  ChartCanvas(ChartFormat format, int width, int height, double scale);
  ~ChartCanvas();
  ChartCanvas(const ChartCanvas&) = delete;
  ChartCanvas& operator=(const ChartCanvas&) = delete;

  struct Point {
    double x, y;
  };
  struct Box {
    double left, top, right, bottom;
  };

  void fill(const Box& box, unsigned color, double opacity = 1);
  void frame(const Box& box, unsigned color, double opacity);
  /// `dash`: length of dashes and gaps; 0: none.
  void line(std::span<const Point> points, unsigned color, double opacity, double width,
            double dash = 0);
  void dot(Point at, double radius, unsigned color);
  /// Nothing is drawn outside until `unclip`.
  void clip(const Box& box);
  void unclip();

  /// Height of its letters is `size`.
  double text_width(std::string_view text, double size);
  /// Its left (0), middle (0.5) or right (1) at x, its base line at y.
  void text(Point at, std::string_view text, double size, unsigned color, double align = 0);

  /// The content of the file. `title` and `description` are for those who cannot see it. Call once,
  /// last.
  std::string finish(const std::string& title, const std::string& description);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render
