#include "render/piped_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "engine/check.h"

extern char** environ;

namespace mote::render {
namespace fs = std::filesystem;

namespace {

std::string reason_of(int number) {
  return std::generic_category().message(number);
}

/// Spawn attributes of the child: standard input and error from here, output discarded, its own
/// process group so that Ctrl+C does not reach it, and default signal handling.
class SpawnPlan {
 public:
  SpawnPlan(int input, int errors) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_adddup2(&files_, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files_, errors, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  int start(pid_t& process, const fs::path& program, const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {program.filename().string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return posix_spawn(&process, program.c_str(), &files_, &attributes_, pointers.data(), environ);
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

}  // namespace

std::optional<fs::path> program_named(std::string_view name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const auto end = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, end)) / name;
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0)
      return candidate;
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  return std::nullopt;
}

PipedProgram::PipedProgram(const fs::path& program, const std::vector<std::string>& arguments)
    : name_(program.filename().string()) {
  // A socket instead of a pipe: writes to it can suppress SIGPIPE. A memory file for standard
  // error: a pipe would have to be drained while the program runs.
  std::array<int, 2> ends{-1, -1};
  errors_ = memfd_create("errors", MFD_CLOEXEC);
  int code = errors_ < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0
                 ? errno
                 : 0;
  if (code == 0) {
    input_ = ends[0];
    code = SpawnPlan(ends[1], errors_).start(process_, program, arguments);
    close(ends[1]);
  }
  if (code == 0) return;
  process_ = -1;
  close_files();
  throw engine::SystemError("start " + program.string(), reason_of(code),
                            "check that it can be run by hand");
}

PipedProgram::~PipedProgram() {
  if (process_ >= 0) {
    kill(process_, SIGKILL);
    wait();
  }
  close_files();
}

void PipedProgram::close_files() noexcept {
  if (input_ >= 0) close(input_);
  if (errors_ >= 0) close(errors_);
  input_ = errors_ = -1;
}

int PipedProgram::wait() noexcept {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

void PipedProgram::write(std::span<const std::uint8_t> bytes) {
  MOTE_EXPECT(process_ >= 0);
  while (!bytes.empty()) {
    const ssize_t sent = send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0)
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    else if (errno == EPIPE || errno == ECONNRESET)
      fail("it exited before reading all of its input");
    else if (errno != EINTR)
      fail(reason_of(errno));
  }
}

void PipedProgram::finish() {
  MOTE_EXPECT(process_ >= 0);
  close(input_);
  input_ = -1;
  const int status = wait();
  if (WIFSIGNALED(status)) fail("it was killed by signal " + std::to_string(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) fail("it exited with code " + std::to_string(WEXITSTATUS(status)));
  close_files();
}

void PipedProgram::fail(const std::string& reason) {
  if (process_ >= 0) {
    kill(process_, SIGKILL);
    wait();
  }
  const std::string words = last_error_output();
  close_files();
  throw engine::SystemError("run " + name_, reason + (words.empty() ? "" : ": " + words),
                            "check the disk's space, and that " + name_ + " works by hand");
}

std::string PipedProgram::last_error_output() const {
  struct stat info {};
  if (errors_ < 0 || fstat(errors_, &info) != 0) return "";
  std::string text(static_cast<std::size_t>(std::min<off_t>(info.st_size, 1000)), '\0');
  const ssize_t count =
      pread(errors_, text.data(), text.size(), info.st_size - static_cast<off_t>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace mote::render
