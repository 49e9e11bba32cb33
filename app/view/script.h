#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mote::app {

/// A line of a script: a command and its arguments.
struct ScriptLine {
  int number = 0;
  std::vector<std::string> words;
};

/// Reads a script, one command per line; `#` starts a comment. Throws InputError with all invalid
/// lines: unknown commands, wrong numbers of arguments, and invalid arguments as far as they do not
/// depend on the scene.
std::vector<ScriptLine> read_script(const std::filesystem::path& file);

/// Converts a checked argument.
double number_of(const std::string& word);
/// 0 left, 1 right, 2 middle; 0 for any other word.
int button_named(const std::string& name);

}  // namespace mote::app
