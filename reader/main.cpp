// mote-read: reads HDF5 files for mote, in a process that may crash without harm. It
// prints nothing. Its standard input is the connection to the process that started it; it exits
// when that closes.
#include <hdf5.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "engine/read_process.h"
#include "reader/reader.h"

namespace mote {
namespace {

void set_limit(__rlimit_resource resource, rlim_t maximum) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min(maximum, limit.rlim_max);
  setrlimit(resource, &limit);
}

/// Limits for the lifetime of the process: no core dump, no writes, few open files.
void limit_all() {
  close_range(STDERR_FILENO + 1, ~0u, 0);
  for (const auto resource : {RLIMIT_CORE, RLIMIT_FSIZE}) {
    const rlimit none{0, 0};
    setrlimit(resource, &none);
  }
  set_limit(RLIMIT_NOFILE, 32);
}

/// Limits for the next file, in addition to what previous ones have used.
void limit_one(double seconds, std::uint64_t memory) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  set_limit(RLIMIT_CPU, static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1 +
                                            std::llround(seconds)));
  std::uint64_t pages = 0;  // size of virtual memory: only address space can be limited
  if (!(std::ifstream("/proc/self/statm") >> pages)) return;
  static const rlim_t initial = [] {
    rlimit limit{};
    return getrlimit(RLIMIT_AS, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
  }();
  const rlim_t used_bytes = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  set_limit(RLIMIT_AS,
            std::min(initial, used_bytes + std::min<rlim_t>(memory, RLIM_INFINITY - used_bytes)));
}

bool receive(void* to, std::size_t size) {
  for (auto* at = static_cast<char*>(to); size > 0;) {
    const ssize_t count = read(STDIN_FILENO, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

void send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) _exit(0);
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
}

void send_framed(std::string_view bytes) {
  const std::uint64_t size = bytes.size();
  send({reinterpret_cast<const char*>(&size), sizeof size});
  send(bytes);
}

void answer(engine::Unpacker request, engine::Packer& to) {
  constexpr std::pair<std::string_view, void (*)(engine::Unpacker&, engine::Packer&)> requests[] = {
      {"open", reader::open_hdf5},
      {"rows", reader::rows_of_hdf5},
      {"columns", reader::columns_of_hdf5},
      {"block", reader::block_of_hdf5},
      {"text", reader::text_of_hdf5}};
  const std::string name = request.text();
  for (const auto& [known, handler] : requests)
    if (known == name) return handler(request, to);
  throw reader::Refusal("mote-read: unknown request " + name);
}

std::string answer_to(std::string bytes) {
  const auto start = [](engine::ReadAnswer kind) {
    engine::Packer packer;
    packer.number(static_cast<char>(kind));
    return packer;
  };
  try {
    engine::Packer good = start(engine::ReadAnswer::good);
    answer({std::move(bytes), "request"}, good);
    return std::move(good.bytes());
  } catch (const reader::Refusal& refusal) {
    return std::move(
        start(engine::ReadAnswer::wrong).text(refusal.what()).text(refusal.remedy).bytes());
  } catch (const std::bad_alloc&) {
    return std::move(start(engine::ReadAnswer::too_large).bytes());
  }
}

/// Answers the requests of one program until it ends.
[[noreturn]] void serve() {
  limit_all();
  // Before the first call of HDF5, which locks files that it reads. Some file systems have no
  // locks, and mote's own files are complete as soon as they have their names.
  setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  send_framed(engine::reader_greeting());
  for (std::uint64_t size = 0; receive(&size, sizeof size);) {
    double seconds = 0;
    std::uint64_t memory = 0;
    if (size < sizeof seconds + sizeof memory) break;
    std::string request(size - sizeof seconds - sizeof memory, '\0');
    if (!receive(&seconds, sizeof seconds) || !receive(&memory, sizeof memory) ||
        !receive(request.data(), request.size()))
      break;
    if (seconds > 0) limit_one(seconds, memory);
    send_framed(answer_to(std::move(request)));
  }
  _exit(0);  // without destructors: a damaged file may have corrupted the libraries' state
}

}  // namespace
}  // namespace mote

int main() {
  mote::serve();
}
