#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/check.h"
#include "render/ui/axes.h"
#include "render/ui/decimate.h"
#include "render/ui/paint.h"

namespace mote::render::ui {
namespace {

/// The largest finite height, its logarithm if `log`; minus infinity if there is none.
double tallest(std::span<const double> heights, bool log) {
  double most = -std::numeric_limits<double>::infinity();
  for (double height : heights)
    if (const double shown = shown_value(height, log); std::isfinite(shown))
      most = std::max(most, shown);
  return most;
}

/// From zero; on a logarithmic axis from a whole decade, at least 0.3 below the smallest bar.
Range height_range(std::span<const double> heights, bool log) {
  const double most = tallest(heights, log);
  if (!log) return {0, most > 0 ? most * 1.08 : 1};
  double least = most;
  for (double height : heights)
    if (const double shown = shown_value(height, true); std::isfinite(shown))
      least = std::min(least, shown);
  return {std::floor(least - 0.3), std::max(most + 0.1, std::floor(least - 0.3) + 1)};
}

/// Draws bars; of bars narrower than a pixel, the tallest in each group of pixel width.
void draw_bars(ImDrawList& list, const PlotArea& area, std::span<const double> heights, bool log) {
  const double pitch = (area.high.x - area.low.x) / static_cast<double>(heights.size());
  const std::size_t group =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(1 / pitch)));
  const float gap = pitch > pixels(4) ? std::max(1.f, std::round(pixels(1))) : 0;
  for (std::size_t i = 0; i < heights.size(); i += group) {
    const std::size_t end = std::min(i + group, heights.size());
    const double most = tallest(heights.subspan(i, end - i), log);
    if (!std::isfinite(most) || (!log && most <= 0)) continue;
    // Both ends at whole pixels: bars have neither seams nor soft edges.
    const float left = std::round(static_cast<float>(area.low.x + pitch * static_cast<double>(i)));
    const float right =
        std::round(static_cast<float>(area.low.x + pitch * static_cast<double>(end))) - gap;
    const float top = std::min(area.y_of(most), area.high.y - 1);
    list.AddRectFilled({left, top}, {std::max(right, left + 1), area.high.y}, curve_color(0));
  }
}

void draw_hovered_bin(const PlotArea& area, std::span<const double> heights,
                      const PlotOptions& options) {
  const double width = (area.x.high - area.x.low) / static_cast<double>(heights.size());
  const double bin_position = (area.value_at(ImGui::GetIO().MousePos.x) - area.x.low) / width;
  const auto bin = static_cast<std::size_t>(
      std::clamp(bin_position, 0.0, static_cast<double>(heights.size() - 1)));
  const double low = area.x.low + width * static_cast<double>(bin);
  const float left = std::floor(area.x_of(low)),
              right = std::max(std::ceil(area.x_of(low + width)), left + 1);
  ImGui::GetWindowDrawList()->AddRectFilled({left, area.low.y}, {right, area.high.y},
                                            theme(ImGuiCol_Text, 0.16f));

  ImGui::BeginTooltip();
  if (ImGui::BeginTable("values", 2, ImGuiTableFlags_SizingFixedFit)) {
    const std::string name = name_of_label(options.x_label), unit = unit_of_label(options.x_label);
    const std::string count = name_of_label(options.y_label);
    tooltip_row(0, name.empty() ? "from" : name,
                number_with_unit(low, "") + " .. " + number_with_unit(low + width, unit));
    tooltip_row(curve_color(0), count.empty() ? "count" : count,
                number_with_unit(heights[bin], unit_of_label(options.y_label)));
    ImGui::EndTable();
  }
  ImGui::EndTooltip();
}

}  // namespace

void bar_plot(const char* id, std::span<const double> heights, double low, double high,
              const PlotOptions& options) {
  MOTE_EXPECT(!(low > high));
  if (!std::isfinite(tallest(heights, options.log_y)) || !std::isfinite(low) ||
      !std::isfinite(high)) {
    draw_empty_plot(id, options, heights.empty() ? "no data yet" : "nothing to plot");
    return;
  }
  const PlotArea area =
      draw_axes(id, options, widened({low, high}), height_range(heights, options.log_y), {});
  if (!ImGui::IsItemVisible()) return;
  ImGui::PushClipRect(area.low, area.high, true);
  draw_bars(*ImGui::GetWindowDrawList(), area, heights, options.log_y);
  draw_mark(area, options);
  if (area.hovered) draw_hovered_bin(area, heights, options);
  ImGui::PopClipRect();
}

}  // namespace mote::render::ui
