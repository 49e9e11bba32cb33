#include "render/ui/number_field.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/text.h"
#include "render/ui/number_scale.h"
#include "render/ui/paint.h"
#include "render/ui/widgets.h"

namespace mote::render::ui {
namespace {

using engine::ParamValue;

/// State of the field that is being dragged.
struct Drag {
  ImGuiID id = 0;
  double start = 0;
  double sent = 0;        ///< the last returned value
  float grab_offset = 0;  ///< slider: offset from the mouse to the handle
  float travel = 0;       ///< unbounded: pixels of travel, scaled in fine and coarse mode
  float pressed_at = 0;
};

/// State of the field that is being typed into. Its text field receives the keyboard focus a frame
/// or two after the request.
struct Typing {
  ImGuiID id = 0;
  int frame = 0;
  int waited = 0;
  bool active = false;
};

Drag drag;
Typing typing;

double as_number(const ParamValue& value) {
  if (auto i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (auto d = std::get_if<double>(&value)) return *d;
  return std::numeric_limits<double>::quiet_NaN();
}

ParamValue as_value(double number, bool whole) {
  if (!whole) return number;
  return static_cast<std::int64_t>(std::clamp(number, -0x1p62, 0x1p62));
}

std::string shown_number(const ParamValue& value) {
  if (auto i = std::get_if<std::int64_t>(&value)) return engine::with_thousands(*i);
  return number_with_unit(as_number(value), "");
}

std::optional<ParamValue> type_into(const NumberField& field, float width) {
  const auto text = typed_text(engine::text_of(field.value), width);
  if (!text) return std::nullopt;
  auto value = parse_number(*text, field.info, field.whole);
  return value && *value != field.value ? value : std::nullopt;
}

/// Rectangle of the field and its mouse state.
struct FieldRect {
  ImVec2 low, high;
  bool hovered = false, active = false;

  float x_of(double position) const {
    return static_cast<float>(low.x + 1 + position * (high.x - low.x - 2));
  }
  double position_at(float x) const { return (x - low.x - 1) / (high.x - low.x - 2); }
};

void start_drag(ImGuiID id, const FieldRect& rect, const NumberScale& scale, double value) {
  const float mouse = ImGui::GetIO().MousePos.x;
  drag = {id, value, value, 0, 0, mouse};
  // A press on the handle does not move it; elsewhere it jumps to the mouse.
  const float handle = rect.x_of(scale.position_of(value));
  if (scale.bounded() && std::abs(handle - mouse) < pixels(5)) drag.grab_offset = handle - mouse;
}

/// Value for the current mouse position.
double dragged_value(const FieldRect& rect, const NumberScale& scale, double default_value) {
  const ImGuiIO& io = ImGui::GetIO();
  if (scale.bounded()) {
    if (drag.grab_offset != 0 && io.MousePos.x == drag.pressed_at) return drag.sent;
    return scale.value_at(rect.position_at(io.MousePos.x + drag.grab_offset),
                          rect.high.x - rect.low.x);
  }
  drag.travel += io.MouseDelta.x / pixels(1) * (io.KeyAlt ? 0.1f : io.KeyShift ? 10.f : 1.f);
  // Ignores small movements during a click.
  return std::abs(drag.travel) < 3 ? drag.sent
                                   : scale.dragged(drag.start, drag.travel, default_value);
}

std::optional<ParamValue> drag_to_mouse(const FieldRect& rect, const NumberField& field,
                                        const NumberScale& scale) {
  const double value = dragged_value(rect, scale, as_number(field.default_value));
  if (value == drag.sent) return std::nullopt;
  drag.sent = value;
  return as_value(value, field.whole);
}

void draw_slider(ImDrawList& list, const FieldRect& rect, const NumberScale& scale, double value,
                 double default_value) {
  const float rounding = ImGui::GetStyle().FrameRounding, half = pixels(1.25f);
  const float handle =
      std::clamp(rect.x_of(scale.position_of(value)), rect.low.x + half, rect.high.x - half);
  list.PushClipRect(rect.low, {handle, rect.high.y}, true);
  list.AddRectFilled(rect.low, rect.high, accent(rect.active ? 0.42f : 0.3f), rounding);
  list.PopClipRect();
  if (std::isfinite(default_value)) {
    const float x = std::floor(rect.x_of(scale.position_of(default_value)));
    list.AddRectFilled({x, rect.high.y - pixels(4)},
                       {x + std::max(1.f, pixels(1)), rect.high.y - pixels(1)},
                       theme(ImGuiCol_Text, 0.45f));
  }
  list.AddRectFilled({handle - half, rect.low.y + pixels(1)},
                     {handle + half, rect.high.y - pixels(1)},
                     accent(rect.hovered || rect.active ? 1.f : 0.8f), half);
}

/// Arrows that mark a draggable field.
void draw_arrows(ImDrawList& list, const FieldRect& rect) {
  const float middle = (rect.low.y + rect.high.y) / 2, size = pixels(3.2f), inset = pixels(5);
  const ImU32 color = theme(ImGuiCol_Text, rect.hovered || rect.active ? 0.75f : 0.28f);
  for (float side : {-1.f, 1.f}) {
    const float tip = side < 0 ? rect.low.x + inset : rect.high.x - inset;
    // Clockwise corners, as antialiasing needs.
    const ImVec2 up(tip - side * size, middle - size * 1.1f),
        down(tip - side * size, middle + size * 1.1f), point(tip, middle);
    if (side > 0)
      list.AddTriangleFilled(up, point, down, color);
    else
      list.AddTriangleFilled(down, point, up, color);
  }
}

void draw_number(ImDrawList& list, const FieldRect& rect, const std::string& number,
                 const std::string& unit) {
  const float available = rect.high.x - rect.low.x - pixels(8);
  const float top = rect.low.y + ImGui::GetStyle().FramePadding.y;
  const float gap = text_width(" "),
              width = text_width(number) + (unit.empty() ? 0 : gap + text_width(unit));
  const bool with_unit = !unit.empty() && width <= available;
  const float left =
      (rect.low.x + rect.high.x - (with_unit ? width : std::min(available, text_width(number)))) /
      2;
  list.PushClipRect(rect.low, rect.high, true);
  draw_text(list, left, top, theme(ImGuiCol_Text), number);
  if (with_unit)
    draw_text(list, left + text_width(number) + gap, top, theme(ImGuiCol_Text, 0.6f), unit);
  list.PopClipRect();
}

void draw_field(const FieldRect& rect, const NumberField& field, const NumberScale& scale,
                const ParamValue& value) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImGuiCol background = rect.active    ? ImGuiCol_FrameBgActive
                              : rect.hovered ? ImGuiCol_FrameBgHovered
                                             : ImGuiCol_FrameBg;
  list.AddRectFilled(rect.low, rect.high, theme(background), ImGui::GetStyle().FrameRounding);
  if (scale.bounded())
    draw_slider(list, rect, scale, as_number(value), as_number(field.default_value));
  else if (rect.high.x - rect.low.x > pixels(72))
    draw_arrows(list, rect);
  draw_number(list, rect, shown_number(value), field.unit);
}

}  // namespace

void start_typing(unsigned id) {
  typing = {id, ImGui::GetFrameCount()};
}

bool is_typing(unsigned id) {
  // A field that was hidden for a frame is no longer being edited.
  return typing.id == id && typing.frame + 1 == ImGui::GetFrameCount();
}

std::optional<std::string> typed_text(const std::string& text, float width) {
  typing.frame = ImGui::GetFrameCount();
  if (!typing.active) ImGui::SetKeyboardFocusHere();
  auto typed = text_field("typed", text, width);
  if (ImGui::IsItemActive()) {
    typing.active = true;
  } else if (typing.active || ++typing.waited > 5) {
    typing = {};
  }
  return typed;
}

std::optional<ParamValue> number_field(const char* id, const NumberField& field, float width) {
  ImGui::PushID(id);
  const ImGuiID field_id = ImGui::GetID("number");
  if (is_typing(field_id)) {
    auto value = type_into(field, width);
    ImGui::PopID();
    return value;
  }
  ImGui::InvisibleButton("number", {width, ImGui::GetFrameHeight()});
  ImGui::PopID();
  const NumberScale scale(field.info, field.whole);
  const FieldRect rect{ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ImGui::IsItemHovered(),
                       ImGui::IsItemActive()};
  if (rect.hovered || rect.active) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);

  if (ImGui::IsItemActivated()) {
    if (ImGui::GetIO().KeyCtrl || (!scale.bounded() && ImGui::IsMouseDoubleClicked(0)) ||
        activated_by_key())
      start_typing(field_id);
    else
      start_drag(field_id, rect, scale, as_number(field.value));
  }
  const bool dragged = rect.active && drag.id == field_id && typing.id != field_id;
  auto changed = dragged ? drag_to_mouse(rect, field, scale) : std::nullopt;
  // Shows the new value at once, though the owner may adopt it later.
  draw_field(rect, field, scale,
             dragged && drag.sent != drag.start ? as_value(drag.sent, field.whole) : field.value);
  mark_focus();
  return changed;
}

}  // namespace mote::render::ui
