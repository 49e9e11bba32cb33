#include "engine/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "engine/exec/parallel.h"

namespace mote::engine {
namespace {

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0)
      if (const auto colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "unknown";
}

/// The number behind a word at the start of a line, as files of the kernel have them; 0 when there
/// is none.
std::uint64_t number_behind(const char* path, const std::string& word) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t number = 0;
    if (words >> name >> number && name == word) return number;
  }
  return 0;
}

/// A number alone in a file; nothing when there is none ("max").
std::optional<std::uint64_t> number_in(const char* path) {
  std::ifstream in(path);
  std::uint64_t number = 0;
  return in >> number ? std::optional<std::uint64_t>(number) : std::nullopt;
}

/// What the container that the process is in still grants it; nothing without a limit.
std::optional<std::uint64_t> memory_left_in_container() {
  const auto limit = number_in("/sys/fs/cgroup/memory.max"),
             used = number_in("/sys/fs/cgroup/memory.current");
  if (!limit || !used) return std::nullopt;
  // Cached files count as used, and are dropped when memory is asked for.
  const std::uint64_t cached = number_behind("/sys/fs/cgroup/memory.stat", "file");
  const std::uint64_t kept = *used > cached ? *used - cached : 0;
  return *limit > kept ? *limit - kept : 1;
}

}  // namespace

std::uint64_t memory_free() {
  const std::uint64_t free = number_behind("/proc/meminfo", "MemAvailable:") * 1024;
  const auto left = memory_left_in_container();
  return left ? std::min(free, *left) : free;
}

MachineInfo machine_info() {
  MachineInfo info;
  info.processor = processor_name();
  info.threads = available_threads();
  info.memory = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  info.memory_free = memory_free();
  utsname name{};
  info.system = uname(&name) == 0 ? std::string(name.sysname) + " " + name.release : "unknown";
  return info;
}

}  // namespace mote::engine
