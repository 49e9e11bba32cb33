#include "app/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/check.h"
#include "engine/files.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/io/zip.h"

namespace mote::app {
namespace {

namespace fs = std::filesystem;

/// A file with this name exists, or the part of it that an unfinished run has.
fs::path written(const fs::path& file) {
  std::error_code ignored;
  for (const fs::path& one : {file, engine::part_of(file)})
    if (fs::is_regular_file(one, ignored)) return one;
  return {};
}

bool is_run(const fs::path& folder) {
  return !written(folder / "run.json").empty() || !written(folder / "log.txt").empty();
}

/// The folder in the current one whose run has changed last; empty if there is none.
fs::path newest_run() {
  fs::path newest;
  fs::file_time_type last;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(".", ignored)) {
    const fs::path log = written(entry.path() / "log.txt");
    if (log.empty() || !is_run(entry.path())) continue;
    const fs::file_time_type time = fs::last_write_time(log, ignored);
    if (newest.empty() || time > last) newest = entry.path().filename(), last = time;
  }
  return newest;
}

/// Log, record and scene of a run. A bundle is sent to others: links could lead to private files,
/// so they are left out, and told.
struct RunFiles {
  std::vector<fs::path> files, links;
};
RunFiles files_of(const fs::path& run) {
  RunFiles found;
  std::error_code ignored;
  for (const char* name : {"run.json", "log.txt", "scene.lua", "scene.json"}) {
    const fs::path file = written(run / name);
    if (!file.empty()) (fs::is_symlink(file, ignored) ? found.links : found.files).push_back(file);
  }
  if (fs::is_symlink(run / "scene", ignored)) {
    found.links.push_back(run / "scene");
  } else {
    for (const auto& entry : fs::recursive_directory_iterator(run / "scene", ignored)) {
      if (entry.is_symlink(ignored))
        found.links.push_back(entry.path());
      else if (entry.is_regular_file(ignored))
        found.files.push_back(entry.path());
    }
  }
  std::sort(found.files.begin(), found.files.end());
  std::sort(found.links.begin(), found.links.end());
  return found;
}

}  // namespace

void write_bundle(const fs::path& file, fs::path run, const std::string& doctor) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(file, ignored)))
    throw engine::InputError(file.string(), "already exists",
                             "name another file, or remove it first");
  if (!run.empty() && !is_run(run))
    throw engine::InputError("--run " + run.string(), "is not a run folder",
                             "name one that has a run.json or a log.txt");
  if (run.empty()) run = newest_run();
  std::vector<std::pair<std::string, std::string>> members{{"doctor.txt", doctor}};
  const RunFiles of_run = run.empty() ? RunFiles() : files_of(run);
  for (const fs::path& one : of_run.files)
    members.emplace_back("run" / one.lexically_relative(run), engine::read_file(one));
  sim::ZipFile zip(file);
  for (const auto& [name, text] : members)
    zip.member(name, [&text = text](const sim::ZipFile::Sink& sink) { sink(text); });
  zip.commit();
  engine::print("{}: written, with\n", file.string());
  for (const auto& [name, text] : members)
    engine::print("  {:<20} {:>10}\n", name, engine::bytes_text(static_cast<double>(text.size())));
  for (const fs::path& link : of_run.links)
    engine::print("Left out, since it is a symbolic link: {}\n", link.string());
  if (run.empty())
    engine::print("No run is in it: this folder has none; name one with --run DIR\n");
  else
    engine::print(
        "The run is {}. Its run.json and log have the command line and the paths of its files: "
        "read them before you pass them on.\n",
        run.string());
}

}  // namespace mote::app
