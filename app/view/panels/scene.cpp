#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/scenes.h"
#include "app/view/hands.h"
#include "app/view/panels.h"
#include "engine/check.h"
#include "engine/readable.h"
#include "engine/text.h"
#include "render/color_map.h"
#include "render/ui/widgets.h"
#include "sim/scene/quantity_check.h"
#include "sim/scene/read_scene.h"
#include "sim/scene/tables.h"

namespace mote::app {

namespace ui = render::ui;
namespace fs = std::filesystem;

namespace {

void add_scene(std::vector<BrowserEntry>& entries, const fs::path& file) {
  BrowserEntry entry{file, file.stem().string(), "", "", 0};
  try {
    const sim::SceneDescription scene = sim::read_scene(file);
    entry.title = scene.head.title;
    entry.about = scene.head.about;
    entry.bodies = scene.body_count();
  } catch (const std::exception& e) {
    entry.about = e.what();
  }
  entries.push_back(std::move(entry));
}

/// Visible lines of the scrolled list, so that the sections below stay in view.
constexpr int max_scene_lines = 8;

void browser(WindowState& model) {
  if (!ui::section("Scenes", model.panels.browser)) return;
  const ui::Lines lines("scenes", std::min(max_scene_lines, static_cast<int>(model.scenes.size())));
  for (const BrowserEntry& entry : model.scenes) {
    const bool open = model.session && fs::weakly_canonical(model.session->scene().file) ==
                                           fs::weakly_canonical(entry.file);
    const bool shipped = entry.file.parent_path() == scenes_folder();
    const std::string title = entry.title.empty() ? entry.name
                              : shipped           ? entry.title
                                        : entry.title + " (" + entry.file.filename().string() + ")";
    if (ui::selectable(title + "##" + entry.file.string(), open)) model.open_scene(entry.file);
    if (open && model.scrolled_to != entry.file) {
      ui::show_this_line();
      model.scrolled_to = entry.file;
    }
    ui::tooltip(fmt::format("{}\n{} bodies\n{}", entry.about, engine::with_thousands(entry.bodies),
                            entry.file.string()));
  }
}

}  // namespace

std::optional<sim::Quantity> choose_quantity(WindowState& model, const std::string& label,
                                             const sim::Quantity& shown) {
  const std::string name = sim::scalar_info(shown).name;
  std::vector<std::string> names = api::scalars_of(model.session->scene());
  std::size_t chosen =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  if (chosen == names.size()) names.push_back(name);
  if (ui::combo(label, names, chosen)) return sim::Quantity(names[chosen]);
  const auto typed = ui::entry("expression##" + label, shown.expression);
  ui::tooltip("Of x, y, z, vx, vy, vz, r, m and t, as in fields: sqrt(x^2 + y^2)");
  if (!typed || typed->empty()) return std::nullopt;
  const auto problem = sim::quantity_problem(sim::traits_for_quantities(model.session->scene()),
                                             *typed, engine::quoted(*typed), "");
  if (!problem) return sim::Quantity(*typed);
  model.notify(problem->text());
  return std::nullopt;
}

namespace {

/// Colour map and range.
void colors(WindowState& model) {
  const auto& maps = render::color_map_names();
  std::size_t map = 0;
  while (map < maps.size() && maps[map] != model.view.map) ++map;
  if (ui::combo("colours", maps, map)) model.view.map = maps[map];
  ui::check("reversed", model.view.reversed);
  ui::same_line();
  if (ui::check("automatic range", model.automatic_range) && model.automatic_range && model.session)
    model.session->request_extent(model.scalar);
  ui::tooltip(
      "The range is taken from the bodies when the scene opens, when another scalar is chosen, and "
      "when all are framed (F). It widens as values grow.");
  if (!model.automatic_range) {
    // Numbers that the user types are in the scene's unit, which the legend may not be in.
    const std::string unit =
        sim::unit_text(sim::scalar_info(model.scalar), model.session->scene().units);
    const std::string suffix = unit.empty() ? "" : " [" + unit + "]";
    ui::number("from" + suffix, model.range.low);
    ui::number("to" + suffix, model.range.high);
  }
}

/// Which bodies are drawn.
void shown_bodies(WindowState& model) {
  const auto typed = ui::entry("show where", model.view.show);
  ui::tooltip("Bodies are drawn where this is above 0: z > 0, or (r < 2) * (vx > 0). Empty: all.");
  if (!typed) return;
  if (const auto problem = sim::show_problem(*typed, engine::quoted(*typed), ""))
    return model.notify(problem->text());
  model.view.show = *typed;
}

/// Faces away from the camera, along the axis that it looks along most: the half in front is cut.
engine::Vec3d first_clip_normal(const WindowState& model) {
  const auto axes = model.camera.viewpoint({0, 0, 0}, 1, 1).view;
  engine::Vec3d away{-axes[0][2], -axes[1][2], -axes[2][2]};
  const double most = std::max({std::abs(away.x), std::abs(away.y), std::abs(away.z)});
  for (double* part : {&away.x, &away.y, &away.z})
    *part = std::abs(*part) < most ? 0 : std::copysign(1, *part);
  return away;
}

/// The clipping plane: offsets reach through all bodies.
void clipping(WindowState& model) {
  sim::View& view = model.view;
  bool on = view.clip_normal.has_value();
  if (ui::check("clip", on)) {
    if (!on) {
      model.clip_normal = *std::exchange(view.clip_normal, std::nullopt);
    } else if (length(model.clip_normal) > 0) {
      view.clip_normal = model.clip_normal;
    } else {
      view.clip_normal = first_clip_normal(model);
      view.clip_offset = dot(*view.clip_normal, model.extent.center);
    }
  }
  ui::tooltip("Cuts off what is behind a plane.");
  if (!view.clip_normal || !(length(*view.clip_normal) > 0)) return;
  const double middle = dot(*view.clip_normal, model.extent.center) / length(*view.clip_normal);
  for (const engine::Param<sim::View>& p : sim::clip_table().params) {
    engine::ParamInfo info = p.info;
    if (p.type == engine::ParamType::real) {
      info.minimum = std::min(middle - 1.2 * model.extent.radius, view.clip_offset);
      info.maximum = std::max(middle + 1.2 * model.extent.radius, view.clip_offset);
    }
    const engine::ParamValue standard =
        p.type == engine::ParamType::real ? engine::ParamValue(middle) : p.get(view);
    const auto changed = ui::param_row("clip " + info.name, info, p.type, p.get(view), standard,
                                       model.session->scene().units.label(info.unit));
    if (changed) p.set(view, *changed);
  }
}

/// Strengths of what darkens bodies.
void darkness(WindowState& model) {
  for (const engine::Param<sim::View>& p : sim::view_table().params) {
    if (p.info.name != "occlusion" && p.info.name != "shadow") continue;
    const auto changed =
        ui::param_row(p.info.name, p.info, p.type, p.get(model.view), p.get(sim::View{}), "");
    if (changed) p.set(model.view, *changed);
  }
}

void display(WindowState& model) {
  if (!ui::section("Display", false)) return;
  if (const auto chosen = choose_quantity(model, "colour by", model.scalar))
    model.set_color(*chosen);
  shown_bodies(model);
  if (model.scalar != sim::Scalar::species) colors(model);
  std::vector<std::string> kinds{"stars", "spheres"};
  if (sim::has_liquid(model.session->scene()) || model.view.bodies == "fluid")
    kinds.push_back("fluid");
  auto kind = static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), model.view.bodies) -
                                       kinds.begin());
  if (ui::combo("bodies", kinds, kind)) model.view.bodies = kinds[kind];
  bool trails = model.trail_length() > 0;
  if (ui::check("trails", trails)) model.view.trails = trails ? "on" : "off";
  ui::same_line();
  ui::check("orbits", model.view.orbits);
  ui::check("axes", model.view.axes);
  ui::same_line();
  ui::check("box", model.view.box);
  ui::same_line();
  ui::check("glow", model.view.glow);
  if (sim::has_contacts(model.session->scene())) ui::check("contacts", model.view.contacts);
  bool light = model.view.background == "light";
  if (ui::check("light background", light)) model.view.background = light ? "light" : "dark";
  darkness(model);
  clipping(model);
}

/// How each species is drawn.
void species(WindowState& model) {
  const std::vector<sim::Species>& all = model.session->scene().species;
  if (all.empty() || !ui::section("Species", false)) return;
  for (std::size_t k = 0; k < all.size(); ++k) {
    render::Look& look = model.looks.at(k + 1);
    ui::check(all[k].name, look.visible);
    if (!look.visible) continue;
    const bool stars = model.view.bodies == "stars";
    float& factor = stars ? look.brightness : look.size;
    double value = factor;
    if (ui::number((stars ? "brightness##" : "size##") + all[k].name, value))
      factor = static_cast<float>(std::clamp(value, stars ? 0.0 : 0.01, 1000.0));
  }
}

void body(WindowState& model) {
  if (!model.picked || !model.status.body) return;
  if (!ui::section("Body")) return;
  const sim::BodyState& b = *model.status.body;
  const engine::UnitSystem& units = model.session->scene().units;
  ui::value("id", fmt::format("{}{}", b.id,
                              model.status.body_name.empty() ? "" : "  " + model.status.body_name));
  ui::value("mass", ui::number_with_unit(b.mass, units.mass));
  ui::value("speed", engine::readable_speed(length(b.velocity), units));
  const auto vector = [](const char* name, const std::string& unit, engine::Vec3d v) {
    ui::vector(name, unit, v.x, v.y, v.z);
  };
  vector("position", units.length, b.position);
  const engine::AxisUnit velocity = engine::axis_unit("velocity", length(b.velocity), units);
  vector("velocity", velocity.name, velocity.factor * b.velocity);
  vector("acceleration", sim::unit_text(sim::scalar_info(sim::Scalar::acceleration), units),
         b.acceleration);
  bool following = model.following;
  if (ui::check("follow", following)) model.following = following;
  ui::same_line();
  if (ui::button("deselect")) model.follow(std::nullopt, false);
}

/// The panel of what the mouse does to bodies.
void hands(WindowState& model) {
  if (!ui::section("Hands", false)) return;
  ui::dim("Ctrl+drag pulls a body, Ctrl+Shift+drag adds bodies and throws them.");
  HandTool& hand = model.hand;
  const std::vector<Addition> all = additions_of(model.session->scene());
  std::vector<std::string> names;
  for (const Addition a : all) names.emplace_back(addition_names[static_cast<int>(a)].name);
  auto chosen =
      static_cast<std::size_t>(std::find(all.begin(), all.end(), hand.adds) - all.begin());
  if (chosen == all.size()) chosen = 0, hand.adds = all[0];
  if (ui::combo("adds", names, chosen)) hand.adds = all[chosen];
  ui::tooltip("Like the picked body in mass, radius and species, else like the last one.");
  if (hand.adds == Addition::cluster) {
    double count = static_cast<double>(hand.count);
    if (ui::number("bodies", count))
      hand.count = static_cast<std::int64_t>(std::clamp(std::round(count), 1.0, 1e5));
  }
  if (hand.adds == Addition::cluster) {
    double radius = hand.cluster_radius.value_or(usual_radius(model));
    if (ui::number("radius", radius) && radius > 0) hand.cluster_radius = radius;
  }
  if (hand.adds == Addition::stream) {
    if (ui::number("radius##stream", hand.stream_radius))
      hand.stream_radius = std::max(0.0, hand.stream_radius);
    ui::tooltip("0: two grains around one.");
  }
  if (ui::button("undo")) model.session->undo();
  if (!model.picked) return;
  ui::same_line();
  if (ui::button("remove the picked body")) model.session->remove(*model.picked);
}

}  // namespace

std::vector<BrowserEntry> scenes_to_browse(const fs::path& open) {
  std::vector<BrowserEntry> entries;
  for (const fs::path& file : shipped_scenes()) add_scene(entries, file);
  std::error_code ignored;
  const fs::path folder = fs::absolute(open, ignored).parent_path();
  if (open.empty() || fs::equivalent(folder, scenes_folder(), ignored)) return entries;
  add_scene(entries, open);
  return entries;
}

void scene_content(WindowState& model) {
  if (model.session && !model.session->scene().head.about.empty())
    ui::dim(model.session->scene().head.about);
  browser(model);
  if (!model.session) return place_rows(model);
  body(model);
  hands(model);
  parameter_rows(model);
  display(model);
  species(model);
  place_rows(model);
}

}  // namespace mote::app
