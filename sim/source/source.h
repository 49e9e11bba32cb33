#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check.h"
#include "engine/params.h"
#include "sim/source/hooks.h"
#include "sim/source/source_map.h"
#include "sim/source/value.h"

namespace mote::sim {

/// A named value that a scene made with `param` or `live`: a slider, a `--set` name, an axis of a
/// sweep.
struct SceneParam {
  engine::ParamInfo info;
  engine::ParamType type;
  engine::ParamValue standard;
  engine::ParamValue value;
  std::string location = {};  ///< place of its call, "file:line"
  bool live = false;          ///< made with `live`: the script only passes it on
  /// Paths of the live parameters, "gravity.softening", that have the value of a `live`.
  std::vector<std::string> paths = {};
};

/// A file read by a scene, with its contents at that time: an include, or bodies added by hooks.
struct SceneFile {
  std::filesystem::path path;              ///< the given one, from the scene's folder, normalised
  std::string canonical;                   ///< path with links resolved
  std::string text;                        ///< contents; empty for very large files
  std::optional<std::uint64_t> hash = {};  ///< hash of very large files
};

/// A trusted scene may use paths outside its folder and run its script without limits on time.
/// Nothing else changes.
enum class Trust { no, yes };

/// Settings of the command line, "--set name=value": typed text by name or path.
using Settings = std::map<std::string, std::string>;

/// A scene file as read: data and lines, not yet checked against the schema.
struct SceneSource {
  std::filesystem::path file;  ///< path as the user gave it; messages start with it
  std::string text;            ///< text of the whole file
  Trust trust = Trust::no;
  /// The names of the file and of those that it included, as messages show them: see
  /// lines_per_file.
  std::vector<std::string> files;
  Value root;                               ///< a table
  std::vector<std::filesystem::path> read;  ///< the files it included
  std::vector<SceneFile> included;          ///< the same, with their contents
  std::vector<SceneParam> params;
  Settings unused;   ///< settings that named no `param`: paths into the table
  SceneHooks hooks;  ///< hooks of a scene in Lua; not in `root`

  /// The text without the byte order mark that some editors put before it.
  std::string_view code() const {
    std::string_view all = text;
    if (all.starts_with("\xEF\xBB\xBF")) all.remove_prefix(3);
    return all;
  }
};

/// Reads a scene in Lua (.lua) or JSON (.json). Problems that do not stop the reading (a parameter
/// out of range) are added to `problems`; a file that cannot be read or run throws InputError.
/// Nothing is written anywhere.
SceneSource read_scene_source(const std::filesystem::path& file, const Settings& settings,
                              Trust trust, std::vector<engine::Diagnostic>& problems);
/// Reads a scene from a text that need not be the contents of `file`. Files in `known` are not read
/// from disk.
SceneSource read_scene_source(const std::filesystem::path& file, std::string text,
                              const Settings& settings, Trust trust,
                              std::vector<engine::Diagnostic>& problems,
                              std::vector<SceneFile> known = {});

/// Limit on the total bytes of the files of a scene.
inline constexpr std::uintmax_t max_scene_bytes = 64u << 20;

/// Readers of the two languages: use `source.text` and known files in `included`, and fill in the
/// rest.
void read_lua(SceneSource& source, Settings settings, std::vector<engine::Diagnostic>& problems);
void read_json(SceneSource& source, Settings settings, std::vector<engine::Diagnostic>& problems);

/// Splits "scene:7: message" of a script into location and problem.
engine::InputError script_error(const std::vector<std::string>& files, const std::string& message,
                                const std::vector<SceneParam>& params = {});

/// Reports keys that are given twice in one table: both languages would silently drop the first.
void report_repeated_keys(const SourceMap& map, const std::vector<std::string>& files,
                          std::vector<engine::Diagnostic>& problems);

}  // namespace mote::sim
