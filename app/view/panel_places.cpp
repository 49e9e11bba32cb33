#include "app/view/panel_places.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include "engine/check.h"
#include "engine/json.h"

namespace mote::app {
namespace {

using engine::Json;

auto find(std::vector<PanelPlace>& places, const std::string& panel) {
  return std::find_if(places.begin(), places.end(),
                      [&](const PanelPlace& p) { return p.panel == panel; });
}

}  // namespace

const engine::ParamTable<PanelPlace>& place_table() {
  using engine::param;
  static const engine::ParamTable<PanelPlace> table{
      "panel",
      "the place of a panel",
      {param(&PanelPlace::edge, {.name = "edge",
                                 .help = "edge of the window at which the panel is",
                                 .choices = {"left", "right", "bottom"}}),
       param(&PanelPlace::width, {.name = "width",
                                  .help = "at the left and right edge, in heights of text",
                                  .minimum = 10,
                                  .maximum = 80}),
       param(&PanelPlace::height, {.name = "height",
                                   .help = "at the lower edge, in heights of text",
                                   .minimum = 4,
                                   .maximum = 60}),
       param(&PanelPlace::folded,
             {.name = "folded", .help = "into a button, or hidden if a key shows it"})}};
  return table;
}

PanelPlace& Panels::place(const std::string& panel) {
  return *find(places, panel);
}

const PanelPlace& Panels::place(const std::string& panel) const {
  return const_cast<Panels*>(this)->place(panel);
}

bool Panels::folds_by_itself(const PanelPlace& place) const {
  return !has_room && place.edge != "bottom" && !place.button.empty();
}

bool Panels::shown(const PanelPlace& place) const {
  return folds_by_itself(place) ? over.contains(place.panel) : !place.folded;
}

void Panels::show(const std::string& panel, bool on) {
  PanelPlace& of = place(panel);
  if (!folds_by_itself(of))
    of.folded = !on;
  else if (on)
    over.insert(panel);
  else
    over.erase(panel);
}

const PanelPlace* Panels::neighbour(const std::string& edge, const std::string& except) const {
  for (const PanelPlace& p : places)
    if (p.edge == edge && p.panel != except && shown(p)) return &p;
  return nullptr;
}

void Panels::move(const std::string& panel, const std::string& edge, std::size_t before) {
  const auto from = find(places, panel);
  PanelPlace moved = *from;
  const std::size_t index = static_cast<std::size_t>(from - places.begin());
  // A panel that is seen stays so.
  const bool was_shown = shown(moved);
  if (const PanelPlace* other = neighbour(edge, panel); other && edge != "bottom")
    moved.width = other->width;
  moved.edge = edge;
  places.erase(from);
  if (before > index) --before;
  before = std::min(before, places.size());
  places.insert(places.begin() + static_cast<std::ptrdiff_t>(before), std::move(moved));
  show(panel, was_shown);
}

void Panels::resize(const std::string& panel, double size) {
  PanelPlace& of = place(panel);
  const auto limited = [&](const char* name) {
    for (const auto& p : place_table().params)
      if (p.info.name == name) return std::clamp(size, p.info.minimum, p.info.maximum);
    return size;
  };
  if (of.edge == "bottom") {
    of.height = limited("height");
    return;
  }
  for (PanelPlace& p : places)
    if (p.edge == of.edge) p.width = limited("width");
}

void Panels::reset() {
  places = standard;
  over.clear();
}

std::string text_of(const std::vector<PanelPlace>& places) {
  Json list = Json::array();
  for (const PanelPlace& place : places) {
    Json entry{{"panel", place.panel}};
    for (const auto& p : place_table().params)
      std::visit(
          [&](const auto& value) {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, bool> || std::is_same_v<Value, double> ||
                          std::is_same_v<Value, std::string>)
              entry[p.info.name] = value;
          },
          p.get(place));
    list.push_back(std::move(entry));
  }
  return engine::json_text(Json{{"panels", std::move(list)}}, 2) + "\n";
}

namespace {

std::optional<engine::ParamValue> value_in(const Json& json, engine::ParamType type) {
  if (type == engine::ParamType::boolean && json.is_boolean()) return json.get<bool>();
  if (type == engine::ParamType::real && json.is_number()) return json.get<double>();
  if (type == engine::ParamType::choice && json.is_string()) return json.get<std::string>();
  return std::nullopt;
}

void read_place(const Json& json, PanelPlace& place, const std::string& location) {
  for (const auto& p : place_table().params) {
    if (!json.contains(p.info.name)) continue;
    const auto value = value_in(json[p.info.name], p.type);
    if (!value)
      throw engine::InputError(location, p.info.name + " of " + place.panel + " has another type");
    if (const auto problem = engine::range_problem(p.info, *value))
      throw engine::InputError(location, p.info.name + " of " + place.panel + ": " + *problem);
    p.set(place, *value);
  }
}

}  // namespace

std::vector<PanelPlace> places_in(const std::string& text, const std::string& location,
                                  std::vector<PanelPlace> rest) {
  std::vector<PanelPlace> places;
  try {
    const Json json = engine::parse_json(text);
    for (const Json& entry : json.at("panels")) {
      const auto at = find(rest, entry.at("panel").get<std::string>());
      if (at == rest.end()) continue;
      places.push_back(*at);
      rest.erase(at);
      read_place(entry, places.back(), location);
    }
  } catch (const Json::exception&) {
    throw engine::InputError(location, "is not a file of panels as the window writes it");
  }
  places.insert(places.end(), rest.begin(), rest.end());
  return places;
}

}  // namespace mote::app
