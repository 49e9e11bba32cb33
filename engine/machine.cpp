#include "engine/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>

#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/text.h"

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

/// The number that follows a word at the start of a line in a file such as /proc/meminfo; 0 if
/// there is none.
std::uint64_t number_after(const char* path, const std::string& word) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t number = 0;
    if (words >> name >> number && name == word) return number;
  }
  return 0;
}

/// The number that a file consists of; nothing if it is not a number ("max").
std::optional<std::uint64_t> number_in(const char* path) {
  std::ifstream in(path);
  std::uint64_t number = 0;
  return in >> number ? std::optional<std::uint64_t>(number) : std::nullopt;
}

/// Memory left within the limit of the process's container [bytes]; nothing without a limit.
std::optional<std::uint64_t> memory_left_in_container() {
  const auto limit = number_in("/sys/fs/cgroup/memory.max"),
             used = number_in("/sys/fs/cgroup/memory.current");
  if (!limit || !used) return std::nullopt;
  // The page cache counts as used, but is dropped when memory is needed.
  const std::uint64_t cached = number_after("/sys/fs/cgroup/memory.stat", "file");
  const std::uint64_t kept = *used > cached ? *used - cached : 0;
  return *limit > kept ? *limit - kept : 1;
}

}  // namespace

std::uint64_t memory_free() {
  const std::uint64_t free = number_after("/proc/meminfo", "MemAvailable:") * 1024;
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
  const bool known = uname(&name) == 0;
  info.system = known ? std::string(name.sysname) + " " + name.release : "unknown";
  info.host = known ? name.nodename : "unknown";
  return info;
}

std::string pairs_without_link(const std::vector<CudaDevice>& devices,
                               const std::vector<int>& gpus) {
  const auto reaches = [&](int from, int to) {
    const std::vector<int>& all = devices[static_cast<std::size_t>(from)].reaches;
    return std::find(all.begin(), all.end(), to) != all.end();
  };
  std::string pairs;
  for (std::size_t i = 0; i < gpus.size(); ++i)
    for (std::size_t j = i + 1; j < gpus.size(); ++j)
      if (gpus[i] != gpus[j] && !(reaches(gpus[i], gpus[j]) && reaches(gpus[j], gpus[i])))
        pairs +=
            (pairs.empty() ? "" : ", ") + std::to_string(gpus[i]) + "-" + std::to_string(gpus[j]);
  return pairs;
}

std::vector<int> gpus_listed(const std::string& list, int count, const std::string& option) {
  std::vector<int> gpus;
  if (list == "all") {
    for (int gpu = 0; gpu < count; ++gpu) gpus.push_back(gpu);
    return gpus;
  }
  const std::string last = std::to_string(count - 1);
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    int gpu = -1;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, gpu);
    if (error != std::errc() || stop != end || gpu < 0 || gpu >= count)
      throw InputError(option + " " + list, "there is no GPU " + engine::quoted(word),
                       count == 1 ? "the only one is 0"
                                  : "use numbers from 0 to " + last + ", as in 0,1, or all");
    if (std::find(gpus.begin(), gpus.end(), gpu) != gpus.end())
      throw InputError(option + " " + list, "GPU " + word + " is there twice", "name each once");
    gpus.push_back(gpu);
  }
  if (gpus.empty())
    throw InputError(option, "names no GPU", "use numbers from 0 to " + last + ", or all");
  return gpus;
}

}  // namespace mote::engine
