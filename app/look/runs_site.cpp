#include "app/look/runs_site.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <optional>

#include "app/look/compare_runs.h"
#include "app/look/info.h"
#include "app/look/plot.h"
#include "app/look/runs_page.h"
#include "app/look/stored_run.h"
#include "app/sweep/jobs.h"
#include "app/sweep/summary.h"
#include "engine/check.h"
#include "engine/json.h"
#include "engine/text.h"
#include "sim/output/run_claim.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

using engine::Json;
using render::serve::SiteAnswer;
using render::serve::SiteRequest;

/// Several pages, and one that asks often, share what was found within this time.
constexpr std::chrono::milliseconds between_updates(1000);
/// Levels of folders in that of a run.
constexpr int deepest_file = 4;

std::string value_of(const SiteRequest& request, const std::string& key) {
  const auto found = request.query.find(key);
  return found == request.query.end() ? "" : found->second;
}

std::optional<int> number_in_reference(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

engine::InputError unknown_run() {
  return {"run", "is not in the list any more", "open it from the list again"};
}

/// Refuses a folder if a part of its path below `top` is a link: another process may have put one
/// there since it was listed.
void expect_plain_folder(const fs::path& top, const fs::path& folder) {
  fs::path at = top;
  for (const fs::path& part : folder.lexically_relative(top)) {
    at /= part;
    std::error_code unknown;
    if (part != "." && !fs::is_directory(fs::symlink_status(at, unknown))) throw unknown_run();
  }
}

/// Refuses a folder of which a table or a snapshot is a link, whose text could be from anywhere.
void expect_plain_tables(const fs::path& folder) {
  for (const char* part : {".", "rows", "snapshots", "checkpoints"}) {
    std::error_code error;
    for (fs::directory_iterator at(folder / part, error); !error && at != fs::end(at);
         at.increment(error)) {
      std::error_code unknown;
      const fs::path ending = at->path().extension();
      if ((ending == ".csv" || ending == ".json" || ending == ".h5") && at->is_symlink(unknown))
        throw engine::InputError(at->path().string(), "is a symbolic link",
                                 "show it in a terminal, with `mote info`");
    }
  }
}

/// A FileUse says what a page does with a file.
struct FileUse {
  const char *ending, *kind, *type;
};
constexpr const char* any_type = "application/octet-stream";
/// An SVG that others may have written is not among the pictures: opened alone, it is a document.
constexpr FileUse kinds[] = {{".png", "picture", "image/png"}, {".jpg", "picture", "image/jpeg"},
                             {".mp4", "movie", "video/mp4"},   {".webm", "movie", "video/webm"},
                             {".txt", "text", "text/plain"},   {".lua", "text", "text/plain"}};

const FileUse* kind_of(const fs::path& file) {
  const std::string ending = file.extension().string();
  for (const FileUse& kind : kinds)
    if (ending == kind.ending) return &kind;
  return nullptr;
}

struct FoundFile {
  std::string name;  ///< relative to the folder
  fs::path path;
  std::uintmax_t bytes = 0;
};

/// The files in a folder by name, those directly in it first. Links are left out, since they may
/// lead anywhere. `all` is false if there are more.
struct FoundFiles {
  std::vector<FoundFile> files;
  bool all = true;
};

FoundFiles files_in(const fs::path& folder) {
  FoundFiles found;
  std::deque<std::pair<fs::path, int>> places{{folder, 1}};
  while (!places.empty() && found.all) {
    const auto [place, depth] = places.front();
    places.pop_front();
    std::error_code error;
    std::vector<fs::path> here, below;
    for (fs::directory_iterator at(place, error); !error && at != fs::end(at);
         at.increment(error)) {
      std::error_code ignored;
      const fs::file_status status = at->symlink_status(ignored);
      if (fs::is_directory(status) && depth < deepest_file) below.push_back(at->path());
      if (fs::is_regular_file(status)) here.push_back(at->path());
    }
    std::sort(here.begin(), here.end());
    std::sort(below.begin(), below.end());
    for (const fs::path& one : below) places.emplace_back(one, depth + 1);
    const std::size_t left = RunsSite::most_files - found.files.size();
    if (here.size() > left) {
      found.all = false;
      here.resize(left);
    }
    for (const fs::path& file : here) {
      std::error_code unknown;
      const std::uintmax_t bytes = fs::file_size(file, unknown);
      found.files.push_back({file.lexically_relative(folder).string(), file, unknown ? 0 : bytes});
    }
  }
  return found;
}

Json files_json(const fs::path& folder) {
  const FoundFiles found = files_in(folder);
  Json files = Json::array();
  for (const FoundFile& file : found.files) {
    const FileUse* kind = kind_of(file.path);
    files.push_back({{"name", file.name}, {"bytes", file.bytes}, {"kind", kind ? kind->kind : ""}});
  }
  return {{"files", files}, {"all", found.all}};
}

/// A run, as `mote info` shows it, and its files. The newest checkpoint is not read in full: that
/// may take long.
Json run_json(const fs::path& folder) {
  Json info = info_of(folder, false, false);
  info.erase("outputs");
  Json lines = Json::array();
  for (const InfoLine& line : info_lines(info))
    lines.push_back({{"name", line.name}, {"text", line.text}});
  Json run = files_json(folder);
  run["lines"] = std::move(lines);
  return run;
}

/// The jobs of a sweep that have ended: their parameters, and the measurements that `mote info`
/// shows means of.
Json sweep_json(const fs::path& folder) {
  Json sweep{{"columns", Json::array()}, {"rows", Json::array()}, {"left_out", 0}};
  const SweepResultsTable table = sweep_results(folder);
  if (table.rows.empty()) return sweep;
  const SweepSummary summary = sweep_summary(folder);
  std::vector<std::string> shown{"job", "status", "reason", "seed"};
  for (const auto& names : {summary.varied, summary.main_columns()})
    shown.insert(shown.end(), names.begin(), names.end());
  for (const std::string& name : shown) sweep["columns"].push_back(summary.with_unit(name));
  for (const auto& row : table.rows) {
    if (sweep["rows"].size() == RunsSite::most_rows) break;
    Json cells = Json::array();
    for (const std::string& name : shown) {
      const std::size_t at = table.column(name);
      cells.push_back(at < row.size() ? row[at] : "");
    }
    sweep["rows"].push_back(std::move(cells));
  }
  sweep["left_out"] = table.rows.size() - sweep["rows"].size();
  return sweep;
}

SiteAnswer file_answer(const fs::path& folder, const std::string& name) {
  for (const FoundFile& file : files_in(folder).files) {
    if (file.name != name) continue;
    const FileUse* kind = kind_of(file.path);
    return {.type = kind ? kind->type : any_type,
            .file = file.path,
            .name = file.path.filename().string()};
  }
  throw engine::InputError("file", "is not in the folder any more", "open the run again");
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

SiteAnswer problem(int status, const std::string& text) {
  return {.status = status, .body = engine::json_text(Json{{"error", text}})};
}

}  // namespace

std::string_view RunsSite::page() const {
  return runs_page();
}

Json RunsSite::runs() {
  const auto now = std::chrono::steady_clock::now();
  if (updated_ == std::chrono::steady_clock::time_point() || now - updated_ > between_updates) {
    list_.update();
    updated_ = std::chrono::steady_clock::now();
  }
  Json all = Json::array();
  for (const FoundRun& run : list_.runs()) {
    Json one = run.facts;
    one["id"] = std::to_string(run.id);
    all.push_back(std::move(one));
  }
  return {{"folder", fs::absolute(list_.folder()).lexically_normal().string()},
          {"omissions", list_.omissions()},
          {"runs", all}};
}

fs::path RunsSite::folder_of(const std::string& reference) const {
  const std::size_t dot = reference.find('.');
  const auto id = number_in_reference(std::string_view(reference).substr(0, dot));
  const FoundRun* const run = id ? list_.find(*id) : nullptr;
  if (!run) throw unknown_run();
  fs::path folder = run->folder;
  if (dot != reference.npos) {
    const auto job = number_in_reference(std::string_view(reference).substr(dot + 1));
    if (!job || *job < 1 || !is_sweep(folder)) throw unknown_run();
    folder = job_folder(folder, *job);
  }
  expect_plain_folder(list_.folder(), folder);
  sim::expect_no_links_outside(folder);
  expect_plain_tables(folder);
  return folder;
}

SiteAnswer RunsSite::answer(const SiteRequest& request) {
  if (request.path == "/api/runs") return {.body = engine::json_text(runs())};
  const fs::path folder = folder_of(value_of(request, "run"));
  if (request.path == "/api/run") return {.body = engine::json_text(run_json(folder))};
  if (request.path == "/api/sweep") return {.body = engine::json_text(sweep_json(folder))};
  if (request.path == "/api/file") return file_answer(folder, value_of(request, "name"));
  const std::string with = value_of(request, "with");
  if (request.path == "/api/compare")
    return {.body =
                engine::json_text(comparison_of(stored_run(folder), stored_run(folder_of(with))))};
  if (request.path != "/api/plot") return problem(404, "there is no such page");
  PlotRequest plot;
  plot.runs = {folder};
  if (!with.empty()) plot.runs.push_back(folder_of(with));
  plot.what = words_of(value_of(request, "what"));
  return {.type = "image/svg+xml", .body = plot_svg(plot)};
}

SiteAnswer RunsSite::get(const SiteRequest& request) {
  try {
    return answer(request);
  } catch (const engine::InputError& error) {
    return problem(404, error.what());
  } catch (const std::exception& error) {
    return problem(500, error.what());
  }
}

}  // namespace mote::app
