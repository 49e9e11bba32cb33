#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check.h"
#include "engine/params.h"
#include "sim/scene/hooks.h"
#include "sim/scene/source_map.h"
#include "sim/scene/value.h"

namespace mote::sim {

/// A named value that a scene made with `param`: a slider, a `--set` name, an axis of a sweep.
struct SceneParam {
  engine::ParamInfo info;
  engine::ParamType type;
  engine::ParamValue standard;
  engine::ParamValue value;
  std::string place = {};  ///< of its call, "file:line"
};

/// A file that was read through a scene, as it was then: one that it includes, or bodies that its
/// hooks brought.
struct SceneFile {
  std::filesystem::path path;  ///< as it was asked for, from the folder of the scene, without
                               ///< detours
  std::string whole;           ///< where it is, links followed
  std::string text;            ///< its bytes; of a very large one only their hash is kept
  std::optional<std::uint64_t> hash = {};  ///< instead of the text
};

/// Whether a scene is trusted: then its paths may lead anywhere and its script may run for as long
/// as it likes. Nothing else changes.
enum class Trust { no, yes };

/// What the command line says about a scene: "--set name=value" by name or path, typed text.
using Settings = std::map<std::string, std::string>;

/// A scene file as read: data and lines, not yet checked against the schema.
struct SceneSource {
  std::filesystem::path file;  ///< as the user gave it; messages start with it
  std::string text;            ///< of the whole file
  Trust trust = Trust::no;
  /// The names of the file and of those that it included, as messages show them: see lines_a_file.
  std::vector<std::string> files;
  Value root;                               ///< a table
  std::vector<std::filesystem::path> read;  ///< what it included
  std::vector<SceneFile> included;          ///< the same, with its texts
  std::vector<SceneParam> params;
  Settings unused;   ///< settings that named no `param`: paths into the table
  SceneHooks hooks;  ///< of a scene in Lua; `root` does not have them

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
/// The same of a text that need not stand in the file of this name. Files that are `known` are not
/// read from the disk.
SceneSource read_scene_source(const std::filesystem::path& file, std::string text,
                              const Settings& settings, Trust trust,
                              std::vector<engine::Diagnostic>& problems,
                              std::vector<SceneFile> known = {});

/// The texts of a scene, all its files together, are no longer than this.
inline constexpr std::uintmax_t longest_scene = 64u << 20;

/// The two languages. `source.text` is given, and as `included` what is known; `root` and `params`
/// are filled in.
void read_lua(SceneSource& source, Settings settings, std::vector<engine::Diagnostic>& problems);
void read_json(SceneSource& source, Settings settings, std::vector<engine::Diagnostic>& problems);

/// "scene:7: message" of a script as place and problem.
engine::InputError script_error(const std::vector<std::string>& files, const std::string& message);

/// Keys that the text names twice in one table: either language would quietly drop the first.
void note_repeated_keys(const SourceMap& map, const std::vector<std::string>& files,
                        std::vector<engine::Diagnostic>& problems);

}  // namespace mote::sim
