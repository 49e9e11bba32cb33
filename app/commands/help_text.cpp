#include "app/commands/help_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "engine/terminal.h"

namespace mote::app {
namespace {

/// Wider lines are hard to read.
constexpr std::size_t widest = 100;

std::size_t width() {
  return std::min(engine::columns_of(stdout) - 1, widest);
}

void print_heading(const std::string& text) {
  engine::print("{}\n", engine::styled(engine::Style::heading, text, stdout));
}

}  // namespace

std::string in_lines(const std::string& text, std::size_t width, const std::string& indent) {
  std::string lines;
  std::istringstream paragraphs(text);
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    std::string line = indent;
    std::istringstream words(paragraph);
    for (std::string word; words >> word;) {
      if (line != indent && line.size() + 1 + word.size() > width) {
        lines += line + "\n";
        line = indent;
      }
      line += (line == indent ? "" : " ") + word;
    }
    lines += line + "\n";
  }
  return lines;
}

void print_section(const HelpSection& section) {
  constexpr std::size_t column = 26;
  print_heading(section.title + ":");
  if (!section.about.empty()) engine::print("{}\n", in_lines(section.about, width(), "  "));
  for (const HelpEntry& entry : section.entries) {
    const std::string left = "  " + entry.names + (entry.value.empty() ? "" : " " + entry.value);
    std::string lines = in_lines(entry.text, width(), std::string(column, ' '));
    // The first line of the text is beside the names, if there is space.
    const bool beside = left.size() + 2 <= column;
    if (beside) lines.erase(0, left.size());
    engine::print("  {}{}{}{}", engine::styled(engine::Style::heading, entry.names, stdout),
                  left.substr(2 + entry.names.size()), beside ? "" : "\n", lines);
  }
  engine::print("\n");
}

void print_help(const HelpPage& page) {
  engine::print("{}", in_lines(page.about, width(), ""));
  engine::print("\n{} {} {}\n\n", engine::styled(engine::Style::heading, "Usage:", stdout),
                page.name, page.usage);
  for (const HelpSection& section : page.sections) print_section(section);
  engine::print("{}", in_lines(page.footer, width(), ""));
}

}  // namespace mote::app
