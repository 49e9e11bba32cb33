#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sim/scene/source.h"

namespace mote::sim {

/// The folder of a scene, where the paths in it start, and what was read from there. A scene that
/// is not trusted reaches no file outside, not by "..", by an absolute path or by a link.
class SceneFolder {
 public:
  /// Whether files are kept as they were when they were read first, so that they are the same for
  /// the whole run and for what goes on from its checkpoints, whatever becomes of them on the disk.
  enum class Keeps { no, yes };

  /// `known`: files that were kept before.
  SceneFolder(std::filesystem::path folder, Trust trust, Keeps keeps = Keeps::no,
              std::vector<SceneFile> known = {})
      : folder_(std::move(folder)), trust_(trust), keeps_(keeps), kept_(std::move(known)) {}
  ~SceneFolder();
  SceneFolder(const SceneFolder&) = delete;
  SceneFolder& operator=(const SceneFolder&) = delete;

  /// A file that may be read, or why not.
  struct Found {
    std::filesystem::path file;   ///< the folder, and the path as it was given: for messages
    std::filesystem::path bytes;  ///< where it is read
    std::string whole;            ///< the file itself, links followed
    std::string problem = {}, remedy = {};
  };

  /// Looks for a regular file of at most `largest` bytes, and remembers it as read.
  Found find(const std::string& path, std::uintmax_t largest);

  /// Where files are kept, one that has been read and was good.
  void keep(const std::string& path, const Found& found);
  void keep(const std::string& path, const Found& found, std::string text);

  const std::vector<std::filesystem::path>& files() const { return files_; }
  const std::vector<SceneFile>& kept() const { return kept_; }

 private:
  Found on_disk(const std::string& path, std::uintmax_t largest) const;
  std::filesystem::path as_it_was(std::size_t index);

  std::filesystem::path folder_;
  Trust trust_;
  Keeps keeps_;
  std::vector<std::filesystem::path> files_;
  std::vector<SceneFile> kept_;
  std::map<std::size_t, std::filesystem::path> copies_;  // of kept files, for those who open them
};

}  // namespace mote::sim
