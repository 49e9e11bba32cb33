#include "render/ui/axes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "render/ui/paint.h"
#include "render/ui/ticks.h"

namespace mote::render::ui {
namespace {

/// Layout of a plot. Above the area: the label of y and the legend, in as many lines as they need.
/// Below: the labels of x and, at the right end of the same line, its name.
struct Layout {
  ImVec2 corner;
  float width = 0, line = 0;
  float gutter = 0;  ///< width left of the area for the labels of y
  int header_lines = 0;
  float area_height = 0;

  float area_top() const {
    return corner.y + header_lines * line + (header_lines > 0 ? pixels(3) : 0);
  }
  float height() const { return area_top() - corner.y + area_height + line + pixels(10); }
};

Layout layout_of(const PlotOptions& options) {
  Layout layout;
  layout.corner = ImGui::GetCursorScreenPos();
  layout.width = std::max(ImGui::GetContentRegionAvail().x, pixels(80));
  layout.line = ImGui::GetTextLineHeight();
  layout.area_height = std::round(layout.line * (options.height > 0 ? options.height : 8));
  return layout;
}

float swatch_width() {
  return pixels(12);
}

/// Places items from left to right and wraps lines.
class Flow {
 public:
  explicit Flow(float width) : width_(width) {}
  ImVec2 place(float width, float line) {
    if (x_ > 0 && x_ + width > width_) x_ = 0, ++lines_;
    const ImVec2 position(x_, lines_ * line);
    x_ += width + pixels(12);
    return position;
  }
  bool fits(float width) const { return x_ + width <= width_; }
  void end_line() {
    if (x_ > 0) x_ = 0, ++lines_;
  }
  int lines() const { return lines_ + (x_ > 0 ? 1 : 0); }

 private:
  float width_, x_ = 0;
  int lines_ = 0;
};

/// Draws a colour mark (0: none) and a name.
void draw_name(ImDrawList& list, ImVec2 at, ImU32 swatch, ImU32 color, const std::string& name) {
  if (swatch) {
    const float middle = std::round(at.y + ImGui::GetTextLineHeight() / 2);
    list.AddRectFilled({at.x, middle - pixels(1.5f)},
                       {at.x + swatch_width(), middle + pixels(1.5f)}, swatch, pixels(1.5f));
    at.x += swatch_width() + pixels(5);
  }
  draw_text(list, at.x, at.y, color, name);
}

/// Draws the label of y and the legend, or only counts their lines if `list` is null.
int draw_header(ImDrawList* list, const Layout& layout, const std::string& label,
                const std::string& base, std::span<const Swatch> legend) {
  Flow flow(layout.width);
  const auto put = [&](const std::string& text, ImU32 color, ImU32 swatch) {
    if (text.empty()) return;
    const float mark = swatch ? swatch_width() + pixels(5) : 0;
    const std::string shown = fitting(text, layout.width - mark);
    const ImVec2 at = flow.place(mark + text_width(shown), layout.line);
    if (list)
      draw_name(*list, {layout.corner.x + at.x, layout.corner.y + at.y}, swatch, color, shown);
  };
  put(label, theme(ImGuiCol_Text), 0);
  put(base.empty() ? "" : base + " +", theme(ImGuiCol_TextDisabled), 0);
  // Keeps the legend on one line if possible.
  float width = 0;
  for (const Swatch& swatch : legend)
    width += swatch_width() + pixels(17) + text_width(swatch.name);
  if (!flow.fits(width - pixels(12))) flow.end_line();
  for (const Swatch& swatch : legend) put(swatch.name, theme(ImGuiCol_Text, 0.85f), swatch.color);
  return flow.lines();
}

void draw_y_axis(ImDrawList& list, const PlotArea& area, const Ticks& axis) {
  const float line = ImGui::GetTextLineHeight();
  for (const Tick& tick : axis.ticks) {
    const float y = std::floor(area.y_of(tick.position));
    list.AddLine({area.low.x, y}, {area.high.x, y}, theme(ImGuiCol_Text, 0.09f),
                 std::max(1.f, pixels(0.8f)));
    const float top = std::max(y - line / 2, area.low.y - pixels(3));
    draw_text(list, area.low.x - pixels(6), top, theme(ImGuiCol_TextDisabled), tick.label, 1);
  }
}

void draw_x_axis(ImDrawList& list, const PlotArea& area, const Layout& layout, const Ticks& axis,
                 const std::string& name) {
  const float top = area.high.y + pixels(4), right = layout.corner.x + layout.width;
  const std::string full = axis.base.empty() ? name : axis.base + " + " + name;
  const std::string shown = fitting(full, layout.width / 2);
  float end = right;
  if (!shown.empty()) {
    draw_text(list, right, top, theme(ImGuiCol_Text), shown, 1);
    end = right - text_width(shown) - pixels(10);
  }
  // From the right: a label shifted from the left end yields to its neighbour.
  for (auto at = axis.ticks.rbegin(); at != axis.ticks.rend(); ++at) {
    const Tick& tick = *at;
    const float x = std::floor(area.x_of(tick.position)), half = text_width(tick.label) / 2;
    list.AddLine({x, area.low.y}, {x, area.high.y}, theme(ImGuiCol_Text, 0.09f),
                 std::max(1.f, pixels(0.8f)));
    // Not under the labels of y, which overhang.
    const float min_middle = area.low.x - pixels(4) + half;
    const float middle = std::clamp(x, min_middle, std::max(min_middle, right - half));
    if (middle + half > end) continue;
    draw_text(list, middle, top, theme(ImGuiCol_TextDisabled), tick.label, 0.5f);
    end = middle - half - pixels(8);
  }
}

int max_ticks(float length) {
  return std::max(2, static_cast<int>(length / pixels(18)));
}

Ticks y_ticks(const PlotOptions& options, Range y, float height) {
  const auto make = [&](int max_count) {
    return options.log_y ? decade_ticks(y.low, y.high, max_count)
                         : linear_ticks(y.low, y.high, max_count);
  };
  return fit_ticks(y, height, max_ticks(height), make,
                   [](const Ticks&) { return 1.6f * ImGui::GetTextLineHeight(); });
}

Ticks x_ticks(Range x, float width) {
  const auto widest = [](const Ticks& axis) {
    float label = 0;
    for (const Tick& tick : axis.ticks) label = std::max(label, text_width(tick.label));
    return std::max(label + pixels(14), pixels(38));
  };
  return fit_ticks(
      x, width, max_ticks(width),
      [&](int max_count) { return linear_ticks(x.low, x.high, max_count); }, widest);
}

float gutter_of(const Ticks& axis) {
  // A minimum width even for short labels, so that stacked plots line up and do not jump as numbers
  // change.
  float width = text_width("-2e-10");
  for (const Tick& tick : axis.ticks) width = std::max(width, text_width(tick.label));
  return std::round(width + pixels(7));
}

void draw_background(ImDrawList& list, ImVec2 low, ImVec2 high) {
  list.AddRectFilled(low, high, on_light() ? IM_COL32(255, 255, 255, 200) : IM_COL32(0, 0, 0, 70),
                     pixels(2));
  list.AddRect(low, high, theme(ImGuiCol_Text, 0.16f), pixels(2), 0, std::max(1.f, pixels(0.8f)));
}

}  // namespace

float PlotArea::x_of(double value) const {
  return static_cast<float>(low.x + (value - x.low) / (x.high - x.low) * (high.x - low.x));
}

float PlotArea::y_of(double value) const {
  return static_cast<float>(high.y - (value - y.low) / (y.high - y.low) * (high.y - low.y));
}

double PlotArea::value_at(float pixel) const {
  return x.low + (x.high - x.low) * ((pixel - low.x) / (high.x - low.x));
}

PlotArea draw_axes(const char* id, const PlotOptions& options, Range x, Range y,
                   std::span<const Swatch> legend) {
  Layout layout = layout_of(options);
  const Ticks y_axis = y_ticks(options, y, layout.area_height);
  layout.gutter = gutter_of(y_axis);
  layout.header_lines = draw_header(nullptr, layout, options.y_label, y_axis.base, legend);

  PlotArea area{{}, {}, x, y, y_axis.step, false};
  area.low = {layout.corner.x + layout.gutter, std::floor(layout.area_top())};
  area.high = {std::floor(layout.corner.x + layout.width), area.low.y + layout.area_height};
  const Ticks x_axis = x_ticks(x, area.high.x - area.low.x);

  ImGui::InvisibleButton(id, {layout.width, layout.height()});
  mark_focus();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  area.hovered = ImGui::IsItemHovered() && mouse.x >= area.low.x && mouse.x <= area.high.x &&
                 mouse.y >= area.low.y && mouse.y <= area.high.y;

  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_background(list, area.low, area.high);
  draw_header(&list, layout, options.y_label, y_axis.base, legend);
  draw_y_axis(list, area, y_axis);
  draw_x_axis(list, area, layout, x_axis, options.x_label);
  return area;
}

void draw_empty_plot(const char* id, const PlotOptions& options, const char* note) {
  Layout layout = layout_of(options);
  layout.header_lines = draw_header(nullptr, layout, options.y_label, "", {});
  ImGui::InvisibleButton(id, {layout.width, layout.height()});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_header(&list, layout, options.y_label, "", {});
  const ImVec2 low(layout.corner.x, std::floor(layout.area_top()));
  const ImVec2 high(std::floor(layout.corner.x + layout.width), low.y + layout.area_height);
  draw_background(list, low, high);
  draw_text(list, (low.x + high.x) / 2, (low.y + high.y - layout.line) / 2,
            theme(ImGuiCol_TextDisabled), note, 0.5f);
}

void draw_mark(const PlotArea& area, const PlotOptions& options) {
  if (!options.mark_x || !std::isfinite(*options.mark_x)) return;
  if (*options.mark_x < area.x.low || *options.mark_x > area.x.high) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x = std::floor(area.x_of(*options.mark_x)), size = pixels(4);
  list.AddLine({x, area.low.y}, {x, area.high.y}, theme(ImGuiCol_Text, 0.7f),
               std::max(1.f, pixels(1)));
  list.AddTriangleFilled({x + 0.5f - size, area.low.y}, {x + 0.5f + size, area.low.y},
                         {x + 0.5f, area.low.y + 1.4f * size}, theme(ImGuiCol_Text, 0.9f));
}

std::string unit_of_label(const std::string& label) {
  const std::size_t open = label.rfind('['), close = label.rfind(']');
  return open == std::string::npos || close == std::string::npos || close < open
             ? ""
             : label.substr(open + 1, close - open - 1);
}

std::string name_of_label(const std::string& label) {
  std::string name = unit_of_label(label).empty() ? label : label.substr(0, label.rfind('['));
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return name;
}

void tooltip_row(ImU32 color, const std::string& name, const std::string& value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const ImVec2 position = ImGui::GetCursorScreenPos();
  draw_name(*ImGui::GetWindowDrawList(), position, color, theme(ImGuiCol_TextDisabled), name);
  ImGui::Dummy(
      {text_width(name) + (color ? swatch_width() + pixels(5) : 0), ImGui::GetTextLineHeight()});
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(value.c_str());
}

}  // namespace mote::render::ui
