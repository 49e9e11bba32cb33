#include "sim/source/source.h"

#include <utility>

#include "engine/files.h"

namespace mote::sim {

namespace {

void expect_ending(const std::filesystem::path& file) {
  if (file.extension() != ".json" && file.extension() != ".lua")
    throw engine::InputError(file.string(), "is not a scene", "scenes end in .lua or .json");
}

}  // namespace

SceneSource read_scene_source(const std::filesystem::path& file, const Settings& settings,
                              Trust trust, std::vector<engine::Diagnostic>& problems) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw engine::InputError(file.string(), "no such scene file",
                             "`mote list` shows the scenes that come with mote");
  if (std::filesystem::is_directory(file, error))
    throw engine::InputError(file.string(), "is a folder, not a scene file",
                             std::filesystem::exists(file / "run.json", error)
                                 ? "of the run in it, `mote resume " + file.string() +
                                       "` goes on with it (done: --until LATER), and `mote info " +
                                       file.string() + "` names its scene"
                                 : "name a file in it that ends in .lua or .json");
  expect_ending(file);
  if (!std::filesystem::is_regular_file(file, error))
    throw engine::InputError(file.string(), "is a device or a pipe, not a scene file");
  if (std::filesystem::file_size(file, error) > max_scene_bytes)
    throw engine::InputError(file.string(), "is longer than 64 MiB", "put bodies into a csv file");
  return read_scene_source(file, engine::read_file(file), settings, trust, problems);
}

SceneSource read_scene_source(const std::filesystem::path& file, std::string text,
                              const Settings& settings, Trust trust,
                              std::vector<engine::Diagnostic>& problems,
                              std::vector<SceneFile> known) {
  expect_ending(file);
  SceneSource source;
  source.file = file;
  source.text = std::move(text);
  source.trust = trust;
  source.files = {file.string()};
  source.included = std::move(known);
  if (file.extension() == ".json")
    read_json(source, settings, problems);
  else
    read_lua(source, settings, problems);
  return source;
}

void report_repeated_keys(const SourceMap& map, const std::vector<std::string>& files,
                          std::vector<engine::Diagnostic>& problems) {
  for (const SourceMap::Node::Entry& e : map.repeated_keys())
    problems.push_back(
        {location_of(e.line, files), e.key, "is given twice in one table", "keep one"});
}

}  // namespace mote::sim
