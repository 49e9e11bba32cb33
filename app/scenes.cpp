#include "app/scenes.h"

#include <fstream>
#include <string>
#include <system_error>

#include "engine/check.h"
#include "engine/text.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

/// Whether a file is a run.json: these say so in their first lines.
bool is_record(const fs::path& file) {
  if (file.extension() != ".json") return false;
  std::string begin(4096, ' ');
  std::ifstream stream(file);
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin.find("\"state_hash\"") != std::string::npos;
}

}  // namespace

bool is_scene(const fs::path& wanted) {
  std::error_code ignored;
  return fs::exists(wanted, ignored) || !shipped_scene(wanted).empty();
}

fs::path find_scene(const fs::path& wanted) {
  const fs::path found = find_scene_or_checkpoint(wanted);
  if (found.extension() == ".h5")
    throw engine::InputError(
        wanted.string(), "is not a scene but a snapshot or a checkpoint",
        "`mote view " + wanted.string() +
            "` goes on from a checkpoint in a window, `mote resume RUN` in the folder of "
            "its run");
  return found;
}

fs::path find_scene_or_checkpoint(const fs::path& wanted) {
  std::error_code ignored;
  if (is_record(wanted))
    throw engine::InputError(wanted.string(), "is not a scene but the record of a run",
                             "`mote run --replay " + wanted.string() + "` makes that run again");
  if (fs::is_regular_file(wanted, ignored)) return wanted;
  if (const fs::path shipped = shipped_scene(wanted); !shipped.empty()) return shipped;
  if (fs::exists(wanted, ignored)) return wanted;
  std::vector<std::string> names;
  for (const fs::path& scene : shipped_scenes()) names.push_back(scene.stem().string());
  const std::string near = engine::closest(wanted.stem().string(), names);
  throw engine::InputError(wanted.string(), "no such scene file",
                           near.empty() ? "`mote list` shows the scenes that come with mote"
                                        : "did you mean '" + near + "', which comes with mote?");
}

}  // namespace mote::app
