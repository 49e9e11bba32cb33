#include "sim/scene/lua_message.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "engine/text.h"
#include "sim/scene/lua_functions.h"

namespace mote::sim {
namespace {

/// What Lua has elsewhere and scenes do not.
constexpr std::string_view left_out[] = {"io",       "os",        "load",           "loadstring",
                                         "loadfile", "dofile",    "require",        "debug",
                                         "package",  "coroutine", "setmetatable",   "rawget",
                                         "rawset",   "utf8",      "collectgarbage", "getmetatable",
                                         "_G"};

std::string remedy_for(const std::string& name) {
  if (name == "print")
    return "hooks say something with sim:log; `mote check --json` shows what a scene made";
  if (name == "sim") return "hooks are given it: on_start = function(sim) ... end";
  if (std::find(std::begin(left_out), std::end(left_out), name) != std::end(left_out))
    return "scripts have no files, clock, system or code of others; docs/scenes.md says what they "
           "have";
  const std::string near = engine::closest(name, script_names());
  return near.empty() ? "" : "did you mean '" + near + "'?";
}

}  // namespace

std::pair<std::string, std::string> in_plain_words(const std::string& message) {
  constexpr std::string_view begin = "attempt to ", middle = " a nil value (global '", end = "')";
  const std::size_t at = message.find(middle);
  if (!message.starts_with(begin) || at == message.npos || !message.ends_with(end))
    return {message, ""};
  const std::size_t behind = at + middle.size();
  const std::string name = message.substr(behind, message.size() - end.size() - behind);
  const std::string what = message.substr(begin.size(), at - begin.size());
  const std::string remedy = remedy_for(name);
  if (what == "call")
    return {"there is no function '" + name + "'",
            remedy.empty() ? "docs/scenes.md (`mote schema`) has those that there are" : remedy};
  return {"'" + name + "' has no value: attempt to " + what + " it", remedy};
}

}  // namespace mote::sim
