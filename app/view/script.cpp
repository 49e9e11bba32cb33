#include "app/view/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <sstream>

#include "engine/check.h"
#include "engine/files.h"
#include "engine/text.h"
#include "render/input.h"
#include "sim/measure/scalars.h"
#include "sim/run/live.h"

namespace mote::app {
namespace {

using Words = std::vector<std::string>;

/// How each command is written; the words in capitals are kinds(), in brackets is what may be left
/// out, and dots stand for any number of words more.
const Words& usages() {
  static const Words all{"frames COUNT",
                         "settle",
                         "reach STEP",
                         "key KEY",
                         "hold KEY COUNT",
                         "move X Y",
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
                         "color SCALAR",
                         "size PIXELS PIXELS",
                         "pick ID",
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

/// What a word must be, and whether it is.
struct Kind {
  std::string is;
  std::function<bool(const std::string&)> good;
};

std::optional<double> read_number(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (end == word.c_str() || *end != 0 || !std::isfinite(value)) return std::nullopt;
  return value;
}

Kind number(const std::string& is, bool (*good)(double)) {
  return {is, [good](const std::string& word) {
            const auto value = read_number(word);
            return value && good(*value);
          }};
}

Kind whole(const std::string& is, double least, double most = 1e15) {
  return {is, [least, most](const std::string& word) {
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

bool is_key(const std::string& word) {
  render::Key key{};
  render::Modifiers modifiers;
  return render::read_key(word, key, modifiers);
}

/// Words that are none of these may be anything.
const std::map<std::string, Kind>& kinds() {
  static const Kind a_number = number("a number", any);
  static const std::map<std::string, Kind> all{
      {"COUNT", whole("a whole number >= 0", 0)},
      {"STEP", whole("a whole number >= 0", 0)},
      {"STEPS", whole("a whole number", -1e15)},
      {"ID", whole("a whole number >= 0", 0)},
      {"PIXELS", whole("a whole number from 1 to 16384", 1, 16384)},
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
      {"BUTTON", one_of({"left", "right", "middle"})},
      {"SWITCH", one_of({"on", "off"})},
      {"PANEL", one_of({"statistics", "log", "help"})},
      {"SCALAR",
       {"one of " + sim::scalar_names(),
        [](const std::string& word) { return sim::scalar_named(word) != nullptr; }}},
      {"scene", one_of({"scene"})},
  };
  return all;
}

/// What `expect` and `await` know, and the values of each; a live parameter has numbers.
const std::map<std::string, Kind>& expectations() {
  static const std::map<std::string, Kind> all = [] {
    std::map<std::string, Kind> known{
        {"step", whole("a whole number >= 0", 0)},
        {"mode", one_of({"paused", "history", "running", "seeking", "unhealthy"})},
        {"branch", whole("a whole number >= 0", 0)},
        {"bodies", whole("a whole number >= 0", 0)},
        {"body",
         {"a column >= 0, or none",
          [](const std::string& word) { return word == "none" || whole("", 0).good(word); }}},
        {"path", one_of({"interop", "copy", "mapped"})},
        {"host-bytes", whole("a whole number >= 0", 0)},
        {"error", {"a text", [](const std::string&) { return true; }}},
        {"halt", {"a text", [](const std::string&) { return true; }}}};
    sim::LiveSettings every;
    every.gravity.emplace();
    for (const std::string& path : sim::live_paths(every))
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

/// A problem and its remedy.
using Trouble = std::optional<std::pair<std::string, std::string>>;

Trouble unknown_command(const std::string& word) {
  Words names;
  for (const std::string& usage : usages()) names.push_back(split(usage).front());
  const std::string near = engine::closest(word, names);
  return std::pair("no such command",
                   near.empty() ? "docs/window.md lists them" : "did you mean '" + near + "'?");
}

Trouble wrong_expectation(const Words& words) {
  if (words[1].starts_with("param.")) return std::nullopt;  // the scene knows which there are
  const auto known = expectations().find(words[1]);
  if (known == expectations().end())
    return std::pair("nothing is known of " + engine::quoted(words[1]),
                     "there are " + names_of(expectations()) + " and param.NAME");
  const std::string value = engine::joined({words.begin() + 2, words.end()}, " ");
  if (known->second.good(value)) return std::nullopt;
  return std::pair(fmt::format("{} is never {}", words[1], engine::quoted(value)),
                   "it is " + known->second.is);
}

Trouble trouble_of(const Words& words) {
  const auto usage = std::find_if(usages().begin(), usages().end(), [&](const std::string& u) {
    return split(u).front() == words.front();
  });
  if (usage == usages().end()) return unknown_command(words.front());
  Words wanted = split(*usage);
  const bool open = wanted.back() == "...";
  if (open) wanted.pop_back();
  const auto optional = static_cast<std::size_t>(std::count(usage->begin(), usage->end(), '['));
  const std::size_t given = words.size() - 1, most = wanted.size() - 1, least = most - optional;
  if (given < least || (given > most && !open))
    return std::pair(fmt::format("takes {}{} word{} behind it, not {}", least,
                                 open           ? " or more"
                                 : optional > 0 ? fmt::format(" or {}", most)
                                                : "",
                                 least == 1 && !open && optional == 0 ? "" : "s", given),
                     "write: " + *usage);
  for (std::size_t i = 1; i < wanted.size() && i < words.size(); ++i) {
    std::string name = wanted[i];
    std::erase_if(name, [](char c) { return c == '[' || c == ']'; });
    const auto kind = kinds().find(name);
    if (kind != kinds().end() && !kind->second.good(words[i]))
      return std::pair(engine::quoted(words[i]) + " is not " + kind->second.is, "write: " + *usage);
  }
  if (words[0] == "expect" || words[0] == "await") return wrong_expectation(words);
  return std::nullopt;
}

}  // namespace

std::vector<ScriptLine> read_script(const std::filesystem::path& file) {
  std::istringstream text(engine::read_whole(file));
  std::vector<ScriptLine> lines;
  std::vector<engine::Diagnostic> problems;
  std::string line;
  for (int count = 1; std::getline(text, line); ++count) {
    ScriptLine read{count, split(line.substr(0, line.find('#')))};
    if (read.words.empty()) continue;
    if (const Trouble trouble = trouble_of(read.words))
      problems.push_back({fmt::format("{}:{}", file.string(), count), read.words.front(),
                          trouble->first, trouble->second});
    lines.push_back(std::move(read));
  }
  if (!problems.empty()) throw engine::InputError(std::move(problems));
  return lines;
}

double number_of(const std::string& word) {
  return std::strtod(word.c_str(), nullptr);
}

int button_named(const std::string& name) {
  return name == "right" ? 1 : name == "middle" ? 2 : 0;
}

}  // namespace mote::app
