#include <fmt/format.h>

#include <memory>
#include <string>

#include "app/commands/commands.h"
#include "app/view/viewer.h"
#include "engine/check.h"

namespace mote::app {

const CLI::App* find_command(const CLI::App& program, const std::string& name) {
  const auto found =
      program.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

void add_help(CLI::App& program) {
  CLI::App* command = program.add_subcommand("help", "show the commands, or the options of one");
  auto topic = std::make_shared<std::string>();
  command->add_option("command", *topic, "a command, or `keys` for the keys of the window");
  command->callback([&program, topic] {
    if (*topic == "keys") {
      fmt::print("{}", key_table());
      return;
    }
    const CLI::App* about = topic->empty() ? &program : find_command(program, *topic);
    if (!about)
      throw engine::InputError("help " + *topic, "no such command", "`mote help` lists them");
    // Not about->help(): for the program that would print the help of this command.
    fmt::print("{}", about->get_formatter()->make_help(
                         about, about == &program ? "mote" : "mote " + *topic,
                         CLI::AppFormatMode::Normal));
  });
}

}  // namespace mote::app
