#include <algorithm>

#include "app/view/panels.h"
#include "render/ui/widgets.h"

namespace mote::app {

namespace ui = render::ui;

namespace {

/// The edges of the window, by their description.
const std::vector<std::string>& edges() {
  static const std::vector<std::string> all = [] {
    for (const auto& p : place_table().params)
      if (p.info.name == "edge") return p.info.choices;
    return std::vector<std::string>();
  }();
  return all;
}

void place_row(WindowState& model, const PanelPlace& place) {
  const std::string id = "##" + place.panel;
  bool shown = model.panels.shown(place);
  auto edge = static_cast<std::size_t>(std::find(edges().begin(), edges().end(), place.edge) -
                                       edges().begin());
  if (ui::check(place.panel, shown)) model.panels.show(place.panel, shown);
  if (!shown) return;
  if (ui::combo(id, edges(), edge))
    model.panels.move(place.panel, edges()[edge], model.panels.places.size());
  ui::same_line();
  double size = place.edge == "bottom" ? place.height : place.width;
  if (ui::number("size" + id, size)) model.panels.resize(place.panel, size);
  ui::tooltip("in heights of text, from the edge of the window");
}

}  // namespace

void place_rows(WindowState& model) {
  if (!ui::section("Panels", false)) return;
  ui::dim("A panel is dragged by its title, and resized at its inner edge.");
  // Rows follow the order of the list: they stay where they are while their panels move.
  for (const MovablePanel& panel : movable_panels()) {
    const PanelPlace place = model.panels.place(panel.standard.panel);
    place_row(model, place);
  }
  if (ui::button("standard places")) model.panels.reset();
}

}  // namespace mote::app
