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

/// The one field that is dragged.
struct Drag {
  ImGuiID id = 0;
  double start = 0;
  double sent = 0;    ///< the newest value that was returned
  float grabbed = 0;  ///< of a slider: from the mouse to its handle
  float travel = 0;   ///< without bounds: pixels, fine and coarse ones counted as such
  float pressed_at = 0;
};

/// The one field that is typed into. Its text field gets the keyboard a frame or two after it was
/// asked for.
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
  typing.frame = ImGui::GetFrameCount();
  if (!typing.active) ImGui::SetKeyboardFocusHere();
  const auto text = text_field("typed", engine::text_of(field.value), width);
  if (ImGui::IsItemActive()) {
    typing.active = true;
  } else if (typing.active || ++typing.waited > 5) {
    typing = {};
  }
  if (!text) return std::nullopt;
  auto value = read_number(*text, field.info, field.whole);
  return value && *value != field.value ? value : std::nullopt;
}

/// Where the field stands, and what the mouse does to it.
struct Place {
  ImVec2 low, high;
  bool hovered = false, active = false;

  float x_of(double position) const {
    return static_cast<float>(low.x + 1 + position * (high.x - low.x - 2));
  }
  double position_at(float x) const { return (x - low.x - 1) / (high.x - low.x - 2); }
};

void start_drag(ImGuiID id, const Place& place, const NumberScale& scale, double value) {
  const float mouse = ImGui::GetIO().MousePos.x;
  drag = {id, value, value, 0, 0, mouse};
  // A press on the handle does not move it; one elsewhere brings it there.
  const float handle = place.x_of(scale.position_of(value));
  if (scale.bounded() && std::abs(handle - mouse) < pixels(5)) drag.grabbed = handle - mouse;
}

/// The value at the mouse.
double dragged_value(const Place& place, const NumberScale& scale, double standard) {
  const ImGuiIO& io = ImGui::GetIO();
  if (scale.bounded()) {
    if (drag.grabbed != 0 && io.MousePos.x == drag.pressed_at) return drag.sent;
    return scale.value_at(place.position_at(io.MousePos.x + drag.grabbed),
                          place.high.x - place.low.x);
  }
  drag.travel += io.MouseDelta.x / pixels(1) * (io.KeyAlt ? 0.1f : io.KeyShift ? 10.f : 1.f);
  // A hand that only clicks trembles.
  return std::abs(drag.travel) < 3 ? drag.sent : scale.dragged(drag.start, drag.travel, standard);
}

std::optional<ParamValue> drag_to_mouse(const Place& place, const NumberField& field,
                                        const NumberScale& scale) {
  const double value = dragged_value(place, scale, as_number(field.standard));
  if (value == drag.sent) return std::nullopt;
  drag.sent = value;
  return as_value(value, field.whole);
}

void draw_slider(ImDrawList& list, const Place& place, const NumberScale& scale, double value,
                 double standard) {
  const float rounding = ImGui::GetStyle().FrameRounding, half = pixels(1.25f);
  const float handle =
      std::clamp(place.x_of(scale.position_of(value)), place.low.x + half, place.high.x - half);
  list.PushClipRect(place.low, {handle, place.high.y}, true);
  list.AddRectFilled(place.low, place.high, accent(place.active ? 0.42f : 0.3f), rounding);
  list.PopClipRect();
  if (std::isfinite(standard)) {
    const float x = std::floor(place.x_of(scale.position_of(standard)));
    list.AddRectFilled({x, place.high.y - pixels(4)},
                       {x + std::max(1.f, pixels(1)), place.high.y - pixels(1)},
                       theme(ImGuiCol_Text, 0.45f));
  }
  list.AddRectFilled({handle - half, place.low.y + pixels(1)},
                     {handle + half, place.high.y - pixels(1)},
                     accent(place.hovered || place.active ? 1.f : 0.8f), half);
}

/// That it can be dragged to both sides.
void draw_arrows(ImDrawList& list, const Place& place) {
  const float middle = (place.low.y + place.high.y) / 2, size = pixels(3.2f), inset = pixels(5);
  const ImU32 color = theme(ImGuiCol_Text, place.hovered || place.active ? 0.75f : 0.28f);
  for (float side : {-1.f, 1.f}) {
    const float tip = side < 0 ? place.low.x + inset : place.high.x - inset;
    // Corners in clockwise order, as the soft edges need.
    const ImVec2 up(tip - side * size, middle - size * 1.1f),
        down(tip - side * size, middle + size * 1.1f), point(tip, middle);
    if (side > 0)
      list.AddTriangleFilled(up, point, down, color);
    else
      list.AddTriangleFilled(down, point, up, color);
  }
}

void draw_number(ImDrawList& list, const Place& place, const std::string& number,
                 const std::string& unit) {
  const float room = place.high.x - place.low.x - pixels(8);
  const float top = place.low.y + ImGui::GetStyle().FramePadding.y;
  const float gap = text_width(" "),
              width = text_width(number) + (unit.empty() ? 0 : gap + text_width(unit));
  const bool with_unit = !unit.empty() && width <= room;
  const float left =
      (place.low.x + place.high.x - (with_unit ? width : std::min(room, text_width(number)))) / 2;
  list.PushClipRect(place.low, place.high, true);
  draw_text(list, left, top, theme(ImGuiCol_Text), number);
  if (with_unit)
    draw_text(list, left + text_width(number) + gap, top, theme(ImGuiCol_Text, 0.6f), unit);
  list.PopClipRect();
}

void draw_field(const Place& place, const NumberField& field, const NumberScale& scale,
                const ParamValue& value) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImGuiCol ground = place.active    ? ImGuiCol_FrameBgActive
                          : place.hovered ? ImGuiCol_FrameBgHovered
                                          : ImGuiCol_FrameBg;
  list.AddRectFilled(place.low, place.high, theme(ground), ImGui::GetStyle().FrameRounding);
  if (scale.bounded())
    draw_slider(list, place, scale, as_number(value), as_number(field.standard));
  else if (place.high.x - place.low.x > pixels(72))
    draw_arrows(list, place);
  draw_number(list, place, shown_number(value), field.unit);
}

}  // namespace

std::optional<ParamValue> number_field(const char* id, const NumberField& field, float width) {
  ImGui::PushID(id);
  const ImGuiID own = ImGui::GetID("number");
  // A field that was away for a frame is not typed into any more.
  if (typing.id == own && typing.frame + 1 == ImGui::GetFrameCount()) {
    auto value = type_into(field, width);
    ImGui::PopID();
    return value;
  }
  ImGui::InvisibleButton("number", {width, ImGui::GetFrameHeight()});
  ImGui::PopID();
  const NumberScale scale(field.info, field.whole);
  const Place place{ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ImGui::IsItemHovered(),
                    ImGui::IsItemActive()};
  if (place.hovered || place.active) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);

  if (ImGui::IsItemActivated()) {
    if (ImGui::GetIO().KeyCtrl || (!scale.bounded() && ImGui::IsMouseDoubleClicked(0)))
      typing = {own, ImGui::GetFrameCount()};
    else
      start_drag(own, place, scale, as_number(field.value));
  }
  const bool dragged = place.active && drag.id == own && typing.id != own;
  auto changed = dragged ? drag_to_mouse(place, field, scale) : std::nullopt;
  // The owner may take a while to adopt what was sent; the hand must not see that.
  draw_field(place, field, scale,
             dragged && drag.sent != drag.start ? as_value(drag.sent, field.whole) : field.value);
  return changed;
}

}  // namespace mote::render::ui
