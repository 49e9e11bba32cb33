#include "app/view/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "api/body_kinds.h"
#include "engine/check.h"
#include "engine/json.h"
#include "sim/scene/read_scene.h"
#include "sim/scene/tables.h"
#include "sim/source/param_call.h"
#include "sim/source/reader.h"

namespace mote::app {
namespace {

using engine::Json;

/// Every scalar value of a scene by its path.
void flatten(const Json& json, const std::string& path, std::map<std::string, Json>& out) {
  if (!json.is_structured()) {
    out[path] = json;
    return;
  }
  std::size_t index = 0;
  for (auto it = json.begin(); it != json.end(); ++it)
    flatten(
        *it,
        (path.empty() ? "" : path + ".") + (json.is_object() ? it.key() : std::to_string(++index)),
        out);
}

std::map<std::string, Json> flat(const Json& json) {
  std::map<std::string, Json> out;
  flatten(json, "", out);
  return out;
}

/// Paths at which two scenes differ.
std::vector<std::string> differences(const Json& a, const Json& b) {
  const std::map<std::string, Json> x = flat(a), y = flat(b);
  std::vector<std::string> paths;
  for (const auto& [path, value] : x)
    if (const auto other = y.find(path); other == y.end() || other->second != value)
      paths.push_back(path);
  for (const auto& [path, value] : y)
    if (!x.contains(path)) paths.push_back(path);
  return paths;
}

bool is_param(const sim::SceneDescription& open, const std::string& name) {
  const auto& params = open.params;
  return std::any_of(params.begin(), params.end(),
                     [&](const auto& p) { return p.info.name == name; });
}

bool contains(const std::vector<std::string>& all, const std::string& word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

/// Sets a parameter of the view; false for other paths.
bool set_view(sim::View& view, const std::string& path, const engine::ParamValue& value) {
  for (const auto& [own_path, p] : sim::view_params()) {
    if (own_path != path) continue;
    if (const auto problem = engine::range_problem(p.info, value))
      throw engine::InputError(path, *problem);
    p.set(view, value);
    return true;
  }
  return false;
}

engine::ParamValue view_value(const sim::View& view, const std::string& path) {
  for (const auto& [own_path, p] : sim::view_params())
    if (own_path == path) return p.get(view);
  return {};
}

/// Paths of the scene that depend on one of its parameters, among them `live_paths`.
std::vector<std::string> dependent_paths(const sim::SceneDescription& open,
                                         const sim::Settings& settings, const std::string& name,
                                         const std::string& text,
                                         const std::vector<std::string>& live_paths) {
  // Settings of live paths would hide that they depend on it.
  sim::Settings plain = settings;
  for (const std::string& path : live_paths) plain.erase(path);
  sim::Settings changed = plain;
  changed[name] = text;
  return differences(sim::read_scene(open.file, plain, open.trust).expanded,
                     sim::read_scene(open.file, changed, open.trust).expanded);
}

/// The species of a scene whose look a path sets, "species.dust.visible".
std::optional<std::size_t> species_of_look(const sim::SceneDescription& scene,
                                           const std::string& path) {
  for (std::size_t k = 0; k < scene.species.size(); ++k)
    for (const char* key : {"visible", "size", "brightness"})
      if (path == "species." + scene.species[k].name + '.' + key) return k;
  return std::nullopt;
}

/// A scene that was read with settings `had`, with other settings; nothing if they are invalid.
std::optional<sim::SceneDescription> read_if_good(const sim::SceneDescription& scene,
                                                  const sim::Settings& settings,
                                                  const sim::Settings& had) {
  if (settings == had) return scene;
  try {
    return sim::read_scene(scene.file, settings, scene.trust);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// A whole number as a real one, where the type asks for it.
engine::ParamValue with_type(engine::ParamType type, const engine::ParamValue& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  return integer && type == engine::ParamType::real ? static_cast<double>(*integer) : value;
}

}  // namespace

std::optional<Change> live_change_of(const sim::SceneDescription& open,
                                     const sim::Settings& settings, const sim::View& view,
                                     const sim::LiveSettings& live, const std::string& name,
                                     const engine::ParamValue& value) {
  const auto param =
      std::find_if(open.params.begin(), open.params.end(),
                   [&](const sim::SceneParam& p) { return p.info.name == name && p.live; });
  if (param == open.params.end() || param->paths.empty()) return std::nullopt;
  const engine::ParamValue wanted = with_type(param->type, value);
  if (wanted.index() != param->value.index()) return std::nullopt;
  if (const auto problem = engine::range_problem(param->info, wanted))
    throw engine::InputError(name, *problem);
  Change change{settings, view};
  sim::LiveSettings tried = live;
  for (const std::string& path : param->paths) {
    change.settings.erase(path);
    if (set_view(change.view, path, wanted)) continue;
    sim::set_live(tried, path, wanted);  // or throws
    change.edits.emplace_back(path, wanted);
  }
  change.settings[name] = sim::param_setting(wanted);
  if (change.view.color != view.color) sim::check_scalar(open, change.view.color, name);
  change.color_changed = change.view.color != view.color;
  return change;
}

engine::ParamValue current_value(const sim::SceneParam& param, const sim::View& view,
                                 const sim::LiveSettings& live) {
  if (!param.live || param.paths.empty()) return {};
  const engine::ParamValue value = sim::live_value(live, param.paths.front());
  return std::holds_alternative<std::monostate>(value) ? view_value(view, param.paths.front())
                                                       : value;
}

sim::Settings file_settings(const sim::SceneDescription& scene, const sim::Settings& settings) {
  const auto read = read_if_good(scene, {}, settings);
  if (!read) return {};
  const sim::SceneDescription& own = *read;
  sim::Settings values;
  for (const sim::SceneParam& p : own.params) values[p.info.name] = sim::param_setting(p.value);
  const sim::LiveSettings live = sim::live_of(own);
  for (const std::string& path : sim::live_paths(live))
    values[path] = setting_text(sim::live_value(live, path));
  for (const auto& [path, p] : sim::view_params()) values[path] = setting_text(p.get(own.view));
  values["seed"] = std::to_string(own.head.seed);
  return values;
}

std::vector<std::string> hidden_changes(const sim::Settings& settings, const sim::Settings& before,
                                        const sim::Settings& now) {
  std::vector<std::string> messages;
  for (const auto& [name, text] : settings) {
    const auto was = before.find(name), is = now.find(name);
    if (was == before.end() || is == now.end() || was->second == is->second || is->second == text)
      continue;
    messages.push_back(
        fmt::format("{} stays {}, as set by the user; the file now has {}: open the scene from the "
                    "list to use that",
                    name, text, is->second));
  }
  return messages;
}

void merge_view_changes(sim::View& view, const sim::View& before, const sim::View& now) {
  for (const auto& [path, p] : sim::view_params())
    if (p.get(before) != p.get(now)) p.set(view, p.get(now));
}

bool same_camera(const sim::Camera& a, const sim::Camera& b) {
  const auto& params = sim::camera_table().params;
  return std::all_of(params.begin(), params.end(),
                     [&](const auto& p) { return p.get(a) == p.get(b); });
}

std::string setting_text(const engine::ParamValue& value) {
  return engine::text_of(value);
}

Change change_of(const sim::SceneDescription& open, const sim::Settings& settings,
                 const sim::View& view, const sim::LiveSettings& live, const std::string& path,
                 const engine::ParamValue& value) {
  Change change{settings, view};
  const std::vector<std::string> live_paths = sim::live_paths(live);
  const bool of_scene = is_param(open, path);
  const std::string text = of_scene ? sim::param_setting(value) : setting_text(value);
  const std::vector<std::string> concerned =
      of_scene ? dependent_paths(open, settings, path, text, live_paths) : std::vector{path};
  if (of_scene)
    for (const std::string& p : concerned) change.settings.erase(p);
  change.settings[path] = text;
  const sim::SceneDescription wanted = sim::read_scene(open.file, change.settings, open.trust);
  const sim::LiveSettings wanted_live = sim::live_of(wanted);
  const std::vector<render::Look> looks = api::looks_of(wanted.species);
  for (const std::string& p : differences(open.expanded, wanted.expanded)) {
    if (contains(live_paths, p)) continue;
    if (set_view(change.view, p, view_value(wanted.view, p))) continue;
    if (const auto k = species_of_look(wanted, p)) {
      change.looks[*k] = looks.at(*k + 1);
      continue;
    }
    if (!p.starts_with("view.camera.") && !p.starts_with("params.")) change.restart = true;
  }
  for (const std::string& p : live_paths) {
    const engine::ParamValue then = sim::live_value(wanted_live, p);
    if (contains(concerned, p) && !std::holds_alternative<std::monostate>(then))
      change.edits.emplace_back(p, then);
  }
  // Also if the value is that of the open scene, while the current view differs.
  if (path.starts_with("view.")) set_view(change.view, path, view_value(wanted.view, path));
  if (const auto k = species_of_look(wanted, path)) change.looks[*k] = looks.at(*k + 1);
  change.color_changed = change.view.color != view.color;
  return change;
}

}  // namespace mote::app
