#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/help_text.h"
#include "app/scene_title.h"
#include "app/scenes.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/model/modules.h"
#include "sim/motion/integrators.h"
#include "sim/scene/description.h"
#include "sim/scene/generators.h"
#include "sim/scene/read_scene.h"
#include "sim/source/reader.h"

namespace mote::app {
namespace {

struct ListedScene {
  std::filesystem::path file;
  std::optional<sim::SceneDescription> scene;  ///< none: it has errors
  std::string subject;                         ///< "of grains", or "with errors"
};

/// The subject of a scene: its kinds of matter, or else that of the first module of its physics.
std::string subject_of(const sim::SceneDescription& scene) {
  std::vector<std::string> matter;
  for (const sim::Physics& p : scene.physics)
    if (p.info().is_matter) matter.push_back(p.info().subject);
  if (!matter.empty()) return engine::joined(matter, " and ");
  return scene.physics.begin() == scene.physics.end() ? "motion"
                                                      : (*scene.physics.begin()).info().subject;
}

/// Shipped scenes that have the text in their name, title or description, by subject.
std::vector<ListedScene> scenes_with(const std::string& text) {
  std::vector<ListedScene> found;
  for (const auto& file : shipped_scenes()) {
    ListedScene one{file, {}, "with errors"};
    std::string words = file.stem().string();
    try {
      one.scene = sim::read_scene(file);
      one.subject = "of " + subject_of(*one.scene);
      words += "\n" + one.scene->head.title + "\n" + one.scene->head.about;
    } catch (const engine::InputError&) {
    }
    if (has_word(words, text)) found.push_back(std::move(one));
  }
  std::stable_sort(found.begin(), found.end(), [](const ListedScene& a, const ListedScene& b) {
    return a.subject < b.subject;
  });
  return found;
}

/// Words in the names and titles of shipped scenes.
std::vector<std::string> words_of_scenes() {
  std::set<std::string> words;
  for (const auto& file : shipped_scenes()) {
    std::string word;
    for (const char c : file.stem().string() + " " + title_in(engine::read_file(file)) + " ")
      if (std::isalpha(static_cast<unsigned char>(c)) != 0)
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      else
        words.insert(std::exchange(word, ""));
  }
  std::erase_if(words, [](const std::string& word) { return word.size() < 4; });
  return {words.begin(), words.end()};
}

void print_scenes(const std::vector<ListedScene>& scenes) {
  std::string subject;  ///< "of grains", or "with errors"
  for (const ListedScene& one : scenes) {
    if (one.subject != subject)
      engine::print("{}{}\n", subject.empty() ? "" : "\n",
                    engine::styled(engine::Style::heading, "Scenes " + one.subject + ":", stdout));
    subject = one.subject;
    const std::string name = one.file.stem().string();
    if (one.scene)
      engine::print("  {:<20} {:>9} bodies  {}\n", name,
                    engine::with_thousands(one.scene->body_count()), one.scene->head.title);
    else
      engine::print("  {:<20} has errors: mote check {}\n", name, name);
  }
  if (!scenes.empty()) engine::print("\n");
}

void print_json(const std::vector<ListedScene>& scenes) {
  engine::Json all = engine::Json::array();
  for (const ListedScene& one : scenes) {
    engine::Json entry{{"name", one.file.stem().string()}, {"file", one.file.string()}};
    if (one.scene) {
      const sim::SceneDescription& scene = *one.scene;
      entry.update({{"subject", subject_of(scene)},
                    {"title", scene.head.title},
                    {"about", scene.head.about},
                    {"bodies", scene.body_count()}});
      for (const sim::SceneParam& param : scene.params)
        entry["params"][param.info.name] = {{"help", param.info.help},
                                            {"default", sim::to_json(param.standard)}};
    } else {
      entry["errors"] = true;
    }
    all.push_back(entry);
  }
  engine::print("{}\n", engine::json_text(all, 2));
}

/// The building blocks that have the text in their name or description. False: none has.
bool print_parts(const std::string& text) {
  bool any = false;
  const auto print = [&](HelpSection section) {
    std::erase_if(section.entries,
                  [&](const HelpEntry& e) { return !has_word(e.names + "\n" + e.text, text); });
    if (!section.entries.empty()) print_section(section);
    any = any || !section.entries.empty();
  };
  HelpSection forces{"Forces"}, integrators{"Integrators"}, bodies{"Bodies"};
  for (const sim::PhysicsModule& module : sim::modules()) {
    const sim::ModuleInfo& m = module.info();
    forces.entries.push_back(
        {m.subject + "." + m.name, "",
         fmt::format("{} ({}{})", m.help, m.cpu ? "cpu" : "", m.cuda ? ", cuda" : "")});
  }
  print(forces);
  for (const sim::IntegratorInfo& i : sim::integrators())
    integrators.entries.push_back({i.name, "", i.help});
  print(integrators);
  for (const sim::PhysicsModule& module : sim::modules()) {
    const sim::ModuleInfo& m = module.info();
    HelpSection items{"Items of " + m.subject};
    for (const engine::ParamSheet& s : m.sheets)
      if (sim::module_with_function(s.name) == &m)
        items.entries.push_back({s.name, "", s.help.substr(0, s.help.find(", in `"))});
    print(items);
  }
  for (const engine::ParamSheet& s : sim::body_sheets())
    bodies.entries.push_back({s.name, "", s.help.substr(0, s.help.find(". "))});
  print(bodies);
  return any;
}

void list(const std::string& text, bool json) {
  const std::vector<ListedScene> scenes = scenes_with(text);
  if (json) return print_json(scenes);
  if (shipped_scenes().empty())
    engine::print("No scenes found; set MOTE_SCENES to their folder\n");
  else if (!scenes.empty())
    engine::print(
        "Scenes in {}\n`mote NAME` shows one, `mote run NAME` runs it, `mote list TEXT` finds "
        "some.\n\n",
        scenes_folder().string());
  print_scenes(scenes);
  if (print_parts(text) || !scenes.empty()) return;
  const std::string near = engine::closest(text, words_of_scenes());
  throw engine::InputError("list " + text, "no scene or building block has this text",
                           near.empty()
                               ? "`mote list` lists all, `mote help KEY` describes keys of scenes"
                               : "did you mean 'mote list " + near + "'?");
}

}  // namespace

void add_list(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "list", "list the scenes that come with mote, and the building blocks of scenes");
  auto text = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command->add_option("text", *text, "only what has this text in its name, title or description");
  command->add_flag("--json", *json, "print the scenes, with their parameters, as JSON");
  command->callback([text, json] { list(*text, *json); });
}

}  // namespace mote::app
