#include "engine/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "engine/exec/parallel.h"

namespace mote::engine {
namespace {

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0)
      if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
  return "unknown";
}

/// "MemAvailable" of the kernel, which counts caches that can be dropped; 0 when it is not told.
std::uint64_t available_memory() {
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t kilobytes = 0;
    if (words >> name >> kilobytes && name == "MemAvailable:") return kilobytes * 1024;
  }
  return 0;
}

}  // namespace

MachineInfo machine_info() {
  MachineInfo info;
  info.processor = processor_name();
  info.threads = available_threads();
  info.memory =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  info.memory_free = available_memory();
  utsname name{};
  info.system = uname(&name) == 0 ? std::string(name.sysname) + " " + name.release : "unknown";
  return info;
}

}  // namespace mote::engine
