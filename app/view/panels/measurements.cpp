#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/view/panels.h"
#include "engine/readable.h"
#include "render/ui/widgets.h"

namespace mote::app {

namespace ui = render::ui;

namespace {

/// Columns of the measurements, for plots.
struct Columns {
  std::vector<double> time, kinetic, potential, constraints, energy, error, virial, momentum,
      angular, r10, r50, r90;
  engine::AxisUnit time_unit;

  void fill(const std::vector<sim::Measurement>& series, double now,
            const engine::UnitSystem& units) {
    for (auto* column : {&time, &kinetic, &potential, &constraints, &energy, &error, &virial,
                         &momentum, &angular, &r10, &r50, &r90}) {
      column->clear();
      column->reserve(series.size());
    }
    double latest = now;
    for (const sim::Measurement& m : series) latest = std::max(latest, m.time);
    time_unit = engine::axis_unit("time", latest, units);
    for (const sim::Measurement& m : series) {
      time.push_back(time_unit.factor * m.time);
      kinetic.push_back(m.kinetic);
      potential.push_back(m.potential);
      constraints.push_back(m.constraint_energy);
      energy.push_back(m.energy);
      error.push_back(m.energy_error);
      virial.push_back(m.virial_ratio);
      momentum.push_back(length(m.momentum));
      angular.push_back(length(m.angular_momentum));
      r10.push_back(m.lagrangian_radii[0]);
      r50.push_back(m.lagrangian_radii[1]);
      r90.push_back(m.lagrangian_radii[2]);
    }
  }
};

std::string labelled(const char* what, const std::string& unit) {
  return unit.empty() ? what : fmt::format("{} [{}]", what, unit);
}

/// Mass times velocity squared.
std::string energy_unit(const engine::UnitSystem& units) {
  return engine::readable_unit(units.label("energy"));
}

void plots(WindowState& model) {
  static thread_local Columns columns;
  const engine::UnitSystem& units = model.session->scene().units;
  columns.fill(model.series.all(), model.status.time, units);
  ui::PlotOptions options;
  options.x_label = labelled("time", columns.time_unit.name);
  options.height = 6;
  options.mark_x = columns.time_unit.factor * model.status.time;
  if (ui::section("Energy")) {
    std::vector<ui::Curve> curves{{"kinetic", columns.time, columns.kinetic},
                                  {"potential", columns.time, columns.potential},
                                  {"total", columns.time, columns.energy}};
    if (sim::has_constraint_energy(model.session->scene()))
      curves.push_back({"constraints", columns.time, columns.constraints});
    options.y_label = energy_unit(units);
    ui::plot("energy", curves, options);
    options.y_label.clear();
  }
  // Energy that friction and collisions take is no error, and its sign says whether it was lost.
  const bool dissipates = !sim::energy_notes(model.session->scene()).empty();
  if (ui::section(dissipates ? "Energy lost or gained" : "Relative energy error")) {
    options.log_y = !dissipates;
    const std::array<ui::Curve, 1> curves{
        {{dissipates ? "change, relative" : "|error|", columns.time, columns.error}}};
    ui::plot("error", curves, options);
    options.log_y = false;
  }
  if (ui::section("Virial ratio", false)) {
    const std::array<ui::Curve, 1> curves{{{"2 T / |W|", columns.time, columns.virial}}};
    ui::plot("virial", curves, options);
  }
  if (ui::section("Momenta", false)) {
    options.log_y = true;
    const std::array<ui::Curve, 2> curves{
        {{"momentum", columns.time, columns.momentum}, {"angular", columns.time, columns.angular}}};
    ui::plot("momenta", curves, options);
    options.log_y = false;
  }
  if (ui::section("Lagrangian radii", false)) {
    options.y_label = units.length;
    const std::array<ui::Curve, 3> curves{{{"10 %", columns.time, columns.r10},
                                           {"50 %", columns.time, columns.r50},
                                           {"90 %", columns.time, columns.r90}}};
    ui::plot("radii", curves, options);
  }
}

void choose_histogram(WindowState& model) {
  ui::text("of");
  ui::same_line();
  if (const auto chosen = choose_quantity(model, "##scalar", model.histogram_request.scalar)) {
    model.histogram_request.scalar = *chosen;
    model.session->request_histogram(model.histogram_request);
  }
}

/// Number density of bodies in spherical shells.
void radial_profile(const sim::Histogram& h, const std::string& unit) {
  std::vector<double> radius, density;
  for (int i = 0; i < h.bins.count; ++i) {
    const double low = h.bins.edge(i), high = h.bins.edge(i + 1);
    const double volume = 4.0 / 3 * 3.14159265358979 * (high * high * high - low * low * low);
    if (volume <= 0) continue;
    radius.push_back(0.5 * (low + high));
    density.push_back(static_cast<double>(h.counts[static_cast<std::size_t>(i)]) / volume);
  }
  ui::PlotOptions options;
  options.x_label = labelled("radius", unit);
  options.y_label = unit.empty() ? "bodies / volume" : "bodies / " + unit + "^3";
  options.log_y = true;
  options.height = 7;
  const std::array<ui::Curve, 1> curves{{{"density", radius, density}}};
  ui::plot("profile", curves, options);
}

void histogram(WindowState& model) {
  model.panels.histogram = ui::section("Histogram", true);
  if (!model.panels.histogram) return;
  choose_histogram(model);
  if (!model.histogram.histogram) return;
  const sim::Histogram& h = *model.histogram.histogram;
  const engine::UnitSystem& units = model.session->scene().units;
  const std::vector<double> heights(h.counts.begin(), h.counts.end());
  ui::PlotOptions options;
  const api::ScalarLabel label = api::label_of(h.scalar, {h.bins.low, h.bins.high}, units);
  options.x_label = label.text;
  options.y_label = "bodies";
  options.height = 6;
  ui::bar_plot("bars", heights, label.factor * h.bins.low, label.factor * h.bins.high, options);
  if (h.scalar == sim::Scalar::radius) radial_profile(h, units.length);
}

}  // namespace

void measurement_content(WindowState& model) {
  if (!model.session) return;
  plots(model);
  histogram(model);
}

}  // namespace mote::app
