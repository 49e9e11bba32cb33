#include <fmt/format.h>

#include <algorithm>

#include "app/run/block_steps_text.h"
#include "app/view/panels.h"
#include "engine/exec/parallel.h"
#include "engine/readable.h"
#include "engine/text.h"
#include "render/ui/widgets.h"

namespace mote::app {

namespace ui = render::ui;

namespace {

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

/// A button, in the line of the previous one if there is room.
bool small_button(const char* label, const char* tip, bool enabled = true) {
  ui::same_line_if_fits(label);
  const bool pressed = ui::button(label, enabled);
  ui::tooltip(tip);
  return pressed;
}

void buttons(WindowState& model) {
  if (model.session->watches_a_run()) {
    const sim::Plan& plan = model.session->plan();
    const bool takes =
        plan.backend == engine::Backend::cpu && plan.cpu.threads >= engine::available_threads();
    return ui::dim(
        std::string("This run is watched, and goes on by itself.") +
        (takes ? " Drawing takes processors from its steps; --threads leaves some free." : ""));
  }
  const bool running = model.status.mode == Mode::running;
  if (ui::button(running ? "Pause" : "Run")) model.session->run(!running);
  ui::tooltip("Space");
  if (small_button("<##back", "one step back (Left)", model.status.step > 0))
    model.session->step(-1);
  if (small_button(">##step", "one step (Right)")) model.session->step(1);
  if (small_button("Reset", "to the start, keeping changed parameters (R)")) model.reset();
}

void speed(WindowState& model) {
  if (model.session->watches_a_run()) return;
  const SessionStatus& s = model.status;
  const engine::UnitSystem& units = model.session->scene().units;
  const auto scale = [&](double by) {
    model.session->set_rate(by * std::max(s.target_rate, s.dt));
  };
  if (small_button("-##slower", "half speed ([)")) scale(0.5);
  if (small_button("+##faster", "double speed (])")) scale(2);
  const std::string wanted = s.target_rate > 0
                                 ? engine::readable_time(s.target_rate, units) + " per second"
                                 : "as fast as possible";
  const std::string now = engine::readable_time(s.time_per_second, units) + " per second";
  const std::string words = s.mode != Mode::running ? wanted
                            : s.limited             ? now + " of " + wanted
                            : s.target_rate > 0     ? wanted
                                                    : now + ", " + wanted;
  ui::same_line_if_fits(words);
  ui::text(words);
  ui::tooltip(s.limited
                  ? "The machine cannot keep up with the chosen rate: time passes more slowly."
                  : "Simulation time per second of the clock.");
}

void bar(WindowState& model) {
  const SessionStatus& s = model.status;
  const double last = s.dt * static_cast<double>(s.last);
  const engine::AxisUnit unit =
      engine::axis_unit("time", std::max(s.time, last), model.session->scene().units);
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
  t.now_label =
      fmt::format("{:.5g}{}{}", unit.factor * s.time, unit.name.empty() ? "" : " ", unit.name);
  t.dt = unit.factor * s.dt;
  t.time_unit = unit.name;
  if (const auto step = ui::timeline(t)) model.session->seek(*step);
}

/// Writes a time in the unit of the scene, and in a readable one if that is another.
std::string time_text(double time, const engine::UnitSystem& units) {
  const std::string own =
      fmt::format("{:.6g}{}{}", time, units.time.empty() ? "" : " ", units.time);
  const bool same = engine::axis_unit("time", time, units).name == units.time;
  return same ? own : own + " (" + engine::readable_time(time, units) + ")";
}

/// The status strip.
std::string strip(const WindowState& model) {
  const SessionStatus& s = model.status;
  const sim::Plan& plan = model.session->plan();
  const std::string device = plan.backend == engine::Backend::cuda
                                 ? plan.device_name
                                 : "CPU, " + engine::counted(plan.cpu.threads, "thread");
  const engine::UnitSystem& units = model.session->scene().units;
  const std::string block_steps =
      s.block_steps ? " (" + block_steps_text(*s.block_steps, units) + ")" : "";
  return fmt::format(
      "{}   step {}   t = {}   {} steps/s{}   {} bodies   frame {:.1f} ms (simulate {:.0f} %, "
      "share "
      "{:.2f}, draw {:.1f})   {}   {}",
      model.mode_name(), engine::with_thousands(static_cast<long long>(s.step)),
      time_text(s.time, units), ui::number_with_unit(s.steps_per_second, ""), block_steps,
      engine::with_thousands(s.count), model.times.frame, 100 * s.simulate_fraction,
      s.pack_milliseconds + model.times.share, model.times.draw + model.times.panels, device,
      path_text(model.share));
}

/// At the lower edge the strip is the title, cut at its end; at a side it has as many lines as it
/// needs.
bool strip_is_title(const WindowState& model) {
  return model.session && model.panels.place("time").edge == "bottom";
}

}  // namespace

std::string time_title(const WindowState& model) {
  return strip_is_title(model) ? strip(model) : "Time";
}

void time_content(WindowState& model) {
  if (!model.session) {
    ui::dim("no scene is open");
    return;
  }
  buttons(model);
  speed(model);
  bar(model);
  if (!strip_is_title(model)) ui::wrapped(strip(model));
}

}  // namespace mote::app
