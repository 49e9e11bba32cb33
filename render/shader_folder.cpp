#include "render/shader_folder.h"

#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "engine/check.h"
#include "engine/machine.h"
#include "engine/text.h"

namespace mote::render {
namespace fs = std::filesystem;

namespace {

bool holds_shaders(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "points.vert", ignored);
}

}  // namespace

fs::path find_shaders() {
  if (const char* requested = std::getenv("MOTE_SHADERS"); requested && *requested) {
    if (holds_shaders(requested)) return requested;
    throw engine::SystemError(
        "find the shaders",
        "MOTE_SHADERS names " + std::string(requested) + ", which contains no points.vert",
        "correct or unset MOTE_SHADERS");
  }
  std::vector<fs::path> candidates;
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!program.empty())
    candidates.push_back(program.parent_path().parent_path() / "share/mote/shaders");
  candidates.push_back(fs::path(engine::build_info().source) / "shaders");
  std::vector<std::string> tried;
  for (const fs::path& candidate : candidates) {
    if (holds_shaders(candidate)) return candidate;
    tried.push_back(candidate.string());
  }
  throw engine::SystemError("find the shaders", "no points.vert in " + engine::joined(tried, ", "),
                            "set MOTE_SHADERS to the folder shaders/ of mote, or install mote");
}

}  // namespace mote::render
