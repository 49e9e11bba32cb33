#include <fmt/format.h>

#include <utility>

#include "app/view/panels.h"
#include "engine/machine.h"
#include "engine/text.h"
#include "render/ui/widgets.h"

namespace mote::app {

namespace ui = render::ui;

namespace {

/// How forces are computed where there is a choice, and their errors.
void force_lines(const WindowState& model) {
  const sim::Plan& plan = model.session->plan();
  bool any = false;
  for (const sim::Physics& p : model.session->scene().physics) {
    const std::string method =
        p.evaluation({model.status.count, plan.backend, plan.precision}).method;
    if (method.empty()) continue;
    if (!std::exchange(any, true)) ui::separator();
    ui::value(p.info().subject, method);
  }
  const auto& sample = model.status.force_errors;
  if (!sample) return;
  const sim::ForceErrors& errors = sample->errors;
  ui::value("force errors", fmt::format("99 % below {:.2g}", errors.percentile_99));
  ui::tooltip(fmt::format(
      "Relative to direct sums in double, at step {}: {}. Sampled again after some hundred steps "
      "while this panel is open.",
      engine::with_thousands(static_cast<long long>(sample->step)), force_errors_text(errors)));
  ui::value("asked", fmt::format("{:g}{}", errors.asked, errors.kept() ? "" : ": missed"));
}

}  // namespace

void statistics_content(WindowState& model) {
  if (!model.session) return;
  const SessionStatus& s = model.status;
  const sim::Plan& plan = model.session->plan();
  ui::value("frames", fmt::format("{:.0f} per second, {:.1f} ms", model.frames_per_second,
                                  model.times.frame));
  ui::value("draw",
            fmt::format("{:.1f} ms, panels {:.1f} ms", model.times.draw, model.times.panels));
  ui::value("simulate", fmt::format("{:.0f} % of its thread's time", 100 * s.simulate_fraction));
  ui::value("share", fmt::format("{:.2f} ms per frame", s.pack_milliseconds));
  ui::value(
      "through host",
      fmt::format("{} in {} frames", ui::bytes_text(static_cast<double>(model.share.host_bytes)),
                  engine::with_thousands(static_cast<long long>(model.share.frames))));
  ui::tooltip(
      "Particle data copied through host memory to the screen. Zero if CUDA and OpenGL share "
      "buffers.");
  if (!model.splat.empty()) ui::value("splatting", model.splat);
  ui::separator();
  ui::value("steps", ui::number_with_unit(s.steps_per_second, "") + " per second");
  ui::value("interactions", ui::number_with_unit(s.interactions_per_second, "") + " per second");
  ui::value("time", ui::number_with_unit(s.time_per_second, model.session->scene().units.time) +
                        " per second");
  force_lines(model);
  ui::separator();
  ui::value("history",
            fmt::format("{} of {}, {} states", ui::bytes_text(static_cast<double>(s.saved_bytes)),
                        ui::bytes_text(static_cast<double>(s.budget)), s.saved_steps.size()));
  ui::value("memory", fmt::format("{} planned{}", ui::bytes_text(static_cast<double>(plan.memory)),
                                  plan.device_memory > 0
                                      ? ", on the GPU " +
                                            ui::bytes_text(static_cast<double>(plan.device_memory))
                                      : ""));
  ui::value("precision", std::string(engine::name_of(plan.precision)));
  if (plan.backend == engine::Backend::cuda)
    ui::value("stepping", std::string(sim::name_of(plan.stepping)));
  ui::value("OpenGL", model.gl.renderer);
  ui::separator();
  if (ui::button("state hash")) model.session->request_hash();
  if (s.hash != 0) ui::value(fmt::format("step {}", s.hash_step), fmt::format("{:016x}", s.hash));
}

void log_content(WindowState& model) {
  ui::lines(model.log.lines());
}

}  // namespace mote::app
