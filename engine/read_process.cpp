#include "engine/read_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <system_error>

#include "engine/check.h"
#include "engine/installed.h"
#include "engine/machine.h"
#include "engine/text.h"

extern char** environ;

namespace mote::engine {
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

std::string reason_of(int number) {
  return std::generic_category().message(number);
}

std::string lower_first(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z')
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

int start(pid_t& process, const fs::path& program, int connection) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, connection, STDIN_FILENO);
  for (const int output : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, output, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);  // Ctrl+C does not reach it
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::string name = program.filename().string();
  char* words[] = {name.data(), nullptr};
  const int code = posix_spawn(&process, program.c_str(), &files, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return code;
}

}  // namespace

namespace {

std::uint64_t half_the_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

}  // namespace

ReadLimits read_limits(const fs::path& file) {
  std::error_code unknown;
  const std::uintmax_t size = fs::file_size(file, unknown);
  const std::uint64_t length = unknown ? 0 : std::min<std::uintmax_t>(size, std::uint64_t{1} << 42);
  constexpr std::uint64_t bytes_per_byte = 4096;  // compressed, then converted to doubles
  const double seconds = 1 + 2 * std::ceil(static_cast<double>(length) / mebibyte - 0.5);
  return {.seconds = seconds,
          .timeout = 30 + 5 * seconds,
          .memory = 1024 * mebibyte + std::min(std::min(length, 1024 * mebibyte) * bytes_per_byte,
                                               half_the_memory())};
}

fs::path reader_program() {
  if (const char* named = std::getenv("MOTE_READ")) return named;
  // A program that was moved takes it along.
  if (const fs::path moved = beside_program("mote-read"); !moved.empty()) return moved;
  const fs::path own = installed(build_info().installed_reader);
  return own.empty() ? fs::path(build_info().built_reader) : own;
}

std::string reader_greeting() {
  return "mote-read " + build_info().version + " 1";
}

ReadProcess::ReadProcess(const fs::path& program) {
  // A socket rather than pipes: send() with MSG_NOSIGNAL never raises SIGPIPE.
  std::array<int, 2> ends{-1, -1};
  int code = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0 ? errno : 0;
  if (code == 0) {
    connection_ = ends[0];
    code = start(process_, program, ends[1]);
    ::close(ends[1]);
    if (code != 0) {
      process_ = -1;
      ::close(connection_);
    }
  }
  if (code != 0)
    throw ReaderFailure("start " + program.string(), reason_of(code),
                        "it is installed with mote; if it is elsewhere, set MOTE_READ to its path");
  std::string greeting;
  if (receive(greeting, 60, 1000) && greeting == reader_greeting()) return;
  kill(process_, SIGKILL);
  wait();
  ::close(connection_);
  throw ReaderFailure("start " + program.string(),
                      greeting.empty()
                          ? "it ended immediately"
                          : "it is from another build of mote, not " + reader_greeting(),
                      "install mote again, completely; " + program.filename().string() +
                          " needs about 200 MB of address space");
}

ReadProcess::~ReadProcess() {
  if (process_ >= 0) {
    kill(process_, SIGKILL);
    wait();
  }
  ::close(connection_);
}

int ReadProcess::wait() noexcept {
  int status = 0;
  pid_t found;
  while ((found = waitpid(process_, &status, 0)) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return found < 0 ? 1 << 8 : status;  // a host that reaps all its children may have been first
}

bool ReadProcess::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(connection_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return false;
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(sent, 0)));
  }
  return true;
}

bool ReadProcess::receive(char* to, std::size_t size, double timeout) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end =
      Clock::now() + std::chrono::milliseconds(std::llround(timeout * 1000));
  while (size > 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd input{connection_, POLLIN, 0};
    const int ready = poll(&input, 1, static_cast<int>(std::clamp<long long>(left, 0, 1 << 30)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return timed_out_ = true, false;
    const ssize_t count = read(connection_, to, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

/// Allocates as bytes arrive: a wrong size sent by a damaged reader takes no memory.
bool ReadProcess::receive(std::string& answer, double timeout, std::uint64_t longest) {
  std::uint64_t size = 0;
  if (!receive(reinterpret_cast<char*>(&size), sizeof size, timeout)) return false;
  if (size > longest) return malformed_ = true, false;
  while (answer.size() < size) {
    const std::size_t before = answer.size(),
                      part = std::min<std::uint64_t>(size - before, mebibyte);
    answer.resize(before + part);
    if (!receive(answer.data() + before, part, timeout)) return false;
  }
  return true;
}

Unpacker ReadProcess::call(const fs::path& file, std::string_view request,
                           const ReadLimits& limits) {
  if (process_ < 0)
    throw ReaderFailure("read " + file.string(), "mote-read has ended", "start another one");
  Packer head;
  head.number<std::uint64_t>(sizeof limits.seconds + sizeof limits.memory + request.size());
  head.number(limits.seconds).number(limits.memory);
  std::string answer;
  if (!send(head.bytes()) || !send(request) || !receive(answer, limits.timeout, limits.memory))
    throw_no_answer(file);
  Unpacker unpacker(std::move(answer), file.string());
  switch (static_cast<ReadAnswer>(unpacker.number<char>())) {
    case ReadAnswer::good:
      return unpacker;
    case ReadAnswer::wrong: {
      std::string problem = unpacker.text();
      throw InputError(file.string(), std::move(problem), unpacker.text());
    }
    case ReadAnswer::too_large:
      break;
  }
  throw InputError(file.string(),
                   "is damaged, or too large: reading it takes more than " +
                       bytes_text(static_cast<double>(limits.memory)),
                   "write or copy it again");
}

/// Ends a process that has not answered, and reports why.
void ReadProcess::throw_no_answer(const fs::path& file) {
  kill(process_, SIGKILL);  // it may still run, or have sent a malformed answer
  const int status = wait();
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  // Schedulers signal all processes of a job.
  if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGUSR1 ||
      signal == SIGUSR2 || signal == SIGALRM)
    throw ReaderFailure("read " + file.string(),
                        "mote-read was ended (" + lower_first(strsignal(signal)) + ")",
                        "try again");
  if (signal == SIGKILL && !timed_out_ && !malformed_)
    throw ReaderFailure("read " + file.string(),
                        "mote-read was killed, possibly for lack of memory",
                        "free some memory, and try again");
  const bool slow = timed_out_ || signal == SIGXCPU;
  throw InputError(file.string(),
                   slow ? "is damaged: reading it takes too long"
                        : "is damaged: reading it ends mote-read with " +
                              (signal != 0 && !malformed_ ? lower_first(strsignal(signal))
                                                          : "an internal error"),
                   "write or copy it again");
}

namespace {

/// Number of open sessions of a thread, and their reader.
struct Shared {
  int sessions = 0;
  std::optional<ReadProcess> reader;
};

Shared& shared() {
  static thread_local Shared own;
  return own;
}

}  // namespace

ReadSession::ReadSession() {
  ++shared().sessions;
}

ReadSession::~ReadSession() {
  if (--shared().sessions == 0) shared().reader.reset();
}

Unpacker ReadSession::call(const fs::path& file, std::string_view request,
                           const ReadLimits& limits) {
  std::optional<ReadProcess>& reader = shared().reader;
  try {
    if (!reader) reader.emplace(reader_program());
    return reader->call(file, request, limits);
  } catch (...) {
    reader.reset();
    throw;
  }
}

}  // namespace mote::engine
