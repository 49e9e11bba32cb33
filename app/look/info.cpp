#include "app/look/info.h"

#include <algorithm>

#include "app/look/stored_run.h"
#include "engine/check.h"
#include "engine/json.h"
#include "engine/read_process.h"
#include "sim/io/loaded_snapshot.h"
#include "sim/output/checkpoint.h"
#include "sim/output/checkpoint_folder.h"
#include "sim/output/run_folder.h"
#include "sim/source/reader.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

using engine::Json;

/// Number of files and bytes of each entry of a folder, by name.
Json outputs_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  Json all = Json::array();
  for (const fs::path& entry : entries) {
    std::uint64_t files = 0, bytes = 0;
    const auto count = [&](const fs::path& file) {
      const auto size = fs::file_size(file, ignored);
      if (!ignored) ++files, bytes += size;
    };
    const bool is_folder = fs::is_directory(entry, ignored);
    if (is_folder) {
      for (const auto& below : fs::recursive_directory_iterator(entry, ignored))
        if (below.is_regular_file(ignored)) count(below.path());
    } else {
      count(entry);
    }
    all.push_back(Json{{"name", entry.filename().string() + (is_folder ? "/" : "")},
                       {"files", files},
                       {"bytes", bytes}});
  }
  return all;
}

/// Step and time of each file, or why it cannot be read; the name alone of one that is not shown,
/// unless all are wanted.
Json states_of(const std::vector<fs::path>& files, bool every) {
  const engine::ReadSession reader_session;
  Json all = Json::array();
  for (const fs::path& file : files) {
    Json one{{"file", file.string()}};
    if (!every && !is_shown(all.size(), files.size())) {
      all.push_back(std::move(one));
      continue;
    }
    try {
      const sim::SnapshotHead head = sim::read_snapshot_head(file);
      one["step"] = head.metadata.step;
      one["time"] = head.metadata.time;
    } catch (const engine::InputError& error) {
      one["problem"] = error.diagnostics().front().problem;
    }
    all.push_back(std::move(one));
  }
  return all;
}

/// Reads checkpoints in full, from the newest until one is good, and marks damaged ones: the head
/// of a file does not show damage.
void check_newest(Json& checkpoints) {
  for (auto one = checkpoints.rbegin(); one != checkpoints.rend(); ++one) {
    if (one->contains("problem")) continue;
    try {
      sim::read_checkpoint(one->at("file").get<std::string>());
      return;
    } catch (const engine::InputError& error) {
      one->erase("step");
      one->erase("time");
      (*one)["problem"] = error.diagnostics().front().problem;
    }
  }
}

/// Copies keys that exist in `record`.
void copy_keys(Json& info, const Json& record, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (record.contains(key)) info[key] = record[key];
}

/// Fills in missing keys from the last row of the series.
void add_series(Json& info, const StoredRun& run) {
  if (run.series.empty()) return;
  const StoredSeries series = stored_series(run.series);
  info["series_rows"] = series.rows.size();
  if (series.rows.empty()) return;
  const auto value = [&](const char* column) { return series.column(column); };
  for (const auto& [key, column] :
       {std::pair{"steps", "step"}, {"time", "time"}, {"energy_error", "energy_error"}}) {
    const std::size_t c = value(column);
    if (info.contains(key) || c >= series.columns.size()) continue;
    const double number = series.rows.back()[c];
    info[key] =
        std::string(key) == "steps" ? Json(static_cast<std::uint64_t>(number)) : Json(number);
  }
}

/// The last readable state of a list.
const Json* last_good(const Json& states) {
  const Json* last = nullptr;
  for (const Json& state : states)
    if (state.contains("step")) last = &state;
  return last;
}

}  // namespace

Json summary_of(const StoredRun& run) {
  const Json& record = run.record;
  Json info{{"kind", "run"}, {"folder", run.folder.string()}};
  if (record.is_object()) {
    copy_keys(info, record,
              {"title", "status", "reason", "stop_reason", "failure", "warning", "notes", "steps",
               "time"});
    if (const auto* units = units_of(record))
      info["units"] = units->name, info["time_unit"] = units->time;
    copy_keys(info, record,
              {"bodies", "bodies_at_end", "energy_error_max", "energy_given", "force_errors",
               "center_of_mass_speed", "state_hash", "backend", "device", "precision", "simd",
               "stepping", "threads", "seed", "parameters", "version", "timings"});
    if (record.contains("last") && record["last"].is_object())
      copy_keys(info, record["last"], {"energy_error"});
  } else if (fs::exists(run.folder / "run.json")) {
    info["status"] = "unreadable";
    info["reason"] = "its run.json is not that of a run";
  }
  if (!info.contains("status")) info["status"] = "unknown";
  if (!info.contains("steps")) add_series(info, run);
  return info;
}

namespace {

Json run_info(const fs::path& folder, bool all, bool check) {
  const StoredRun run = stored_run(folder);
  Json info = summary_of(run);
  if (!info.contains("series_rows")) add_series(info, run);
  info["snapshots"] = states_of(run.snapshots, all);
  if (run.snapshots.empty() && !other_formats(folder).empty())
    info["unread"] = no_snapshots(run).diagnostics().front().problem;
  info["checkpoints"] = states_of(run.checkpoints, true);
  if (check) check_newest(info["checkpoints"]);
  info["outputs"] = outputs_of(folder);
  const Json* checkpoint = last_good(info["checkpoints"]);
  if (checkpoint != nullptr && info["status"] != "done") {
    const fs::path file = checkpoint->at("file").get<std::string>();
    const bool of_a_run = sim::step_of(file).has_value();  // not of a window
    info["goes_on"] = of_a_run ? "mote resume " + folder.string() : "mote view " + file.string();
  }
  return info;
}

Json parameters_of(const Json& parameters) {
  return parameters.is_object() ? parameters : Json::object();
}

/// Adds what only a checkpoint has; reads it in full, which checks it.
void add_checkpoint(Json& info, const fs::path& file) {
  const sim::Checkpoint checkpoint = sim::read_checkpoint(file);
  info["scene_file"] = checkpoint.scene_file.string();
  info["trusted"] = checkpoint.trusted;
  info["parameters"] = parameters_of(checkpoint.parameters);
  info["backend"] = engine::name_of(checkpoint.backend);
  info["device"] = checkpoint.device;
  info["precision"] = engine::name_of(checkpoint.precision);
  info["simd"] = engine::name_of(checkpoint.simd);
  info["dt"] = checkpoint.live.dt;
  info["edits"] = checkpoint.edits.size();
  info["goes_on"] = "mote view " + file.string();
}

Json file_info(const fs::path& file) {
  const sim::SnapshotHead head = sim::read_snapshot_head(file);
  const sim::SnapshotMetadata& metadata = head.metadata;
  Json info{{"kind", head.checkpoint ? "checkpoint" : "snapshot"},
            {"file", file.string()},
            {"title", metadata.title},
            {"steps", metadata.step},
            {"time", metadata.time},
            {"time_unit", metadata.units.time},
            {"bodies", head.count},
            {"precision", engine::name_of(head.precision)},
            {"units", metadata.units.name},
            {"gravitational", metadata.gravitational},
            {"softening", metadata.softening}};
  if (metadata.hash) info["state_hash"] = sim::hash_text(*metadata.hash);
  Json columns = Json::array({"id", "position"});
  if (metadata.columns.velocity) columns.push_back("velocity");
  if (metadata.columns.mass) columns.push_back("mass");
  if (metadata.columns.species) columns.push_back("species");
  if (metadata.columns.acceleration) columns.push_back("acceleration");
  if (metadata.columns.potential) columns.push_back("potential");
  info["columns"] = std::move(columns);
  Json species = Json::array();
  for (const sim::SnapshotSpecies& kind : metadata.kinds) species.push_back(kind.name);
  if (!species.empty()) info["species"] = std::move(species);
  info["version"] = head.version.empty() ? Json() : Json(head.version);
  info["bytes"] = fs::file_size(file);
  if (head.checkpoint) add_checkpoint(info, file);
  return info;
}

}  // namespace

Json info_of(const fs::path& path, bool all, bool check) {
  const Json info = is_folder(path) ? run_info(path, all, check) : file_info(path);
  return engine::parse_json(engine::json_text(info));  // paths need not be UTF-8, but JSON is
}

}  // namespace mote::app
