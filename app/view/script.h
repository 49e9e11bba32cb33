#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "render/input.h"

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
/// A mouse button and the keys held with it.
struct MouseButton {
  int number = 0;  ///< 0 left, 1 right, 2 middle
  render::Modifiers modifiers = {};
};
/// "left", "Shift+left", "Ctrl+Shift+left"; nothing for other words.
std::optional<MouseButton> button_named(const std::string& word);

}  // namespace mote::app
