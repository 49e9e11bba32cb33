#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "engine/text.h"
#include "render/ui/number_field.h"
#include "render/ui/number_scale.h"
#include "render/ui/paint.h"
#include "render/ui/ticks.h"
#include "render/ui/widgets.h"

namespace mote::render::ui {
namespace {

/// Layout: a track that is inset, so that the handle stays inside at its ends, and labels below it.
struct Track {
  float left, right, top, bottom;
  std::uint64_t first, last;

  float middle() const { return (top + bottom) / 2; }
  float x_of(std::uint64_t step) const {
    if (last <= first) return left;
    const std::uint64_t inside = std::clamp(step, first, last);
    return static_cast<float>(left + static_cast<double>(inside - first) /
                                         static_cast<double>(last - first) * (right - left));
  }
  std::uint64_t step_at(float x) const {
    const double fraction = std::clamp((x - left) / static_cast<double>(right - left), 0.0, 1.0);
    // Exact at the ends, whatever the round-off for large steps.
    if (fraction <= 0) return first;
    if (fraction >= 1) return last;
    return std::min(last, first + static_cast<std::uint64_t>(
                                      std::llround(fraction * static_cast<double>(last - first))));
  }
};

/// Draws lines for the saved states, skipping those that would be too close.
void draw_saved(ImDrawList& list, const Track& track, std::span<const std::uint64_t> saved) {
  const float spacing = pixels(4);
  const double step_spacing =
      spacing / (track.right - track.left) * static_cast<double>(track.last - track.first);
  auto at = std::lower_bound(saved.begin(), saved.end(), track.first);
  while (at != saved.end() && *at <= track.last) {
    const float x = std::floor(track.x_of(*at));
    list.AddRectFilled({x, track.top + pixels(2)},
                       {x + std::max(1.f, pixels(1)), track.bottom - pixels(2)},
                       theme(ImGuiCol_Text, 0.3f));
    const std::uint64_t next =
        *at + std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(step_spacing)));
    at = std::lower_bound(at + 1, saved.end(), next);
  }
}

void draw_edits(ImDrawList& list, const Track& track, std::span<const std::uint64_t> edits) {
  const float size = pixels(4.2f), y = track.middle();
  float before = -1e9f;
  for (std::uint64_t step : edits) {
    const float x = track.x_of(step);
    if (step < track.first || step > track.last || x - before < 1) continue;
    before = x;
    list.AddQuadFilled({x, y - size}, {x + size, y}, {x, y + size}, {x - size, y}, curve_color(1));
    list.AddQuad({x, y - size}, {x + size, y}, {x, y + size}, {x - size, y}, outline(0.8f),
                 pixels(1));
  }
}

void draw_handle(ImDrawList& list, ImVec2 at, float size, bool hollow) {
  if (hollow) {
    list.AddCircle(at, size, outline(0.8f), 32, pixels(4));
    list.AddCircle(at, size, theme(ImGuiCol_Text), 32, pixels(1.8f));
    return;
  }
  list.AddCircleFilled(at, size + pixels(1.5f), outline(0.9f), 32);
  list.AddCircleFilled(at, size, theme(ImGuiCol_Text), 32);
  list.AddCircleFilled(at, size * 0.45f, accent(), 32);
}

/// Draws the times of the ends, and of the current step below its handle; those of the ends are
/// hidden if they would overlap.
void draw_labels(ImDrawList& list, const Track& track, const Timeline& line, float low, float high,
                 float top) {
  const float gap = pixels(10), half = text_width(line.now_label) / 2;
  const float middle =
      std::clamp(track.x_of(line.now), low + half, std::max(low + half, high - half));
  const bool named = !line.now_label.empty();
  if (named) draw_text(list, middle, top, theme(ImGuiCol_Text), line.now_label, 0.5f);
  if (!named || low + text_width(line.first_label) + gap < middle - half)
    draw_text(list, low, top, theme(ImGuiCol_TextDisabled), line.first_label);
  if (!named || high - text_width(line.last_label) - gap > middle + half)
    draw_text(list, high, top, theme(ImGuiCol_TextDisabled), line.last_label, 1);
}

void tooltip(const Timeline& line, const Track& track, std::uint64_t step) {
  std::string text = "step " + engine::with_thousands(static_cast<long long>(step));
  if (line.dt > 0) {
    const double resolution = line.dt * std::max(1.0, static_cast<double>(line.last - line.first) /
                                                          (track.right - track.left));
    text += "\n" + value_text(line.dt * static_cast<double>(step), resolution) +
            (line.time_unit.empty() ? "" : " " + line.time_unit);
  }
  // Above the bar, and inside the display at both ends.
  const float x = std::clamp(ImGui::GetIO().MousePos.x, track.left, track.right);
  ImGui::SetNextWindowPos({x, track.top - pixels(8)}, ImGuiCond_Always,
                          {x / ImGui::GetIO().DisplaySize.x, 1});
  ImGui::SetTooltip("%s", text.c_str());
}

void draw(const Timeline& line, const Track& track, float low, float high,
          std::optional<std::uint64_t> dragged) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = (track.bottom - track.top) / 2, overhang = pixels(3), size = pixels(6.5f);
  const float now = track.x_of(line.now);
  list.AddRectFilled({track.left - overhang, track.top}, {track.right + overhang, track.bottom},
                     theme(ImGuiCol_FrameBg), rounding);
  list.AddRectFilled({track.left - overhang, track.top}, {now, track.bottom}, accent(0.45f),
                     rounding, ImDrawFlags_RoundCornersLeft);
  list.AddRect({track.left - overhang, track.top}, {track.right + overhang, track.bottom},
               theme(ImGuiCol_Text, 0.14f), rounding);
  draw_saved(list, track, line.saved);
  draw_edits(list, track, line.edits);
  draw_handle(list, {now, track.middle()}, size, false);
  // Shows the target while dragging, before the seek starts.
  const std::optional<std::uint64_t> seek_target = dragged ? dragged : line.target;
  if (seek_target && *seek_target != line.now)
    draw_handle(list, {track.x_of(*seek_target), track.middle()}, size, true);
  draw_labels(list, track, line, low, high, track.bottom + pixels(6));
}

/// The dragged bar, and the last returned step.
struct Drag {
  ImGuiID id = 0;
  std::uint64_t sent = 0;
};
Drag drag;

/// Result of dragging the bar just added to the window.
std::optional<std::uint64_t> dragged_to(ImGuiID id, const Track& track, std::uint64_t step) {
  if (track.last == track.first) return std::nullopt;
  if (activated_by_key()) {
    start_typing(id);
    return std::nullopt;
  }
  if (ImGui::IsItemActivated()) {
    drag = {id, step};
    return step;
  }
  if (drag.id != id) return std::nullopt;
  // Only mouse movement selects another step: a growing range shifts all positions.
  if (ImGui::IsItemActive() && ImGui::GetIO().MouseDelta.x != 0 && step != drag.sent)
    return drag.sent = step;
  if (!ImGui::IsItemDeactivated()) return std::nullopt;
  drag.id = 0;
  return drag.sent;
}

/// The number of a step, typed in place of the bar.
std::optional<std::uint64_t> typed_step(const Timeline& line, float width) {
  const auto text = typed_text(std::to_string(line.now), width);
  if (!text) return std::nullopt;
  const engine::ParamInfo range{.name = "step", .help = "", .minimum = 0};
  const auto value = parse_number(*text, range, true);
  if (!value) return std::nullopt;
  return std::clamp(static_cast<std::uint64_t>(std::get<std::int64_t>(*value)), line.first,
                    std::max(line.first, line.last));
}

}  // namespace

std::optional<std::uint64_t> timeline(const Timeline& line) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, pixels(100));
  const float bar = std::round(pixels(18)), inset = pixels(9);
  const float height = bar + ImGui::GetTextLineHeight() + pixels(2);
  const ImGuiID bar_id = ImGui::GetID("timeline");
  if (is_typing(bar_id)) {
    const auto step = typed_step(line, width);
    // The field is as high as the bar, so that nothing below moves.
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({width, height});
    return step;
  }
  ImGui::InvisibleButton("timeline", {width, height});
  // Mouse positions are integers; so are the ends.
  const float left = std::round(corner.x + inset), right = std::round(corner.x + width - inset);
  const Track track{left,
                    right,
                    corner.y + pixels(4),
                    corner.y + bar - pixels(4),
                    line.first,
                    std::max(line.first, line.last)};

  const std::uint64_t step = track.step_at(ImGui::GetIO().MousePos.x);
  const std::optional<std::uint64_t> result = dragged_to(bar_id, track, step);
  const bool active = ImGui::IsItemActive() && drag.id == bar_id;
  draw(line, track, corner.x, corner.x + width, active ? std::optional(drag.sent) : std::nullopt);
  mark_focus();
  if (ImGui::GetIO().NavVisible && ImGui::IsItemFocused())
    ImGui::SetTooltip("Enter: type a step");
  else if (active || ImGui::IsItemHovered())
    tooltip(line, track, step);
  return result;
}

}  // namespace mote::render::ui
