#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "app/sweep/sweep.h"
#include "engine/check.h"
#include "engine/files.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

/// Writes a temporary file and renames it: several processes may start in the same folder at once.
void write_atomically(const fs::path& file, const std::string& text) {
  fs::path temporary = file;
  temporary += fmt::format(".{}", ::getpid());
  engine::write_file(temporary, text, true);
  std::error_code error;
  fs::rename(temporary, file, error);
  if (error)
    throw engine::SystemError("write " + file.string(), error.message(),
                              "check that the folder is writable");
  engine::sync_to_disk(fs::absolute(file).parent_path());
}

/// Describes the first line of jobs.json that differs.
std::string difference(const std::string& old_text, const std::string& new_text) {
  const auto lines_before = [](const std::string& text, std::size_t at) {
    return std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  };
  std::size_t at = 0;
  while (at < std::min(old_text.size(), new_text.size()) && old_text[at] == new_text[at]) ++at;
  const auto line = lines_before(new_text, at);
  if (line <= 1) return "its scene is different";
  if (line == 2) return "the text of the scene has changed";
  if (line == 3) return "the options of its runs are different";
  return fmt::format("job {} is different", std::max<long>(1, line - 4));
}

}  // namespace

bool open_sweep_folder(const fs::path& out, const CheckedSweep& sweep) {
  const std::string text = jobs_text(sweep.plan, sweep.jobs, sweep.scene);
  const fs::path jobs = out / "jobs.json";
  if (fs::exists(jobs)) {
    const std::string before = engine::read_file(jobs);
    if (before == text) return true;
    throw engine::InputError("--out " + out.string(),
                             "holds the sweep of another plan: " + difference(before, text),
                             "choose another folder");
  }
  for (const char* name :
       {"runs", "failures", "results.csv", "results.units.json", "machines.csv", "log.txt"})
    if (fs::exists(out / name))
      throw engine::InputError("--out " + out.string(),
                               std::string("has files that a sweep would overwrite: ") + name,
                               "choose another folder");
  std::error_code error;
  fs::create_directories(out, error);
  if (error || !fs::is_directory(out))
    throw engine::SystemError("create the folder " + out.string(),
                              error ? error.message() : "a file of this name exists",
                              "choose another with --out, or check its permissions");
  write_atomically(out / ("plan" + sweep.plan.file.extension().string()), sweep.plan.text);
  write_atomically(jobs, text);
  return false;
}

SweepLock::SweepLock(const fs::path& out, bool alone) {
  std::error_code ignored;
  fs::create_directories(out, ignored);
  // Inherited by the workers on purpose: the lock ends with the last of them.
  file_ = ::open(out.c_str(), O_RDONLY | O_DIRECTORY);
  if (file_ < 0) return;  // the next write there reports the cause
  // Retry, as the processes of a sweep that was just ended take a moment to exit. A file system
  // without locks is accepted.
  for (int tries = 0; tries < 20; ++tries) {
    if (::flock(file_, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    ::usleep(50'000);
  }
  ::close(file_);
  throw engine::InputError("--out " + out.string(), "another `mote sweep` is running there",
                           "wait for it to end");
}

SweepLock::~SweepLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace mote::app
