#include "sim/scene/scene_folder.h"

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

constexpr std::size_t longest_path = 1000;

/// Whether a file is in a folder or below, links followed.
bool is_inside(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  // A relative path of which nothing exists would stay relative.
  const fs::path whole = fs::weakly_canonical(fs::absolute(file, error), error);
  if (error) return false;
  const fs::path root = fs::weakly_canonical(folder.empty() ? "." : folder, error);
  if (error) return false;
  const fs::path inside = whole.lexically_relative(root);
  return !inside.empty() && *inside.begin() != "..";
}

/// All files together are kept up to so many bytes, twice what may be included; of data that would
/// be more, the hash alone is.
constexpr std::uintmax_t most_kept = 2 * longest_scene;

/// Of the bytes of a file, whatever its size.
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

SceneFolder::Found outside(const std::string& path) {
  return {.file = {},
          .bytes = {},
          .whole = {},
          .problem = engine::quoted(path) + " is outside the folder of the scene",
          .remedy = "put the file beside the scene or below"};
}

SceneFolder::Found refused(std::string problem, std::string remedy) {
  return {.file = {},
          .bytes = {},
          .whole = {},
          .problem = std::move(problem),
          .remedy = std::move(remedy)};
}

}  // namespace

SceneFolder::~SceneFolder() {
  std::error_code ignored;
  for (const auto& [index, copy] : copies_) fs::remove(copy, ignored);
}

/// A kept file for those who open files by their names, HDF5 among them, which takes none that is
/// in memory alone.
fs::path SceneFolder::as_it_was(std::size_t index) {
  if (const auto found = copies_.find(index); found != copies_.end()) return found->second;
  std::string name = (fs::temp_directory_path() / "mote-XXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0)
    throw engine::SystemError("make the file " + name, std::strerror(errno), "make room there");
  ::close(descriptor);
  copies_[index] = name;
  engine::write_whole(name, kept_[index].text);
  return name;
}

SceneFolder::Found SceneFolder::find(const std::string& path, std::uintmax_t largest) {
  if (path.empty() || path.size() > longest_path || path.find('\0') != path.npos)
    return refused("is no path", "a path is text of 1 to 1,000 characters");
  const fs::path normal = normal_of(path);
  const auto known = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const SceneFile& file) { return file.path == normal; });
  if (known == kept_.end()) {
    Found found = on_disk(path, largest);
    const bool fresh = std::find(files_.begin(), files_.end(), found.file) == files_.end();
    if (found.problem.empty() && fresh) files_.push_back(found.file);
    return found;
  }
  if (trust_ == Trust::no && (normal.is_absolute() || *normal.begin() == ".."))
    return outside(path);
  if (!known->hash)
    return {folder_ / path, as_it_was(static_cast<std::size_t>(known - kept_.begin())),
            known->whole};
  Found found = on_disk(path, largest);
  if (found.problem.empty() && hash_of(found.file) != known->hash)
    return refused(found.file.string() + " is not what it was when this run read it first",
                   "put it back as it was");
  return found;
}

SceneFolder::Found SceneFolder::on_disk(const std::string& path, std::uintmax_t largest) const {
  const fs::path file = folder_ / path;
  if (trust_ == Trust::no && (fs::path(path).is_absolute() || !is_inside(file, folder_)))
    return outside(path);
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    const bool there = fs::exists(file, error);
    return refused((there ? "not a file: " : "no such file: ") + file.string(),
                   "paths start at the folder of the scene");
  }
  if (const std::uintmax_t size = fs::file_size(file, error); error || size > largest)
    return refused(
        file.string() + " is longer than " + engine::bytes_text(static_cast<double>(largest)),
        "divide it, or thin it out");
  return {file, file, fs::weakly_canonical(file, error).string()};
}

void SceneFolder::keep(const std::string& path, const Found& found, std::string text) {
  const fs::path normal = normal_of(path);
  const auto same = [&](const SceneFile& file) { return file.path == normal; };
  if (keeps_ == Keeps::yes && std::none_of(kept_.begin(), kept_.end(), same))
    kept_.push_back({normal, found.whole, std::move(text)});
}

void SceneFolder::keep(const std::string& path, const Found& found) {
  if (keeps_ == Keeps::no || found.bytes != found.file) return;
  std::error_code error;
  std::uintmax_t size = fs::file_size(found.file, error);
  for (const SceneFile& file : kept_) size += file.text.size();
  if (!error && size <= most_kept) return keep(path, found, engine::read_whole(found.file));
  const fs::path normal = normal_of(path);
  const auto same = [&](const SceneFile& file) { return file.path == normal; };
  if (std::none_of(kept_.begin(), kept_.end(), same))
    kept_.push_back({normal, found.whole, "", hash_of(found.file)});
}

}  // namespace mote::sim
