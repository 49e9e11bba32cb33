#include <fmt/format.h>

#include "app/view/panels.h"
#include "engine/readable.h"
#include "engine/text.h"
#include "render/ui/widgets.h"

namespace mote::app {

namespace ui = render::ui;

namespace {

std::string mode_text(const Model& model) {
  const SessionStatus& s = model.status;
  switch (s.mode) {
    case Mode::running:
      return "running";
    case Mode::seeking:
      return "seeking";
    case Mode::unhealthy:
      return "unhealthy";
    case Mode::paused:
      break;
  }
  return s.step < s.last ? "history" : "paused";
}

std::string path_text(const render::ShareStatus& share) {
  switch (share.path) {
    case render::SharePath::interop:
      return "shared with OpenGL";
    case render::SharePath::mapped:
      return "mapped buffers";
    case render::SharePath::copy:
      break;
  }
  return "copied: " + share.reason;
}

void buttons(Model& model) {
  const bool running = model.status.mode == Mode::running;
  if (ui::button(running ? "Pause" : "Run")) model.session->run(!running);
  ui::tooltip("Space");
  ui::same_line();
  if (ui::button("<##back", model.status.step > 0)) model.session->step(-1);
  ui::tooltip("one step back (Left)");
  ui::same_line();
  if (ui::button(">##step")) model.session->step(1);
  ui::tooltip("one step (Right)");
  ui::same_line();
  if (ui::button("Reset")) model.reset();
  ui::tooltip("to the start, keeping changed parameters (R)");
}

void speed(Model& model) {
  const SessionStatus& s = model.status;
  const engine::UnitSystem& units = model.session->scene().units;
  ui::same_line();
  if (ui::button("-##slower")) model.session->set_rate(0.5 * std::max(s.target_rate, s.dt));
  ui::tooltip("half speed ([)");
  ui::same_line();
  if (ui::button("+##faster")) model.session->set_rate(2 * std::max(s.target_rate, s.dt));
  ui::tooltip("double speed (])");
  ui::same_line();
  const std::string wanted = s.target_rate > 0
                                 ? engine::readable_time(s.target_rate, units) + " per second"
                                 : "as fast as possible";
  const std::string now = engine::readable_time(s.time_per_second, units) + " per second";
  ui::text(s.mode != Mode::running ? wanted
           : s.limited             ? now + " of " + wanted
           : s.target_rate > 0     ? wanted
                                   : now + ", " + wanted);
  ui::tooltip(s.limited
                  ? "The machine cannot keep up with the chosen rate: time passes more slowly."
                  : "Simulation time per second of the clock.");
}

void bar(Model& model) {
  const SessionStatus& s = model.status;
  const std::string& unit = model.session->scene().units.time;
  ui::Timeline t;
  t.first = s.first;
  t.last = s.last;
  t.now = s.step;
  t.target = s.seek_target;
  t.saved = s.saved_steps;
  t.edits = s.edits;
  t.first_label =
      s.first == 0
          ? "0"
          : fmt::format("step {}", engine::with_thousands(static_cast<long long>(s.first)));
  t.last_label = fmt::format("step {}", engine::with_thousands(static_cast<long long>(s.last)));
  t.now_label = fmt::format("{:.5g}{}{}", s.time, unit.empty() ? "" : " ", unit);
  t.dt = s.dt;
  t.time_unit = unit;
  if (const auto step = ui::timeline(t)) model.session->seek(*step);
}

/// In the unit of the scene, and readably if that is another.
std::string time_text(double time, const engine::UnitSystem& units) {
  const std::string own =
                        fmt::format("{:.6g}{}{}", time, units.time.empty() ? "" : " ", units.time),
                    readable = engine::readable_time(time, units);
  const bool same = !(units.time_si > 0) || readable.ends_with(" " + units.time);
  return same ? own : own + " (" + readable + ")";
}

void strip(const Model& model) {
  const SessionStatus& s = model.status;
  const sim::Plan& plan = model.session->plan();
  const std::string device = plan.backend == engine::Backend::cuda
                                 ? plan.device_name
                                 : "CPU, " + engine::counted(plan.cpu.threads, "thread");
  const std::string mode = mode_text(model);
  s.mode == Mode::unhealthy ? ui::error_text(mode) : ui::accent(mode);
  ui::same_line();
  ui::text(fmt::format(
      "step {}   t = {}   {} steps/s   {} bodies   frame {:.1f} ms (simulate "
      "{:.0f} %, share {:.2f}, "
      "draw {:.1f})   {}   {}",
      engine::with_thousands(static_cast<long long>(s.step)),
      time_text(s.time, model.session->scene().units), ui::number_with_unit(s.steps_per_second, ""),
      engine::with_thousands(s.count), model.times.frame, 100 * s.simulate_fraction,
      s.pack_milliseconds + model.times.share, model.times.draw + model.times.panels, device,
      path_text(model.share)));
}

}  // namespace

void time_panel(Model& model, const ui::Rect& rect) {
  const ui::Panel panel("time", "", rect);
  if (!model.session) {
    ui::dim("no scene is open");
    return;
  }
  buttons(model);
  speed(model);
  bar(model);
  strip(model);
}

}  // namespace mote::app
