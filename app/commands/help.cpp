#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "app/commands/commands.h"
#include "app/commands/help_search.h"
#include "app/commands/help_text.h"
#include "app/commands/schema_text.h"
#include "app/view/viewer.h"
#include "engine/check.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::app {
namespace {

/// True if words differ by one letter, or by two that are swapped. Among so many topics there is
/// one that is nearly alike for any word.
bool is_slip(const std::string& a, const std::string& b) {
  const std::size_t longest = std::max(a.size(), b.size()), shortest = std::min(a.size(), b.size());
  std::size_t before = 0, after = 0;
  while (before < shortest && a[before] == b[before]) ++before;
  while (after < shortest - before && a[a.size() - 1 - after] == b[b.size() - 1 - after]) ++after;
  const std::size_t differ = longest - before - after;
  const bool swapped = differ == 2 && a.size() == b.size() && a[before] == b[before + 1] &&
                       a[before + 1] == b[before];
  return differ <= 1 || swapped;
}

/// The command named, or the program for "". Throws InputError with the closest topic.
const CLI::App& topic_command(const CLI::App& program, const std::string& topic) {
  if (topic.empty()) return program;
  if (const CLI::App* command = find_command(program, topic)) return *command;
  std::string near = engine::closest(topic, help_topics(program));
  if (!is_slip(topic, near)) near.clear();
  throw engine::InputError("help " + topic, "no such command, table, key, scene or document",
                           near.empty() ? "`mote help` lists the commands, `mote schema` all keys"
                                        : "did you mean 'mote help " + near + "'?");
}

void help(const CLI::App& program, const std::string& topic, bool manual, bool markdown) {
  if (manual) {
    engine::print("{}", man_page(program, topic_command(program, topic)));
    return;
  }
  if (topic == "keys") {
    engine::print("{}", key_table(markdown));
    return;
  }
  if (markdown)
    throw engine::InputError("--markdown", "is for the keys of the window only",
                             "write `mote help keys --markdown`");
  // A word may be a command and a table, as `view`.
  const CLI::App* command = topic.empty() ? &program : find_command(program, topic);
  if (command) print_help(help_page(program, *command));
  if (!topic.empty()) {
    const bool table = print_table(topic), key = print_keys(topic);
    if (!command && !table && !key && !print_found(program, topic)) topic_command(program, topic);
  }
}

}  // namespace

const CLI::App* find_command(const CLI::App& program, const std::string& name) {
  const auto found =
      program.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

std::vector<std::string> help_topics(const CLI::App& program) {
  std::vector<std::string> topics{"keys"};
  for (const CLI::App* command : commands_of(program)) topics.push_back(command->get_name());
  for (const auto& names : {table_names(), key_names()})
    topics.insert(topics.end(), names.begin(), names.end());
  return topics;
}

void add_help(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("help", "show the commands, the options of one, or a key of scenes");
  auto topic = std::make_shared<std::string>();
  auto manual = std::make_shared<bool>(false), markdown = std::make_shared<bool>(false);
  command
      ->add_option("topic", *topic,
                   "a command, a table or a key of scenes, such as integrator.dt, or `keys` for "
                   "the keys of the window; any other word is searched for in these, in scenes and "
                   "in documents")
      ->type_name("TOPIC");
  command->add_flag("--man", *manual, "print the manual, of all commands or of one, for man");
  command->add_flag("--markdown", *markdown,
                    "print the keys of the window as a table for documents");
  command->callback(
      [&program, topic, manual, markdown] { help(program, *topic, *manual, *markdown); });
}

}  // namespace mote::app
