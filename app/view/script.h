#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mote::app {

/// A line of a script: a command and the words behind it.
struct ScriptLine {
  int number = 0;
  std::vector<std::string> words;
};

/// Reads a script, a command a line; text behind `#` is left out. Throws InputError with all lines
/// that are wrong: their commands, the number of words, and every word whose meaning does not
/// depend on the scene.
std::vector<ScriptLine> read_script(const std::filesystem::path& file);

/// Of a word that was checked.
double number_of(const std::string& word);
/// 0 left, 1 right, 2 middle; left when it is no button's.
int button_named(const std::string& name);

}  // namespace mote::app
