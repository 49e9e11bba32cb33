#include "app/view/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "engine/check.h"
#include "engine/json.h"
#include "sim/scene/read_scene.h"
#include "sim/scene/reader.h"
#include "sim/scene/tables.h"

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
  for (const auto& p : sim::view_table().params) {
    if ("view." + p.info.name != path) continue;
    if (const auto problem = engine::range_problem(p.info, value))
      throw engine::InputError(path, *problem);
    p.set(view, value);
    return true;
  }
  return false;
}

engine::ParamValue view_value(const sim::View& view, const std::string& path) {
  for (const auto& p : sim::view_table().params)
    if ("view." + p.info.name == path) return p.get(view);
  return {};
}

/// Erases settings of live paths that depend on a parameter of the scene: they would override it.
void erase_overrides(const sim::SceneDescription& open, sim::Settings& settings,
                     const std::string& name, const std::string& text,
                     const std::vector<std::string>& live_paths) {
  sim::Settings plain = settings;
  for (const std::string& path : live_paths) plain.erase(path);
  sim::Settings changed = plain;
  changed[name] = text;
  const auto& file = open.file;
  const sim::Trust trust = open.trust;
  for (const std::string& path : differences(sim::read_scene(file, plain, trust).expanded,
                                             sim::read_scene(file, changed, trust).expanded))
    settings.erase(path);
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

/// A different valid value of a parameter.
std::optional<double> another_value(const engine::ParamInfo& info, double value) {
  for (const double other :
       {0.75 * value, 1.25 * value, value + 0.5, value - 0.5, info.minimum, info.maximum})
    if (other != value && std::isfinite(other) && !engine::range_problem(info, other)) return other;
  return std::nullopt;
}

/// Whether a parameter of the scene sets a live path and nothing else.
bool is_alias(const sim::SceneDescription& scene, sim::Settings settings, const std::string& name,
              const std::string& path, double other) {
  const sim::Settings before = settings;
  settings[name] = engine::text_of(engine::ParamValue(other));
  const auto changed = read_if_good(scene, settings, before);
  if (!changed || sim::live_value(sim::live_of(*changed), path) != engine::ParamValue(other))
    return false;
  const std::vector<std::string> paths = differences(scene.expanded, changed->expanded);
  return std::all_of(paths.begin(), paths.end(),
                     [&](const std::string& p) { return p == path || p.starts_with("params."); });
}

}  // namespace

sim::Settings file_settings(const sim::SceneDescription& scene, const sim::Settings& settings) {
  const auto read = read_if_good(scene, {}, settings);
  if (!read) return {};
  const sim::SceneDescription& own = *read;
  sim::Settings values;
  for (const sim::SceneParam& p : own.params) values[p.info.name] = setting_text(p.value);
  const sim::LiveSettings live = sim::live_of(own);
  for (const std::string& path : sim::live_paths(live))
    values[path] = setting_text(sim::live_value(live, path));
  for (const auto& p : sim::view_table().params)
    values["view." + p.info.name] = setting_text(p.get(own.view));
  values["seed"] = std::to_string(own.head.seed);
  return values;
}

std::map<std::string, std::string> parameter_aliases(const sim::SceneDescription& scene,
                                                     const sim::Settings& settings) {
  std::map<std::string, std::string> same;
  const std::vector<std::string> paths = sim::live_paths(sim::live_of(scene));
  sim::Settings plain = settings;
  for (const std::string& path : paths) plain.erase(path);
  const auto read = read_if_good(scene, plain, settings);
  if (!read) return {};
  const sim::SceneDescription& own = *read;
  const sim::LiveSettings live = sim::live_of(own);
  for (const sim::SceneParam& p : own.params) {
    const auto* value = std::get_if<double>(&p.value);
    const auto other = value ? another_value(p.info, *value) : std::nullopt;
    if (!other) continue;
    for (const std::string& path : paths)
      if (sim::live_value(live, path) == p.value && is_alias(own, plain, p.info.name, path, *other))
        same[p.info.name] = path;
  }
  return same;
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
  for (const auto& p : sim::view_table().params)
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
  Change change{settings, view, {}, false, false};
  const std::vector<std::string> live_paths = sim::live_paths(live);
  if (is_param(open, path))
    erase_overrides(open, change.settings, path, setting_text(value), live_paths);
  change.settings[path] = setting_text(value);
  const sim::SceneDescription wanted = sim::read_scene(open.file, change.settings, open.trust);
  const sim::LiveSettings wanted_live = sim::live_of(wanted);
  for (const std::string& p : differences(open.expanded, wanted.expanded)) {
    if (contains(live_paths, p)) continue;
    if (set_view(change.view, p, view_value(wanted.view, p))) continue;
    if (!p.starts_with("view.camera.") && !p.starts_with("params.")) change.restart = true;
  }
  for (const std::string& p : live_paths) {
    const engine::ParamValue then = sim::live_value(wanted_live, p);
    const bool concerned = p == path || is_param(open, path);
    if (concerned && !std::holds_alternative<std::monostate>(then))
      change.edits.emplace_back(p, then);
  }
  // Also if the value is that of the open scene, while the current view differs.
  if (path.starts_with("view.")) set_view(change.view, path, view_value(wanted.view, path));
  change.color_changed = change.view.color != view.color;
  return change;
}

}  // namespace mote::app
