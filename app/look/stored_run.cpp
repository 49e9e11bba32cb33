#include "app/look/stored_run.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <set>

#include "app/sweep/summary.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/read_process.h"
#include "engine/text.h"
#include "sim/io/csv_line.h"
#include "sim/io/loaded_snapshot.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

/// HDF5 files of a folder, by number: snapshot_10000 follows snapshot_9999.
std::vector<fs::path> numbered_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".h5") files.push_back(entry.path());
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    const std::string x = a.filename(), y = b.filename();
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  });
  return files;
}

engine::Json read_record(const fs::path& file) {
  if (!fs::is_regular_file(file)) return nullptr;
  try {
    engine::Json record = engine::parse_json(engine::read_file(file));
    return record.is_object() ? record : engine::Json();
  } catch (const engine::Json::exception&) {
    return nullptr;
  }
}

/// The units of a table; null for one of an older version. A sweep may keep run.json alone, which
/// has those of series.csv.
engine::Json units_beside(const fs::path& table) {
  const std::string name = table.filename().string(), stem = name.substr(0, name.find('.'));
  engine::Json units = read_record(fs::path(table).replace_filename(stem + ".units.json"));
  if (!units.is_null() || stem != "series") return units;
  const engine::Json record = read_record(fs::path(table).replace_filename("run.json"));
  return record.is_object() ? record.value("series_units", engine::Json()) : engine::Json();
}

/// Units are in a file of their own; older versions wrote them into the header, "time [Gyr]".
void set_columns(StoredSeries& series, const std::vector<std::string>& header,
                 const engine::Json& units) {
  for (const std::string& title : header) {
    const std::size_t open = title.find(" [");
    const std::string name = title.substr(0, open);
    series.columns.push_back(name);
    if (open != title.npos && title.ends_with(']'))
      series.units.push_back(title.substr(open + 2, title.size() - open - 3));
    else
      series.units.push_back(units.is_object() && units.contains(name) && units[name].is_string()
                                 ? units[name].get<std::string>()
                                 : "");
  }
}

}  // namespace

const engine::UnitSystem* units_of(const engine::Json& record) {
  if (!record.is_object() || !record.contains("scene") || !record["scene"].is_object())
    return nullptr;
  const auto units = record["scene"].find("units");
  return units != record["scene"].end() && units->is_string()
             ? engine::unit_system_named(units->get<std::string>())
             : nullptr;
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::optional<bool> is_in_use(const fs::path& locked) {
  const int file = ::open(locked.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return errno == ENOENT ? std::optional(false) : std::nullopt;
  // Processes that run parts of a sweep share its lock; one that writes a run holds it alone.
  const int kind = is_folder(locked) ? LOCK_EX : LOCK_SH;
  const bool taken = ::flock(file, kind | LOCK_NB) == 0;
  const int reason = errno;
  ::close(file);
  if (taken) return false;
  return reason == EWOULDBLOCK ? std::optional(true) : std::nullopt;
}

StoredRun stored_run(const fs::path& folder) {
  StoredRun run{folder,
                read_record(folder / "run.json"),
                numbered_files(folder / "snapshots"),
                numbered_files(folder / "checkpoints"),
                {}};
  for (const fs::path& file : {folder / "series.csv", engine::part_of(folder / "series.csv")})
    if (run.series.empty() && fs::is_regular_file(file)) run.series = file;
  if (is_sweep(folder))
    throw engine::InputError(
        folder.string(), "is a sweep, not a run",
        "`mote info` and `mote plot` show all of it; or name one of its runs in " +
            (folder / "runs").string());
  const bool empty = run.record.is_null() && run.snapshots.empty() && run.checkpoints.empty() &&
                     run.series.empty();
  if (empty && fs::exists(folder / "run.json"))
    throw engine::InputError(folder.string(), "its run.json is not that of a run",
                             "name a folder written by `mote run`, or a snapshot");
  if (empty)
    throw engine::InputError(folder.string(), "does not contain a run",
                             "name a folder written by `mote run`, or a snapshot");
  return run;
}

std::vector<std::string> other_formats(const fs::path& run) {
  std::set<std::string> endings;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(run / "snapshots", ignored))
    if (entry.path().stem().string().starts_with("snapshot_") &&
        entry.path().extension() != ".part" && entry.path().extension() != ".h5")
      endings.insert(entry.path().extension().string());
  return {endings.begin(), endings.end()};
}

engine::InputError no_snapshots(const StoredRun& run) {
  const std::vector<std::string> others = other_formats(run.folder);
  if (others.empty())
    return {run.folder.string(), "has no snapshots/*.h5",
            "write some with --snapshot-steps, --snapshot-time or `snapshots` in the scene"};
  return {run.folder.string(),
          "its snapshots are " + engine::joined(others, ", ") + ", but mote reads only .h5",
          "run it again with --snapshot-format hdf5 in addition to the others"};
}

fs::path last_state(const StoredRun& run) {
  if (run.snapshots.empty() && run.checkpoints.empty()) throw no_snapshots(run);
  if (run.checkpoints.empty()) return run.snapshots.back();
  if (run.snapshots.empty()) return run.checkpoints.back();
  const engine::ReadSession reader_session;
  const auto step = [](const fs::path& file) {
    return sim::read_snapshot_head(file).metadata.step;
  };
  const bool later = step(run.checkpoints.back()) > step(run.snapshots.back());
  return later ? run.checkpoints.back() : run.snapshots.back();
}

std::size_t StoredSeries::column(const std::string& name) const {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) -
                                  columns.begin());
}

StoredSeries stored_series(const fs::path& file) {
  StoredSeries series;
  const std::string text = engine::read_file(file);
  std::vector<std::string> fields;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    if (end == text.npos) break;
    const std::string_view line = std::string_view(text).substr(start, end - start);
    start = end + 1;
    if (line.empty() || line[0] == '#') continue;
    sim::split_csv_line(line, fields);
    if (series.columns.empty()) {
      set_columns(series, fields, units_beside(file));
    } else if (fields.size() == series.columns.size()) {
      std::vector<double>& row = series.rows.emplace_back();
      for (const std::string& field : fields) row.push_back(std::strtod(field.c_str(), nullptr));
    }
  }
  return series;
}

}  // namespace mote::app
