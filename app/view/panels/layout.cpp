#include <algorithm>
#include <functional>
#include <numeric>

#include "app/view/panels.h"

namespace mote::app {

namespace ui = render::ui;

namespace {

std::string scene_title(const WindowState& model) {
  return model.session ? model.session->scene().head.title : "mote";
}

std::function<std::string(const WindowState&)> named(const char* words) {
  return [words](const WindowState&) { return std::string(words); };
}

/// Window width from which panels at the sides are unfolded by themselves, in font sizes: 1,100
/// pixels on an ordinary display.
constexpr float least_width = 1100.0f / 15;
/// The scene keeps at least a third of the width and of the height.
constexpr float most_of_width = 0.32f, most_of_height = 0.6f;
/// Where there is no room, panels are over the scene; those of the other side stay reachable.
constexpr float most_of_narrow_width = 0.45f;

}  // namespace

const std::vector<MovablePanel>& movable_panels() {
  static const std::vector<MovablePanel> all{
      {{.panel = "scene", .edge = "left", .width = 21, .button = "Scene"},
       scene_title,
       scene_content},
      {{.panel = "measurements", .edge = "right", .width = 22.5, .button = "Measurements"},
       named("Measurements"),
       measurement_content},
      {{.panel = "time", .edge = "bottom", .height = 7, .button = "Time"},
       time_title,
       time_content},
      {{.panel = "statistics", .edge = "left", .width = 23, .folded = true},
       named("Statistics"),
       statistics_content},
      {{.panel = "log", .edge = "bottom", .height = 11, .folded = true},
       named("Log"),
       log_content}};
  return all;
}

std::vector<PanelPlace> standard_places() {
  std::vector<PanelPlace> places;
  for (const MovablePanel& panel : movable_panels()) places.push_back(panel.standard);
  return places;
}

namespace {

const MovablePanel& panel_of(const PanelPlace& place) {
  const auto& all = movable_panels();
  return *std::find_if(all.begin(), all.end(),
                       [&](const MovablePanel& p) { return p.standard.panel == place.panel; });
}

/// Indices of the unfolded panels at an edge, in stacking order.
std::vector<std::size_t> stack_at(const Panels& panels, const char* edge) {
  std::vector<std::size_t> stack;
  for (std::size_t i = 0; i < panels.places.size(); ++i)
    if (panels.places[i].edge == edge && panels.shown(panels.places[i])) stack.push_back(i);
  return stack;
}

/// Panels at the lower edge, over the full width, upwards. Returns where the rest begins.
float stack_up(const Panels& panels, Layout& l, float w, float h, float gap) {
  const std::vector<std::size_t> stack = stack_at(panels, "bottom");
  const float em = ui::em();
  const float wanted =
      std::accumulate(stack.begin(), stack.end(), 0.0f, [&](float sum, std::size_t i) {
        return sum + static_cast<float>(panels.places[i].height) * em + gap;
      });
  const float fit = std::min(1.0f, most_of_height * h / std::max(wanted, 1.0f));
  float top = h - gap;
  for (const std::size_t i : stack) {
    const float height = fit * static_cast<float>(panels.places[i].height) * em;
    l.panels[i] = {gap, top - height, w - 2 * gap, height};
    top -= height + gap * fit;
  }
  return top;
}

/// Panels at a side, which share its width and its height down to `bottom`. Returns the width.
float stack_down(const Panels& panels, Layout& l, const char* edge, float w, float bottom,
                 float gap) {
  const std::vector<std::size_t> stack = stack_at(panels, edge);
  if (stack.empty()) return 0;
  const float most = panels.has_room ? most_of_width : most_of_narrow_width;
  const float width =
      std::min(static_cast<float>(panels.places[stack[0]].width) * ui::em(), most * w);
  const float pitch = bottom / static_cast<float>(stack.size());
  const float left = edge[0] == 'l' ? gap : w - gap - width;
  float top = gap;
  for (const std::size_t i : stack) {
    l.panels[i] = {left, top, width, std::max(pitch - gap, 1.0f)};
    top += pitch;
  }
  return width;
}

bool has_room(int width) {
  return static_cast<float>(width) >= least_width * ui::em();
}

}  // namespace

Layout layout_for(const Panels& shown, int width, int height) {
  Panels panels = shown;
  panels.has_room = has_room(width);
  const float em = ui::em(), gap = 0.5f * em;
  const auto w = static_cast<float>(width), h = static_cast<float>(height);
  Layout l;
  l.panels.resize(panels.places.size());
  const float below = stack_up(panels, l, w, h, gap);
  const float left = stack_down(panels, l, "left", w, below, gap),
              right = stack_down(panels, l, "right", w, below, gap);
  l.free_left = left > 0 ? left + 2 * gap : gap;
  l.free_right = w - (right > 0 ? right + 2 * gap : gap);
  // Panels of a narrow window are unfolded over the scene.
  const bool beside = panels.all && panels.has_room;
  l.scene_left = beside ? l.free_left : gap;
  l.scene_right = beside ? l.free_right : w - gap;
  l.scene_bottom = panels.all ? below : h - gap;
  const float wide = std::max(10 * em, l.scene_right - l.scene_left);
  l.message = {l.scene_left + 0.1f * wide, gap, 0.8f * wide, 9 * em};
  return l;
}

namespace {

/// Where a dragged panel goes: to the nearest edge, beside the panels there.
struct Target {
  std::string edge;
  std::size_t before;
};

Target target_at(const Panels& panels, const Layout& layout, ui::Point at, float w, float h) {
  const float left = at.x / w, right = 1 - left, bottom = 1 - at.y / h;
  const char* const edge = bottom < std::min(left, right) ? "bottom"
                           : left < right                 ? "left"
                                                          : "right";
  std::size_t before = panels.places.size();
  const std::vector<std::size_t> stack = stack_at(panels, edge);
  for (auto i = stack.rbegin(); i != stack.rend(); ++i) {
    const ui::Rect& r = layout.panels[*i];
    const float middle = r.y + r.height / 2;
    if (edge[0] == 'b' ? at.y > middle : at.y < middle) before = *i;
  }
  return {edge, before};
}

/// Follows the drag of a panel's title: shows where it would go, and moves it when let go.
void drag_to(WindowState& model, const std::string& panel, const ui::TitleDrag& drag,
             const Layout& layout, int width, int height) {
  const Target target = target_at(model.panels, layout, drag.at, static_cast<float>(width),
                                  static_cast<float>(height));
  Panels moved = model.panels;
  moved.move(panel, target.edge, target.before);
  if (drag.dropped) {
    model.panels = std::move(moved);
    return;
  }
  const Layout then = layout_for(moved, width, height);
  for (std::size_t i = 0; i < moved.places.size(); ++i)
    if (moved.places[i].panel == panel) ui::drop_target(then.panels[i]);
}

/// The inner edge of a panel, which is dragged to change its size.
void inner_edge(WindowState& model, const PanelPlace& place, const ui::Rect& r, float w, float h) {
  const float em = ui::em(), gap = 0.5f * em;
  const bool below = place.edge == "bottom", left = place.edge == "left";
  const ui::Rect strip = below  ? ui::Rect{r.x, r.y - gap, r.width, gap}
                         : left ? ui::Rect{r.x + r.width, r.y, gap, r.height}
                                : ui::Rect{r.x - gap, r.y, gap, r.height};
  const auto at = ui::splitter(place.panel, strip);
  if (!at) return;
  const float size = below ? r.y + r.height - at->y : left ? at->x - r.x : r.x + r.width - at->x;
  // Not more than is shown: it would be a surprise in a larger window.
  const float most = below ? most_of_height * h : most_of_width * w;
  model.panels.resize(place.panel, std::min(size - gap / 2, most) / em);
}

void unfolded_panel(WindowState& model, const PanelPlace& place, const Layout& layout,
                    const ui::Rect& rect, int width, int height) {
  const MovablePanel& of = panel_of(place);
  bool open = true;
  std::optional<ui::TitleDrag> drag;
  {
    const ui::Panel panel(place.panel, of.title(model), rect, &open);
    if (panel) of.content(model);
    drag = panel.drag();
  }
  inner_edge(model, place, rect, static_cast<float>(width), static_cast<float>(height));
  if (drag) drag_to(model, place.panel, *drag, layout, width, height);
  if (!open) model.panels.show(place.panel, false);
}

/// Buttons of folded panels: beside the panels of their side, or in the middle above those at the
/// lower edge.
class FoldedButtons {
 public:
  explicit FoldedButtons(const Layout& l)
      : left_(l.free_left),
        right_(l.free_right),
        bottom_(l.scene_bottom),
        middle_((l.scene_left + l.scene_right) / 2) {}

  void draw(WindowState& model, const PanelPlace& place) {
    const std::string& name = place.button;
    if (name.empty()) return;
    const float em = ui::em(), gap = 0.5f * em, width = ui::button_width(name), height = 2 * em;
    ui::Rect rect{left_, gap, width, height};
    if (place.edge == "left") left_ += width + gap;
    if (place.edge == "right") rect.x = right_ -= width, right_ -= gap;
    if (place.edge == "bottom") {
      rect = {middle_ - width / 2, bottom_ - height, width, height};
      middle_ += width + gap;
    }
    if (ui::floating_button(place.panel, name, rect)) model.panels.show(place.panel, true);
  }

 private:
  float left_, right_, bottom_, middle_;
};

}  // namespace

void panels(WindowState& model, int width, int height) {
  model.panels.has_room = has_room(width);
  const Layout layout = layout_for(model.panels, width, height);
  overlays(model, layout, width, height);
  if (model.panels.all) {
    FoldedButtons buttons(layout);
    // A copy: what the user does here may move, fold or reset them.
    const std::vector<PanelPlace> places = model.panels.places;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (layout.panels[i].width > 0)
        unfolded_panel(model, places[i], layout, layout.panels[i], width, height);
      else
        buttons.draw(model, places[i]);
  }
  message_panel(model, layout.message);
  if (model.panels.help) help_panel(model);
}

}  // namespace mote::app
