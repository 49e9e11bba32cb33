#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace mote::render {

enum class ChartFormat { png, svg };

/// Drawing surface of a chart, the same for every format. A unit of length is `scale` pixels; y
/// points down. Colours are 0xrrggbb.
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
  /// `dash`: length of dashes and gaps; 0: solid.
  void line(std::span<const Point> points, unsigned color, double opacity, double width,
            double dash = 0);
  void dot(Point at, double radius, unsigned color);
  /// Restricts drawing to the box until `unclip`.
  void clip(const Box& box);
  void unclip();

  /// Width of the text in a font of this size.
  double text_width(std::string_view text, double size);
  /// Aligned at x by its left (0), middle (0.5) or right (1); the baseline is at y.
  void text(Point at, std::string_view text, double size, unsigned color, double align = 0);

  /// Returns the content of the file. `title` and `description` are for screen readers. Call once,
  /// last.
  std::string finish(const std::string& title, const std::string& description);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render
