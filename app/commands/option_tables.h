#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace mote::app {

/// Options declared next are listed under this title in the help; by default under "Options".
inline void start_group(CLI::App& command, const std::string& title = "Options") {
  command.option_defaults()->group(title);
}

// These functions return what the tables of CLI11, by which the program reads its command line, say
// about commands and options: help, manual and completion are made from it.

/// Commands in the order of their groups, without hidden ones.
std::vector<const CLI::App*> commands_of(const CLI::App& program);

/// Options with names, or arguments without, of a command; without hidden ones.
std::vector<const CLI::Option*> options_of(const CLI::App& command);
std::vector<const CLI::Option*> arguments_of(const CLI::App& command);

/// "-o, --out".
std::string names_text(const CLI::Option& option);

/// The name of an option's type that its declaration gives: "SCENE", or "TEXT", "INT", ...
std::string type_of(const CLI::Option& option);

/// The texts that an option accepts; empty if there is no list of them.
std::vector<std::string> choices_of(const CLI::Option& option);

/// True if a value follows the option, or may follow it.
bool takes_value(const CLI::Option& option);

/// The value in a list of options: "cpu|cuda", "FILE.png", "[FILE.png]"; "" for a flag.
std::string value_text(const CLI::Option& option);

/// The meaning of an option: what it does, its range and its default.
std::string meaning_of(const CLI::Option& option);

/// One page about a command, or about the program: its help and its manual are printed from this.
struct HelpEntry {
  std::string names, value, text;
};
struct HelpSection {
  std::string title;
  std::vector<HelpEntry> entries = {};
  std::string about = {};  ///< a paragraph below the title
};
struct HelpPage {
  std::string name;   ///< "mote run"
  std::string usage;  ///< the words after the name: "[OPTIONS] [SCENE]"
  std::string about;
  std::vector<HelpSection> sections;
  std::string footer;
};
HelpPage help_page(const CLI::App& program, const CLI::App& command);

}  // namespace mote::app
