#include "app/look/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "api/present.h"
#include "app/look/measures_shown.h"
#include "app/look/plot_sweep.h"
#include "app/look/stored_run.h"
#include "app/sweep/summary.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/readable.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/io/loaded_snapshot.h"
#include "sim/measure/profile.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

using render::ChartCurve;
using render::ChartPanel;

/// The panels of one run.
class Plots {
 public:
  Plots(fs::path folder, const PlotRequest& request)
      : folder_(std::move(folder)), request_(request), run_(stored_run(folder_)) {
    if (!run_.series.empty()) series_ = stored_series(run_.series);
  }

  /// The names of the panels that are asked for or, if none are, that suit the run.
  std::vector<std::string> names() {
    const bool chosen = !request_.what.empty();
    if (chosen) check_names();
    const bool needs_rows =
        !chosen || std::any_of(request_.what.begin(), request_.what.end(),
                               [&](const std::string& name) { return is_of_series(name); });
    if (needs_rows && series_.rows.empty())
      throw engine::InputError(
          folder_.string(), "has no rows in series.csv",
          chosen ? "plot its last state instead: --what profile"
                 : "a run writes them as it proceeds; plot its last state instead: --what profile");
    return chosen ? request_.what : standard();
  }

  /// The last time of the series [s]; 0 without a series, or if the scene has no units.
  double latest() const {
    const std::size_t time = series_.column("time");
    const bool has_time = !series_.rows.empty() && time < series_.columns.size();
    const engine::UnitSystem* units = units_of(*run_.record);
    if (!has_time || !units || units->time_si <= 0) return 0;
    return std::abs(series_.rows.back()[time]) * seconds();
  }

  /// A panel, whose axis of times has a unit for times up to `latest` [s].
  ChartPanel panel(const std::string& name, double latest) const {
    if (name == "profile") return profile();
    if (name == "radial_distribution") return radial_distribution();
    ChartPanel panel = is_panel(name) ? series_panel(name) : column_panel(name);
    show_time(panel, latest / seconds());
    return panel;
  }

  std::string title() const {
    const engine::Json& record = run_.record;
    const bool named =
        record.is_object() && record.contains("title") && record["title"].is_string();
    const std::string text = named ? record["title"].get<std::string>() : "";
    return text.empty() ? name_of_folder() : text;
  }

  std::string subtitle() const {
    const engine::Json& record = run_.record;
    std::vector<std::string> parts;
    const auto number = [&](const char* key) {
      return record.is_object() && record.contains(key) && record[key].is_number_integer()
                 ? record[key].get<long long>()
                 : -1;
    };
    if (number("bodies") >= 0)
      parts.push_back(engine::with_thousands(number("bodies")) + " bodies");
    const std::size_t step = series_.column("step");
    if (!series_.rows.empty() && step < series_.columns.size())
      parts.push_back(engine::with_thousands(static_cast<long long>(series_.rows.back()[step])) +
                      " steps");
    const std::string status = record.is_object() ? record.value("status", "") : "";
    if (status != "done") parts.push_back(status.empty() ? "unfinished" : status);
    return engine::joined(parts, ", ");
  }

  std::string name_of_folder() const {
    return fs::absolute(folder_ / "").lexically_normal().parent_path().filename().string();
  }

 private:
  static bool is_panel(const std::string& name) {
    const std::vector<std::string>& names = panel_names();
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  bool is_of_series(const std::string& name) const {
    return is_panel(name) ? name != "profile" && name != "radial_distribution"
                          : series_.column(name) < series_.columns.size();
  }

  void check_names() {
    if (std::any_of(request_.what.begin(), request_.what.end(), [&](const std::string& name) {
          return !is_panel(name) && !is_of_series(name);
        }))
      read_rows();
    std::vector<std::string> known = panel_names();
    known.insert(known.end(), series_.columns.begin(), series_.columns.end());
    for (const auto& [table, rows] : rows_)
      for (const std::string& column : rows.columns) {
        known.push_back(column);
        known.push_back(table + "." + column);
      }
    std::vector<engine::Diagnostic> problems;
    for (const std::string& name : request_.what) {
      if (is_panel(name) || std::find(known.begin(), known.end(), name) != known.end()) continue;
      const std::string near = engine::closest(name, known);
      problems.push_back({"--what " + name, "", "is no plot and no column of the run",
                          near.empty() ? "plots: " + engine::joined(panel_names(), ", ") +
                                             "; columns are those of series.csv and rows/*.csv"
                                       : "did you mean '" + near + "'?"});
    }
    if (!problems.empty()) throw engine::InputError(std::move(problems));
  }

  /// The tables that hooks of the scene have written, or are writing.
  void read_rows() {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(run_.folder / "rows", ignored)) {
      const std::string file = entry.path().filename().string();
      const std::string table = file.substr(0, file.find('.'));
      if (file == table + ".csv" ||
          entry.path() == engine::part_of(run_.folder / "rows" / (table + ".csv")))
        rows_.emplace(table, stored_series(entry.path()));
    }
  }

  /// The panels of a run that names none: those that it has numbers for. Radii, densities and the
  /// virial theorem are of bodies that hold together by their gravity.
  std::vector<std::string> standard() const {
    std::vector<std::string> names{"energy", "energy_error"};
    if (shown_.of_clusters) names.insert(names.end(), {"virial_ratio", "radii"});
    for (const char* name : {"temperature", "pressure", "displacement"})
      if (has_numbers(name)) names.push_back(name);
    if (fs::is_regular_file(radial_file())) names.push_back("radial_distribution");
    if (shown_.of_clusters && !(run_.snapshots.empty() && run_.checkpoints.empty()))
      names.push_back("profile");
    return names;
  }

  bool has_numbers(const std::string& name) const {
    const std::size_t at = series_.column(name);
    return at < series_.columns.size() &&
           std::any_of(series_.rows.begin(), series_.rows.end(),
                       [at](const std::vector<double>& row) { return std::isfinite(row[at]); });
  }

  fs::path radial_file() const { return run_.folder / "radial_distribution.csv"; }

  /// The unit of time of the scene [s]; 1 if it has none.
  double seconds() const {
    const engine::UnitSystem* units = units_of(*run_.record);
    return units && units->time_si > 0 ? units->time_si : 1;
  }

  /// Converts the times of a panel, which are in the units of the scene, to those of its axis.
  void show_time(ChartPanel& panel, double latest) const {
    std::string own = series_.columns.empty() ? "" : unit("time");
    const engine::UnitSystem* units = units_of(*run_.record);
    for (const ChartCurve& curve : panel.curves)
      for (const double time : curve.x) latest = std::max(latest, std::abs(time));
    const engine::AxisUnit shown =
        units ? engine::axis_unit("time", latest, *units) : engine::AxisUnit{std::move(own)};
    panel.x_label = with_unit("time", shown.name);
    for (ChartCurve& curve : panel.curves)
      for (double& time : curve.x) time *= shown.factor;
  }

  ChartPanel series_panel(const std::string& name) const {
    ChartPanel panel;
    if (name == "energy") {
      panel.title = "Energy";
      panel.unit = unit("energy");
      panel.curves = {curve("kinetic", "kinetic"), curve("potential", "potential"),
                      curve("total", "energy")};
      if (has_numbers("constraint_energy"))
        panel.curves.push_back(curve("constraints", "constraint_energy"));
    } else if (name == "energy_error") {
      // Energy that friction and collisions take is no error: the words are those of the window.
      const bool error = shown_.energy_error == "energy error";
      panel.title = error ? "Relative energy error" : "Energy lost or gained";
      panel.curves = {curve(error ? "|error|" : "|change|, relative", "energy_error")};
      panel.log_y = spans_decades(panel.curves);
      for (double& y : panel.curves[0].y) y = panel.log_y ? std::abs(y) : y;
      if (panel.log_y && error) panel.title = "|Relative energy error|";
      if (!panel.log_y && !error) panel.curves[0].name = "change, relative";
    } else if (name == "momentum") {
      panel.title = "Momenta";
      panel.curves = {length_of("momentum", "momentum"), length_of("angular", "angular_momentum")};
      panel.curves[0].name += suffix("momentum_x");
      panel.curves[1].name += suffix("angular_momentum_x");
      panel.log_y = spans_decades(panel.curves);
    } else if (name == "virial_ratio") {
      panel.title = "Virial ratio 2T / |W|";
      panel.curves = {curve("2T / |W|", "virial_ratio")};
      panel.reference = 1;
    } else if (name == "temperature" || name == "pressure") {
      panel.title = name == "temperature" ? "Temperature" : "Pressure";
      panel.curves = {measured(name, "runs with molecules have it")};
      panel.unit = unit(name);
    } else if (name == "displacement") {
      panel.title = "Mean square displacement";
      panel.curves = {measured(name, "add series = { displacement = true } to the scene")};
      panel.unit = unit(name);
    } else {
      panel.title = "Lagrangian radii";
      panel.unit = unit("radius_50");
      panel.curves = {curve("10 %", "radius_10"), curve("50 %", "radius_50"),
                      curve("90 %", "radius_90")};
      panel.log_y = spans_decades(panel.curves);
    }
    return panel;
  }

  /// A column of the series, or of the tables of hooks that have it, over time.
  ChartPanel column_panel(const std::string& name) const {
    ChartPanel panel;
    panel.title = name;
    if (is_of_series(name)) {
      panel.unit = unit(name);
      panel.curves = {curve(name, name)};
    }
    const std::size_t dot = name.find('.');
    for (const auto& [table, rows] : rows_) {
      const std::size_t at = rows.column(
          name.substr(0, dot) == table && dot != name.npos ? name.substr(dot + 1) : name);
      if (is_of_series(name) || at == rows.columns.size()) continue;
      const std::size_t time = rows.column("time");
      panel.unit = rows.units[at];
      ChartCurve values{table, {}, {}};
      for (const std::vector<double>& row : rows.rows)
        values.x.push_back(row[time]), values.y.push_back(row[at]);
      panel.curves.push_back(std::move(values));
    }
    return panel;
  }

  /// A column that not every series has.
  ChartCurve measured(const std::string& name, const std::string& remedy) const {
    if (series_.column(name) == series_.columns.size())
      throw engine::InputError("--what " + name,
                               "is not in " + run_.series.string() + ", which has no such column",
                               remedy);
    return curve(name, name);
  }

  ChartPanel radial_distribution() const {
    if (!fs::is_regular_file(radial_file()))
      throw engine::InputError(
          "--what radial_distribution", "needs " + radial_file().string() + ", which is not there",
          "a run writes it at its end if its scene has a table radial_distribution");
    const StoredSeries table = stored_series(radial_file());
    const std::size_t low = table.column("low"), high = table.column("high"), g = table.column("g");
    if (std::max({low, high, g}) >= table.columns.size())
      throw engine::InputError(radial_file().string(), "has no columns low, high and g",
                               "this is not the radial_distribution.csv of a run");
    ChartPanel panel;
    panel.title = "Radial distribution g(r)";
    panel.x_label = with_unit("distance", table.units[low]);
    panel.reference = 1;
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      const std::string& name = table.columns[k];
      if (k != g && !name.starts_with("g_")) continue;
      ChartCurve curve{k == g ? "all pairs" : name.substr(2), {}, {}};
      for (const std::vector<double>& row : table.rows)
        curve.x.push_back((row[low] + row[high]) / 2), curve.y.push_back(row[k]);
      panel.curves.push_back(std::move(curve));
    }
    return panel;
  }

  ChartPanel profile() const {
    const sim::LoadedSnapshot snapshot = sim::load_snapshot(last_state(run_));
    const engine::UnitSystem& units = snapshot.metadata.units;
    ChartPanel panel;
    panel.title = "Density at " + api::time_label(snapshot.metadata.time, units);
    panel.unit = units.mass.empty() ? "" : units.mass + "/" + units.length + "^3";
    panel.x_label = with_unit("radius from the centre of mass", units.length);
    panel.log_x = panel.log_y = true;
    panel.note = fmt::format("a profile needs {} bodies with mass", sim::least_for_profile);
    ChartCurve density{"density", {}, {}};
    for (const sim::ProfileShell& shell : sim::density_profile(snapshot.state)) {
      if (shell.count == 0) continue;
      // The radius of half the volume of a ball; for a shell, the middle on the logarithmic axis.
      density.x.push_back(shell.low > 0 ? std::sqrt(shell.low * shell.high)
                                        : shell.high * std::cbrt(0.5));
      density.y.push_back(shell.density());
    }
    if (!density.x.empty()) panel.curves.push_back(std::move(density));
    return panel;
  }

  std::size_t column(const std::string& name) const {
    const std::size_t found = series_.column(name);
    if (found == series_.columns.size())
      throw engine::InputError(run_.series.string(), "has no column " + name,
                               "this is not the series.csv of a run");
    return found;
  }
  std::string unit(const std::string& name) const {
    std::string unit = engine::readable_unit(series_.units[column(name)]);
    // A torque has the unit of an energy, which its name does not say.
    return unit == "J" && name.find("_torque_") != name.npos ? "N m" : unit;
  }
  std::string suffix(const std::string& name) const {
    return unit(name).empty() ? "" : " [" + unit(name) + "]";
  }
  static std::string with_unit(const std::string& name, const std::string& unit) {
    return unit.empty() ? name : name + " [" + unit + "]";
  }

  ChartCurve curve(const std::string& name, const std::string& values) const {
    const std::size_t time = column("time"), from = column(values);
    ChartCurve curve{name, {}, {}};
    for (const std::vector<double>& row : series_.rows)
      if (std::isfinite(row[time])) curve.x.push_back(row[time]), curve.y.push_back(row[from]);
    return curve;
  }

  ChartCurve length_of(const std::string& name, const std::string& vector) const {
    ChartCurve length = curve(name, vector + "_x");
    const ChartCurve y = curve("", vector + "_y"), z = curve("", vector + "_z");
    for (std::size_t i = 0; i < length.y.size(); ++i)
      length.y[i] = std::hypot(length.y[i], y.y[i], z.y[i]);
    return length;
  }

  fs::path folder_;
  const PlotRequest& request_;
  StoredRun run_;
  StoredSeries series_;
  std::map<std::string, StoredSeries> rows_;  ///< tables of hooks by name, if a column is wanted
  MeasuresShown shown_ = measures_shown(*run_.record);
};

/// Names that tell runs apart: those of their folders or, where these are alike, their paths.
std::vector<std::string> labels_of(const std::vector<Plots>& runs, const PlotRequest& request) {
  std::set<std::string> distinct;
  for (const Plots& run : runs) distinct.insert(run.name_of_folder());
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < runs.size(); ++i)
    labels.push_back(distinct.size() == runs.size() ? runs[i].name_of_folder()
                                                    : request.runs[i].string());
  return labels;
}

/// Adds the curves of another run to the panels of one name. Values in other units get a panel of
/// their own.
void lay_over(std::vector<ChartPanel>& panels, ChartPanel panel, const std::string& label) {
  for (ChartCurve& curve : panel.curves)
    curve.name = panel.curves.size() == 1 ? label : label + ": " + curve.name;
  for (ChartPanel& other : panels) {
    if (other.unit != panel.unit || other.x_label != panel.x_label) continue;
    std::move(panel.curves.begin(), panel.curves.end(), std::back_inserter(other.curves));
    other.log_y = other.log_y || panel.log_y;
    return;
  }
  panels.push_back(std::move(panel));
}

render::Chart runs_chart(const PlotRequest& request) {
  std::vector<Plots> runs;
  for (const fs::path& run : request.runs) runs.emplace_back(run, request);
  std::vector<std::string> all;
  std::vector<std::vector<std::string>> names;
  double latest = 0;
  for (Plots& run : runs) {
    latest = std::max(latest, run.latest());
    for (const std::string& name : names.emplace_back(run.names()))
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  }
  const bool chosen = !request.what.empty(), several = runs.size() > 1;
  const std::vector<std::string> labels = labels_of(runs, request);
  render::Chart chart;
  for (const std::string& name : all) {
    std::vector<ChartPanel> panels;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (std::find(names[i].begin(), names[i].end(), name) == names[i].end()) continue;
      ChartPanel panel = runs[i].panel(name, latest);
      const bool without = !chosen && name == "profile" && panel.curves.empty();
      if (without) continue;
      if (several && name == "profile") panel.title = "Density of the last states";
      if (several)
        lay_over(panels, std::move(panel), labels[i]);
      else
        panels.push_back(std::move(panel));
    }
    for (ChartPanel& panel : panels) {
      // A panel of one curve has no legend.
      if (several && panel.curves.size() == 1) panel.title += " of " + panel.curves[0].name;
      chart.panels.push_back(std::move(panel));
    }
  }
  chart.title = several ? engine::joined(labels, ", ") : runs[0].title();
  chart.subtitle =
      several ? engine::counted(static_cast<long long>(runs.size()), "run") : runs[0].subtitle();
  return chart;
}

render::Chart chart_of(const PlotRequest& request) {
  const bool several = request.runs.size() > 1;
  for (const fs::path& run : request.runs) {
    if (!is_folder(run))
      throw engine::InputError(run.string(), "is not a folder",
                               "name a folder written by `mote run` or `mote sweep`");
    if (several && is_sweep(run))
      throw engine::InputError(run.string(), "is a sweep, which is plotted alone",
                               "name runs, or one sweep");
  }
  const bool of_sweep = is_sweep(request.runs.at(0));
  if (!of_sweep && !request.by.empty())
    throw engine::InputError("--by " + engine::joined(request.by, ","),
                             "is for the folder of a sweep", "remove it");
  render::Chart chart =
      of_sweep ? sweep_chart(request.runs[0], request.by, request.what) : runs_chart(request);
  if (request.light) chart.theme = render::ChartTheme::light;
  return chart;
}

}  // namespace

const std::vector<std::string>& panel_names() {
  static const std::vector<std::string> names{
      "energy",      "energy_error", "momentum",     "virial_ratio",        "radii",
      "temperature", "pressure",     "displacement", "radial_distribution", "profile"};
  return names;
}

void plot(const PlotRequest& request) {
  if (request.runs.size() > 1 && request.file.empty())
    throw engine::InputError("plot", "several runs have no folder in common for their plot",
                             "name a file with -o, as -o compared.png");
  const render::Chart chart = chart_of(request);
  const fs::path stem = request.runs[0] / "plot";
  const std::vector<fs::path> files =
      request.file.empty() ? std::vector<fs::path>{stem.string() + ".png", stem.string() + ".svg"}
                           : std::vector<fs::path>{request.file};
  for (const fs::path& file : files) {
    const auto format =
        file.extension() == ".svg" ? render::ChartFormat::svg : render::ChartFormat::png;
    engine::write_file(file, render::chart_file(chart, format, request.width, request.height));
  }
  if (!request.quiet)
    for (const fs::path& file : files) engine::print("{}\n", file.string());
}

std::string plot_svg(const PlotRequest& request) {
  return render::chart_file(chart_of(request), render::ChartFormat::svg, request.width,
                            request.height);
}

}  // namespace mote::app
