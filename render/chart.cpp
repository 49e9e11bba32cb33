#include "render/chart.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "engine/check.h"
#include "render/chart_canvas.h"
#include "render/color_map.h"
#include "render/palette.h"
#include "render/ui/decimate.h"
#include "render/ui/ticks.h"

namespace mote::render {
namespace {

using Point = ChartCanvas::Point;
using Box = ChartCanvas::Box;
using ui::Range;
using ui::Ticks;

// Lengths for a picture of 1280 x 720.
constexpr double margin = 26, gap = 34, small = 13, ordinary = 15, large = 23, curve_width = 1.7;
/// of a logarithmic axis; smaller values are clipped at the bottom
constexpr double max_decades = 16;
constexpr std::size_t dotted_below = 60;  ///< shorter curves mark their points

struct Colors {
  unsigned panel, background, words, dim;
  std::array<unsigned, 7> curves;
  unsigned curve(std::size_t index) const { return curves[index % curves.size()]; }
};
/// A dark plot is darker than the panel around it.
constexpr Colors dark{palette::dark_panels.panel, 0x0a0d12, palette::dark_panels.words,
                      palette::dark_panels.dim, palette::curves};
constexpr Colors light{palette::light_panel, palette::light_panel, palette::light_words,
                       palette::light_dim, palette::light_curves};

/// Typesets "1e-6" as a power of ten with a superscript, "^2" likewise, and a true minus.
std::string typeset(const std::string& text) {
  static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const auto digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool power = text[i] == '^', exponent = text[i] == 'e' && i > 0 && digit(i - 1);
    const std::size_t sign =
        i + 1 < text.size() && (text[i + 1] == '-' || text[i + 1] == '+') ? 1 : 0;
    if ((power || exponent) && digit(i + 1 + sign)) {
      if (exponent) {
        const bool alone = out == "1" || out == "−1" ||
                           (out.size() >= 2 && out.ends_with("1") &&
                            (out[out.size() - 2] == '[' || out[out.size() - 2] == ' '));
        if (alone) out.pop_back();
        out += alone ? "10" : "·10";
      }
      if (sign && text[i + 1] == '-') out += "⁻";
      for (i += 1 + sign; digit(i); ++i) out += raised[text[i] - '0'];
      --i;
    } else if (text[i] == '-' && digit(i + 1) && (i == 0 || text[i - 1] == ' ')) {
      out += "−";
    } else {
      out += text[i];
    }
  }
  return out;
}

/// Ticks of a linear or logarithmic axis, at least spacing(ticks) apart.
template <class Spacing>
Ticks ticks_of(Range range, bool log, double length, const Spacing& spacing) {
  const auto make = [&](int max_count) {
    return log ? ui::decade_ticks(range.low, range.high, max_count)
               : ui::linear_ticks(range.low, range.high, max_count);
  };
  Ticks axis =
      ui::fit_ticks(range, length, std::max(2, static_cast<int>(length / 30)), make, spacing);
  for (ui::Tick& tick : axis.ticks) tick.label = typeset(tick.label);
  axis.base = typeset(axis.base);
  return axis;
}

/// Ends of an error bar in axis coordinates; on a logarithmic axis one that reaches 0 is cut off at
/// a tenth of its point.
std::optional<Range> bar_of(const ChartCurve& curve, std::size_t i, bool log) {
  const double y = log ? std::abs(curve.y[i]) : curve.y[i], half = curve.spread[i];
  if (!std::isfinite(y) || !std::isfinite(half) || (log && y == 0)) return std::nullopt;
  if (!log) return Range{y - half, y + half};
  return Range{std::log10(std::max(y - half, y / 10)), std::log10(y + half)};
}

/// A panel's curves in axis coordinates.
struct Data {
  std::vector<std::vector<double>> x;
  std::vector<ui::CurveSummary> curves;
  Range x_range, y_range;
  bool empty = true;

  explicit Data(const ChartPanel& panel) : x(panel.curves.size()), curves(panel.curves.size()) {
    for (std::size_t i = 0; i < curves.size(); ++i) {
      const ChartCurve& curve = panel.curves[i];
      MOTE_EXPECT(curve.x.size() == curve.y.size());
      for (const double value : curve.x) x[i].push_back(panel.log_x ? std::log10(value) : value);
      curves[i].update(x[i], curve.y, panel.log_y);
      const ui::Extent extent = curves[i].extent();
      if (!extent.empty) include({x[i].front(), x[i].back()}, {extent.low, extent.high});
      for (std::size_t k = 0; k < curve.spread.size() && !extent.empty; ++k)
        if (const auto bar = bar_of(curve, k, panel.log_y))
          include({x[i].front(), x[i].back()}, *bar);
    }
    if (empty) return;
    if (panel.reference)
      include(x_range, {ui::shown_value(*panel.reference, panel.log_y),
                        ui::shown_value(*panel.reference, panel.log_y)});
    if (panel.log_y) y_range.low = std::max(y_range.low, y_range.high - max_decades);
    const bool bars = std::any_of(panel.curves.begin(), panel.curves.end(),
                                  [](const ChartCurve& curve) { return !curve.spread.empty(); });
    x_range = panel.log_x || bars ? ui::with_margin(x_range, panel.log_x) : ui::widened(x_range);
    y_range = ui::with_margin(y_range, panel.log_y);
  }

 private:
  void include(Range along, Range up) {
    x_range =
        empty ? along : Range{std::min(x_range.low, along.low), std::max(x_range.high, along.high)};
    y_range = empty ? up : Range{std::min(y_range.low, up.low), std::max(y_range.high, up.high)};
    empty = false;
  }
};

class Drawing {
 public:
  Drawing(const Chart& chart, ChartFormat format, int width, int height)
      : chart_(chart),
        colors_(chart.theme == ChartTheme::light ? light : dark),
        scale_(std::max(0.05, std::min(width / 1280.0, height / 720.0))),
        width_(width / scale_),
        height_(height / scale_),
        canvas_(format, width, height, scale_) {}

  std::string file() {
    canvas_.fill({0, 0, width_, height_}, colors_.panel);
    double top = margin;
    if (!chart_.title.empty() || !chart_.subtitle.empty()) {
      canvas_.text({margin, top + 19}, chart_.title, large, colors_.words);
      canvas_.text({margin, top + 43}, chart_.subtitle, small, colors_.dim);
      top += 66;
    }
    std::string description = chart_.subtitle;
    for (const auto& [panel, box] : boxes(top)) description += "\n" + draw(*panel, box);
    return canvas_.finish(chart_.title, description);
  }

 private:
  /// Boxes of the panels, in rows of up to three.
  std::vector<std::pair<const ChartPanel*, Box>> boxes(double top) const {
    const auto count = static_cast<int>(chart_.panels.size());
    const int columns = count <= 1 ? 1 : count <= 4 ? 2 : 3, rows = (count + columns - 1) / columns;
    const double width = (width_ - 2 * margin - (columns - 1) * gap) / columns;
    const double height = (height_ - top - margin + 8 - (rows - 1) * (gap - 12)) / rows;
    std::vector<std::pair<const ChartPanel*, Box>> all;
    int cell = 0;
    for (const ChartPanel& panel : chart_.panels) {
      const int span = all.empty() ? rows * columns - count + 1 : 1, column = cell % columns,
                row = cell / columns;
      const double left = margin + column * (width + gap), upper = top + row * (height + gap - 12);
      all.push_back(
          {&panel, {left, upper, left + span * width + (span - 1) * gap, upper + height}});
      cell += span;
    }
    return all;
  }

  /// Returns its line of the description.
  std::string draw(const ChartPanel& panel, const Box& box) {
    if (panel.cells) return map(panel, box);
    Data data(panel);
    Box area{box.left, box.top + 28, box.right, box.bottom - 40};
    if (data.empty || area.bottom <= area.top) {
      header(panel, "", box);
      canvas_.fill(area, colors_.background);
      canvas_.frame(area, colors_.words, 0.16);
      canvas_.text({(area.left + area.right) / 2, (area.top + area.bottom) / 2 + 5}, panel.note,
                   ordinary, colors_.dim, 0.5);
      return panel.title + ": " + panel.note;
    }
    const Ticks y = ticks_of(data.y_range, panel.log_y, area.bottom - area.top,
                             [](const Ticks&) { return 34; });
    double gutter = 26;
    for (const ui::Tick& tick : y.ticks)
      gutter = std::max(gutter, canvas_.text_width(tick.label, small));
    area.left += gutter + 7;
    const Ticks x =
        ticks_of(data.x_range, panel.log_x, area.right - area.left, [&](const Ticks& axis) {
          double widest = 26;
          for (const ui::Tick& tick : axis.ticks)
            widest = std::max(widest, canvas_.text_width(tick.label, small));
          return widest + 18;
        });
    header(panel, y.base, box);
    axes(panel, data, area, x, y);
    return curves(panel, data, area);
  }

  /// Title, unit and the base of the ticks from the left, names of curves at the right; smaller
  /// where they would not fit: half a unit would be another one.
  void header(const ChartPanel& panel, const std::string& base, const Box& box) {
    struct Part {
      std::string text;
      double size;
      unsigned color;
    };
    std::vector<Part> parts{{panel.title, ordinary + 1, colors_.words}};
    if (!panel.unit.empty()) parts.push_back({"[" + typeset(panel.unit) + "]", small, colors_.dim});
    if (!base.empty()) parts.push_back({base + " +", small, colors_.dim});
    const std::size_t named = panel.curves.size() < 2 ? 0 : panel.curves.size();
    double needed = 0, legend = named > 0 ? -16 : 0;
    for (const Part& part : parts) needed += canvas_.text_width(part.text, part.size) + 9;
    for (std::size_t i = 0; i < named; ++i)
      legend += 38 + canvas_.text_width(typeset(panel.curves[i].name), small);
    const double room = box.right - box.left + (named > 0 ? 0 : 9),
                 shrink = std::clamp(room / (needed + legend), 0.1, 1.0);
    double x = box.left;
    for (const Part& part : parts) {
      canvas_.text({x, box.top + 14}, part.text, part.size * shrink, part.color);
      x += (canvas_.text_width(part.text, part.size) + 9) * shrink;
    }
    x = box.right - legend * shrink;
    for (std::size_t i = 0; i < named; ++i) {
      const std::string name = typeset(panel.curves[i].name);
      const Point mark[] = {{x, box.top + 9.5}, {x + 14 * shrink, box.top + 9.5}};
      canvas_.line(mark, colors_.curve(i), 1, 3);
      canvas_.text({x + 22 * shrink, box.top + 14}, name, small * shrink, colors_.words);
      x += (38 + canvas_.text_width(name, small)) * shrink;
    }
  }

  static double across(const Box& area, Range range, double value) {
    return area.left + (value - range.low) / (range.high - range.low) * (area.right - area.left);
  }
  static double up(const Box& area, Range range, double value) {
    return area.bottom - (value - range.low) / (range.high - range.low) * (area.bottom - area.top);
  }

  void axes(const ChartPanel& panel, const Data& data, const Box& area, const Ticks& x,
            const Ticks& y) {
    canvas_.fill(area, colors_.background);
    for (const ui::Tick& tick : y.ticks) {
      const double y_at = up(area, data.y_range, tick.position);
      const Point line[] = {{area.left, y_at}, {area.right, y_at}};
      canvas_.line(line, colors_.words, 0.09, 1);
      canvas_.text({area.left - 7, y_at + 4.5}, tick.label, small, colors_.dim, 1);
    }
    for (const ui::Tick& tick : x.ticks) {
      const double x_at = across(area, data.x_range, tick.position);
      const Point line[] = {{x_at, area.top}, {x_at, area.bottom}};
      canvas_.line(line, colors_.words, 0.09, 1);
      const double half = canvas_.text_width(tick.label, small) / 2;
      canvas_.text({std::min(x_at, area.right + 8 - half), area.bottom + 17}, tick.label, small,
                   colors_.dim, 0.5);
    }
    canvas_.frame(area, colors_.words, 0.16);
    const std::string label =
        typeset(x.base.empty() ? panel.x_label : x.base + " + " + panel.x_label);
    canvas_.text({(area.left + area.right) / 2, area.bottom + 35}, label, small, colors_.words,
                 0.5);
    if (!panel.reference) return;
    const double y_at = up(area, data.y_range, ui::shown_value(*panel.reference, panel.log_y));
    const Point line[] = {{area.left, y_at}, {area.right, y_at}};
    canvas_.line(line, colors_.words, 0.45, 1, 5);
  }

  std::string curves(const ChartPanel& panel, const Data& data, const Box& area) {
    const int columns = std::max(1, static_cast<int>((area.right - area.left) * scale_));
    std::string summary = panel.title + ":";
    // Margin for dots at the ends.
    canvas_.clip({area.left - 3, area.top - 3, area.right + 3, area.bottom + 3});
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
      std::vector<Point> line;
      std::size_t drawn = 0;
      const bool bars = !panel.curves[i].spread.empty();
      if (bars) error_bars(panel, data, area, i);
      const auto end_line = [&] {
        if (!bars) canvas_.line(line, colors_.curve(i), 1, curve_width);
        if (bars || panel.curves[i].x.size() < dotted_below || line.size() == 1)
          for (const Point& at : line) canvas_.dot(at, 2.6, colors_.curve(i));
        drawn += line.size();
        line.clear();
      };
      for (const ui::CurvePoint& point :
           data.curves[i].points(data.x_range.low, data.x_range.high, columns)) {
        if (!point.joined) end_line();
        // Keeps coordinates in the file short.
        const double y =
            std::clamp(up(area, data.y_range, point.y), area.top - 1e4, area.bottom + 1e4);
        line.push_back({across(area, data.x_range, point.x), y});
      }
      end_line();
      summary +=
          (i == 0 ? " " : ", ") + panel.curves[i].name + " (" + std::to_string(drawn) +
          (drawn < panel.curves[i].x.size() ? " of " + std::to_string(panel.curves[i].x.size())
                                            : "") +
          " points)";
    }
    canvas_.unclip();
    return summary;
  }

  void error_bars(const ChartPanel& panel, const Data& data, const Box& area, std::size_t curve) {
    constexpr double cap = 4;
    for (std::size_t k = 0; k < panel.curves[curve].x.size(); ++k) {
      const auto bar = bar_of(panel.curves[curve], k, panel.log_y);
      if (!bar || panel.curves[curve].spread[k] == 0) continue;
      const double x = across(area, data.x_range, data.x[curve][k]),
                   low = up(area, data.y_range, bar->low), high = up(area, data.y_range, bar->high);
      for (const auto& [from, to] : {std::pair<Point, Point>{{x, low}, {x, high}},
                                     {{x - cap, low}, {x + cap, low}},
                                     {{x - cap, high}, {x + cap, high}}}) {
        const Point line[] = {from, to};
        canvas_.line(line, colors_.curve(curve), 0.75, 1.2);
      }
    }
  }

  /// Names along an axis of cells, as many as fit; `put` draws one, at a number of cells.
  template <class Put>
  static void names(const std::vector<std::string>& all, double cell, double widest,
                    const Put& put) {
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(widest / cell)));
    for (std::size_t i = 0; i < all.size(); i += every)
      put(static_cast<double>(i) + 0.5, typeset(all[i]));
  }

  /// Cells in colours of numbers, with their names along the axes and the scale at the right.
  std::string map(const ChartPanel& panel, const Box& box) {
    const ChartCells& cells = *panel.cells;
    Range range;
    std::size_t filled = 0;
    for (const double value : cells.values) {
      const double shown = ui::shown_value(value, panel.log_y);
      if (!std::isfinite(shown)) continue;
      range = filled++ == 0 ? Range{shown, shown}
                            : Range{std::min(range.low, shown), std::max(range.high, shown)};
    }
    range = ui::widened(range);
    const Box frame{box.left, box.top + 46, box.right - 88, box.bottom - 40};
    const Ticks scale =
        ticks_of(range, panel.log_y, frame.bottom - frame.top, [](const Ticks&) { return 34; });
    header(panel, scale.base, box);
    Box area = frame;
    double widest_row = 26, widest_column = 26;
    for (const std::string& name : cells.rows)
      widest_row = std::max(widest_row, canvas_.text_width(typeset(name), small));
    for (const std::string& name : cells.columns)
      widest_column = std::max(widest_column, canvas_.text_width(typeset(name), small));
    area.left += widest_row + 7;
    const double width = (area.right - area.left) / static_cast<double>(cells.columns.size()),
                 height = (area.bottom - area.top) / static_cast<double>(cells.rows.size());
    canvas_.fill(area, colors_.background);
    const ColorMap& colors = color_map_named("viridis");
    const auto color_at = [&](double shown) {
      const Color c =
          sample(colors, static_cast<float>((shown - range.low) / (range.high - range.low)));
      const auto byte = [](float x) { return static_cast<unsigned>(std::lround(x * 255)); };
      return byte(c.red) << 16 | byte(c.green) << 8 | byte(c.blue);
    };
    constexpr double seam = 0.7;  // covered by the next one: edges between pixels would shine
                                  // through
    canvas_.clip(area);
    for (std::size_t i = 0; i < cells.values.size(); ++i) {
      const double shown = ui::shown_value(cells.values[i], panel.log_y);
      if (!std::isfinite(shown)) continue;
      const double x = area.left + static_cast<double>(i % cells.columns.size()) * width,
                   y = area.bottom - static_cast<double>(i / cells.columns.size()) * height;
      canvas_.fill({x, y - height - seam, x + width + seam, y}, color_at(shown));
    }
    canvas_.unclip();
    canvas_.frame(area, colors_.words, 0.16);
    names(cells.columns, width, widest_column + 12, [&](double at, const std::string& name) {
      canvas_.text({area.left + at * width, area.bottom + 17}, name, small, colors_.dim, 0.5);
    });
    names(cells.rows, height, 18, [&](double at, const std::string& name) {
      canvas_.text({area.left - 7, area.bottom - at * height + 4.5}, name, small, colors_.dim, 1);
    });
    canvas_.text({box.left, area.top - 8}, typeset(cells.row_label), small, colors_.words);
    canvas_.text({(area.left + area.right) / 2, area.bottom + 35}, typeset(panel.x_label), small,
                 colors_.words, 0.5);
    constexpr int shades = 64;
    const Box bar{area.right + 20, area.top, area.right + 34, area.bottom};
    canvas_.clip(bar);
    for (int i = 0; i < shades; ++i) {
      const double low = up(bar, {0, shades}, i), high = up(bar, {0, shades}, i + 1);
      const double middle = range.low + (i + 0.5) / shades * (range.high - range.low);
      canvas_.fill({bar.left, high - seam, bar.right, low}, color_at(middle));
    }
    canvas_.unclip();
    for (const ui::Tick& tick : scale.ticks)
      canvas_.text({bar.right + 7, up(bar, range, tick.position) + 4.5}, tick.label, small,
                   colors_.dim);
    return panel.title + ": " + std::to_string(filled) + " of " +
           std::to_string(cells.values.size()) + " cells";
  }

  const Chart& chart_;
  const Colors& colors_;
  double scale_, width_, height_;
  ChartCanvas canvas_;
};

}  // namespace

std::string chart_file(const Chart& chart, ChartFormat format, int width, int height) {
  MOTE_EXPECT(width >= 16 && height >= 16 && !chart.panels.empty());
  return Drawing(chart, format, width, height).file();
}

}  // namespace mote::render
