#include "sim/scene/schema.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/scene/description.h"
#include "sim/scene/reader.h"

namespace mote::sim {
namespace {

using engine::ParamSheet;

const char* const introduction = R"(# Scene files

<!-- Written by `mote schema`; edit the descriptions in the sources, not this file. -->

A scene is a Lua 5.4 file that returns one table, or a JSON file of the same shape. Every key is checked: an unknown
key, a wrong type or a value out of range is an error that names the line, what is allowed and what may have been
meant. `mote check SCENE` checks without running, `mote check --json SCENE` prints the scene in full.

    local n = param("n", 1000, { min = 1, max = 1000000, doc = "bodies" })
    return {
      title = "A star cluster",
      gravity = { softening = 0.01 },
      integrator = { "leapfrog", dt = 0.005 },
      bodies = { plummer { n = n } },
      stop = { time = 10 },
    }

`param(name, default, { min = , max = , unit = , doc = , choices = })` makes a value that `--set name=value` changes.
`--set` also takes a path to any key: `--set integrator.dt=0.001`, `--set bodies.1.n=500`. Settings are checked like
the file itself.

Functions that make bodies: the generators below, `csv { file = "data/stars.csv" }`, and to move them
`translate(bodies, {x, y, z})`, `boost(bodies, {vx, vy, vz})`, `rotate(bodies, { axis = {0, 0, 1}, angle = 30 })` and
`copy(bodies)`, where `bodies` is one generator, one body or a list. A copy keeps the random stream of its original:
it has the same bodies.

Scripts have `math`, `string`, `table` and the basic functions, no files, no clock and nothing of the system;
`math.random` starts from the seed (`--seed`), so that a scene gives the same bodies every time.
)";

std::string unit_of(const engine::ParamInfo& info) { return info.unit.empty() ? "" : info.unit; }

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
    text += fmt::format("\n## {}\n\n{}\n\n| key | type | unit | range | default | |\n|---|---|---|---|---|---|\n",
                        sheet.name, sheet.help);
    for (const ParamSheet::Row& row : sheet.rows)
      text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", row.info.name, type_of(row), unit_of(row.info),
                          engine::range_of(row.info), standard_of(row), row.info.help);
    if (sheet.name == "scene")
      text += "| `gravity`, `integrator`, `stop`, `series`, `snapshots`, `health`, `view` | table | | | | below |\n"
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
      if (std::isfinite(row.info.minimum)) key[row.info.minimum_excluded ? "greater_than" : "minimum"] = row.info.minimum;
      if (std::isfinite(row.info.maximum)) key["maximum"] = row.info.maximum;
      if (!row.info.choices.empty()) key["choices"] = row.info.choices;
      if (row.info.required) key["required"] = true;
      else if (!std::holds_alternative<std::monostate>(row.standard)) key["default"] = to_json(row.standard);
      if (row.info.live) key["live"] = true;
      key["help"] = row.info.help;
    }
  }
  return all;
}

}  // namespace mote::sim
