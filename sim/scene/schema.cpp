#include "sim/scene/schema.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "engine/json.h"
#include "engine/quantity.h"
#include "sim/scene/description.h"
#include "sim/scene/reader.h"
#include "sim/scene/tables.h"

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

`mote run FILE` runs it, `mote check --json FILE` prints it in full, with every default. `mote check FILE` does what a run does before its
first step and refuses what that refuses, takes the first steps in memory with their hooks (an end that the run itself would come to
there is said, with code 3), calls once each of the hooks that were not due by then (what fails in these is a warning), and says about
what time and disk the run will take. It writes nothing and ends within ten seconds: what would take longer, such as the first forces of
millions of bodies, it leaves out and says so.
Every key is checked: an unknown key, a wrong type or a value out of range is an error that names the line, what is
allowed and what may have been meant.

## Parameters and settings

`param(name, default, { min = , max = , unit = , doc = , choices = })` makes a value that the command line can change:
`mote run FILE --set n=5000`. All options may be left out. The default decides the type: `1000` is a whole number, `0.5`
(or any number with a `unit`) a real one; a text may have `choices`, a list of texts.

`--set` also takes the path of any key: `--set integrator.dt=0.001`, `--set bodies.1.n=500`, and whole vectors,
`--set view.camera.target=[1,2,3]`, or `{1,2,3}` in quotes. Settings are checked like the file itself.

## Units on values

Wherever a key has a unit, a number may be text with one, and becomes a number in the units of the scene:

    { name = "Sun", mass = "1 Msun", position = { "8.2 kpc", 0, "20 pc" }, velocity = { 0, "220 km/s", 0 } }

Products stand with a space or `*`, quotients with `/`, powers with `^`: `"3 g/cm^3"`, `"25 km/s/kpc"`, `"0.1 1/Myr"`. In Lua,
`units.km_s(220)` gives the same text, and `units.pc { 1, 2, 3 }` a list of three: there is a function for each unit below, and
`m_s`, `cm_s`, `km_s`, `au_day`, `au_yr`, `pc_Myr`, `kpc_Gyr`, `deg_day`, `rad_s`. A unit of the wrong dimension is an error, and
so is one in a scene with `units = "nbody"`, which has none; angles alone may have theirs everywhere. `--set speed="250 km/s"`
and the default of a `param` with a `unit` take such texts too: `param("speed", "220 km/s", { unit = "velocity" })`, by the names
that the column `unit` of the tables below has; so do `--until` and `--snapshot-time`. Until the scene is read they stay texts: the
script cannot calculate with them, and `min` and `max` are numbers in the scene's units.

## Making bodies

`bodies` is a list; a list in it counts as what it holds, so that what `include` and `copy` give needs no unpacking. Each item
is one of:

- a body written out, `{ mass = 1, position = { 1, 0, 0 }, velocity = { 0, 1, 0 } }`
- a generator, `plummer { n = 1000 }`, `galaxy { ... }`, `lattice { ... }` or another of those below
- a body on an orbit, `orbit { ... }`; its list `moons = { orbit { ... } }` holds orbits about it, whose `central_mass` is
  then its mass, and cannot be another
- bodies from a file, `csv { file = "data/stars.csv" }`, `gadget { file = "snapshot.hdf5" }` `tipsy { file = "galaxy.bin" }` or
  `xyz { file = "config.xyz" }`
- any of these, or a list of them, as a group that is changed together, about the origin:
  - `scale(bodies, { length = 2, velocity = 0.5, mass = 3 })` multiplies positions, velocities and masses
  - `rotate(bodies, { axis = { 0, 0, 1 }, angle = 30 })` turns positions and velocities
  - `spin(bodies, { axis = { 0, 0, 1 }, rate = "25 km/s/kpc" })` adds a rigid rotation to the velocities; a rate that is a
    number is in radians per unit of time, like `spin` of `ring` and others: `math.rad(10)` for 10 degrees
  - `translate(bodies, { x, y, z })` adds to the positions, `boost(bodies, { vx, vy, vz })` to the velocities
  - `place(bodies, { inclination = 60, node = 30, position = { 5, 0, 0 }, velocity = { 0, 1, 0 } })` turns about the x axis,
    then about the z axis, then moves
  - `copy(bodies)` changes nothing; what it is given may be changed afterwards

Bodies are numbered from 0 in the order in which they are made; messages, the window and `ParticleIDs` of snapshots name them so.

Each generator draws its own random bodies; a copy keeps those of its original. In JSON the same items are objects with a
`kind`: `{ "kind": "plummer", "n": 1000 }`, `{ "kind": "group", "angle": 30, "bodies": [ ... ] }`. Functions nest, and are done
from the inside out; one group that has several of their keys is scaled, turned, spun and moved, in this order.

Bodies may belong to species that the scene names: `species = { star = { color = "#ffcc88" }, gas = {} }`, and then
`plummer { n = 1000, species = "star" }`. Bodies, generators and files take the key, and so does what hooks add; `mote check --json`
shows it. With `view = { color = "species" }` every body has the colour of its species, grey without one; lights of different
species add up, and no other colour stands for their mean. As a number, for `--histogram species`, species count from 1 in the order
of their names, and 0 is none. Forces between near pairs and fluids know them;
nothing else in the motion does. Snapshots and checkpoints keep them: `PartType1/Species`, and
`species_names` and `species_colors` among the attributes of `Mote`. A scene that reads a snapshot by `gadget` takes no species from
it, but says which one its bodies are.

Bodies may be bonded. Kinds of bonds and angles have names, `bond_kinds = { spring = { stiffness = 100, length = 1 } }` and
`angle_kinds = { stiff = { stiffness = 5 } }`; `chain { n = 10, bond = "spring", angle = "stiff" }` bonds bodies one after another,
and lists name bodies by their numbers, from 0:

    bonds = { { kind = "spring", bodies = { {0, 9}, {3, 6} } } },
    angles = { { kind = "stiff", bodies = { {9, 0, 1} } } },     -- at body 0

Groups leave their bodies bonded. [Molecules](physics/molecular.md) has the equations.

## Scenes in several files

`include("parts/sun.lua")` runs another Lua file in the folder of the scene or below, and gives the table that it returns:

    bodies = { include("parts/sun.lua"), disk { n = 10000 } }

Every file runs once, however often it is included; `param` in it makes a parameter of the whole scene; messages name the file
and its line. Paths always start at the folder of the scene. Files include each other at most 16 levels deep.

A run keeps a scene in several files as the folder `scene/` in its own, from where it runs again: `mote run out/scene/my_scene.lua`.
Files of bodies (`csv` and others) are not kept, nor files outside the folder of the scene, which `--trust` allows; `run.json` has
the scene in full, with their bodies, and `mote run --replay out/run.json` repeats it, without hooks.

## Editors

`mote new NAME` writes a commented scene to start from. Editors with the Lua language server complete keys, show what they
mean and mark unknown ones where they see `scenes/mote.lua` (in the folder that is open, or in `workspace.library`) and the
table says what it is: `---@type mote.scene` in the line above `local scene = {`. `mote check --json FILE` prints problems with
file and line, for editors that mark them.

## External fields

`fields` is one, or a list, of accelerations that do not come from the bodies: built-in ones,
`uniform { acceleration = { 0, 0, -9.81 } }`, and formulas, `field { acceleration = { "-k*x", "-k*y", 0 }, potential =
"0.5*k*x^2 + 0.5*k*y^2", k = 2 }`. In JSON each is an object with its `kind`. Keys take units, `drag { linear = "0.1 1/Myr" }`;
expressions and their numbers do not, and are in the units of the scene. [Fields](physics/fields.md) has the language of
expressions, the equations and how steps are made of them.

## Grains and obstacles

With `grains = { radius = 0.1, density = 2500 }` bodies are spheres that touch each other and obstacles. Bodies, generators without
a `radius` of their own and files of bodies take `radius` beside `species`, for all of their bodies; those that do not say have
that of `grains`. `obstacles` is one, or a list, of solids: `plane { normal = { 0, 0, 1 } }`, `box`, `sphere`, `cylinder`, `capsule`
and `mesh { file = "data/bowl.stl" }`, whose file lies in the folder of the scene or below. In JSON each is an object with its
`kind`; `mote check --json` writes meshes out, as `vertices` and `triangles`. [Grains](physics/grains.md) and
[obstacles](physics/obstacles.md) have the equations.

Where a scene has several kinds of matter, species say which bodies are which, and every body has one: `species = { sand = { matter =
"grains" }, water = { matter = "fluid" } }`. Grains go with a fluid of three dimensions ([mixtures](physics/mixtures.md) has what they
do to each other) and with [soft bodies](physics/soft.md) (`matter = "soft"`); molecules (`matter = "lennard_jones"`) with grains and soft
bodies. Species of grains and soft bodies that say `epsilon`, `sigma` or `charge` attract and repel each other, and molecules, too. A fluid with
soft bodies or molecules is refused.

## What scripts can do

Scripts have `assert`, `error`, `ipairs`, `next`, `pairs`, `pcall`, `select`, `tonumber`, `tostring` and `type`, `math`, `string`
without patterns and packing, and `table` without `move`. There is no `print`: hooks have `sim:log`. They have no files but those that `include`, `csv`, `gadget`, `tipsy`, `xyz` and `mesh` read below the folder of the scene, no clock and nothing of the
system; 160 MiB of memory, texts of up to 8 MiB, and half a second of work.

A scene makes the same bodies every time. So `math.random` starts from `--seed`; `pairs` and `next` go in the order of the
keys (false, true, numbers, texts), and refuse keys that are tables or functions; `table.sort` leaves equals in their order;
`tostring` and `string.format` show a table as `table`, without its address. `#` is for lists without holes: which end of another it
gives may change from start to start. A scene that is yours may need more than these limits:
`--trust` (of `run`, `check` and the window) lets its paths lead anywhere, its script take its time and its hooks write without
end, and changes nothing else.
A checkpoint of such a run needs it again: a file from somebody else brings no trust along.

A function or a table that was misspelt is reported with the name that is nearest; a field that `units`, `math`, `string` or
`table` do not have is an error, not nil.

## Hooks: functions that run between steps

A scene in Lua may hold functions that run on the host between steps:

    return {
      -- ...
      on_start = function(sim) sim.data.most = 0 end,
      on_step = { every = 100, run = function(sim)
        sim.data.most = math.max(sim.data.most, sim.fastest)
        if math.abs(sim.energy_error) > 1e-3 then sim:stop("energy drift") end
      end },
      on_time = {
        { every = 0.5, run = function(sim) sim:row("half_mass", { radius = sim.radius_50, ratio = sim.virial_ratio }) end },
        { at = { 1, 2.5 }, run = function(sim) sim:snapshot() end },
      },
      on_end = function(sim) sim:log("fastest of all: " .. sim.data.most) end,
      on_unhealthy = function(sim) sim:row("last", { fastest = sim.fastest }) end,
    }

`on_step` runs at the steps that are multiples of `every`, `on_time` at the first step at or past each of its times (numbers, in
the unit of time of the scene); either
may be a list, and then runs in its order, `on_step` first. `on_start` runs before the first step, and one of `on_end` and
`on_unhealthy` behind the last one: `on_unhealthy` where bodies were no longer finite, the energy drifted too far or the scene
itself said `sim:fail`. What is due at a step runs behind the row of series.csv and the snapshot of this step.

What `sim` gives:

| in a hook | what it is or does |
|---|---|
| `sim.step`, `sim.time`, `sim.dt`, `sim.count` | of now; `count` is the number of bodies |
| `sim.kinetic`, `potential`, `energy`, `energy_error`, `virial_ratio`, `temperature`, `pressure`, `displacement`, `mass`, `fastest`, `radius_10`, `radius_50`, `radius_90` | measured when one is first asked for in a call, which costs about a step |
| `sim.momentum`, `angular_momentum`, `center_of_mass` | the same as lists of three, `sim.momentum[1]` |
| `sim:body(id)`, `sim:body("name")` | `{ id, name, mass, position, velocity, acceleration }`; ids count from 0, as in snapshots |
| `sim:add { mass = 1, position = { 1, 0, 0 } }` | a body comes, written as in `bodies` with units, name and species; or a generator, a group, a file of bodies, a list of any of these. Returns the id of a body written out alone, else the list of ids |
| `sim:remove(id)`, `sim:remove("name")` | a body goes |
| `sim:get("gravity.softening")`, `sim:set("integrator.dt", 0.01)` | a parameter that may change while a simulation runs; what is set is an edit like one in the window (time.md) |
| `sim:row("name", { x = 1, y = 2 })` | appends to `rows/name.csv` of the run, behind time and step; columns are in the order of their names, and those of the first row; values are numbers, true, false or text |
| `sim:snapshot()`, `sim:picture("name")` | a snapshot, and `pictures/name.png` as the run's other pictures look |
| `sim:log("text")`, `sim:log(3)` | a line in log.txt |
| `sim:stop("reason")` | ends the run well behind this step: code 0, the reason in run.json and on the terminal |
| `sim:fail("reason")` | ends it as unhealthy: code 3 |
| `sim.data` | a table that the run keeps, in checkpoints and run.json |

What a hook keeps belongs into `sim.data`: true, false, numbers, text, lists, and tables with names, 1 MiB as JSON. A run that goes
on from a checkpoint has it as it was. It does not have what else a script keeps: the text of the scene is run again for its
functions. So a hook that assigns a variable of the scene's, or changes anything in a table of the scene's, ends the run as
unhealthy and names what it changed. The tables that hooks reach are compared after every call, at some 100 ns an entry. `math.random` starts again in each call, from `seed`, hook and step, and so do the random streams of generators. A run is
thereby the same for any slices of steps, and wherever it stopped and went on.

A call has 10,000,000 instructions, some seconds and 256 MiB with all that the scene holds; four bytes of a row or of a line in the log
count as one instruction more. One that needs more, or has an error, ends the run as unhealthy
with file and line; what was written until then stays. In a whole run the rows of hooks take 1 GiB at most, and hooks make 10,000 pictures,
no snapshot beyond number 10,000, and 100,000 changes of parameters: what is more is an error of the hook. `sim:log` writes 16 MiB, of which the last line says so, and then nothing
more. `--trust` lifts these limits of a run; a scene cannot. A hook at every step costs some microseconds, and more on a GPU, whose
steps stop there (estimated at some tens of microseconds).

Bodies come and go between two steps, at the step of the hook, and what the hook asks for afterwards is of the new ones at once.
Ids are never given again. Forces are evaluated anew; the energy that a change brings or takes is no error, so `energy_error` goes
on from where it was, while momentum, mass and centre of mass of series.csv jump as they do. The last body cannot go. Precision and
backend stay those of the start. A change lays all memory out anew and measures the energy twice, some three force evaluations
long, and on a GPU compiles formulas of fields again; what a hook adds and removes without looking in between is one change. A file of bodies is read when a hook adds it first, and stays
what it was then for the whole run and for what goes on from its checkpoints. `run.json` counts what came and went (`bodies_at_end`, `bodies_added`,
`bodies_removed`), but does not say who: `--replay` of such a run needs the scene named, whose functions run again. The past in the
window knows every change and goes back over it; each takes 56 bytes a body that came, beside `--history`.

A window runs the same hooks for steps that are new, not for those of the past that it takes again: where a new branch begins,
`sim.data` is as it was there. `sim:stop` and `sim:fail` pause it. It writes rows and snapshots of runs that are recorded, and
calls `on_end` or `on_unhealthy` for those; it draws no pictures of hooks.

Scenes in JSON have no hooks; `mote check --json` says which ones were there.

## The keys

The tables that follow list all keys. Numbers are in the units that the scene chooses; angles are in degrees, angular
velocities in radians per unit of time. Where the column `unit` is empty a key takes a plain number.
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
  if (row.list) type = "list of " + type;
  return row.info.positional ? type + ", or first item" : type;
}

/// Tables of a scene that are not named in rows of their own.
std::string joined_subtables() {
  std::string names;
  for (const std::string& name : subtable_names())
    if (name != "emitters" && name != "drains" && name != "bodies")
      names += (names.empty() ? "`" : ", `") + name + "`";
  return names;
}

}  // namespace

std::string schema_markdown() {
  std::string text = introduction;
  for (const ParamSheet& sheet : scene_sheets()) {
    text += fmt::format(
        "\n## {}\n\n{}\n\n| key | type | unit | range | default | meaning "
        "|\n|---|---|---|---|---|---|\n",
        sheet.name, sentence(sheet.help));
    for (const ParamSheet::Row& row : sheet.rows)
      text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", row.info.name, type_of(row),
                          row.info.unit, engine::range_of(row.info), standard_of(row),
                          cell(row.info.help));
    if (sheet.name == "scene")
      text += "| " + joined_subtables() +
              " | table | | | | below |\n"
              "| `emitters`, `drains` | table or list | | | | where fluid comes from and goes, "
              "below |\n"
              "| `bodies` | list | | | required | bodies, generators and groups, below |\n"
              "| `on_start`, `on_end`, `on_unhealthy` | function | | | | hooks, above |\n"
              "| `on_step`, `on_time` | table or list | | | | hooks, above and below |\n";
    if (sheet.name == "on_time")
      text += "| `at` | time or list | time | >= 0 |  | at each of these times |\n";
    if (sheet.name == "on_step" || sheet.name == "on_time")
      text += "| `run` | function |  |  | required | what is called, with `sim` |\n";
  }
  text +=
      "\n## Units\n\n| `units` | length | mass | time | velocity | G "
      "|\n|---|---|---|---|---|---|\n";
  for (const engine::UnitSystem& u : engine::unit_systems())
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", u.name, u.length, u.mass, u.time,
                        u.velocity, u.gravitational);
  text += "\nUnits that values may have:";
  for (const engine::NamedUnit& u : engine::named_units()) text += " `" + u.name + "`";
  return text + ".\n";
}

engine::Json schema_json() {
  engine::Json all = engine::Json::object();
  for (const ParamSheet& sheet : scene_sheets()) {
    engine::Json& table = all[sheet.name];
    table["help"] = sheet.help;
    for (const ParamSheet::Row& row : sheet.rows) {
      engine::Json& key = table["keys"][row.info.name];
      key["type"] = name_of(row.type);
      if (row.list) key["list"] = true;
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
