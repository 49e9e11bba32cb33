#include "sim/output/checkpoint_files.h"

#include <map>
#include <utility>

#include "engine/json.h"
#include "sim/lua/lua_functions.h"

namespace mote::sim {

using engine::Json;

StoredFiles pack_files(const std::vector<SceneFile>& files) {
  StoredFiles all{Json::array(), ""};
  std::map<std::string, std::size_t> offsets;
  for (const SceneFile& file : files) {
    Json one{{"path", file.path.string()}, {"whole", file.canonical}};
    if (file.hash) {
      one["hash"] = *file.hash;
    } else {
      const auto [offset, inserted] = offsets.try_emplace(file.canonical, all.bytes.size());
      if (inserted) all.bytes += file.text;
      one["at"] = offset->second;
      one["size"] = file.text.size();
    }
    all.index.push_back(std::move(one));
  }
  return all;
}

std::vector<SceneFile> unpack_files(const Json& index, const std::string& bytes) {
  std::vector<SceneFile> files;
  for (const Json& one : index) {
    SceneFile file{one.at("path").get<std::string>(), one.at("whole").get<std::string>(), ""};
    if (one.contains("hash")) {
      file.hash = one["hash"].get<std::uint64_t>();
    } else {
      const auto at = one.at("at").get<std::size_t>(), size = one.at("size").get<std::size_t>();
      if (at > bytes.size() || size > bytes.size() - at)
        throw Json::out_of_range::create(401, "a file ends beyond the stored bytes", &one);
      file.text = bytes.substr(at, size);
    }
    files.push_back(std::move(file));
  }
  return files;
}

std::vector<SceneFile> files_of(const SceneDescription& scene) {
  return scene.hooks.script ? script_of(scene.hooks.script->get()).folder.kept() : scene.included;
}

}  // namespace mote::sim
