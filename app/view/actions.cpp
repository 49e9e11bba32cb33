#include "app/view/actions.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/body_kinds.h"
#include "app/view/save.h"
#include "engine/readable.h"
#include "engine/text.h"
#include "render/color_map.h"

namespace mote::app {
namespace {

void toggle(WindowState& m, bool& flag, const char* name) {
  flag = !flag;
  m.notify(fmt::format("{} {}", name, flag ? "on" : "off"));
}

void run_or_pause(WindowState& m) {
  if (m.session) m.session->run(m.status.mode != Mode::running && m.status.mode != Mode::seeking);
}

void step(WindowState& m, std::int64_t steps) {
  if (m.session) m.session->step(steps);
}

void seek(WindowState& m, std::uint64_t step) {
  if (m.session) m.session->seek(step);
}

void change_rate(WindowState& m, double factor) {
  if (!m.session) return;
  double rate = m.status.target_rate > 0 ? m.status.target_rate : m.status.time_per_second;
  rate = std::max(rate, m.status.dt) * factor;
  m.session->set_rate(rate);
  m.notify(engine::readable_time(rate, m.session->scene().units, 3) + " per second");
}

void look_along(WindowState& m, double azimuth, double elevation, const char* name) {
  render::OrbitCamera camera = m.camera.camera();
  camera.azimuth = azimuth;
  camera.elevation = elevation;
  m.camera.set(camera);
  m.notify(name);
}

void brighter(WindowState& m, double stops) {
  m.view.exposure = std::clamp(m.view.exposure + stops, -20.0, 20.0);
  m.notify(fmt::format("exposure {:+.2g} stops", m.view.exposure));
}

void next_map(WindowState& m) {
  const auto& maps = render::color_map_names();
  auto at = std::find(maps.begin(), maps.end(), m.view.map);
  m.view.map = at == maps.end() || ++at == maps.end() ? maps.front() : *at;
  m.notify("colours: " + m.view.map);
}

/// Cycles through stars, spheres and, for a liquid, its surface.
void next_bodies(WindowState& m) {
  const bool liquid = m.session && sim::has_liquid(m.session->scene());
  m.view.bodies = m.view.bodies == "stars"               ? "spheres"
                  : m.view.bodies == "spheres" && liquid ? "fluid"
                                                         : "stars";
  m.notify(m.view.bodies);
}

void trails(WindowState& m) {
  m.view.trails = m.trail_length() > 0 ? "off" : "on";
  m.notify("trails " + m.view.trails);
}

void frame_all(WindowState& m) {
  if (!m.session) return;
  m.follow(m.picked, false);
  m.framing_requested = true;
  m.session->request_extent(m.scalar);
}

/// Picks and follows the visible body whose id is next to that of the picked one.
void pick_next(WindowState& m, int by) {
  const std::int64_t count = m.shown.count;
  const auto at = m.picked ? sim::index_of(m.shown.ids, m.shown.count, *m.picked) : std::nullopt;
  std::int64_t index = at ? *at : by > 0 ? -1 : count;
  for (std::int64_t k = 0; k < count; ++k) {
    index = (index + by + count) % count;
    if (!api::is_visible(m.shown.appearance, m.looks, static_cast<engine::Index>(index))) continue;
    m.follow(sim::id_of(m.shown.ids, static_cast<engine::Index>(index)), true);
    return m.notify(fmt::format("body {}", *m.picked));
  }
  m.notify("no body is visible");
}

Action::Go turn(double right, double down) {
  constexpr double step = 1.0 / 15;  // fraction of the picture's height: 12 degrees
  return [=](WindowState& m) { m.camera.nudge_turn({step * right, step * down}); };
}

Action::Go pan(double right, double down) {
  return [=](WindowState& m) { m.camera.nudge_pan({0.1 * right, 0.1 * down}); };
}

void focus(WindowState& m, int by) {
  m.panels.all = true;
  m.requests.focus = by;
}

/// Lists the keys with their actions.
template <class... Go>
std::vector<Action::Go> each(Go... go) {
  return {go...};
}

std::vector<Action> playback_actions() {
  return {
      {{"Space"}, "run or pause", run_or_pause},
      {{"Right", "."}, "one step", [](WindowState& m) { step(m, 1); }},
      {{"Left", ","}, "one step back", [](WindowState& m) { step(m, -1); }},
      {{"Shift+Right", "Shift+Left"},
       "a hundred steps, and back",
       each([](WindowState& m) { step(m, 100); }, [](WindowState& m) { step(m, -100); })},
      {{"Home", "End"},
       "to the first, the last step",
       each([](WindowState& m) { seek(m, 0); }, [](WindowState& m) { seek(m, m.status.last); })},
      {{"[", "]"},
       "half, double speed",
       each([](WindowState& m) { change_rate(m, 0.5); },
            [](WindowState& m) { change_rate(m, 2); })},
      {{"\\", "M"},
       "as fast as possible",
       [](WindowState& m) {
         if (m.session) m.session->set_rate(0);
         m.notify("as fast as possible");
       }},
      {{"R"}, "reset: to the start, keeping changed parameters", [](WindowState& m) { m.reset(); }},
      {{"Ctrl+R"}, "reload the scene's file", [](WindowState& m) { m.reload(); }},
  };
}

std::vector<Action> camera_actions() {
  return {
      {{"F"}, "frame all bodies", frame_all},
      {{"C"},
       "fly (W A S D Q E) or orbit",
       [](WindowState& m) {
         m.camera.set_flying(!m.camera.flying());
         m.notify(m.camera.flying() ? "fly with W A S D, Q E; look with the right button"
                                    : "orbit");
       }},
      {{"Down", "Up"},
       "pick the next, the previous body, and follow it",
       each([](WindowState& m) { pick_next(m, 1); }, [](WindowState& m) { pick_next(m, -1); })},
      {{"Escape"},
       "deselect the picked body",
       [](WindowState& m) { m.follow(std::nullopt, false); }},
      {{"Ctrl+Left", "Ctrl+Right", "Ctrl+Up", "Ctrl+Down"},
       "turn the camera",
       each(turn(1, 0), turn(-1, 0), turn(0, 1), turn(0, -1)),
       "Ctrl+arrows"},
      {{"Alt+Left", "Alt+Right", "Alt+Up", "Alt+Down"},
       "move the camera",
       each(pan(1, 0), pan(-1, 0), pan(0, 1), pan(0, -1)),
       "Alt+arrows"},
      {{"PageUp", "PageDown"},
       "zoom in, out",
       each([](WindowState& m) { m.camera.nudge_zoom(1); },
            [](WindowState& m) { m.camera.nudge_zoom(-1); })},
  };
}

std::vector<Action> color_actions() {
  std::vector<Action> all;
  const std::vector<sim::Scalar> colors{sim::Scalar::speed,        sim::Scalar::radius,
                                        sim::Scalar::acceleration, sim::Scalar::mass,
                                        sim::Scalar::id,           sim::Scalar::z};
  for (std::size_t i = 0; i < colors.size(); ++i)
    all.push_back({{std::string(1, static_cast<char>('1' + i))},
                   "colour by " + sim::scalar_info(colors[i]).name,
                   [scalar = colors[i]](WindowState& m) { m.set_color(scalar); }});
  return all;
}

std::vector<Action> picture_actions() {
  return {
      {{"7", "8", "9"},
       "look from above, the front, the side",
       each([](WindowState& m) { look_along(m, -90, 89.9, "from above"); },
            [](WindowState& m) { look_along(m, -90, 0, "from the front"); },
            [](WindowState& m) { look_along(m, 0, 0, "from the side"); })},
      {{"-", "="},
       "darker, brighter",
       each([](WindowState& m) { brighter(m, -0.5); }, [](WindowState& m) { brighter(m, 0.5); })},
      {{"N"}, "next colour map", next_map},
      {{"P"}, "stars, spheres or fluid", next_bodies},
      {{"T"}, "trails", trails},
      {{"O"}, "orbits (few bodies)", [](WindowState& m) { toggle(m, m.view.orbits, "orbits"); }},
      {{"K"}, "names of bodies", [](WindowState& m) { toggle(m, m.names, "names"); }},
      {{"X"}, "axes", [](WindowState& m) { toggle(m, m.view.axes, "axes"); }},
      {{"B"}, "bounding box", [](WindowState& m) { toggle(m, m.view.box, "box"); }},
      {{"L"},
       "legend and scale bar",
       [](WindowState& m) {
         m.scale_bar = !m.scale_bar;
         m.legend = m.scale_bar;
       }},
      {{"V"},
       "wait for the display (vsync)",
       [](WindowState& m) { m.requests.vsync_toggle = true; }},
      {{"I"},
       "light or dark background and panels",
       [](WindowState& m) { m.view.background = m.view.background == "light" ? "dark" : "light"; }},
  };
}

std::vector<Action> window_actions() {
  return {
      {{"Tab"}, "panels", [](WindowState& m) { m.panels.all = !m.panels.all; }},
      {{"F6", "Shift+F6"},
       "keyboard to the next, the previous panel",
       each([](WindowState& m) { focus(m, 1); }, [](WindowState& m) { focus(m, -1); })},
      {{"Ctrl+0"},
       "panels in their standard places",
       [](WindowState& m) {
         m.panels.reset();
         m.notify("panels in their standard places");
       }},
      {{"F1"}, "this help", [](WindowState& m) { m.panels.help = !m.panels.help; }},
      {{"F2"}, "statistics", [](WindowState& m) { m.panels.toggle("statistics"); }},
      {{"F3"}, "log", [](WindowState& m) { m.panels.toggle("log"); }},
      {{"F9"}, "record a movie", [](WindowState& m) { m.requests.record_toggle = true; }},
      {{"F11"}, "full screen", [](WindowState& m) { m.requests.full_screen_toggle = true; }},
      {{"F12"},
       "screenshot",
       [](WindowState& m) { m.requests.screenshot = free_name("screenshot", ".png"); }},
      {{"Shift+F12"},
       "screenshot without panels",
       [](WindowState& m) {
         m.requests.screenshot = free_name("screenshot", ".png");
         m.requests.screenshot_scene_only = true;
       }},
      {{"Delete"},
       "remove the picked body",
       [](WindowState& m) {
         if (m.session && m.picked) m.session->remove(*m.picked);
       }},
      {{"Ctrl+Z"},
       "undo the last change by hand",
       [](WindowState& m) {
         if (!m.session) return;
         m.hand.drag = HandTool::Drag::none;  // one that is under way, too
         m.session->undo();
       }},
      {{"Ctrl+S"}, "save the scene with the current parameters", save_scene},
      {{"Ctrl+Shift+S"}, "write a checkpoint", save_checkpoint},
      {{"Ctrl+Q"}, "close", [](WindowState& m) { m.requests.quit = true; }},
  };
}

/// In the order of the help.
std::vector<Action> all_actions() {
  std::vector<Action> all;
  for (std::vector<Action> (*const group)() :
       {playback_actions, camera_actions, color_actions, picture_actions, window_actions})
    for (Action& action : group()) all.push_back(std::move(action));
  return all;
}

/// Keys that mean the same with Shift: "+" is "=" with it.
bool ignores_shift(render::Key key) {
  return key == render::Key::left_bracket || key == render::Key::right_bracket ||
         key == render::Key::minus || key == render::Key::equal;
}

}  // namespace

const std::vector<Action>& actions() {
  static const std::vector<Action> all = all_actions();
  return all;
}

const std::vector<MouseAction>& mouse_actions() {
  static const std::vector<MouseAction> all{{"left drag", "rotate"},
                                            {"wheel", "zoom"},
                                            {"middle drag or Shift+left drag", "pan"},
                                            {"right drag", "pan; look around while flying"},
                                            {"double click", "pick a body and follow it"},
                                            {"Ctrl+left drag", "pull a body"},
                                            {"Ctrl+Shift+left drag", "add bodies, and throw them"}};
  return all;
}

std::string Action::shown(const char* separator) const {
  return label.empty() ? engine::joined(keys, separator) : label;
}

bool act(WindowState& model, render::Key key, const render::Modifiers& modifiers) {
  for (const Action& action : actions())
    for (std::size_t i = 0; i < action.keys.size(); ++i) {
      render::Key wanted{};
      render::Modifiers with;
      if (!render::parse_key(action.keys[i], wanted, with)) continue;
      if (wanted != key || (with.shift != modifiers.shift && !ignores_shift(key)) ||
          with.control != modifiers.control || with.alt != modifiers.alt)
        continue;
      action.go[std::min(i, action.go.size() - 1)](model);
      return true;
    }
  return false;
}

}  // namespace mote::app
