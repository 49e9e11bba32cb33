#include "engine/installed.h"

#include <dlfcn.h>

#include <system_error>
#include <vector>

namespace mote::engine {
namespace fs = std::filesystem;

namespace {

/// The library that holds this function, if it is one, and the program.
std::vector<fs::path> binaries() {
  std::error_code ignored;
  std::vector<fs::path> binaries;
  Dl_info own;
  // For the main program dladdr returns argv[0] ("mote"), which would be resolved in the current
  // folder; so only absolute paths count.
  if (dladdr(reinterpret_cast<const void*>(&installed), &own) != 0 && own.dli_fname &&
      own.dli_fname[0] == '/')
    binaries.push_back(fs::canonical(own.dli_fname, ignored));
  binaries.push_back(fs::read_symlink("/proc/self/exe", ignored));
  return binaries;
}

}  // namespace

fs::path installed(const fs::path& path) {
  std::error_code ignored;
  for (const fs::path& binary : binaries()) {
    // bin/mote or lib/libmote.so, or lib/x86_64-linux-gnu/libmote.so
    const fs::path folder = binary.parent_path();
    for (const fs::path& prefix : {folder.parent_path(), folder.parent_path().parent_path()})
      if (!prefix.empty() && fs::exists(prefix / path, ignored)) return prefix / path;
  }
  return {};
}

fs::path beside_program(const fs::path& name) {
  std::error_code ignored;
  for (const fs::path& binary : binaries())
    if (!binary.empty() && fs::exists(binary.parent_path() / name, ignored))
      return binary.parent_path() / name;
  return {};
}

}  // namespace mote::engine
