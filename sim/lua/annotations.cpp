#include "sim/lua/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/params.h"
#include "sim/model/modules.h"
#include "sim/scene/description.h"
#include "sim/scene/generators.h"
#include "sim/scene/obstacles_reader.h"
#include "sim/scene/read_scene.h"
#include "sim/scene/tables.h"

namespace mote::sim {
namespace {

using engine::ParamSheet;
using engine::ParamType;

const char* const head = R"(---@meta
-- The schema of scenes for editors with the Lua language server. Written by `mote schema --lua`; edit the
-- descriptions in the sources, not this file.

---@alias mote.number number|string a number in the scene's units, or a text with a unit: "220 km/s"
---@alias mote.vector (number|string)[] three of them, {x, y, z}
---@alias mote.bodies mote.body|mote.made|mote.bodies[] a body, a generator, a group, or a list of these

---@class mote.made bodies made by a function of mote

---@class mote.item an item of a list, made by a function of mote
---@class mote.solid an obstacle made by a function of mote
---@alias mote.solids mote.solid|mote.solids[]

---@class (exact) mote.param
---@field min? number smallest value
---@field max? number largest value
---@field unit? string kind of quantity: "length", "time", "mass", "velocity", "angle", ...
---@field doc? string one-line description
---@field choices? string[] allowed texts

---The argument of hooks, which are functions that run between steps.
---@class mote.sim
---@field step integer
---@field time number
---@field dt number
---@field count integer number of bodies
---@field kinetic number
---@field potential number
---@field energy number
---@field energy_error number relative to the start
---@field virial_ratio number
---@field temperature number k T, an energy; in scenes with pair forces or a thermostat
---@field pressure number in a closed domain
---@field displacement number mean square displacement, with series = { displacement = true }
---@field mass number
---@field fastest number largest speed
---@field radius_10 number
---@field radius_50 number
---@field radius_90 number
---@field momentum number[]
---@field angular_momentum number[]
---@field center_of_mass number[]
---@field data table state that hooks keep, stored in checkpoints
---@field body fun(self: mote.sim, id: integer|string): table
---@field add fun(self: mote.sim, bodies: mote.bodies): any adds bodies; returns the id of a single body, else a list
---@field remove fun(self: mote.sim, id: integer|string) removes a body
---@field get fun(self: mote.sim, path: string): any
---@field set fun(self: mote.sim, path: string, value: any)
---@field row fun(self: mote.sim, file: string, columns: table)
---@field snapshot fun(self: mote.sim)
---@field picture fun(self: mote.sim, file: string)
---@field log fun(self: mote.sim, text: string)
---@field stop fun(self: mote.sim, reason: string) ends the run successfully
---@field fail fun(self: mote.sim, reason: string) ends the run as unhealthy

---Values with units: `units.km_s(220)` is "220 km/s", `units.kpc { 8, 0, 0 }` a list of three.
---@type table<string, fun(value: any): any>
units = {}

---The table that another Lua file in the folder of the scene returns.
---@param path string
---@return any
function include(path) end

---A value that `--set`, the window and sweeps can change.
---@generic T
---@param name string
---@param default T
---@param options? mote.param
---@return T
function param(name, default, options) end

---The same for a value that may change while the scene runs; the script can only pass it on.
---@generic T
---@param name string
---@param default T
---@param options? mote.param
---@return T
function live(name, default, options) end

---The bodies, with positions, velocities and masses multiplied by factors.
---@param bodies mote.bodies
---@param by { length: number?, velocity: number?, mass: number? } factors
---@return mote.made
function scale(bodies, by) end

---The bodies, rotated about an axis through the origin.
---@param bodies mote.bodies
---@param turn { axis: mote.vector?, angle: mote.number }
---@return mote.made
function rotate(bodies, turn) end

---The bodies, with a rigid rotation about the origin added to their velocities.
---@param bodies mote.bodies
---@param rotation { axis: mote.vector?, rate: mote.number }
---@return mote.made
function spin(bodies, rotation) end

---The bodies, translated.
---@param bodies mote.bodies
---@param by mote.vector added to positions
---@return mote.made
function translate(bodies, by) end

---The bodies, with a velocity added.
---@param bodies mote.bodies
---@param by mote.vector added to velocities
---@return mote.made
function boost(bodies, by) end

---The bodies, rotated about the x axis, then about the z axis, then translated.
---@param bodies mote.bodies
---@param to { inclination: mote.number?, node: mote.number?, position: mote.vector?, velocity: mote.vector? }
---@return mote.made
function place(bodies, to) end

---A copy of the bodies that can be changed without affecting the original.
---@generic T
---@param bodies T
---@return T
function copy(bodies) end
)";

std::string item_type_of(const ParamSheet::Row& row) {
  switch (row.type) {
    case ParamType::boolean:
      return "boolean";
    case ParamType::integer:
      return "integer";
    case ParamType::real:
      return row.info.unit.empty() ? "number" : "mote.number";
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

std::string type_of(const ParamSheet::Row& row) {
  const std::string item = item_type_of(row);
  return row.list ? fmt::format("{}|({})[]", item, item) : item;
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

/// Keys that have no row in a sheet.
std::string more_of(const std::string& name) {
  if (name == "scene") {
    std::string text =
        "---@field bodies mote.bodies bodies, generators and groups\n"
        "---@field obstacles? mote.solids solids that bodies collide with\n"
        "---@field species? table<string, mote.species>\n";
    for (const PhysicsModule& m : modules())
      for (const SceneKey& key : m.info().keys)
        if (!key.type.empty())
          text += fmt::format("---@field {}? {} {}\n", key.name, key.type, key.help);
    return text +
           "---@field on_start? fun(sim: mote.sim)\n"
           "---@field on_step? mote.on_step|mote.on_step[]\n"
           "---@field on_time? mote.on_time|mote.on_time[]\n"
           "---@field on_end? fun(sim: mote.sim)\n"
           "---@field on_unhealthy? fun(sim: mote.sim)\n";
  }
  if (name == "on_step" || name == "on_time") return "---@field run fun(sim: mote.sim)\n";
  if (name == "orbit") return "---@field moons? mote.made[] orbits about this body\n";
  return "";
}

void add_class(std::string& text, const ParamSheet& sheet,
               const std::vector<std::string>& subtables) {
  // Where a row is called NAME, any other key is a number that formulas use.
  const bool open = std::any_of(sheet.rows.begin(), sheet.rows.end(),
                                [](const auto& row) { return row.info.name == "NAME"; });
  text +=
      fmt::format("\n---{}\n---@class {}mote.{}\n", sheet.help, open ? "" : "(exact) ", sheet.name);
  for (const ParamSheet::Row& row : sheet.rows) {
    if (open && row.info.name == "NAME") continue;
    const std::string type =
        open && row.info.name == "acceleration" ? "(string|number)[]" : type_of(row);
    if (row.info.positional) text += fmt::format("---@field [1]? {} {}\n", type, about(row));
    text += fmt::format("---@field {}{} {} {}\n", row.info.name, row.info.required ? "" : "?", type,
                        about(row));
  }
  for (const std::string& name : subtables)
    text += fmt::format("---@field {}? mote.{}\n", name.substr(name.rfind('.') + 1), name);
  text += more_of(sheet.name);
}

void add_function(std::string& text, const ParamSheet& sheet, const char* result) {
  text +=
      fmt::format("\n---{}\n---@param options mote.{}\n---@return {}\nfunction {}(options) end\n",
                  sheet.help, sheet.name, result, sheet.name);
}

bool is_one_of(const std::vector<ParamSheet>& sheets, const std::string& name) {
  return std::any_of(sheets.begin(), sheets.end(),
                     [&](const ParamSheet& s) { return s.name == name; });
}

}  // namespace

std::string lua_annotations() {
  std::string text = head;
  const std::vector<ParamSheet> sheets = scene_sheets(), of_bodies = body_sheets(),
                                of_obstacles = obstacle_sheets();
  // Tables that are keys of the scene or of its tables; the others are made by functions or are
  // items of lists.
  const auto section = [&](const std::string& name) {
    const auto& keys = subtable_names();
    return name != "species" && (name.find('.') != std::string::npos ||
                                 std::find(keys.begin(), keys.end(), name) != keys.end());
  };
  for (const ParamSheet& sheet : sheets) {
    if (sheet.name == "group") continue;  // Lua has functions instead
    std::vector<std::string> subtables;
    for (const ParamSheet& other : sheets) {
      const std::size_t dot = other.name.rfind('.');
      const std::string parent = dot == std::string::npos ? "scene" : other.name.substr(0, dot);
      if (parent == sheet.name && section(other.name)) subtables.push_back(other.name);
    }
    add_class(text, sheet, subtables);
    if (module_with_function(sheet.name))
      add_function(text, sheet, "mote.item");
    else if (is_one_of(of_obstacles, sheet.name))
      add_function(text, sheet, "mote.solid");
    else if (is_one_of(of_bodies, sheet.name) && sheet.name != "body")
      add_function(text, sheet, "mote.made");
  }
  return text;
}

}  // namespace mote::sim
