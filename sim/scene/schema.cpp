#include "sim/scene/schema.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "sim/scene/description.h"
#include "sim/scene/reader.h"

namespace mote::sim {
namespace {

using engine::ParamSheet;

const char* const introduction = R"(# Scene files

<!-- Written by `mote schema`; edit the descriptions in the sources, not this file. -->

A scene is one experiment: which bodies, which forces, how to step, when to stop. It is a Lua 5.4 file that returns one
table, or a JSON file of the same shape.

    local n = param("n", 1000, { min = 1, max = 1000000, doc = "stars" })
    return {
      title = "A star cluster",
      gravity = { softening = 0.01 },
      integrator = { "leapfrog", dt = 0.005 },
      bodies = { plummer { n = n } },
      stop = { time = 10 },
    }

`mote run FILE` runs it, `mote check FILE` only checks it, `mote check --json FILE` prints it in full, with every default.
Every key is checked: an unknown key, a wrong type or a value out of range is an error that names the line, what is
allowed and what may have been meant.

## Parameters and settings

`param(name, default, { min = , max = , unit = , doc = , choices = })` makes a value that the command line can change:
`mote run FILE --set n=5000`. All options may be left out. The default decides the type: `1000` is a whole number, `0.5`
(or any number with a `unit`) a real one; a text may have `choices`, a list of texts.

`--set` also takes the path of any key: `--set integrator.dt=0.001`, `--set bodies.1.n=500`. Settings are checked like the
file itself.

## Making bodies

`bodies` is a list. Each item is one of:

- a body written out, `{ mass = 1, position = { 1, 0, 0 }, velocity = { 0, 1, 0 } }`
- a generator, `plummer { n = 1000 }`, `galaxy { ... }`, `lattice { ... }` or another of those below
- a body on an orbit, `orbit { ... }`; its list `moons = { orbit { ... } }` holds orbits about it, whose `central_mass` is
  then its mass
- bodies from a file, `csv { file = "data/stars.csv" }`
- any of these, or a list of them, moved: `translate(bodies, { x, y, z })` adds to the positions, `boost(bodies, { vx, vy,
  vz })` to the velocities, `rotate(bodies, { axis = { 0, 0, 1 }, angle = 30 })` turns both, `copy(bodies)` changes nothing

Each generator draws its own random bodies; a copy keeps those of its original. In JSON the same items are objects with a
`kind`: `{ "kind": "plummer", "n": 1000 }`, `{ "kind": "group", "angle": 30, "bodies": [ ... ] }`.

## What scripts can do

Scripts have the basic functions, `math`, `string` without patterns and packing, and `table` without `move`. They have no
files, no clock and nothing of the system, 256 MiB of memory and a few seconds. `math.random` starts from `--seed`, and
`pairs` goes in the order of the keys, so that a scene makes the same bodies every time.

The tables that follow list all keys. Numbers are in the units that the scene chooses, angles in degrees.
)";

/// Text for a cell of a table, in which a bar would begin the next one.
std::string cell(const std::string& text) {
  std::string escaped;
  for (char c : text) escaped += c == '|' ? "\\|" : std::string(1, c);
  return escaped;
}

/// A sentence: what modules say of themselves begins in lower case.
std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.empty() || text.back() == '.' ? text : text + ".";
}

std::string standard_of(const ParamSheet::Row& row) {
  if (row.info.required) return "required";
  const std::string text = engine::text_of(row.standard);
  return text == "none" || text == "\"\"" ? "" : "`" + text + "`";
}

std::string type_of(const ParamSheet::Row& row) {
  std::string type(name_of(row.type));
  return row.info.positional ? type + ", or first item" : type;
}

}  // namespace

std::string schema_markdown() {
  std::string text = introduction;
  for (const ParamSheet& sheet : scene_sheets()) {
    text += fmt::format(
        "\n## {}\n\n{}\n\n| key | type | unit | range | default | meaning |\n|---|---|---|---|---|---|\n",
        sheet.name, sentence(sheet.help));
    for (const ParamSheet::Row& row : sheet.rows)
      text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", row.info.name, type_of(row), row.info.unit,
                          engine::range_of(row.info), standard_of(row), cell(row.info.help));
    if (sheet.name == "scene")
      text +=
          "| `gravity`, `integrator`, `stop`, `series`, `snapshots`, `health`, `view` | table | | | | below "
          "|\n"
          "| `bodies` | list | | | required | bodies, generators and groups, below |\n";
  }
  text += "\n## Units\n\n| `units` | length | mass | time | velocity | G |\n|---|---|---|---|---|---|\n";
  for (const engine::UnitSystem& u : engine::unit_systems())
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", u.name, u.length, u.mass, u.time, u.velocity,
                        u.gravitational);
  return text;
}

engine::Json schema_json() {
  engine::Json all = engine::Json::object();
  for (const ParamSheet& sheet : scene_sheets()) {
    engine::Json& table = all[sheet.name];
    table["help"] = sheet.help;
    for (const ParamSheet::Row& row : sheet.rows) {
      engine::Json& key = table["keys"][row.info.name];
      key["type"] = name_of(row.type);
      if (!row.info.unit.empty()) key["unit"] = row.info.unit;
      if (std::isfinite(row.info.minimum))
        key[row.info.minimum_excluded ? "greater_than" : "minimum"] = row.info.minimum;
      if (std::isfinite(row.info.maximum)) key["maximum"] = row.info.maximum;
      if (!row.info.choices.empty()) key["choices"] = row.info.choices;
      if (row.info.required)
        key["required"] = true;
      else if (!std::holds_alternative<std::monostate>(row.standard))
        key["default"] = to_json(row.standard);
      if (row.info.live) key["live"] = true;
      key["help"] = row.info.help;
    }
  }
  return all;
}

}  // namespace mote::sim
