#pragma once

#include <string>
#include <vector>

#include "engine/json.h"
#include "sim/scene/description.h"

namespace mote::sim {

/// Files that a scene has read, as a checkpoint stores them: an index for its JSON and their
/// concatenated bytes. A file reached by several paths is stored once.
struct StoredFiles {
  engine::Json index;
  std::string bytes;
};
StoredFiles pack_files(const std::vector<SceneFile>& files);

/// The inverse. Throws Json::exception for an index that is malformed or does not fit the bytes.
std::vector<SceneFile> unpack_files(const engine::Json& index, const std::string& bytes);

/// Files that a scene has read so far: those that its text includes, and those its hooks opened.
std::vector<SceneFile> files_of(const SceneDescription& scene);

}  // namespace mote::sim
