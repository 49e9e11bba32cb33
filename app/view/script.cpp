#include "app/view/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include "app/view/added_bodies.h"
#include "app/view/panels.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/text.h"
#include "render/input.h"
#include "sim/run/live.h"

namespace mote::app {
namespace {

using Words = std::vector<std::string>;

/// Syntax of the commands; words in capitals are kinds(), brackets mark optional arguments, and
/// dots any number of further words.
const Words& usages() {
  static const Words all{"frames COUNT",
                         "settle",
                         "reach STEP",
                         "key KEY",
                         "hold KEY COUNT",
                         "move X Y",
                         "press X Y [BUTTON]",
                         "release X Y [BUTTON]",
                         "click X Y [BUTTON]",
                         "double X Y",
                         "drag X1 Y1 X2 Y2 [BUTTON]",
                         "wheel X Y AMOUNT",
                         "type TEXT ...",
                         "run",
                         "pause",
                         "step STEPS",
                         "seek STEP",
                         "rate TIME",
                         "reset",
                         "open SCENE",
                         "frame-all",
                         "set PATH VALUE ...",
                         "color SCALAR ...",
                         "size PIXELS PIXELS",
                         "pick ID",
                         "adds BODIES",
                         "drop FILE",
                         "panels SWITCH",
                         "show PANEL SWITCH",
                         "camera DISTANCE AZIMUTH ELEVATION",
                         "screenshot FILE [scene]",
                         "record FILE",
                         "hash NAME",
                         "expect WHAT VALUE ...",
                         "await WHAT VALUE ...",
                         "report",
                         "quit"};
  return all;
}

/// A kind of argument and its check.
struct Kind {
  std::string description;
  std::function<bool(const std::string&)> valid;
};

std::optional<double> read_number(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (end == word.c_str() || *end != 0 || !std::isfinite(value)) return std::nullopt;
  return value;
}

Kind number(const std::string& description, bool (*good)(double)) {
  return {description, [good](const std::string& word) {
            const auto value = read_number(word);
            return value && good(*value);
          }};
}

Kind integer(const std::string& description, double least, double most = 1e15) {
  return {description, [least, most](const std::string& word) {
            const auto value = read_number(word);
            return value && *value == std::floor(*value) && *value >= least && *value <= most;
          }};
}

Kind one_of(const Words& choices) {
  return {"one of " + engine::joined(choices, ", "), [choices](const std::string& word) {
            return std::find(choices.begin(), choices.end(), word) != choices.end();
          }};
}

bool any(double) {
  return true;
}

Words addition_words() {
  Words words;
  for (const AdditionName& a : addition_names) words.emplace_back(a.word);
  return words;
}

Words panel_words() {
  Words words;
  for (const MovablePanel& panel : movable_panels()) words.push_back(panel.standard.panel);
  words.emplace_back("help");
  return words;
}

bool is_key(const std::string& word) {
  render::Key key{};
  render::Modifiers modifiers;
  return render::parse_key(word, key, modifiers);
}

/// Arguments of other kinds may be anything.
const std::map<std::string, Kind>& kinds() {
  static const Kind a_number = number("a number", any);
  static const std::map<std::string, Kind> all{
      {"COUNT", integer("a whole number >= 0", 0)},
      {"STEP", integer("a whole number >= 0", 0)},
      {"STEPS", integer("a whole number", -1e15)},
      {"ID", integer("a whole number >= 0", 0)},
      {"PIXELS", integer("a whole number from 1 to 16384", 1, 16384)},
      {"TIME", number("a number >= 0", [](double x) { return x >= 0; })},
      {"DISTANCE", number("a number > 0", [](double x) { return x > 0; })},
      {"X", a_number},
      {"Y", a_number},
      {"X1", a_number},
      {"Y1", a_number},
      {"X2", a_number},
      {"Y2", a_number},
      {"AMOUNT", a_number},
      {"AZIMUTH", a_number},
      {"ELEVATION", a_number},
      {"KEY", {"a key, as Space, F9, Left or Ctrl+Shift+S", is_key}},
      {"BUTTON",
       {"left, right or middle, maybe with Ctrl or Shift, as Ctrl+left",
        [](const std::string& word) { return button_named(word).has_value(); }}},
      {"SWITCH", one_of({"on", "off"})},
      {"PANEL", one_of(panel_words())},
      {"scene", one_of({"scene"})},
      {"BODIES", one_of(addition_words())},
  };
  return all;
}

/// Quantities of `expect` and `await`, and their values; live parameters are numbers.
const std::map<std::string, Kind>& expectations() {
  static const std::map<std::string, Kind> all = [] {
    std::map<std::string, Kind> known{
        {"step", integer("a whole number >= 0", 0)},
        {"mode", one_of({"paused", "history", "running", "seeking", "unhealthy"})},
        {"branch", integer("a whole number >= 0", 0)},
        {"bodies", integer("a whole number >= 0", 0)},
        {"body",
         {"an id >= 0, or none",
          [](const std::string& word) { return word == "none" || integer("", 0).valid(word); }}},
        {"force-errors",
         {"a step >= 0, or none",
          [](const std::string& word) { return word == "none" || integer("", 0).valid(word); }}},
        {"path", one_of({"interop", "copy", "mapped"})},
        {"host-bytes", integer("a whole number >= 0", 0)},
        {"error", {"a text", [](const std::string&) { return true; }}},
        {"halt", {"a text", [](const std::string&) { return true; }}}};
    for (const std::string& path : sim::all_live_paths())
      known.insert({path, number("a number", any)});
    return known;
  }();
  return all;
}

std::string names_of(const std::map<std::string, Kind>& kinds_by_name) {
  Words names;
  for (const auto& [name, kind] : kinds_by_name) names.push_back(name);
  return engine::joined(names, ", ");
}

Words split(const std::string& line) {
  std::istringstream text(line);
  Words words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

/// A message and what to do.
using Problem = std::optional<std::pair<std::string, std::string>>;

Problem unknown_command(const std::string& word) {
  Words names;
  for (const std::string& usage : usages()) names.push_back(split(usage).front());
  const std::string near = engine::closest(word, names);
  return std::pair("no such command",
                   near.empty() ? "docs/window.md lists them" : "did you mean '" + near + "'?");
}

/// "fields.N.linear" for "fields.2.linear".
std::string without_numbers(const std::string& path) {
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto digit = [&](std::size_t k) {
      return k < path.size() && path[k] >= '0' && path[k] <= '9';
    };
    if (!digit(i) || i == 0 || path[i - 1] != '.') {
      out += path[i];
      continue;
    }
    while (digit(i + 1)) ++i;
    out += 'N';
  }
  return out;
}

Problem wrong_expectation(const Words& words) {
  if (words[1].starts_with("param.")) return std::nullopt;  // depends on the scene
  const auto known = expectations().find(without_numbers(words[1]));
  if (known == expectations().end())
    return std::pair("unknown quantity " + engine::quoted(words[1]),
                     "use one of " + names_of(expectations()) + " or param.NAME");
  const std::string value = engine::joined({words.begin() + 2, words.end()}, " ");
  if (known->second.valid(value)) return std::nullopt;
  return std::pair(fmt::format("{} cannot be {}", words[1], engine::quoted(value)),
                   "it is " + known->second.description);
}

Problem problem_in(const Words& words) {
  const auto usage = std::find_if(usages().begin(), usages().end(), [&](const std::string& u) {
    return split(u).front() == words.front();
  });
  if (usage == usages().end()) return unknown_command(words.front());
  Words pattern = split(*usage);
  const bool open = pattern.back() == "...";
  if (open) pattern.pop_back();
  const auto optional = static_cast<std::size_t>(std::count(usage->begin(), usage->end(), '['));
  const std::size_t given = words.size() - 1, most = pattern.size() - 1, least = most - optional;
  if (given < least || (given > most && !open))
    return std::pair(fmt::format("takes {}{} argument{}, not {}", least,
                                 open           ? " or more"
                                 : optional > 0 ? fmt::format(" or {}", most)
                                                : "",
                                 least == 1 && !open && optional == 0 ? "" : "s", given),
                     "write: " + *usage);
  for (std::size_t i = 1; i < pattern.size() && i < words.size(); ++i) {
    std::string name = pattern[i];
    std::erase_if(name, [](char c) { return c == '[' || c == ']'; });
    const auto kind = kinds().find(name);
    if (kind != kinds().end() && !kind->second.valid(words[i]))
      return std::pair(engine::quoted(words[i]) + " is not " + kind->second.description,
                       "write: " + *usage);
  }
  if (words[0] == "expect" || words[0] == "await") return wrong_expectation(words);
  return std::nullopt;
}

}  // namespace

std::vector<ScriptLine> read_script(const std::filesystem::path& file) {
  std::istringstream text(engine::read_file(file));
  std::vector<ScriptLine> lines;
  std::vector<engine::Diagnostic> problems;
  std::string line;
  for (int count = 1; std::getline(text, line); ++count) {
    ScriptLine read{count, split(line.substr(0, line.find('#')))};
    if (read.words.empty()) continue;
    if (const Problem problem = problem_in(read.words))
      problems.push_back({fmt::format("{}:{}", file.string(), count), read.words.front(),
                          problem->first, problem->second});
    lines.push_back(std::move(read));
  }
  if (!problems.empty()) throw engine::InputError(std::move(problems));
  return lines;
}

double number_of(const std::string& word) {
  return std::strtod(word.c_str(), nullptr);
}

std::optional<MouseButton> button_named(const std::string& word) {
  MouseButton button;
  std::string_view name = word;
  const auto takes = [&name](std::string_view prefix) {
    if (!name.starts_with(prefix)) return false;
    name.remove_prefix(prefix.size());
    return true;
  };
  button.modifiers.control = takes("Ctrl+");
  button.modifiers.shift = takes("Shift+");
  const std::vector<std::string_view> names{"left", "right", "middle"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  button.number = static_cast<int>(found - names.begin());
  return button;
}

}  // namespace mote::app
