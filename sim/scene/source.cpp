#include "sim/scene/source.h"

#include "engine/files.h"

namespace mote::sim {

SceneSource read_scene_source(const std::filesystem::path& file, const Settings& settings,
                              std::vector<engine::Diagnostic>& problems) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw engine::InputError(file.string(), "no such scene file", "`mote list` shows the scenes that come with mote");
  if (std::filesystem::is_directory(file, error))
    throw engine::InputError(file.string(), "is a folder, not a scene file");
  SceneSource source;
  source.file = file;
  source.text = engine::read_whole(file);
  if (file.extension() == ".json") read_json(source, settings);
  else if (file.extension() == ".lua") read_lua(source, settings, problems);
  else throw engine::InputError(file.string(), "is not a scene", "scenes end in .lua or .json");
  return source;
}

}  // namespace mote::sim
