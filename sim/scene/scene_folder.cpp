#include "sim/scene/scene_folder.h"

#include <algorithm>

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

}  // namespace

SceneFolder::Found SceneFolder::find(const std::string& path, std::uintmax_t largest) {
  if (path.empty() || path.size() > longest_path || path.find('\0') != path.npos)
    return {{}, "is no path", "a path is text of 1 to 1,000 characters"};
  const fs::path file = folder_ / path;
  if (trust_ == Trust::no && (fs::path(path).is_absolute() || !is_inside(file, folder_)))
    return {{},
            engine::quoted(path) + " is outside the folder of the scene",
            "put the file beside the scene or below"};
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    const bool there = fs::exists(file, error);
    return {{},
            (there ? "not a file: " : "no such file: ") + file.string(),
            "paths start at the folder of the scene"};
  }
  if (const std::uintmax_t size = fs::file_size(file, error); error || size > largest)
    return {{},
            file.string() + " is longer than " + engine::bytes_text(static_cast<double>(largest)),
            "divide it, or thin it out"};
  if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
  return {file};
}

}  // namespace mote::sim
