#pragma once

#include <string>
#include <vector>

#include "engine/json.h"
#include "sim/scene/description.h"

namespace mote::sim {

/// Files that were read through a scene, as a checkpoint holds them: a list for its record and
/// their bytes one behind the other, each file once, however many paths lead to it.
struct StoredFiles {
  engine::Json list;
  std::string bytes;
};
StoredFiles stored(const std::vector<SceneFile>& files);

/// The files again. Throws Json::exception for a list that is none, or of other bytes.
std::vector<SceneFile> files_in(const engine::Json& list, const std::string& bytes);

/// What a scene has read until now: what its text includes, and what its hooks brought.
std::vector<SceneFile> files_of(const SceneDescription& scene);

}  // namespace mote::sim
