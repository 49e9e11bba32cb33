#include "app/look/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/look/stored_run.h"
#include "engine/check.h"
#include "engine/json.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/io/snapshot_diff.h"
#include "sim/output/run_folder.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

using engine::Json;

constexpr std::size_t named_bodies = 8;
/// Relative difference of the times of rows that are the same time: sums of different steps.
constexpr double rounding_of_time = 1e-9;

struct Side {
  fs::path file;
  sim::LoadedSnapshot snapshot;
  StoredSeries series;  ///< empty unless this is a run
};

Side read_side(const fs::path& path) {
  if (!is_folder(path)) return {path, sim::load_snapshot(path), {}};
  const StoredRun run = stored_run(path);
  const fs::path file = last_state(run);
  return {file, sim::load_snapshot(file),
          run.series.empty() ? StoredSeries{} : stored_series(run.series)};
}

/// Largest differences of one column of the series, over the rows that both have.
struct ColumnDifference {
  std::string name;
  double absolute = 0, relative = 0;
  std::uint64_t absolute_step = 0, relative_step = 0;
};

struct SeriesDifference {
  std::size_t rows = 0, only_a = 0, only_b = 0;
  std::vector<ColumnDifference> columns;  ///< the columns that differ
  bool same_columns = true;

  /// Whether the rows that both have are equal: one may go on, or have been written more often.
  bool agrees() const { return columns.empty() && same_columns && rows > 0; }
  bool identical() const { return columns.empty() && only_a == 0 && only_b == 0 && same_columns; }
};

void compare(ColumnDifference& worst, double a, double b, std::uint64_t step) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return;
  const bool finite = std::isfinite(a) && std::isfinite(b);
  const double absolute = finite ? std::fabs(a - b) : HUGE_VAL;
  const double relative = finite ? absolute / std::max(std::fabs(a), std::fabs(b)) : HUGE_VAL;
  if (absolute > worst.absolute) worst.absolute = absolute, worst.absolute_step = step;
  if (relative > worst.relative) worst.relative = relative, worst.relative_step = step;
}

/// Pairs the rows of equal times: their steps differ if the lengths of steps do.
SeriesDifference difference_of(const StoredSeries& a, const StoredSeries& b) {
  SeriesDifference difference;
  difference.same_columns = a.columns == b.columns && a.units == b.units;
  std::vector<ColumnDifference> columns;
  for (const std::string& name : a.columns) columns.push_back({name});
  const std::size_t step = a.column("step"), time_a = a.column("time"), time_b = b.column("time");
  if (std::max(step, time_a) >= a.columns.size() || time_b >= b.columns.size()) {
    difference.only_a = a.rows.size();
    difference.only_b = b.rows.size();
    return difference;
  }
  // Both ascend in time.
  auto row_b = b.rows.begin();
  for (const auto& row : a.rows) {
    const double time = row.at(time_a), tolerance = rounding_of_time * std::fabs(time);
    while (row_b != b.rows.end() && row_b->at(time_b) < time - tolerance) ++row_b;
    if (row_b == b.rows.end() || row_b->at(time_b) > time + tolerance) {
      ++difference.only_a;
      continue;
    }
    ++difference.rows;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::size_t in_b = b.column(columns[c].name);
      if (in_b < b.columns.size())
        compare(columns[c], row[c], (*row_b)[in_b], static_cast<std::uint64_t>(row.at(step)));
    }
    ++row_b;
  }
  difference.only_b = b.rows.size() - difference.rows;
  for (ColumnDifference& worst : columns)
    if (worst.absolute > 0) difference.columns.push_back(std::move(worst));
  return difference;
}

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json("infinite");
}

Json side_json(const Side& side) {
  const sim::SnapshotMetadata& f = side.snapshot.metadata;
  return Json{{"file", side.file.string()},
              {"bodies", side.snapshot.state.count()},
              {"step", f.step},
              {"time", f.time},
              {"precision", engine::name_of(side.snapshot.state.precision())},
              {"state_hash", f.hash ? Json(sim::hash_text(*f.hash)) : Json()}};
}

Json series_json(const SeriesDifference& series) {
  Json columns = Json::object();
  for (const ColumnDifference& c : series.columns)
    columns[c.name] = Json{{"absolute", number(c.absolute)},
                           {"absolute_step", c.absolute_step},
                           {"relative", number(c.relative)},
                           {"relative_step", c.relative_step}};
  return Json{{"rows", series.rows},
              {"only_a", series.only_a},
              {"only_b", series.only_b},
              {"columns", columns}};
}

class Comparison {
 public:
  Comparison(const DiffRequest& request, Side a, Side b)
      : request_(request),
        a_(std::move(a)),
        b_(std::move(b)),
        bodies_(sim::difference_of(a_.snapshot, b_.snapshot)) {
    if (!a_.series.columns.empty() && !b_.series.columns.empty())
      series_ = difference_of(a_.series, b_.series);
    identical_ = bodies_.identical() && (!series_ || series_->identical());
    same_ = request.tolerance
                ? bodies_.within(*request.tolerance)
                : bodies_.identical() && (!series_ || series_->identical() || series_->agrees());
  }

  bool same() const { return same_; }

  void print_json() const {
    const sim::SnapshotMetadata &a = a_.snapshot.metadata, &b = b_.snapshot.metadata;
    Json json{{"identical", identical_},
              {"same", same_},
              {"a", side_json(a_)},
              {"b", side_json(b_)},
              {"units", a.units.name}};
    json["same_hash"] = a.hash && b.hash ? Json(*a.hash == *b.hash) : Json();
    json["paired"] = bodies_.paired;
    json["only_a"] = bodies_.only_a;
    json["only_b"] = bodies_.only_b;
    json["other_species"] = bodies_.other_species;
    for (const sim::QuantityDifference& q : bodies_.quantities)
      json["differences"][q.name] =
          Json{{"unit", a.units.label(q.quantity)}, {"same_bits", q.same_bits},
               {"absolute", number(q.absolute)},    {"absolute_body", q.absolute_body},
               {"relative", number(q.relative)},    {"relative_body", q.relative_body}};
    if (series_) json["series"] = series_json(*series_);
    engine::print("{}\n", engine::json_text(json, 2));
  }

  void print() const {
    print_side("A", a_);
    print_side("B", b_);
    const sim::SnapshotMetadata &a = a_.snapshot.metadata, &b = b_.snapshot.metadata;
    if (a.hash && b.hash && *a.hash == *b.hash)
      line("state hash", "equal");
    else if (a.hash && b.hash)
      line("state hash", sim::hash_text(*a.hash) + " and " + sim::hash_text(*b.hash));
    for (const sim::QuantityDifference& q : bodies_.quantities)
      print_quantity(q, a.units.label(q.quantity));
    print_bodies("A", bodies_.only_a);
    print_bodies("B", bodies_.only_b);
    if (bodies_.other_species > 0)
      line("species",
           fmt::format("differ for {}", engine::counted(count(bodies_.other_species), "body")));
    if (!bodies_.same_columns) line("columns", "differ");
    if (series_) print_series();
    engine::print("{}\n",
                  identical_                     ? "identical"
                  : !request_.tolerance && same_ ? "equal, but for the rows that one alone has"
                  : !request_.tolerance          ? "different"
                  : same_ ? fmt::format("equal within {:g}", *request_.tolerance)
                          : fmt::format("different by more than {:g}", *request_.tolerance));
  }

 private:
  static long long count(std::uint64_t n) { return static_cast<long long>(n); }
  static void line(const std::string& name, const std::string& text) {
    engine::print("{:<11} {}\n", name, text);
  }

  static void print_side(const char* name, const Side& side) {
    const sim::SnapshotMetadata& f = side.snapshot.metadata;
    line(name,
         fmt::format("{}: {}, step {}, t = {}{}", side.file.string(),
                     engine::counted(side.snapshot.state.count(), "body"), f.step,
                     engine::number_text(f.time), f.units.time.empty() ? "" : " " + f.units.time));
  }

  static void print_quantity(const sim::QuantityDifference& q, const std::string& unit) {
    if (q.same_bits) return line(q.name, "equal");
    if (q.absolute == 0) return line(q.name, "equal except for the sign of zeros");
    line(q.name,
         fmt::format("differs by up to {:.3g}{} (body {}), relative {:.3g} (body {})", q.absolute,
                     unit.empty() ? "" : " " + unit, q.absolute_body, q.relative, q.relative_body));
  }

  static void print_bodies(const char* side, const std::vector<std::uint32_t>& ids) {
    if (ids.empty()) return;
    std::vector<std::string> some;
    for (std::size_t i = 0; i < std::min(ids.size(), named_bodies); ++i)
      some.push_back(std::to_string(ids[i]));
    line(std::string("only in ") + side,
         fmt::format("{}: {}{}", engine::counted(count(ids.size()), "id"),
                     engine::joined(some, ", "), ids.size() > some.size() ? ", ..." : ""));
  }

  void print_series() const {
    std::string text = engine::counted(count(series_->rows), "row") + " in both";
    if (series_->only_a > 0) text += fmt::format(", {} only in A", series_->only_a);
    if (series_->only_b > 0) text += fmt::format(", {} only in B", series_->only_b);
    line("series", text + (series_->columns.empty() ? ", equal" : ""));
    for (const ColumnDifference& c : series_->columns)
      engine::print("  {}: differs by up to {:.3g} (step {}), relative {:.3g} (step {})\n", c.name,
                    c.absolute, c.absolute_step, c.relative, c.relative_step);
    if (!series_->same_columns) engine::print("  the columns differ\n");
  }

  const DiffRequest& request_;
  Side a_, b_;
  sim::SnapshotDifference bodies_;
  std::optional<SeriesDifference> series_;
  bool identical_ = false, same_ = false;
};

}  // namespace

bool print_difference(const DiffRequest& request) {
  Side a = read_side(request.a), b = read_side(request.b);
  const std::string &units_a = a.snapshot.metadata.units.name,
                    &units_b = b.snapshot.metadata.units.name;
  if (units_a != units_b)
    throw engine::InputError(
        request.b.string(),
        fmt::format("is in '{}' units, but {} is in '{}'", units_b, request.a.string(), units_a),
        "compare states in the same units");
  const Comparison comparison(request, std::move(a), std::move(b));
  if (request.json)
    comparison.print_json();
  else
    comparison.print();
  return comparison.same();
}

}  // namespace mote::app
