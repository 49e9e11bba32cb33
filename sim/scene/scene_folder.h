#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/scene/source.h"

namespace mote::sim {

/// The folder of a scene, where the paths in it start, and what was read from there. A scene that is not trusted
/// reaches no file outside, not by "..", by an absolute path or by a link.
class SceneFolder {
 public:
  SceneFolder(std::filesystem::path folder, Trust trust) : folder_(std::move(folder)), trust_(trust) {}

  /// A file that may be read, or why not.
  struct Found {
    std::filesystem::path file;  ///< the folder, and the path as it was given
    std::string problem = {}, remedy = {};
  };

  /// Looks for a regular file of at most `largest` bytes, and remembers it as read.
  Found find(const std::string& path, std::uintmax_t largest);

  const std::vector<std::filesystem::path>& files() const { return files_; }

 private:
  std::filesystem::path folder_;
  Trust trust_;
  std::vector<std::filesystem::path> files_;
};

}  // namespace mote::sim
