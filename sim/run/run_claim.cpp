#include "sim/run/run_claim.h"

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

/// What a run leaves in its folder, and what --force may therefore remove, beside log.txt and the
/// histograms. The record comes first: while the rest is removed nothing says that the run is done.
constexpr std::array run_files{
    "run.json",  "scene.lua", "scene.json",    "series.csv", "picture.png",
    "movie.mp4", "snapshots", "checkpoints",   "frames",     "rows",
    "pictures",  "scene",     "offenders.csv", "export",     "radial_distribution.csv"};

/// All names that a run may write to. A histogram of something that bodies do not have is a file of
/// the user's.
std::vector<std::string> names_of_runs() {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    names.push_back(name);
    names.push_back(engine::part_of(name));
  };
  for (const char* name : run_files) add(name);
  for (const ScalarInfo& scalar : scalars()) add(file_name(scalar));
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

/// Names in the folder that a run would write, as text; "" for none. A claim alone takes none.
std::string taken_names(const fs::path& folder) {
  std::string taken;
  const auto add = [&](const std::string& name) { taken += (taken.empty() ? "" : ", ") + name; };
  for (const std::string& name : names_of_runs())
    if (fs::exists(folder / name)) add(name);
  if (fs::exists(log_of(folder)) && !is_empty_file(log_of(folder))) add("log.txt");
  return taken;
}

/// Whether a run was here, finished or not. Only then may --force remove anything.
bool is_run(const fs::path& folder) {
  return fs::exists(folder / "run.json") || fs::exists(log_of(folder));
}

/// Whether there is nothing in a folder but what a claim makes.
bool is_claim_alone(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  return !error && entries != fs::directory_iterator() && ++entries == fs::directory_iterator() &&
         is_empty_file(log_of(folder));
}

/// Whether a run has ended before its time, or is under way, and has checkpoints to go on from.
bool can_go_on(const fs::path& run) {
  std::error_code ignored;
  const fs::path checkpoints = run / "checkpoints";
  if (!fs::exists(checkpoints, ignored) || fs::is_empty(checkpoints, ignored)) return false;
  try {
    return engine::parse_json(engine::read_whole(run / "run.json")).value("status", "") != "done";
  } catch (const std::exception&) {
    return false;  // no record that can be read
  }
}

void expect_free(const fs::path& folder, bool force) {
  const std::string taken = taken_names(folder);
  if (!taken.empty() && !is_run(folder))
    throw engine::InputError("--out " + folder.string(),
                             "has files that a run would overwrite: " + taken,
                             "choose another folder");
  if (!taken.empty() && !force)
    throw engine::InputError(
        "--out " + folder.string(), "holds a run already",
        (can_go_on(folder) ? "`mote resume " + folder.string() + "` goes on with it; or "
                           : std::string()) +
            "choose another folder, or overwrite it with --force");
}

engine::InputError taken_by_another(const fs::path& folder) {
  return {folder.string(), "another mote is writing this run",
          "wait until it has ended, or end it"};
}

}  // namespace

bool make_folder(const fs::path& folder) {
  std::error_code error;
  const bool made = fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw engine::SystemError("make the folder " + folder.string(),
                              error ? error.message() : "a file of this name is in the way",
                              "choose another with --out, or check its permissions");
  return made;
}

void expect_no_way_out(const fs::path& run) {
  const fs::path own = fs::canonical(run);
  for (const std::string& name : names_of_runs()) {
    std::error_code unknown;
    if (!fs::is_symlink(run / name, unknown)) continue;
    const fs::path inside = fs::weakly_canonical(run / name, unknown).lexically_relative(own);
    if (unknown || inside.empty() || *inside.begin() == "..")
      throw engine::InputError((run / name).string(),
                               "is a link that leads out of the folder of the run",
                               "if you trust where the run comes from, give --trust");
  }
}

RunClaim::RunClaim(const fs::path& wanted, bool force) {
  if (!wanted.empty()) {
    expect_free(wanted, force);
    if (!take(wanted)) throw taken_by_another(wanted);
    expect_free(wanted, force);
  }
  for (int i = 1; folder_.empty(); ++i) {
    const fs::path folder = i == 1 ? "out" : "out-" + std::to_string(i);
    const bool again = force && is_run(folder);
    if (fs::exists(folder) && !again && !is_claim_alone(folder)) continue;
    if (!take(folder) && again) throw taken_by_another(folder);
    if (!again && !is_claim_alone(folder)) folder_.clear();
  }
  unused_ = taken_names(folder_).empty();
}

RunClaim::RunClaim(const fs::path& run) : folder_(run) {
  lock_ = std::make_unique<engine::FileLock>(log_of(run));
  if (!lock_->held()) throw taken_by_another(run);
}

/// Makes the folder and holds it; false where another process does.
bool RunClaim::take(const fs::path& folder) {
  lock_.reset();
  for (int tries = 0; !lock_; ++tries) {
    made_ = make_folder(folder);
    try {
      lock_ = std::make_unique<engine::FileLock>(log_of(folder));
    } catch (const engine::SystemError&) {
      // Another one whose start has failed may just have removed the folder.
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

/// All but log.txt.
void RunClaim::clear() const {
  for (const std::string& name : names_of_runs()) {
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
    } catch (const engine::SystemError&) {  // what was wrong first is said
    }
    throw;
  }
}

}  // namespace mote::sim
