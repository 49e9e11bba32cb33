#include "app/scenes.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "app/scene_title.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/text.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

/// True for a run.json, which has a state_hash near its beginning.
bool is_record(const fs::path& file) {
  std::error_code ignored;
  if (file.extension() != ".json" || !fs::is_regular_file(file, ignored)) return false;
  std::string begin(4096, ' ');
  std::ifstream stream(file);
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin.find("\"state_hash\"") != std::string::npos;
}

/// NAME.lua for the NAME that `mote new` was given; empty if there is none.
fs::path own_scene(const fs::path& name) {
  std::error_code ignored;
  fs::path file = name;
  file += ".lua";
  return name.has_filename() && fs::is_regular_file(file, ignored) ? file : fs::path();
}

/// Scenes that come with mote and have the word in their name or title, or else in their text; ""
/// for none.
std::string scenes_about(const std::string& word) {
  constexpr std::size_t fewest_letters = 3, most = 4;
  if (word.size() < fewest_letters) return "";
  std::vector<std::string> named, titled, mentioned;
  for (const fs::path& file : shipped_scenes()) {
    const std::string name = file.stem().string(), text = engine::read_file(file);
    if (has_word(file.stem().string(), word))
      named.push_back(name);
    else if (has_word(title_in(text), word))
      titled.push_back(name);
    else if (has_word(text, word))
      mentioned.push_back(name);
  }
  named.insert(named.end(), titled.begin(), titled.end());
  if (named.empty()) named = mentioned;
  const bool more = named.size() > most;
  if (more) named.resize(most);
  return engine::joined(named, ", ") + (more ? ", ..." : "");
}

}  // namespace

std::string title_in(const std::string& text) {
  const std::string key = "title = \"";
  const std::size_t at = text.find(key), begin = at + key.size();
  return at == text.npos ? "" : text.substr(begin, text.find('"', begin) - begin);
}

bool has_word(const std::string& text, const std::string& word) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

bool is_scene(const fs::path& wanted) {
  std::error_code ignored;
  return fs::exists(wanted, ignored) || !shipped_scene(wanted).empty() ||
         !own_scene(wanted).empty();
}

fs::path find_scene(const fs::path& wanted) {
  const fs::path found = find_scene_or_checkpoint(wanted);
  if (found.extension() == ".h5")
    throw engine::InputError(wanted.string(), "is not a scene but a snapshot or a checkpoint",
                             "continue a checkpoint with `mote run " + wanted.string() +
                                 "`, or in a window with `mote view " + wanted.string() + "`");
  return found;
}

fs::path find_scene_or_checkpoint(const fs::path& wanted) {
  std::error_code ignored;
  if (is_record(wanted))
    throw engine::InputError(wanted.string(), "is not a scene but the run.json of a run",
                             "repeat that run with `mote run --replay " + wanted.string() + "`");
  if (fs::is_regular_file(wanted, ignored)) return wanted;
  if (const fs::path shipped = shipped_scene(wanted); !shipped.empty()) return shipped;
  if (fs::path own = own_scene(wanted); !own.empty()) return own;
  if (fs::exists(wanted, ignored)) return wanted;
  std::vector<std::string> names;
  for (const fs::path& scene : shipped_scenes()) names.push_back(scene.stem().string());
  const std::string near = engine::closest(wanted.stem().string(), names);
  const bool is_file = wanted.has_parent_path() || wanted.has_extension();
  const std::string about = near.empty() && !is_file ? scenes_about(wanted.string()) : "";
  throw engine::InputError(
      wanted.string(), "no such scene file",
      !near.empty()    ? "did you mean '" + near + "', which comes with mote?"
      : !about.empty() ? "did you mean one of the scenes that come with mote: " + about + "?"
                       : "`mote list` lists the scenes that come with mote");
}

}  // namespace mote::app
