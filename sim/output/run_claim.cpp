#include "sim/output/run_claim.h"

#include <array>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/check.h"
#include "engine/json.h"
#include "sim/measure/histogram.h"

namespace mote::sim {
namespace fs = std::filesystem;

namespace {

/// Files that a run writes, which --force may therefore remove; log.txt and the histograms come in
/// addition. Checkpoints and run.json are first: a half-removed run must neither be resumed nor be
/// marked as done.
constexpr std::array run_files{"checkpoints",
                               "run.json",
                               "scene.lua",
                               "scene.json",
                               "series.csv",
                               "movie.mp4",
                               "snapshots",
                               "picture.png",
                               "frames",
                               "rows",
                               "pictures",
                               "scene",
                               "offenders.csv",
                               "export",
                               "radial_distribution.csv",
                               "series.units.json",
                               "radial_distribution.units.json"};

/// Expressions of which run.json of a folder lists histograms, and scalars.
std::vector<std::string> histograms_of(const fs::path& folder) {
  std::vector<std::string> names;
  try {
    if (!fs::exists(folder / "run.json")) return names;
    const engine::Json record = engine::parse_json(engine::read_file(folder / "run.json"));
    for (const auto& [name, ignored] : record.at("histograms").items()) names.push_back(name);
  } catch (const std::exception&) {
    return names;  // no readable run.json, or none with histograms
  }
  return names;
}

/// All names in a folder that a run may write to, including histograms of every scalar and of the
/// expressions of the run that is there.
std::vector<std::string> names_of_runs(const fs::path& folder) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    names.push_back(name);
    names.push_back(engine::part_of(name));
  };
  for (const char* name : run_files) add(name);
  for (const ScalarInfo& scalar : scalars()) add(file_name(scalar));
  for (const std::string& name : histograms_of(folder))
    if (const Quantity q(name); q.kind == Scalar::expression) add(file_name(scalar_info(q)));
  names.emplace_back("movie.parts");
  return names;
}

fs::path log_of(const fs::path& folder) {
  return folder / "log.txt";
}

bool is_empty_file(const fs::path& file) {
  std::error_code error;
  return fs::file_size(file, error) == 0 && !error;
}

/// Names of existing files that a run would write, as text; "" for none. An empty log.txt does not
/// count.
std::string existing_outputs(const fs::path& folder) {
  std::string found;
  const auto add = [&](const std::string& name) { found += (found.empty() ? "" : ", ") + name; };
  for (const std::string& name : names_of_runs(folder))
    if (fs::exists(folder / name)) add(name);
  if (fs::exists(log_of(folder)) && !is_empty_file(log_of(folder))) add("log.txt");
  return found;
}

/// True if the folder contains a run, finished or not. Only then may --force remove anything.
bool is_run(const fs::path& folder) {
  return fs::exists(folder / "run.json") || fs::exists(log_of(folder));
}

/// True if the folder contains nothing but an empty log.txt.
bool is_empty_claim(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  return !error && entries != fs::directory_iterator() && ++entries == fs::directory_iterator() &&
         is_empty_file(log_of(folder));
}

/// True if a run is unfinished and has checkpoints to resume from.
bool can_resume(const fs::path& run) {
  std::error_code ignored;
  const fs::path checkpoints = run / "checkpoints";
  if (!fs::exists(checkpoints, ignored) || fs::is_empty(checkpoints, ignored)) return false;
  try {
    return engine::parse_json(engine::read_file(run / "run.json")).value("status", "") != "done";
  } catch (const std::exception&) {
    return false;  // no readable run.json
  }
}

void expect_free(const fs::path& folder, bool force) {
  const std::string existing = existing_outputs(folder);
  if (!existing.empty() && !is_run(folder))
    throw engine::InputError("--out " + folder.string(),
                             "has files that a run would overwrite: " + existing,
                             "choose another folder");
  if (!existing.empty() && !force)
    throw engine::InputError(
        "--out " + folder.string(), "already contains a run",
        (can_resume(folder) ? "continue it with `mote resume " + folder.string() + "`, "
                            : std::string()) +
            "choose another folder, or overwrite it with --force");
}

engine::InputError locked_error(const fs::path& folder) {
  return {folder.string(), "another mote process is writing this run",
          "wait until it has ended, or stop it"};
}

}  // namespace

bool make_folder(const fs::path& folder) {
  std::error_code error;
  const bool made = fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw engine::SystemError("make the folder " + folder.string(),
                              error ? error.message() : "a file of this name exists",
                              "choose another with --out, or check its permissions");
  return made;
}

void expect_no_links_outside(const fs::path& run) {
  const fs::path own = fs::canonical(run);
  for (const std::string& name : names_of_runs(run)) {
    std::error_code unknown;
    if (!fs::is_symlink(run / name, unknown)) continue;
    const fs::path inside = fs::weakly_canonical(run / name, unknown).lexically_relative(own);
    if (unknown || inside.empty() || *inside.begin() == "..")
      throw engine::InputError((run / name).string(),
                               "is a symbolic link to outside of the folder of the run",
                               "if you trust the source of this run, give --trust");
  }
}

RunClaim::RunClaim(const fs::path& requested, bool force) {
  if (!requested.empty()) {
    expect_free(requested, force);
    if (!acquire(requested)) throw locked_error(requested);
    expect_free(requested, force);  // another process may have run here before the lock was held
  }
  for (int i = 1; folder_.empty(); ++i) {
    const fs::path folder = i == 1 ? "out" : "out-" + std::to_string(i);
    const bool overwrite = force && is_run(folder);
    if (fs::exists(folder) && !overwrite && !is_empty_claim(folder)) continue;
    if (!acquire(folder) && overwrite) throw locked_error(folder);
    if (!overwrite && !is_empty_claim(folder)) folder_.clear();
  }
  unused_ = existing_outputs(folder_).empty();
}

RunClaim::RunClaim(const fs::path& run) : folder_(run) {
  lock_ = std::make_unique<engine::FileLock>(log_of(run));
  if (!lock_->held()) throw locked_error(run);
}

/// Makes the folder and locks it; false if another process holds the lock.
bool RunClaim::acquire(const fs::path& folder) {
  lock_.reset();
  for (int tries = 0; !lock_; ++tries) {
    made_ = make_folder(folder);
    try {
      lock_ = std::make_unique<engine::FileLock>(log_of(folder));
    } catch (const engine::SystemError&) {
      // Another process whose start failed may just have removed the folder.
      if (fs::exists(folder) || tries == 10) throw;
    }
  }
  if (!lock_->held()) return false;
  folder_ = folder;
  return true;
}

RunClaim::~RunClaim() {
  if (!lock_ || !unused_) return;
  std::error_code ignored;
  fs::remove(log_of(folder_), ignored);
  if (made_) fs::remove(folder_, ignored);
}

/// Removes all outputs but log.txt.
void RunClaim::clear() const {
  for (const std::string& name : names_of_runs(folder_)) {
    std::error_code error;
    fs::remove_all(folder_ / name, error);
    if (error)
      throw engine::SystemError("remove " + (folder_ / name).string(), error.message(),
                                "check the permissions of the folder");
  }
}

void RunClaim::begin(const std::function<void()>& make) {
  try {
    clear();
    make();
    unused_ = false;
  } catch (...) {
    unused_ = true;
    try {
      clear();
    } catch (const engine::SystemError&) {  // the first error is reported
    }
    throw;
  }
}

}  // namespace mote::sim
