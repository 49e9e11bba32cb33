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

/// Under a name of this process first: several may begin with the same folder at once.
void write_apart(const fs::path& file, const std::string& text) {
  fs::path own = file;
  own += fmt::format(".{}", ::getpid());
  engine::write_whole(own, text, true);
  std::error_code error;
  fs::rename(own, file, error);
  if (error)
    throw engine::SystemError("write " + file.string(), error.message(),
                              "check that the folder is writable");
  engine::sync_to_disk(fs::absolute(file).parent_path());
}

/// Which line differs first, in words.
std::string difference(const std::string& old_text, const std::string& new_text) {
  const auto lines_before = [](const std::string& text, std::size_t at) {
    return std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  };
  std::size_t at = 0;
  while (at < std::min(old_text.size(), new_text.size()) && old_text[at] == new_text[at]) ++at;
  const auto line = lines_before(new_text, at);
  if (line <= 1) return "its scene was another one";
  if (line == 2) return "the text of the scene has changed";
  if (line == 3) return "the options of its runs were others";
  return fmt::format("job {} was another one", std::max<long>(1, line - 4));
}

}  // namespace

bool open_sweep_folder(const fs::path& out, const CheckedSweep& sweep) {
  const std::string text = jobs_text(sweep.plan, sweep.jobs, sweep.scene);
  const fs::path jobs = out / "jobs.json";
  if (fs::exists(jobs)) {
    const std::string before = engine::read_whole(jobs);
    if (before == text) return true;
    throw engine::InputError("--out " + out.string(),
                             "holds the sweep of another plan: " + difference(before, text),
                             "choose another folder");
  }
  for (const char* name : {"runs", "failures", "results.csv", "log.txt"})
    if (fs::exists(out / name))
      throw engine::InputError("--out " + out.string(),
                               std::string("has files that a sweep would overwrite: ") + name,
                               "choose another folder");
  std::error_code error;
  fs::create_directories(out, error);
  if (error || !fs::is_directory(out))
    throw engine::SystemError("make the folder " + out.string(),
                              error ? error.message() : "a file of this name is in the way",
                              "choose another with --out, or check its permissions");
  write_apart(out / ("plan" + sweep.plan.file.extension().string()), sweep.plan.text);
  write_apart(jobs, text);
  return false;
}

SweepLock::SweepLock(const fs::path& out, bool alone) {
  std::error_code ignored;
  fs::create_directories(out, ignored);
  // Handed on to workers, on purpose: the claim ends with the last of them.
  file_ = ::open(out.c_str(), O_RDONLY | O_DIRECTORY);
  if (file_ < 0) return;  // what writes there next will say why
  // The processes of a sweep that has just been ended take a moment. A file system that cannot do
  // this does without.
  for (int tries = 0; tries < 20; ++tries) {
    if (::flock(file_, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    ::usleep(50'000);
  }
  ::close(file_);
  throw engine::InputError("--out " + out.string(), "another `mote sweep` is at work there",
                           "wait for its end");
}

SweepLock::~SweepLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace mote::app
