#include <cctype>

#include "app/commands/help_text.h"
#include "engine/machine.h"
#include "engine/text.h"

namespace mote::app {
namespace {

/// Escapes backslashes and hyphens, and starts of lines that roff would take for requests.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
    if (c == '\n') escaped += "\\&";
  }
  return (text.starts_with('.') || text.starts_with('\'') ? "\\&" : "") + escaped;
}

/// Escapes a value, and allows a line break after each "|" of a list of choices such as "png|svg",
/// which may be longer than a line.
std::string breakable(const std::string& value) {
  std::string text;
  for (const char c : roff(value)) text += c == '|' ? std::string("|\\:") : std::string(1, c);
  return text;
}

std::string entry_text(const HelpEntry& entry) {
  return ".TP\n\\fB" + roff(entry.names) + "\\fR" +
         (entry.value.empty() ? "" : " \\fI" + breakable(entry.value) + "\\fR") + "\n" +
         roff(entry.text) + "\n";
}

/// The sections of a page; `request` is the roff macro of their headings, SH or SS.
std::string sections_text(const HelpPage& page, const std::string& request) {
  std::string text;
  for (const HelpSection& section : page.sections) {
    text += "." + request + " \"" +
            roff(request == "SH" ? engine::upper_case(section.title) : section.title) + "\"\n";
    for (const HelpEntry& entry : section.entries) text += entry_text(entry);
  }
  return text;
}

}  // namespace

std::string man_page(const CLI::App& program, const CLI::App& command) {
  const HelpPage page = help_page(program, command);
  std::string name = page.name;
  for (char& c : name)
    if (c == ' ') c = '-';
  // The page has no date, so that the same sources give the same page. `.nh` turns hyphenation off,
  // so that no name is broken at the end of a line.
  std::string text = ".TH " + engine::upper_case(roff(name)) + " 1 \"\" \"mote " +
                     engine::build_info().version + "\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n" +
                     roff(name) + " \\- ";
  const std::size_t line = page.about.find('\n');
  std::string first = page.about.substr(0, line);
  if (first.starts_with("mote: ")) first.erase(0, 6);
  text +=
      roff(first) + "\n.SH SYNOPSIS\n\\fB" + roff(page.name) + "\\fR " + roff(page.usage) + "\n";
  if (line != page.about.npos)
    text += ".SH DESCRIPTION\n" + roff(page.about.substr(line + 1)) + "\n";
  text += sections_text(page, "SH");
  if (&command == &program)
    for (const CLI::App* one : commands_of(program)) {
      const HelpPage about = help_page(program, *one);
      text += ".SH \"" + engine::upper_case(roff(about.name)) + "\"\n" + roff(about.name) + " " +
              roff(about.usage) + "\n.PP\n" + roff(about.about) + "\n" + sections_text(about, "SS");
      if (one->get_footer() != program.get_footer())
        text += ".PP\n" + roff(one->get_footer()) + "\n";
    }
  return text + ".SH NOTES\n" + roff(page.footer) + "\n";
}

}  // namespace mote::app
