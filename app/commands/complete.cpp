#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/option_tables.h"
#include "app/commands/schema_text.h"
#include "app/scenes.h"
#include "app/sweep/plan.h"
#include "engine/params.h"
#include "engine/terminal.h"
#include "sim/scene/read_scene.h"
#include "sim/scene/tables.h"

namespace mote::app {
namespace {

/// Where a shell has to add names of files or folders.
const std::string any_file = ":files", any_folder = ":folders";

/// Collects candidates for one word: each line is one, with its meaning after a tab.
class Candidates {
 public:
  explicit Candidates(std::string word) : word_(std::move(word)) {}

  /// Adds a candidate if the word may become it. `before`: a part of the word that stays.
  void add(const std::string& candidate, const std::string& meaning = "") {
    // A scene may choose the text: a line break would be another candidate.
    const auto control = [](unsigned char c) { return c < ' ' || c == 127; };
    if (std::any_of(candidate.begin(), candidate.end(), control)) return;
    if ((before_ + candidate).starts_with(word_))
      engine::print("{}{}\t{}\n", before_, candidate, meaning.substr(0, meaning.find('\n')));
  }
  void add_all(const std::vector<std::string>& candidates) {
    for (const std::string& candidate : candidates) add(candidate);
  }
  /// The part of the word in which candidates begin; what is before it stays.
  void begin_at(std::size_t at) { before_ = word_.substr(0, at); }
  std::string part() const { return word_.substr(before_.size()); }
  const std::string& word() const { return word_; }
  void ask_shell(const std::string& for_what) {
    if (std::exchange(asked_, for_what) != for_what) engine::print("{}\n", for_what);
  }

 private:
  std::string word_, before_, asked_;
};

/// path=value: keys of all tables, or of one and of those in it.
void complete_paths(const std::string& of, Candidates& to) {
  const std::vector<std::string>& tables = sim::subtable_names();
  for (const engine::ParamSheet& sheet : sim::scene_sheets())
    if (of.empty() ? std::find(tables.begin(), tables.end(), sheet.name) != tables.end()
                   : sheet.name.starts_with(of))
      for (const engine::ParamSheet::Row& row : sheet.rows)
        to.add(sheet.name + "." + row.info.name + "=", row.info.help);
}

/// name=value: parameters of the scene, and paths of keys once a word has begun.
void complete_settings(const std::string& scene, Candidates& to) {
  const std::string part = to.part();
  const std::size_t equals = part.find('=');
  const std::string name = part.substr(0, equals);
  std::vector<sim::SceneParam> params;
  try {
    if (!scene.empty()) params = sim::read_scene(find_scene(scene)).params;
  } catch (const std::exception&) {  // reported when the command is run
  }
  for (const sim::SceneParam& param : params) {
    if (equals == part.npos) {
      const std::string range = engine::range_of(param.info);
      to.add(param.info.name + "=", param.info.help + (range.empty() ? "" : "; " + range));
    } else if (param.info.name == name) {
      to.begin_at(to.word().size() - part.size() + equals + 1);
      if (param.type == engine::ParamType::boolean) to.add_all({"true", "false"});
      to.add_all(param.info.choices);
    }
  }
  if (!part.empty() && equals == part.npos) complete_paths("", to);
}

void complete_scenes(Candidates& to) {
  for (const std::filesystem::path& scene : shipped_scenes()) to.add(scene.stem().string());
}

/// Values of an option or an argument: its choices, or what its type says.
void complete_value(const CLI::App& program, const CLI::Option& option, const std::string& scene,
                    Candidates& to) {
  if (option.get_delimiter() != '\0') {
    const std::size_t last = to.word().rfind(option.get_delimiter());
    if (last != std::string::npos && last >= to.word().size() - to.part().size())
      to.begin_at(last + 1);
  }
  const std::string type = type_of(option), value = value_text(option);
  to.add_all(choices_of(option));
  if (type == "SCENE") complete_scenes(to);
  if (type == "PLAN") to.add_all(shipped_plans());
  if (type == "TOPIC") to.add_all(help_topics(program));
  if (type == "TABLE") to.add_all(table_names());
  if (type == "NAME=VALUE" || type == "PATH=VALUE") complete_settings(scene, to);
  if (type == "view.KEY=VALUE") complete_paths("view", to);
  if (type == "RUN" || type == "DIR") to.ask_shell(any_folder);
  if (type == "SCENE" || type == "PLAN" || value.find("FILE") != std::string::npos)
    to.ask_shell(any_file);
}

const CLI::Option* option_named(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  return name.starts_with("-") ? command.get_option_no_throw(name) : nullptr;
}

}  // namespace

void complete(const CLI::App& program, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  Candidates to(words.back());
  const CLI::App* command = find_command(program, words.front());
  if (words.size() == 1) {
    for (const CLI::App* one : commands_of(program))
      to.add(one->get_name(), one->get_description());
    for (const CLI::Option* one : options_of(program))
      if (to.word().starts_with("-")) to.add("--" + one->get_lnames().front(), meaning_of(*one));
  }
  // `mote SCENE` is `mote view SCENE`.
  if (!command || words.size() == 1)
    command = find_command(program, "view");
  else
    words.erase(words.begin());
  const std::vector<const CLI::Option*> arguments = arguments_of(*command);
  const CLI::Option* before = nullptr;  // the option whose value may come next
  std::size_t given = 0;                // arguments so far
  std::string scene;
  words.pop_back();
  for (const std::string& word : words) {
    if (const CLI::Option* option = option_named(*command, word)) {
      before = takes_value(*option) && word.find('=') == word.npos ? option : nullptr;
      continue;
    }
    if (!std::exchange(before, nullptr)) {
      if (given < arguments.size() && type_of(*arguments[given]) == "SCENE") scene = word;
      if (given < arguments.size() && arguments[given]->get_items_expected_max() == 1) ++given;
    }
  }
  if (to.word().starts_with("-")) {
    const std::size_t equals = to.word().find('=');
    const CLI::Option* option = option_named(*command, to.word());
    if (equals != std::string::npos) {
      to.begin_at(equals + 1);
      if (option) complete_value(program, *option, scene, to);
      return;
    }
    for (const CLI::Option* one : options_of(*command))
      for (const std::string& name : one->get_lnames()) to.add("--" + name, meaning_of(*one));
    return;
  }
  if (before) complete_value(program, *before, scene, to);
  if (before && before->get_items_expected_min() > 0) return;
  if (given < arguments.size()) complete_value(program, *arguments[given], scene, to);
}

}  // namespace mote::app
