#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sim/source/source.h"

namespace mote::sim {

/// The folder of a scene, to which its paths are relative, and the files read from it. An untrusted
/// scene cannot read files outside, be it by "..", an absolute path or a link.
class SceneFolder {
 public:
  /// Whether the contents of files are kept from the first read, so that a run and those resumed
  /// from its checkpoints see the same data even if the files change.
  enum class KeepContents { no, yes };

  /// `known`: files that were kept before.
  SceneFolder(std::filesystem::path folder, Trust trust,
              KeepContents keep_contents = KeepContents::no, std::vector<SceneFile> known = {})
      : folder_(std::move(folder)),
        trust_(trust),
        keep_contents_(keep_contents),
        kept_(std::move(known)) {}
  ~SceneFolder();
  SceneFolder(const SceneFolder&) = delete;
  SceneFolder& operator=(const SceneFolder&) = delete;

  /// A file that may be read, or why not.
  struct Found {
    std::filesystem::path file;   ///< the folder and the given path, for messages
    std::filesystem::path bytes;  ///< where to read it: the file or a copy
    std::string canonical;        ///< path with links resolved
    std::string problem = {}, remedy = {};
  };

  /// Finds a regular file of at most `max_bytes`, and lists it as read.
  Found find(const std::string& path, std::uintmax_t max_bytes);

  /// With KeepContents::yes, keeps a file that was read successfully.
  void keep(const std::string& path, const Found& found);
  void keep(const std::string& path, const Found& found, std::string text);

  const std::vector<std::filesystem::path>& files() const { return files_; }
  const std::vector<SceneFile>& kept() const { return kept_; }

 private:
  Found on_disk(const std::string& path, std::uintmax_t max_bytes) const;
  std::filesystem::path stored_copy(std::size_t index);

  std::filesystem::path folder_;
  Trust trust_;
  KeepContents keep_contents_;
  std::vector<std::filesystem::path> files_;
  std::vector<SceneFile> kept_;
  std::map<std::size_t, std::filesystem::path> copies_;  // temporary copies of kept files
};

}  // namespace mote::sim
