#include "app/look/runs.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "app/look/info.h"
#include "app/look/stored_run.h"
#include "app/look/table_text.h"
#include "app/sweep/slurm.h"
#include "app/sweep/summary.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/machine.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::app {
namespace fs = std::filesystem;

/// When a file was last written, and its size; both the least for one that is not there.
struct FileState {
  fs::file_time_type written = fs::file_time_type::min();
  std::uintmax_t bytes = 0;
  bool operator==(const FileState&) const = default;
};

namespace {

using engine::Json;

/// The files by whose times and sizes a run or a sweep has changed.
constexpr const char* changing_files[] = {"run.json", "series.csv", "series.csv.part",
                                          "results.csv", "jobs.json"};
/// Larger numbers of steps are no counts, and would not fit the integers that show them.
constexpr double most_steps = 1e18;
/// Jobs on other machines leave their results in folders of their own, which take long to read.
constexpr std::chrono::seconds between_counts(10);

std::vector<FileState> states_of(const fs::path& folder) {
  std::vector<FileState> states;
  for (const char* name : changing_files) {
    FileState& state = states.emplace_back();
    std::error_code missing;
    state.written = fs::last_write_time(folder / name, missing);
    if (missing) state.written = fs::file_time_type::min();
    state.bytes = missing ? 0 : fs::file_size(folder / name, missing);
  }
  return states;
}

/// The time at which the newest of these files was written, in UTC.
std::string written_text(const std::vector<FileState>& states) {
  fs::file_time_type newest = fs::file_time_type::min();
  for (const FileState& state : states) newest = std::max(newest, state.written);
  if (newest == fs::file_time_type::min()) return "";
  const auto time =
      std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::file_clock::to_sys(newest));
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time.time_since_epoch().count()));
}

std::string text_at(const Json& facts, const char* key) {
  const auto found = facts.find(key);
  return found != facts.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<double> number_at(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

/// The part of a run that is done, by what its run.json says of its end.
std::optional<double> progress_of(const Json& record, const Json& info) {
  if (!record.is_object() || !record.contains("stop")) return std::nullopt;
  std::optional<double> progress;
  for (const auto& [now, end] : {std::pair{"steps", "steps"}, {"time", "time"}}) {
    const auto done = number_at(info, now), all = number_at(record["stop"], end);
    if (done && all && *all > 0) progress = std::max(progress.value_or(0), *done / *all);
  }
  if (progress) progress = std::clamp(*progress, 0.0, 1.0);
  return progress;
}

/// The facts of a run, but for whether a process is writing it.
Json run_facts(const fs::path& folder) {
  const StoredRun run = stored_run(folder);
  const Json info = summary_of(run);
  Json facts{{"kind", "run"}, {"status", "unknown"}};
  for (const char* key : {"title", "status"})
    if (const std::string text = text_at(info, key); !text.empty()) facts[key] = text;
  for (const char* key : {"reason", "failure", "stop_reason"})
    if (const std::string text = text_at(info, key); !text.empty()) facts["reason"] = text;
  if (const auto progress = progress_of(run.record, info)) facts["progress"] = *progress;
  for (const char* key : {"time_unit", "state_hash"})
    if (const std::string text = text_at(info, key); !text.empty()) facts[key] = text;
  if (const auto steps = number_at(info, "steps"); steps && *steps >= 0 && *steps <= most_steps)
    facts["steps"] = info["steps"];
  if (const auto time = number_at(info, "time"); time && std::isfinite(*time)) {
    facts["time"] = *time;
    facts["time_text"] =
        text_at(info, "time_unit").empty() ? fmt::format("{:.6g}", *time) : time_text(info, *time);
  }
  // Other machines may see the folder, but not whether a process of this one writes it.
  if (facts["status"] == "running")
    if (const std::string host = text_at(*run.record, "host"); !host.empty()) facts["host"] = host;
  if (run.record.is_null()) facts["reason"] = "it has no run.json";
  return facts;
}

int jobs_in(const fs::path& sweep) {
  return static_cast<int>(
      engine::parse_json(engine::read_file(sweep / "jobs.json")).at("jobs").size());
}

std::map<std::string, int> statuses_in(const fs::path& sweep) {
  const SweepResultsTable table = sweep_results(sweep);
  std::map<std::string, int> statuses;
  const std::size_t status = table.column("status");
  if (table.rows.empty() && was_submitted(sweep)) {
    const SweepCounts counts = count_jobs(sweep);
    return {{"done", counts.done},
            {"unhealthy", counts.unhealthy},
            {"failed", counts.failed},
            {"interrupted", counts.interrupted}};
  }
  if (status < table.columns.size())
    for (const auto& row : table.rows) ++statuses[row[status]];
  return statuses;
}

/// The facts of a sweep, but for whether a process runs it.
Json sweep_facts(const fs::path& folder) {
  const int jobs = jobs_in(folder);
  Json statuses = Json::object();
  int ended = 0;
  for (const auto& [status, count] : statuses_in(folder)) {
    if (count == 0) continue;
    statuses[status] = count;
    if (status == "done" || status == "unhealthy" || status == "failed") ended += count;
  }
  return Json{{"kind", "sweep"},
              {"status", ended < jobs ? "unfinished" : "done"},
              {"progress", jobs > 0 ? static_cast<double>(ended) / jobs : 1.0},
              {"jobs", jobs},
              {"statuses", statuses}};
}

/// The facts of a run or a sweep; why it cannot be read, if that is so.
Json facts_of(const fs::path& folder, bool sweep) {
  std::string reason;
  try {
    return sweep ? sweep_facts(folder) : run_facts(folder);
  } catch (const engine::InputError& error) {
    reason = error.diagnostics().front().problem;
  } catch (const Json::exception&) {
    reason = sweep ? "its jobs.json is not that of a sweep" : "its run.json is not that of a run";
  } catch (const std::exception& error) {
    reason = error.what();
  }
  return Json{{"kind", "unreadable"}, {"status", "unreadable"}, {"reason", reason}};
}

/// The status of what has not ended, by whether a process is at work on it.
std::string status_of(const Json& facts, const fs::path& folder, std::optional<bool> in_use) {
  const std::string status = text_at(facts, "status");
  if (in_use.value_or(false)) return "running";
  if (status == "running") {
    static const std::string this_host = engine::machine_info().host;
    const std::string host = text_at(facts, "host");
    if (!in_use) return "running, or killed";
    return host.empty() || host == this_host ? "killed" : "killed, or running on " + host;
  }
  if (status == "unfinished" && was_submitted(folder)) return "submitted";
  return status;
}

bool has_not_ended(const Json& facts) {
  const std::string status = text_at(facts, "status");
  return status == "running" || status == "unknown" || status == "unfinished";
}

std::string percent_text(const Json& facts) {
  const auto progress = number_at(facts, "progress");
  if (!progress || *progress >= 1) return "";
  return fmt::format(" {:.0f} %", std::floor(100 * *progress));
}

std::string local_time_text(const std::string& written) {
  std::tm utc{};
  if (::strptime(written.c_str(), "%Y-%m-%dT%H:%M:%SZ", &utc) == nullptr) return "";
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(::timegm(&utc)));
}

std::string statuses_text(const Json& statuses) {
  std::vector<std::string> counts;
  for (const auto& [status, count] : statuses.items())
    counts.push_back(engine::with_thousands(count.get<long long>()) + " " + status);
  return engine::joined(counts, ", ");
}

/// A text in a cell of the table, in which a line feed would begin another row.
std::string cell_text(std::string text) {
  for (const char control : {'\n', '\r', '\t'})
    std::replace(text.begin(), text.end(), control, ' ');
  return text;
}

}  // namespace

/// Known holds what was found when a folder was last read.
struct RunList::Known {
  int id = 0;
  std::vector<FileState> states = {};
  std::chrono::steady_clock::time_point read = {};
  engine::JsonBox facts = {};
  /// No process is writing the run. It is not asked again before a file changes: to ask takes the
  /// lock of the run for a moment, in which a process that resumes it would be refused.
  bool idle = false;
};

/// Folders that are still to be searched, and what was left out.
struct RunList::Search {
  struct Place {
    fs::path folder;
    int depth;
  };
  std::deque<Place> places;
  std::size_t folders = 0, links = 0, deeper = 0;
};

RunList::RunList(fs::path folder) : folder_(std::move(folder)) {
  if (!is_folder(folder_))
    throw engine::InputError(folder_.string(), "is not a folder",
                             "name the folder in which runs and sweeps are");
}

RunList::~RunList() = default;

const FoundRun* RunList::find(int id) const {
  const auto found =
      std::find_if(runs_.begin(), runs_.end(), [id](const FoundRun& run) { return run.id == id; });
  return found == runs_.end() ? nullptr : &*found;
}

void RunList::update() {
  runs_.clear();
  omissions_.clear();
  Search search;
  search.places.push_back({folder_, 0});
  while (!search.places.empty() && runs_.size() < most_runs && search.folders < most_folders) {
    const auto [folder, depth] = search.places.front();
    search.places.pop_front();
    ++search.folders;
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    if (error) {
      add_problem(folder, error.message());
      continue;
    }
    bool run = false, sweep = false;
    std::vector<fs::path> below;
    std::size_t links = 0;
    for (; entries != fs::directory_iterator(); entries.increment(error)) {
      const std::string name = entries->path().filename().string();
      std::error_code ignored;
      if (entries->is_symlink(ignored)) {
        links += entries->is_directory(ignored) ? 1 : 0;
        continue;
      }
      run = run || name == "run.json" || name == "series.csv" || name == "series.csv.part";
      sweep = sweep || name == "jobs.json";
      if (!name.starts_with('.') && entries->is_directory(ignored))
        below.push_back(entries->path());
    }
    if (run || sweep) {
      read(folder, sweep);
      continue;
    }
    search.links += links;
    std::sort(below.begin(), below.end());
    if (depth == deepest)
      search.deeper += below.empty() ? 0 : 1;
    else
      for (fs::path& one : below) search.places.push_back({std::move(one), depth + 1});
  }
  std::sort(runs_.begin(), runs_.end(),
            [](const FoundRun& a, const FoundRun& b) { return a.folder < b.folder; });
  const auto omit = [&](std::size_t count, std::string_view noun, const std::string& what) {
    if (count > 0)
      omissions_.push_back(engine::counted(static_cast<long long>(count), noun) + " " + what);
  };
  omit(search.places.size(), "folder",
       runs_.size() >= most_runs
           ? fmt::format("not searched: the list ends after {} runs", most_runs)
           : fmt::format("not searched: the search ends after {} folders", most_folders));
  omit(search.deeper, "folder",
       fmt::format("not searched: more than {} levels down; name one of them", deepest));
  omit(search.links, "symbolic link", "not followed");
}

FoundRun& RunList::add(const fs::path& folder) {
  const std::string name = folder.lexically_relative(folder_).string();
  Known& known = known_.try_emplace(name, Known()).first->second;
  if (known.id == 0) known.id = static_cast<int>(known_.size());
  return runs_.emplace_back(FoundRun{known.id, folder, Json{{"name", name}}});
}

void RunList::add_problem(const fs::path& folder, const std::string& reason) {
  Json& facts = *add(folder).facts;
  facts["kind"] = facts["status"] = "unreadable";
  facts["reason"] = reason;
}

void RunList::read(const fs::path& folder, bool sweep) {
  Json& facts = *add(folder).facts;
  Known& known = known_.at(facts["name"]);
  const std::vector<FileState> states = states_of(folder);
  const auto now = std::chrono::steady_clock::now();
  std::error_code unknown;
  const bool due =
      sweep && !fs::exists(folder / "results.csv", unknown) && now - known.read > between_counts;
  if (known.facts.is_null() || states != known.states || due) {
    known.facts = facts_of(folder, sweep);
    if (const std::string written = written_text(states); !written.empty())
      known.facts->emplace("written", written);
    known.states = states;
    known.read = now;
    known.idle = false;
  }
  facts.update(*known.facts);
  if (!has_not_ended(facts)) return;
  const auto in_use =
      known.idle ? std::optional(false) : is_in_use(sweep ? folder : folder / "log.txt");
  known.idle = !sweep && in_use == false;
  facts["status"] = status_of(facts, folder, in_use);
}

void print_runs(const RunList& list) {
  std::vector<std::vector<std::string>> table{
      {"name", "status", "steps", "time", "written", "hash", "title"}};
  for (const FoundRun& run : list.runs()) {
    const Json& facts = run.facts;
    const bool sweep = facts["kind"] == "sweep";
    const auto steps = number_at(facts, "steps");
    std::vector<std::string> about;
    for (const std::string& text :
         {text_at(facts, "title"), text_at(facts, "reason"),
          sweep ? fmt::format("sweep of {}", engine::counted(facts["jobs"].get<int>(), "job")) : "",
          sweep ? statuses_text(facts["statuses"]) : ""})
      if (!text.empty()) about.push_back(text);
    table.push_back({cell_text(text_at(facts, "name")),
                     text_at(facts, "status") + percent_text(facts),
                     steps ? engine::with_thousands(static_cast<long long>(*steps)) : "",
                     text_at(facts, "time_text"), local_time_text(text_at(facts, "written")),
                     text_at(facts, "state_hash"), cell_text(engine::joined(about, "; "))});
  }
  if (list.runs().empty())
    engine::print("{}: has no runs and no sweeps\n", list.folder().string());
  else
    print_table(table);
  for (const std::string& omission : list.omissions()) engine::print("{}\n", omission);
}

}  // namespace mote::app
