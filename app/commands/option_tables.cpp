#include "app/commands/option_tables.h"

#include <algorithm>
#include <cctype>

#include "engine/text.h"

namespace mote::app {
namespace {

/// The validators' text on the values of an option: "{auto,cpu,cuda}", "INT in [0 - 1023]",
/// "SECONDS".
std::string validators_text(const CLI::Option& option) {
  const std::string all = option.get_type_name();  // TYPE:VALIDATOR:VALIDATOR
  const std::size_t colon = all.find(':');
  return colon == all.npos ? "" : all.substr(colon + 1);
}

/// "0 to 1023" of a range; "" for other validators.
std::string range_text(const CLI::Option& option) {
  const std::string text = validators_text(option);
  const std::size_t begin = text.find(" in ["), middle = text.find(" - ");
  if (begin == text.npos || middle == text.npos) return "";
  const std::size_t low = begin + 5, high = middle + 3;
  return text.substr(low, middle - low) + " to " + text.substr(high, text.find(']') - high);
}

/// Arguments in a line of usage: "[SCENE]", "A B", "SOURCES...".
std::string arguments_text(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* argument : arguments_of(command)) {
    const std::string name = engine::upper_case(argument->get_name()) +
                             (argument->get_items_expected_max() > 1 ? "..." : "");
    text += argument->get_required() ? " " + name : " [" + name + "]";
  }
  return text;
}

}  // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  return command.get_options(
      [](const CLI::Option* o) { return !o->get_positional() && !o->get_group().empty(); });
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& command) {
  return command.get_options(
      [](const CLI::Option* o) { return o->get_positional() && !o->get_group().empty(); });
}

std::string names_text(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return engine::joined(names, ", ");
}

std::string type_of(const CLI::Option& option) {
  const std::string all = option.get_type_name();
  return all.substr(0, all.find(':'));
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string text = validators_text(option);
  const std::size_t begin = text.find('{'), end = text.find('}');
  if (begin == text.npos || end == text.npos) return {};
  return CLI::detail::split(text.substr(begin + 1, end - begin - 1), ',');
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

std::string value_text(const CLI::Option& option) {
  if (!takes_value(option)) return "";
  const std::string type = type_of(option), validators = validators_text(option);
  const bool has_range = !range_text(option).empty();
  std::string value = type;  // named by the option itself
  if (const auto choices = choices_of(option); !choices.empty())
    value = engine::joined(choices, "|");
  else if (type == "INT" || type == "UINT")
    value = "N";
  else if (type == "FLOAT" && (validators.empty() || has_range))
    value = "NUMBER";
  else if ((type == "TEXT" || type == "FLOAT") && !validators.empty())
    value = validators;
  if (option.get_delimiter() != '\0') value += option.get_delimiter() + std::string("...");
  return option.get_items_expected_min() == 0 ? "[" + value + "]" : value;
}

std::string meaning_of(const CLI::Option& option) {
  std::string text = option.get_description();
  if (const std::string range = range_text(option); !range.empty()) text += "; " + range;
  if (!option.get_default_str().empty()) text += "; default: " + option.get_default_str();
  for (const CLI::Option* other : option.get_excludes())
    text += "; not with " + other->get_name(false, false);
  return text;
}

HelpPage help_page(const CLI::App& program, const CLI::App& command) {
  const bool whole = &command == &program;
  HelpPage page;
  page.name = whole ? "mote" : "mote " + command.get_name();
  page.usage = whole ? "[OPTIONS] COMMAND" : "[OPTIONS]" + arguments_text(command);
  page.about = command.get_description();
  page.footer = command.get_footer();
  const auto add = [&](const std::string& title, HelpEntry entry) {
    const auto found = std::find_if(page.sections.begin(), page.sections.end(),
                                    [&](const HelpSection& s) { return s.title == title; });
    HelpSection& section =
        found != page.sections.end() ? *found : page.sections.emplace_back(HelpSection{title});
    section.entries.push_back(std::move(entry));
  };
  if (whole)
    for (const CLI::App* one : commands_of(program))
      add(one->get_group(), {one->get_name(), "", one->get_description()});
  for (const CLI::Option* one : arguments_of(command))
    add("Arguments", {engine::upper_case(one->get_name()), "", meaning_of(*one)});
  for (const CLI::Option* one : options_of(command))
    add(one->get_group(), {names_text(*one), value_text(*one), meaning_of(*one)});
  return page;
}

}  // namespace mote::app
