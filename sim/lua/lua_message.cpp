#include "sim/lua/lua_message.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "engine/text.h"
#include "sim/lua/lua_functions.h"

namespace mote::sim {
namespace {

/// Names of standard Lua that scenes do not have.
constexpr std::string_view omitted_names[] = {
    "io",           "os",      "load",   "loadstring", "loadfile",
    "dofile",       "require", "debug",  "package",    "coroutine",
    "setmetatable", "rawget",  "rawset", "utf8",       "collectgarbage",
    "getmetatable", "_G"};

std::string remedy_for(const std::string& name) {
  if (name == "print")
    return "hooks write to the log with sim:log; `mote check --json` prints the expanded scene";
  if (name == "sim") return "it is the argument of hooks: on_start = function(sim) ... end";
  if (std::find(std::begin(omitted_names), std::end(omitted_names), name) !=
      std::end(omitted_names))
    return "scripts cannot access files, the clock, the system or other code; docs/scenes.md lists "
           "what they have";
  const std::string near = engine::closest(name, script_names());
  return near.empty() ? "" : "did you mean '" + near + "'?";
}

}  // namespace

std::pair<std::string, std::string> explain_message(const std::string& message,
                                                    const std::vector<SceneParam>& params) {
  if (message.starts_with("attempt to ") &&
      (message.find("'string'") != message.npos || message.find(" string") != message.npos))
    for (const SceneParam& p : params)
      if (const auto* text = std::get_if<std::string>(&p.value);
          text && p.type == engine::ParamType::real)
        return {message, p.info.name + " is the text " + engine::quoted(*text) +
                             ": a script can pass a number with a unit on, but not compute with "
                             "it; give a plain number in the units of the scene"};
  constexpr std::string_view begin = "attempt to ", middle = " a nil value (global '", end = "')";
  const std::size_t at = message.find(middle);
  if (!message.starts_with(begin) || at == message.npos || !message.ends_with(end))
    return {message, ""};
  const std::size_t name_at = at + middle.size();
  const std::string name = message.substr(name_at, message.size() - end.size() - name_at);
  const std::string what = message.substr(begin.size(), at - begin.size());
  const std::string remedy = remedy_for(name);
  if (what == "call")
    return {"there is no function '" + name + "'",
            remedy.empty() ? "docs/scenes.md (`mote schema`) lists all functions" : remedy};
  return {"'" + name + "' is not defined: attempt to " + what + " it", remedy};
}

}  // namespace mote::sim
