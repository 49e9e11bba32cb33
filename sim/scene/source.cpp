#include "sim/scene/source.h"

#include <utility>

#include "engine/files.h"

namespace mote::sim {

SceneSource read_scene_source(const std::filesystem::path& file, const Settings& settings,
                              std::vector<engine::Diagnostic>& problems) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw engine::InputError(file.string(), "no such scene file",
                             "`mote list` shows the scenes that come with mote");
  if (std::filesystem::is_directory(file, error))
    throw engine::InputError(file.string(), "is a folder, not a scene file");
  return read_scene_source(file, engine::read_whole(file), settings, problems);
}

SceneSource read_scene_source(const std::filesystem::path& file, std::string text, const Settings& settings,
                              std::vector<engine::Diagnostic>& problems) {
  SceneSource source;
  source.file = file;
  source.text = std::move(text);
  if (file.extension() == ".json")
    read_json(source, settings, problems);
  else if (file.extension() == ".lua")
    read_lua(source, settings, problems);
  else
    throw engine::InputError(file.string(), "is not a scene", "scenes end in .lua or .json");
  return source;
}

void note_repeated_keys(const SourceMap& map, const std::string& file,
                        std::vector<engine::Diagnostic>& problems) {
  for (const SourceMap::Node::Entry& e : map.repeated_keys())
    problems.push_back({file + ":" + std::to_string(e.line), e.key, "stands twice in one table", "keep one"});
}

}  // namespace mote::sim
