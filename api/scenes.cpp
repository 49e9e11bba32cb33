#include "api/scenes.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "engine/installed.h"
#include "engine/machine.h"

namespace mote::api {
namespace fs = std::filesystem;

namespace {

/// Type annotations of scenes for editors, in the same folder.
constexpr const char* annotations = "mote.lua";

}  // namespace

fs::path installed_folder() {
  return engine::installed("share/mote/scenes").parent_path();
}

fs::path scenes_folder() {
  std::error_code ignored;
  if (const char* named = std::getenv("MOTE_SCENES")) return named;
  if (const fs::path installed = installed_folder(); !installed.empty())
    return installed / "scenes";
  const fs::path source = fs::path(engine::build_info().source) / "scenes";
  return fs::is_directory(source, ignored) ? source : fs::path();
}

std::vector<fs::path> shipped_scenes() {
  std::vector<fs::path> scenes;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(scenes_folder(), ignored))
    if ((entry.path().extension() == ".lua" || entry.path().extension() == ".json") &&
        entry.path().filename() != annotations)
      scenes.push_back(entry.path());
  std::sort(scenes.begin(), scenes.end());
  return scenes;
}

fs::path shipped_scene(const fs::path& name) {
  if (name.has_parent_path()) return {};
  for (const fs::path& scene : shipped_scenes())
    if (name == scene.stem() || name == scene.filename()) return scene;
  return {};
}

}  // namespace mote::api
