#include "app/view/window_state.h"

#include <algorithm>
#include <cstdlib>

#include "app/view/orbits.h"
#include "app/view/settings.h"
#include "sim/scene/quantity_check.h"
#include "sim/source/param_call.h"

namespace mote::app {

bool WindowState::settled() const {
  if (opener.busy()) return false;
  if (!session) return true;
  return session->idle() && status.version == shown.version &&
         session->status().version == shown.version && !framing_requested && framed && !moving;
}

std::string WindowState::mode_name() const {
  switch (status.mode) {
    case Mode::running:
      return "running";
    case Mode::seeking:
      return "seeking";
    case Mode::unhealthy:
      return "unhealthy";
    case Mode::paused:
      break;
  }
  if (session && session->watches_a_run()) return "ended";
  return status.step < status.last ? "history" : "paused";
}

bool WindowState::refuse_to_change() {
  if (!session || !session->watches_a_run()) return false;
  notify("this run is watched: it goes on by itself, and takes no changes");
  return true;
}

void WindowState::open_scene(const std::filesystem::path& scene) {
  if (refuse_to_change()) return;
  OpenRequest request = options.open;
  request.scene = scene;
  request.settings = {};
  request.trust = sim::Trust::no;  // only the scene of the command line may be trusted
  opener.start(request);
}

void WindowState::reload() {
  if (refuse_to_change()) return;
  if (opener.request().scene.empty()) return;
  OpenRequest request = session && error.empty() ? session->request() : opener.request();
  // A checkpoint contains its settings.
  if (session && request.scene == session->request().scene && request.scene.extension() != ".h5")
    request.settings = settings;
  opener.start(request);
}

void WindowState::reset() {
  if (!session || refuse_to_change()) return;
  if (restart_changes || !error.empty()) return reload();
  session->run(false);
  session->seek(0);
  session->edit({tuned.begin(), tuned.end()});
  notify("at the start");
}

std::string WindowState::set(const std::string& path, const engine::ParamValue& value) {
  if (!session) return "no scene is open";
  try {
    if (!session->watches_a_run() && set_live(path, value)) return "";
    const auto declared =
        live_change_of(session->scene(), settings, view, status.live, path, value);
    const Change change =
        declared ? *declared
                 : change_of(session->scene(), settings, view, status.live, path, value);
    if ((change.restart || !change.edits.empty()) && refuse_to_change()) return "";
    settings = change.settings;
    view = change.view;
    for (const auto& [species, look] : change.looks) looks.at(species + 1) = look;
    edit(change.edits);
    if (!declared) restart_changes = change.restart;
    if (change.color_changed) set_color(api::color_scalar(view));
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

void WindowState::edit(const sim::LiveEdits& edits) {
  for (const auto& [path, value] : edits) tuned[path] = value;
  session->edit(edits);
}

/// A live path is set without reading the scene's file, which may be slow to read, invalid or
/// deleted.
bool WindowState::set_live(const std::string& path, const engine::ParamValue& value) {
  const std::vector<std::string> paths = sim::live_paths(status.live);
  if (std::find(paths.begin(), paths.end(), path) == paths.end()) return false;
  const auto* integer = std::get_if<std::int64_t>(&value);
  const engine::ParamValue number =
      integer ? engine::ParamValue(static_cast<double>(*integer)) : value;
  sim::LiveSettings live = status.live;
  sim::set_live(live, path, number);  // or throws
  settings[path] = setting_text(number);
  // Keeps a parameter of `live` in step, so that the scene opens again with it.
  for (const sim::SceneParam& param : session->scene().params)
    if (param.live && param.paths == std::vector{path} &&
        !engine::range_problem(param.info, number)) {
      settings.erase(path);
      settings[param.info.name] = sim::param_setting(number);
    }
  edit({{path, number}});
  return true;
}

engine::ParamValue WindowState::value_of(const sim::SceneParam& param) const {
  const engine::ParamValue current = current_value(param, view, status.live);
  if (!std::holds_alternative<std::monostate>(current)) return current;
  const auto set = settings.find(param.info.name);
  if (set == settings.end()) return param.value;
  const std::string& text = set->second;
  switch (param.type) {
    case engine::ParamType::boolean:
      return text == "true";
    case engine::ParamType::integer:
      return static_cast<std::int64_t>(std::strtoll(text.c_str(), nullptr, 10));
    case engine::ParamType::real:
      return std::strtod(text.c_str(), nullptr);
    case engine::ParamType::text:
    case engine::ParamType::choice:
      return text;
    default:
      return param.value;
  }
}

void WindowState::set_color(const sim::Quantity& shown_scalar) {
  scalar = shown_scalar;
  view.color = sim::scalar_info(scalar).name;
  automatic_range = true;
  if (session) session->request_extent(scalar);
}

void WindowState::choose_scalars() {
  const sim::SceneDescription& scene = session->scene();
  const sim::QuantityTraits traits = sim::traits_for_quantities(scene);
  const auto lacks = [&](const std::string& name) {  // it may have been chosen for another scene
    return sim::quantity_problem(traits, name, "", "").has_value();
  };
  if (lacks(view.color)) view.color = scene.view.color;
  if (lacks(sim::scalar_info(histogram_request.scalar).name))
    histogram_request.scalar = sim::Scalar::speed;
  scalar = api::color_scalar(view);
}

int WindowState::trail_length() const {
  if (!session) return 0;
  const bool on =
      view.trails == "auto" ? session->count() <= max_orbit_bodies : view.trails == "on";
  return on ? trail_points(session->count()) : 0;
}

void WindowState::follow(std::optional<std::uint32_t> body, bool with_camera) {
  picked = body;
  following = body.has_value() && with_camera;
  if (session) session->follow(body);
}

std::filesystem::path free_name(const std::string& stem, const std::string& ending) {
  std::filesystem::path name = stem + ending;
  for (int i = 2; std::filesystem::exists(name); ++i)
    name = stem + "-" + std::to_string(i) + ending;
  return name;
}

}  // namespace mote::app
