#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "engine/check.h"
#include "render/ui/axes.h"
#include "render/ui/decimate.h"
#include "render/ui/paint.h"
#include "render/ui/ticks.h"

namespace mote::render::ui {
namespace {

/// Decades of a logarithmic plot below its largest value; smaller values are clipped at the bottom.
constexpr double max_decades = 16;

/// Cached summaries of a plot's curves, kept between frames by the plot's ID.
struct CachedPlot {
  std::vector<CurveSummary> curves;
  int last_frame = 0;
};

std::vector<CurveSummary>& summaries_of(ImGuiID id, std::size_t curves) {
  static std::unordered_map<ImGuiID, CachedPlot> plots;
  const int frame = ImGui::GetFrameCount();
  // Drops plots that are no longer shown.
  if (!plots.contains(id))
    std::erase_if(plots, [&](const auto& plot) { return plot.second.last_frame + 600 < frame; });
  CachedPlot& plot = plots[id];
  plot.last_frame = frame;
  plot.curves.resize(curves);
  return plot.curves;
}

struct Ranges {
  Range x, y;
  bool empty = true;
};

void include(Ranges& all, Range x, Range y) {
  all.x = all.empty ? x : Range{std::min(all.x.low, x.low), std::max(all.x.high, x.high)};
  all.y = all.empty ? y : Range{std::min(all.y.low, y.low), std::max(all.y.high, y.high)};
  all.empty = false;
}

Ranges ranges_of(std::span<const Curve> curves, std::vector<CurveSummary>& summaries,
                 const PlotOptions& options) {
  Ranges all;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    MOTE_EXPECT(curves[i].x.size() == curves[i].y.size());
    summaries[i].update(curves[i].x, curves[i].y, options.log_y);
    const Extent extent = summaries[i].extent();
    if (!extent.empty)
      include(all, {curves[i].x.front(), curves[i].x.back()}, {extent.low, extent.high});
  }
  if (all.empty) return all;
  if (options.mark_x && std::isfinite(*options.mark_x))
    include(all, {*options.mark_x, *options.mark_x}, all.y);
  if (options.log_y) all.y.low = std::max(all.y.low, all.y.high - max_decades);
  all.x = widened(all.x);
  all.y = with_margin(all.y, options.log_y);
  return all;
}

/// Whether a turn is so sharp that a joined outline would have a spike.
bool sharp(ImVec2 a, ImVec2 b, ImVec2 c) {
  return (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) < 0;
}

/// Draws a line through the points, split at sharp turns.
void draw_line(ImDrawList& list, const std::vector<ImVec2>& line, ImU32 color) {
  const float thickness = pixels(1.5f);
  if (line.size() == 1) list.AddCircleFilled(line[0], thickness, color);
  std::size_t begin = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const bool last = i + 1 == line.size();
    if (!last && !sharp(line[i - 1], line[i], line[i + 1])) continue;
    list.AddPolyline(&line[begin], static_cast<int>(i - begin + 1), color, 0, thickness);
    begin = i;
  }
}

void draw_curve(ImDrawList& list, const PlotArea& area, const CurveSummary& summary, ImU32 color) {
  std::vector<ImVec2> line;
  const int columns = std::max(1, static_cast<int>(area.high.x - area.low.x));
  for (const CurvePoint& point : summary.points(area.x.low, area.x.high, columns)) {
    if (!point.joined) {
      draw_line(list, line, color);
      line.clear();
    }
    // Limits the loss of float precision far outside.
    const float y = std::clamp(area.y_of(point.y), area.low.y - 1e4f, area.high.y + 1e4f);
    const ImVec2 point_at(area.x_of(point.x), y);
    // Coincident points have no direction.
    if (line.empty() ||
        std::abs(point_at.x - line.back().x) + std::abs(point_at.y - line.back().y) > 0.05f)
      line.push_back(point_at);
  }
  draw_line(list, line, color);
}

std::size_t nearest(std::span<const double> x, double value) {
  const std::size_t after = std::lower_bound(x.begin(), x.end(), value) - x.begin();
  if (after == x.size()) return after - 1;
  return after > 0 && value - x[after - 1] < x[after] - value ? after - 1 : after;
}

/// x of the point nearest to the mouse, over all curves.
double nearest_x(std::span<const Curve> curves, double value) {
  double best = std::numeric_limits<double>::infinity();
  for (const Curve& curve : curves)
    if (!curve.x.empty())
      if (const double x = curve.x[nearest(curve.x, value)];
          std::abs(x - value) < std::abs(best - value))
        best = x;
  return best;
}

std::string with_unit(const std::string& number, const std::string& unit) {
  return unit.empty() ? number : number + " " + unit;
}

void draw_dot(ImDrawList& list, ImVec2 at, ImU32 color) {
  list.AddCircleFilled(at, pixels(4.5f), outline());
  list.AddCircleFilled(at, pixels(3), color);
}

/// Draws lines through the point under the mouse, and the curves' values there.
void draw_crosshair(const PlotArea& area, std::span<const Curve> curves,
                    const PlotOptions& options) {
  const double x = nearest_x(curves, area.value_at(ImGui::GetIO().MousePos.x));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float pixel = std::floor(area.x_of(x)), mouse = std::floor(ImGui::GetIO().MousePos.y);
  const float line_width = std::max(1.f, pixels(0.8f));
  list.AddLine({pixel, area.low.y}, {pixel, area.high.y}, theme(ImGuiCol_Text, 0.45f), line_width);
  list.AddLine({area.low.x, mouse}, {area.high.x, mouse}, theme(ImGuiCol_Text, 0.2f), line_width);

  ImGui::BeginTooltip();
  if (ImGui::BeginTable("values", 2, ImGuiTableFlags_SizingFixedFit)) {
    const std::string name = name_of_label(options.x_label);
    const double resolution_x = (area.x.high - area.x.low) / 1e4;
    tooltip_row(0, name.empty() ? "x" : name,
                with_unit(value_text(x, resolution_x), unit_of_label(options.x_label)));
    for (std::size_t i = 0; i < curves.size(); ++i) {
      if (curves[i].x.empty()) continue;
      const double y = curves[i].y[nearest(curves[i].x, x)], shown = shown_value(y, options.log_y);
      const double resolution = options.log_y ? 0 : area.y_step / 100;
      tooltip_row(curve_color(i), curves[i].name,
                  with_unit(value_text(y, resolution), unit_of_label(options.y_label)));
      if (std::isfinite(shown) && shown >= area.y.low && shown <= area.y.high)
        draw_dot(list, {pixel + 0.5f, area.y_of(shown)}, curve_color(i));
    }
    ImGui::EndTable();
  }
  ImGui::EndTooltip();
}

/// Legend entries; none if the label of y already names the only curve.
std::vector<Swatch> legend_of(std::span<const Curve> curves, const PlotOptions& options) {
  std::vector<Swatch> legend;
  if (curves.size() == 1 &&
      (curves[0].name == name_of_label(options.y_label) || curves[0].name.empty()))
    return legend;
  for (std::size_t i = 0; i < curves.size(); ++i)
    legend.push_back({curves[i].name, curve_color(i)});
  return legend;
}

}  // namespace

void plot(const char* id, std::span<const Curve> curves, const PlotOptions& options) {
  std::vector<CurveSummary>& summaries = summaries_of(ImGui::GetID(id), curves.size());
  const Ranges ranges = ranges_of(curves, summaries, options);
  if (ranges.empty) {
    draw_empty_plot(id, options, "no data yet");
    return;
  }
  const PlotArea area = draw_axes(id, options, ranges.x, ranges.y, legend_of(curves, options));
  if (!ImGui::IsItemVisible()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushClipRect(area.low, area.high, true);
  for (std::size_t i = 0; i < curves.size(); ++i)
    draw_curve(list, area, summaries[i], curve_color(i));
  draw_mark(area, options);
  if (area.hovered) draw_crosshair(area, curves, options);
  ImGui::PopClipRect();
}

}  // namespace mote::render::ui
