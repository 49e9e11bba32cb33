#include "app/look/plot_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "app/sweep/summary.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/text.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

using render::ChartCells;
using render::ChartCurve;
using render::ChartPanel;

/// The different values of a parameter: numbers by size, texts as they come.
std::vector<std::string> values_of(const SweepSummary& summary, std::size_t parameter) {
  std::vector<std::string> values;
  for (const SweepSummary::Point& point : summary.points)
    if (std::find(values.begin(), values.end(), point.values[parameter]) == values.end())
      values.push_back(point.values[parameter]);
  const auto is_number = [](const std::string& text) { return number_in(text).has_value(); };
  if (std::all_of(values.begin(), values.end(), is_number))
    std::sort(values.begin(), values.end(), [](const std::string& a, const std::string& b) {
      return *number_in(a) < *number_in(b);
    });
  return values;
}

/// Names of cells: numbers of a logarithmic range have up to 17 digits.
std::vector<std::string> short_names(std::vector<std::string> values) {
  for (std::string& value : values)
    if (const auto number = number_in(value)) value = fmt::format("{:.4g}", *number);
  return values;
}

/// Whether the points of a parameter, in ascending order, leave smaller gaps on a logarithmic axis.
bool is_evener_in_logarithm(const std::vector<double>& x) {
  if (x.size() < 3 || x.front() <= 0) return false;
  double gap = 0, log_gap = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    gap = std::max(gap, x[i] - x[i - 1]);
    log_gap = std::max(log_gap, std::log(x[i] / x[i - 1]));
  }
  return log_gap / std::log(x.back() / x.front()) < gap / (x.back() - x.front());
}

void add_point(ChartCurve& curve, double x, const Spread& spread) {
  curve.x.push_back(x);
  curve.y.push_back(spread.mean);
  curve.spread.push_back(std::isfinite(spread.deviation) ? spread.deviation : 0);
}

ChartPanel bars(const SweepSummary& summary, const std::string& name) {
  const std::size_t column = summary.column(name, "--what");
  ChartPanel panel;
  panel.x_label = summary.with_unit(summary.by[0]);
  std::vector<std::pair<double, ColumnSpread>> points;
  for (const SweepSummary::Point& point : summary.points) {
    const auto x = number_in(point.values[0]);
    if (!x)
      throw engine::InputError(
          "--by " + summary.by[0],
          "has the value " + engine::quoted(point.values[0]) + ", which is no number",
          "choose two parameters for a map, which shows names");
    if (std::isfinite(point.columns[column].values.mean))
      points.emplace_back(*x, point.columns[column]);
  }
  std::sort(points.begin(), points.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  ChartCurve values{name, {}, {}, {}}, magnitudes{name, {}, {}, {}};
  for (const auto& [x, spread] : points) {
    add_point(values, x, spread.values);
    add_point(magnitudes, x, spread.magnitudes);
  }
  panel.log_x = is_evener_in_logarithm(values.x);
  // The mean of errors of either sign says nothing of their size.
  panel.log_y = spans_decades({magnitudes});
  panel.curves.push_back(panel.log_y ? std::move(magnitudes) : std::move(values));
  return panel;
}

ChartPanel map(const SweepSummary& summary, const std::string& name) {
  const std::size_t column = summary.column(name, "--what");
  const std::vector<std::string> x = values_of(summary, 0), y = values_of(summary, 1);
  // Samples at random would each have a row and a column of their own.
  if (x.size() * y.size() > 4 * summary.points.size())
    throw engine::InputError("--by " + engine::joined(summary.by, ","),
                             "the points of the sweep are no grid of these parameters",
                             "choose one of them");
  ChartPanel panel;
  panel.x_label = summary.with_unit(summary.by[0]);
  ChartCells cells{short_names(x), short_names(y), {}, summary.with_unit(summary.by[1])};
  cells.values.assign(x.size() * y.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> magnitudes = cells.values;
  const auto index = [](const std::vector<std::string>& all, const std::string& value) {
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), value) - all.begin());
  };
  for (const SweepSummary::Point& point : summary.points) {
    const std::size_t cell = index(y, point.values[1]) * x.size() + index(x, point.values[0]);
    cells.values[cell] = point.columns[column].values.mean;
    magnitudes[cell] = point.columns[column].magnitudes.mean;
  }
  panel.log_y = spans_decades({{"", {}, magnitudes, {}}});
  if (panel.log_y) cells.values = std::move(magnitudes);
  panel.cells = std::move(cells);
  return panel;
}

std::string title_of(const SweepSummary& summary, const fs::path& sweep) {
  try {
    const engine::Json record =
        engine::parse_json(engine::read_file(sweep / summary.first_folder / "run.json"));
    if (const std::string title = record.value("title", ""); !title.empty()) return title;
  } catch (const std::exception&) {  // the runs may have been moved away
  }
  return fs::absolute(sweep).lexically_normal().filename().string();
}

std::string subtitle_of(const SweepSummary& summary) {
  int runs = 0, fewest = std::numeric_limits<int>::max(), most = 0;
  for (const SweepSummary::Point& point : summary.points) {
    runs += point.runs;
    fewest = std::min(fewest, point.runs);
    most = std::max(most, point.runs);
  }
  const std::string each =
      fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
  const std::string what = summary.by.size() == 1 ? "mean and standard deviation of" : "mean of";
  return fmt::format("{}; {} {} at each point",
                     engine::counted(static_cast<long long>(runs), "run"), what, each);
}

}  // namespace

bool spans_decades(const std::vector<render::ChartCurve>& curves) {
  double least = 0, most = 0;
  for (const render::ChartCurve& curve : curves)
    for (const double y : curve.y)
      if (const double size = std::abs(y); size > 0 && std::isfinite(size)) {
        least = least == 0 ? size : std::min(least, size);
        most = std::max(most, size);
      }
  constexpr double log_ratio = 30;
  return least > 0 && most / least > log_ratio;
}

render::Chart sweep_chart(const fs::path& sweep, const std::vector<std::string>& by,
                          const std::vector<std::string>& what) {
  const SweepSummary summary = sweep_summary(sweep, by);
  if (summary.points.empty()) throw engine::InputError(sweep.string(), "has no run that is done");
  if (summary.by.empty() || summary.by.size() > 2)
    throw engine::InputError(
        sweep.string(),
        summary.by.empty() ? "varies no parameter"
                           : fmt::format("varies {} parameters", summary.by.size()),
        summary.by.empty() ? "see its results with `mote info`"
                           : "choose one or two with --by: " + engine::joined(summary.by, ", "));
  const std::vector<std::string> names = what.empty() ? summary.main_columns() : what;
  if (names.empty())
    throw engine::InputError(sweep.string(), "has none of the columns that are plotted by default",
                             "choose some with --what: " + engine::joined(summary.columns, ", "));
  render::Chart chart;
  for (const std::string& name : names) {
    ChartPanel panel = summary.by.size() == 1 ? bars(summary, name) : map(summary, name);
    panel.title = panel.log_y ? "|" + name + "|" : name;
    if (const auto unit = summary.units.find(name); unit != summary.units.end())
      panel.unit = unit->second;
    panel.note = "no numbers";
    chart.panels.push_back(std::move(panel));
  }
  chart.title = title_of(summary, sweep);
  chart.subtitle = subtitle_of(summary);
  return chart;
}

}  // namespace mote::app
