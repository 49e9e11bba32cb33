#include "app/sweep/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "app/look/table_text.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/io/csv_line.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

using engine::Json;
using Row = std::vector<std::string>;

/// The rows of a CSV file; a quoted cell may have several lines.
std::vector<Row> rows_of(const fs::path& file) {
  std::vector<Row> rows;
  std::istringstream lines(engine::read_file(file));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    text += (text.empty() ? "" : "\n") + line;
    if (std::count(text.begin(), text.end(), '"') % 2 != 0) continue;
    Row& row = rows.emplace_back();
    sim::split_csv_line(text, row);
    text.clear();
  }
  return rows;
}

/// Mean and deviation of the values, in two passes.
Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  if (values.empty()) return spread;
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  spread.mean = sum / count;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  if (values.size() > 1) spread.deviation = std::sqrt(squares / (count - 1));
  return spread;
}

ColumnSpread spread_of(const std::vector<const Row*>& rows, std::size_t column) {
  std::vector<double> values, magnitudes;
  for (const Row* row : rows)
    if (const auto value = number_in((*row)[column])) {
      values.push_back(*value);
      magnitudes.push_back(std::abs(*value));
    }
  return {spread_of(values), spread_of(magnitudes)};
}

/// Sets the names of the columns, and their units: from results.units.json, or, as older versions
/// wrote them, from the header, "softening [pc]".
void set_columns(const fs::path& sweep, const Row& header, SweepResultsTable& table) {
  for (const std::string& title : header) {
    const std::size_t open = title.find(" [");
    table.columns.push_back(title.substr(0, open));
    if (open != title.npos && title.ends_with(']'))
      table.units[table.columns.back()] = title.substr(open + 2, title.size() - open - 3);
  }
  const fs::path units = sweep / "results.units.json";
  if (!fs::exists(units)) return;
  try {
    const Json known = engine::parse_json(engine::read_file(units));
    for (const auto& [name, unit] : known.items()) table.units[name] = unit.get<std::string>();
  } catch (const Json::exception&) {
    throw engine::InputError(units.string(), "is not a list of units",
                             "`mote sweep PLAN --collect` writes it again");
  }
}

void choose_parameters(SweepSummary& summary, const std::vector<std::string>& by) {
  summary.by = by.empty() ? summary.varied : by;
  for (const std::string& name : summary.by)
    if (std::find(summary.varied.begin(), summary.varied.end(), name) == summary.varied.end())
      throw engine::InputError("--by " + name, "is not a parameter that the sweep varies",
                               engine::did_you_mean(name, summary.varied, "varied: "));
}

std::string text_of(const Spread& spread) {
  if (!std::isfinite(spread.mean)) return "-";
  return std::isfinite(spread.deviation)
             ? fmt::format("{:.4g} +- {:.2g}", spread.mean, spread.deviation)
             : fmt::format("{:.4g}", spread.mean);
}

}  // namespace

std::optional<double> number_in(const std::string& cell) {
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  return !cell.empty() && *end == '\0' && std::isfinite(value) ? std::optional(value)
                                                               : std::nullopt;
}

bool is_sweep(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "jobs.json", ignored);
}

std::size_t SweepSummary::column(const std::string& name, const std::string& option) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end())
    throw engine::InputError(option + " " + name, "is not a column of numbers in results.csv",
                             engine::did_you_mean(name, columns, "known: "));
  return static_cast<std::size_t>(found - columns.begin());
}

std::vector<std::string> SweepSummary::main_columns() const {
  // Older sweeps have the error of the end alone, which swings.
  const bool largest =
      std::find(columns.begin(), columns.end(), "energy_error_max") != columns.end();
  std::vector<std::string> names{largest ? "energy_error_max" : "energy_error", "virial_ratio"};
  for (const std::string& name : columns)
    if (name.starts_with("data.")) names.push_back(name);
  std::erase_if(names, [&](const std::string& name) {
    return std::find(columns.begin(), columns.end(), name) == columns.end();
  });
  return names;
}

std::string SweepSummary::with_unit(const std::string& name) const {
  const auto unit = units.find(name);
  return unit == units.end() ? name : name + " [" + unit->second + "]";
}

std::size_t SweepResultsTable::column(const std::string& name) const {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) -
                                  columns.begin());
}

SweepResultsTable sweep_results(const fs::path& sweep) {
  SweepResultsTable table;
  const fs::path file = sweep / "results.csv";
  if (!fs::exists(file)) return table;
  table.rows = rows_of(file);
  if (table.rows.empty()) return table;
  set_columns(sweep, table.rows.front(), table);
  table.rows.erase(table.rows.begin());
  std::erase_if(table.rows, [&](const Row& row) { return row.size() != table.columns.size(); });
  return table;
}

SweepSummary sweep_summary(const fs::path& sweep, const std::vector<std::string>& by) {
  const fs::path file = sweep / "results.csv";
  const SweepResultsTable table = sweep_results(sweep);
  if (table.rows.empty())
    throw engine::InputError(sweep.string(), "has no results yet",
                             "`mote sweep PLAN --out " + sweep.string() + "` runs its jobs");
  SweepSummary summary;
  summary.units = table.units;
  const Row& names = table.columns;
  const auto index = [&](const std::string& name) { return table.column(name); };
  // job, status, reason, seed, the varied parameters, time and other measurements.
  const std::size_t status = index("status"), first = index("seed") + 1, measured = index("time"),
                    folder = index("folder");
  if (status >= names.size() || folder >= names.size() || first > measured)
    throw engine::InputError(file.string(), "is not the results.csv of a sweep");
  summary.varied.assign(names.begin() + static_cast<std::ptrdiff_t>(first),
                        names.begin() + static_cast<std::ptrdiff_t>(measured));
  choose_parameters(summary, by);

  std::map<std::vector<std::string>, std::size_t> known;
  std::vector<std::vector<const Row*>> runs;
  for (const Row& row : table.rows) {
    ++summary.statuses[row[status]];
    if (row[status] != "done") continue;
    if (summary.first_folder.empty()) summary.first_folder = row[folder];
    std::vector<std::string> values;
    for (const std::string& name : summary.by) values.push_back(row[index(name)]);
    const auto [at, is_new] = known.try_emplace(values, summary.points.size());
    if (is_new) summary.points.push_back({values, 0, {}}), runs.emplace_back();
    ++summary.points[at->second].runs;
    runs[at->second].push_back(&row);
  }
  for (std::size_t c = measured; c < names.size(); ++c) {
    if (names[c] == "state_hash" || c == folder) continue;  // some hashes look like numbers
    std::vector<ColumnSpread> spreads;
    for (const auto& point : runs) spreads.push_back(spread_of(point, c));
    if (std::none_of(spreads.begin(), spreads.end(),
                     [](const ColumnSpread& s) { return std::isfinite(s.values.mean); }))
      continue;
    summary.columns.push_back(names[c]);
    for (std::size_t i = 0; i < spreads.size(); ++i)
      summary.points[i].columns.push_back(spreads[i]);
  }
  return summary;
}

Json json_of(const SweepSummary& summary, const fs::path& sweep) {
  Json points = Json::array();
  for (const SweepSummary::Point& point : summary.points) {
    Json set = Json::object(), columns = Json::object();
    for (std::size_t i = 0; i < summary.by.size(); ++i) set[summary.by[i]] = point.values[i];
    for (std::size_t i = 0; i < summary.columns.size(); ++i)
      columns[summary.columns[i]] = Json{{"mean", point.columns[i].values.mean},
                                         {"deviation", point.columns[i].values.deviation},
                                         {"mean_magnitude", point.columns[i].magnitudes.mean}};
    points.push_back(Json{{"set", set}, {"runs", point.runs}, {"columns", columns}});
  }
  return Json{
      {"kind", "sweep"},          {"folder", sweep.string()}, {"statuses", summary.statuses},
      {"varied", summary.varied}, {"units", summary.units},   {"points", points}};
}

void print_sweep(const SweepSummary& summary, const fs::path& sweep) {
  constexpr std::size_t shown = 40;
  std::vector<std::string> counts;
  for (const auto& [status, count] : summary.statuses)
    counts.push_back(fmt::format("{} {}", engine::with_thousands(count), status));
  engine::print("{}: sweep of {}; {}\n", sweep.string(),
                summary.varied.empty() ? "no parameter" : engine::joined(summary.varied, ", "),
                engine::joined(counts, ", "));
  if (summary.points.empty()) return;
  const std::vector<std::string> chosen = summary.main_columns();
  std::vector<Row> table(1);
  for (const std::string& name : summary.by) table[0].push_back(summary.with_unit(name));
  table[0].emplace_back("runs");
  for (const std::string& name : chosen) table[0].push_back(summary.with_unit(name));
  for (std::size_t i = 0; i < std::min(shown, summary.points.size()); ++i) {
    const SweepSummary::Point& point = summary.points[i];
    Row& row = table.emplace_back(point.values);
    for (std::string& value : row)  // values of a logarithmic range have 17 digits
      if (const auto number = number_in(value)) value = fmt::format("{:.6g}", *number);
    row.push_back(fmt::format("{}", point.runs));
    for (const std::string& name : chosen)
      row.push_back(text_of(point.columns[summary.column(name, "")].values));
  }
  print_table(table);
  if (summary.points.size() > shown)
    engine::print("  ... {} more; --json prints all\n", summary.points.size() - shown);
}

}  // namespace mote::app
