#include "app/commands/meant.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "app/commands/option_tables.h"
#include "app/scenes.h"
#include "engine/json.h"
#include "engine/text.h"
#include "sim/scene/read_scene.h"

namespace mote::app {
namespace {

using engine::Json;

/// The scene that a command was given, if it can be read.
std::optional<sim::SceneDescription> scene_given(const CLI::App& command) {
  const CLI::Option* const option = command.get_option_no_throw("scene");
  if (option == nullptr || option->results().empty()) return std::nullopt;
  try {
    return sim::read_scene(find_scene(option->results().front()));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// The path that --set takes for a name: the name itself, if it is a parameter or a path of the
/// scene, or else that of the key of this name in a table; "" for neither.
std::string settable(const sim::SceneDescription& scene, const std::string& name) {
  for (const sim::SceneParam& param : scene.params)
    if (param.info.name == name) return name;
  const Json& tables = *scene.expanded;
  const std::size_t dot = name.find('.');
  if (dot != name.npos) {
    const auto table = tables.find(name.substr(0, dot));
    return table != tables.end() && table->is_structured() ? name : "";
  }
  for (const auto& [table, keys] : tables.items())
    if (keys.is_object() && keys.contains(name) && !keys[name].is_structured())
      return table + "." + name;
  // A word of other programs: theme for view.background.
  for (const auto& [table, keys] : tables.items()) {
    if (!keys.is_object()) continue;
    for (const auto& [key, value] : keys.items())
      if (!value.is_structured() && engine::is_synonym(name, key)) return table + "." + key;
  }
  return "";
}

std::string set_meant(const CLI::App& command, const CommandLine& words, std::size_t at) {
  if (command.get_option_no_throw("--set") == nullptr || words[at].starts_with("---")) return "";
  const std::string& word = words[at];
  const std::size_t begin = word.find_first_not_of('-'), equals = word.find('=');
  if (begin == word.npos || equals < begin) return "";
  const std::string value = equals != word.npos ? word.substr(equals + 1)
                            : at + 1 < words.size() && !words[at + 1].starts_with("-")
                                ? words[at + 1]
                                : "";
  if (value.empty()) return "";
  const auto scene = scene_given(command);
  const std::string path = scene ? settable(*scene, word.substr(begin, equals - begin)) : "";
  return path.empty() ? "" : "did you mean --set " + path + "=" + value + "?";
}

/// The long name that a short option has in any other command; "" if this command has none of it.
std::string long_name_of(char letter, const CLI::App& program,
                         const std::vector<std::string>& options) {
  for (const CLI::App* other : commands_of(program))
    for (const CLI::Option* option : options_of(*other))
      for (const std::string& name : option->get_snames())
        if (name[0] == letter && !option->get_lnames().empty())
          if (const std::string& longer = option->get_lnames().front();
              std::find(options.begin(), options.end(), longer) != options.end())
            return longer;
  return "";
}

/// Options with the word, or one that differs from it by an s, among theirs: --snapshot-steps and
/// --snapshot-time for --snapshots.
std::vector<std::string> with_word(std::string word, const std::vector<std::string>& options) {
  constexpr std::size_t shortest = 4;
  if (word.ends_with('s')) word.pop_back();
  std::vector<std::string> found;
  if (word.size() < shortest) return found;
  for (const std::string& option : options) {
    const std::size_t begin = option.find(word), end = begin + word.size();
    if (begin != option.npos && (begin == 0 || option[begin - 1] == '-') &&
        (end == option.size() || option[end] == '-' || option[end] == 's'))
      found.push_back("--" + option);
  }
  return found;
}

std::string options_meant(const std::string& given, const CLI::App& program,
                          const CLI::App& command) {
  std::string word = given.substr(0, given.find('='));
  word.erase(0, word.find_first_not_of('-'));
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) options.push_back(name);
  std::string near = engine::closest(word, options);
  if (near.empty() && word.size() == 1) near = long_name_of(word[0], program, options);
  if (!near.empty()) return "did you mean '--" + near + "'?";
  const std::vector<std::string> some = with_word(word, options);
  return some.empty() ? "" : "did you mean " + engine::joined(some, " or ") + "?";
}

}  // namespace

std::string option_meant(const CLI::App& program, const CLI::App& command, const CommandLine& words,
                         std::size_t at) {
  const std::string& word = words[at];
  if (word == "-v") return "did you mean 'mote -V', the version?";
  if (word == "--dry-run" && command.get_option_no_throw("--set") != nullptr)
    return "`mote check SCENE` makes all checks of a run and writes nothing";
  if (std::string set = set_meant(command, words, at); !set.empty()) return set;
  if (const std::string option = options_meant(word, program, command); !option.empty())
    return option;
  // `run -n 5`, where no scene says whether it has such a parameter.
  const bool letter = word.size() == 2 && word[1] != '-';
  const bool number = at + 1 < words.size() && !words[at + 1].empty() &&
                      words[at + 1].find_first_not_of("0123456789.e") == std::string::npos;
  return letter && number && command.get_option_no_throw("--set") != nullptr
             ? "a parameter of a scene is given as --set " + word.substr(1) + "=" + words[at + 1]
             : "";
}

}  // namespace mote::app
