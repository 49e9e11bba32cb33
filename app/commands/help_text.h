#pragma once

#include <string>
#include <vector>

#include "app/commands/option_tables.h"

namespace mote::app {

/// Prints a page to standard output, at most as wide as the terminal, with bold headings.
void print_help(const HelpPage& page);
/// A part of one: a heading and entries in two columns.
void print_section(const HelpSection& section);

/// Words in lines of at most `width` characters, each line with this indent.
std::string in_lines(const std::string& text, std::size_t width, const std::string& indent);

/// The manual of the program with all its commands, or of one command, for man(1): roff with the
/// macros of man(7).
std::string man_page(const CLI::App& program, const CLI::App& command);

}  // namespace mote::app
