#include "sim/scene/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/params.h"
#include "sim/scene/description.h"

namespace mote::sim {
namespace {

using engine::ParamSheet;
using engine::ParamType;

const char* const head = R"(---@meta
-- What scenes may hold, for editors with the Lua language server. Written by `mote schema --lua`; edit the descriptions in
-- the sources, not this file.

---@alias mote.vector number[] three numbers {x, y, z}
---@alias mote.bodies mote.body|mote.made|mote.bodies[] a body, what makes bodies, or a list of them

---@class mote.made bodies that a function of mote makes

---@class (exact) mote.param
---@field min? number smallest value
---@field max? number largest value
---@field unit? "length"|"time"|"mass"|"velocity"|"angle"
---@field doc? string one line: what it is
---@field choices? string[] what a text may be

---A value that `--set`, the window and sweeps can change.
---@generic T
---@param name string
---@param default T
---@param options? mote.param
---@return T
function param(name, default, options) end

---The same bodies, farther along.
---@param bodies mote.bodies
---@param by mote.vector added to positions
---@return mote.made
function translate(bodies, by) end

---The same bodies, faster.
---@param bodies mote.bodies
---@param by mote.vector added to velocities
---@return mote.made
function boost(bodies, by) end

---The same bodies, turned about an axis through the origin.
---@param bodies mote.bodies
---@param turn { axis: mote.vector?, angle: number }
---@return mote.made
function rotate(bodies, turn) end

---The same bodies once more, to be changed without touching the first.
---@generic T
---@param bodies T
---@return T
function copy(bodies) end
)";

std::string type_of(const ParamSheet::Row& row) {
  switch (row.type) {
    case ParamType::boolean:
      return "boolean";
    case ParamType::integer:
      return "integer";
    case ParamType::real:
      return "number";
    case ParamType::vector:
      return "mote.vector";
    case ParamType::text:
    case ParamType::choice:
      break;
  }
  if (row.info.choices.empty()) return "string";
  std::string choices;
  for (const std::string& choice : row.info.choices)
    choices += fmt::format("{}\"{}\"", choices.empty() ? "" : "|", choice);
  return choices;
}

/// "meaning (length, >= 0, default 1)".
std::string about(const ParamSheet::Row& row) {
  std::string limits = row.info.unit;
  const auto add = [&limits](const std::string& text) {
    if (!text.empty()) limits += (limits.empty() ? "" : ", ") + text;
  };
  if (row.info.choices.empty()) add(engine::range_of(row.info));
  if (!row.info.required && !std::holds_alternative<std::monostate>(row.standard))
    add("default " + engine::text_of(row.standard));
  return row.info.help + (limits.empty() ? "" : " (" + limits + ")");
}

void add_class(std::string& text, const ParamSheet& sheet, const std::vector<std::string>& subtables) {
  text += fmt::format("\n---{}\n---@class (exact) mote.{}\n", sheet.help, sheet.name);
  for (const ParamSheet::Row& row : sheet.rows) {
    if (row.info.positional) text += fmt::format("---@field [1]? {} {}\n", type_of(row), about(row));
    text += fmt::format("---@field {}{} {} {}\n", row.info.name, row.info.required ? "" : "?", type_of(row),
                        about(row));
  }
  for (const std::string& name : subtables)
    text += fmt::format("---@field {}? mote.{}\n", name.substr(name.rfind('.') + 1), name);
}

bool makes_bodies(const std::string& name) {
  return name != "body" && name != "group";
}

}  // namespace

std::string lua_annotations() {
  std::string text = head;
  const std::vector<ParamSheet> of_bodies = body_sheets();
  const auto of_body = [&](const ParamSheet& sheet) {
    return std::any_of(of_bodies.begin(), of_bodies.end(),
                       [&](const auto& s) { return s.name == sheet.name; });
  };
  const std::vector<ParamSheet> sheets = scene_sheets();
  for (const ParamSheet& sheet : sheets) {
    if (sheet.name == "group") continue;  // in Lua its functions stand for it
    std::vector<std::string> subtables;
    for (const ParamSheet& other : sheets) {
      const std::size_t dot = other.name.rfind('.');
      const bool of_scene = dot == std::string::npos && other.name != "scene" && !of_body(other);
      if (sheet.name == "scene" ? of_scene
                                : dot != std::string::npos && other.name.substr(0, dot) == sheet.name)
        subtables.push_back(other.name);
    }
    add_class(text, sheet, subtables);
    if (sheet.name == "scene") text += "---@field bodies mote.bodies bodies, generators and groups\n";
    if (of_body(sheet) && makes_bodies(sheet.name))
      text +=
          fmt::format("\n---{}\n---@param options mote.{}\n---@return mote.made\nfunction {}(options) end\n",
                      sheet.help, sheet.name, sheet.name);
  }
  return text;
}

}  // namespace mote::sim
