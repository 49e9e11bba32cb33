#include "sim/source/scene_folder.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "engine/files.h"
#include "engine/math/hash.h"
#include "engine/text.h"

namespace mote::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_path_length = 1000;

/// Whether a file is in a folder or below, links followed.
bool is_inside(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  // weakly_canonical leaves a relative path relative if nothing of it exists.
  const fs::path target = fs::weakly_canonical(fs::absolute(file, error), error);
  if (error) return false;
  const fs::path root = fs::weakly_canonical(folder.empty() ? "." : folder, error);
  if (error) return false;
  const fs::path inside = target.lexically_relative(root);
  return !inside.empty() && *inside.begin() != "..";
}

/// Limit on the bytes of all kept files, twice that of includes; beyond it only hashes are kept.
constexpr std::uintmax_t max_kept_bytes = 2 * max_scene_bytes;

/// Hash of a file of any size.
std::uint64_t hash_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<char> part(1u << 20);
  std::uint64_t hash = 0;
  while (in.read(part.data(), static_cast<std::streamsize>(part.size())) || in.gcount() > 0) {
    const auto size = static_cast<std::size_t>(in.gcount());
    hash = engine::hash_word(hash, size);
    for (std::size_t at = 0; at < size; at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, part.data() + at, std::min(sizeof word, size - at));
      hash = engine::hash_word(hash, word);
    }
  }
  return hash;
}

fs::path normal_of(const std::string& path) {
  return fs::path(path).lexically_normal();
}

SceneFolder::Found refused(std::string problem, std::string remedy) {
  return {.file = {},
          .bytes = {},
          .canonical = {},
          .problem = std::move(problem),
          .remedy = std::move(remedy)};
}

/// A path that a scene may not follow unless it is trusted: by its name, or through a link.
SceneFolder::Found outside(const std::string& path, const fs::path& file = {}) {
  std::string problem = engine::quoted(path) + " is outside the folder of the scene";
  std::error_code error;
  if (!file.empty() && fs::path(path).is_relative() && *normal_of(path).begin() != "..")
    problem = engine::quoted(path) + " leads out of the folder of the scene through a link, to " +
              fs::weakly_canonical(file, error).string();
  return refused(
      std::move(problem),
      "put the file beside the scene or below, or run with --trust if you trust the scene");
}

}  // namespace

SceneFolder::~SceneFolder() {
  std::error_code ignored;
  for (const auto& [index, copy] : copies_) fs::remove(copy, ignored);
}

/// Writes a kept file to disk, for readers that open files by name, such as HDF5.
fs::path SceneFolder::stored_copy(std::size_t index) {
  if (const auto found = copies_.find(index); found != copies_.end()) return found->second;
  std::string name = (fs::temp_directory_path() / "mote-XXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0)
    throw engine::SystemError("make the file " + name, std::strerror(errno),
                              "free some space there");
  ::close(descriptor);
  copies_[index] = name;
  engine::write_file(name, kept_[index].text);
  return name;
}

SceneFolder::Found SceneFolder::find(const std::string& path, std::uintmax_t max_bytes) {
  if (path.empty() || path.size() > max_path_length || path.find('\0') != path.npos)
    return refused("is not a path", "a path is text of 1 to 1,000 characters");
  const fs::path normal = normal_of(path);
  const auto known = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const SceneFile& file) { return file.path == normal; });
  if (known == kept_.end()) {
    Found found = on_disk(path, max_bytes);
    const bool fresh = std::find(files_.begin(), files_.end(), found.file) == files_.end();
    if (found.problem.empty() && fresh) files_.push_back(found.file);
    return found;
  }
  if (trust_ == Trust::no && (normal.is_absolute() || *normal.begin() == ".."))
    return outside(path);
  if (!known->hash)
    return {folder_ / path, stored_copy(static_cast<std::size_t>(known - kept_.begin())),
            known->canonical};
  Found found = on_disk(path, max_bytes);
  if (found.problem.empty() && hash_of(found.file) != known->hash)
    return refused(found.file.string() + " has changed since this run first read it", "restore it");
  return found;
}

SceneFolder::Found SceneFolder::on_disk(const std::string& path, std::uintmax_t max_bytes) const {
  const fs::path file = folder_ / path;
  if (trust_ == Trust::no && (fs::path(path).is_absolute() || !is_inside(file, folder_)))
    return outside(path, file);
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    const bool there = fs::exists(file, error);
    return refused((there ? "not a file: " : "no such file: ") + file.string(),
                   "paths are relative to the folder of the scene");
  }
  if (const std::uintmax_t size = fs::file_size(file, error); error || size > max_bytes)
    return refused(
        file.string() + " is longer than " + engine::bytes_text(static_cast<double>(max_bytes)),
        "split or decimate it");
  return {file, file, fs::weakly_canonical(file, error).string()};
}

void SceneFolder::keep(const std::string& path, const Found& found, std::string text) {
  const fs::path normal = normal_of(path);
  const auto same = [&](const SceneFile& file) { return file.path == normal; };
  if (keep_contents_ == KeepContents::yes && std::none_of(kept_.begin(), kept_.end(), same))
    kept_.push_back({normal, found.canonical, std::move(text)});
}

void SceneFolder::keep(const std::string& path, const Found& found) {
  if (keep_contents_ == KeepContents::no || found.bytes != found.file) return;
  std::error_code error;
  std::uintmax_t size = fs::file_size(found.file, error);
  for (const SceneFile& file : kept_) size += file.text.size();
  if (!error && size <= max_kept_bytes) return keep(path, found, engine::read_file(found.file));
  const fs::path normal = normal_of(path);
  const auto same = [&](const SceneFile& file) { return file.path == normal; };
  if (std::none_of(kept_.begin(), kept_.end(), same))
    kept_.push_back({normal, found.canonical, "", hash_of(found.file)});
}

}  // namespace mote::sim
