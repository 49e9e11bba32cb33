#include "sim/scene/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "engine/json.h"
#include "engine/quantity.h"
#include "engine/text.h"
#include "sim/model/modules.h"
#include "sim/motion/integrators.h"
#include "sim/scene/description.h"
#include "sim/scene/read_scene.h"
#include "sim/scene/tables.h"
#include "sim/source/reader.h"

namespace mote::sim {
namespace {

using engine::ParamSheet;

/// A paragraph in lines of at most 120 characters; `indent`: of all but the first.
std::string in_lines(const std::string& text, const std::string& indent = "") {
  constexpr std::size_t width = 120;
  std::string lines, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      lines += line + "\n";
      line = indent + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return lines + line;
}

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

`mote run FILE` runs it. `mote check --json FILE` prints it expanded, with every default. `mote check FILE` makes the
same checks as a run before its first step. It then takes the first steps in memory with their hooks; if the run itself
would end there, it reports that, with code 3. It calls each hook that was not due by then once; failures of these are
warnings. Finally it estimates the time and disk space that the run will need. It writes nothing and ends within ten
seconds: whatever would take longer, such as the first forces of millions of bodies, is skipped and reported as skipped.

Every key is checked: an unknown key, a wrong type or a value out of range is an error that names the line, what is
allowed and what may have been meant.

## Parameters and settings

`param(name, default, { min = , max = , unit = , doc = , choices = })` makes a value that the command line can change:
`mote run FILE --set n=5000`. All options may be left out. The default decides the type: `1000` is a whole number, `0.5`
(or any number with a `unit`) a real one; a text may have `choices`, a list of texts.

`live(name, default, { ... })` is the same for a value that may change while the scene runs, without starting again:

    local softening = live("softening", 0.02, { min = 0, max = 1, unit = "length" })
    return { gravity = { softening = softening }, ... }

The script can only pass it on, to one or several keys: those that are marked live below, of physics, `integrator` and
`view` (but its camera). Computing with it is an error. Lua does not ask what `==` and conditions mean: it equals no
number, and counts as true. Computing with a parameter needs `param`; then a change in the window reads the file again.

`--set` also takes the path of any key: `--set integrator.dt=0.001`, `--set bodies.1.n=500`, and whole vectors,
`--set view.camera.target=[1,2,3]`, or `{1,2,3}` in quotes. Settings are checked like the file itself.

## Units on values

Wherever a key has a unit, a number may be given as text with a unit, which is converted to the units of the scene:

    { name = "Sun", mass = "1 Msun", position = { "8.2 kpc", 0, "20 pc" }, velocity = { 0, "220 km/s", 0 } }

Write products with a space or `*`, quotients with `/`, powers with `^`: `"3 g/cm^3"`, `"25 km/s/kpc"`, `"0.1 1/Myr"`.
In Lua, `units.km_s(220)` returns the same text, and `units.pc { 1, 2, 3 }` a list of three: there is a function for
each unit below, and `m_s`, `cm_s`, `km_s`, `au_day`, `au_yr`, `pc_Myr`, `kpc_Gyr`, `deg_day`, `rad_s`. A unit of the
wrong dimension is an error, and so is any unit except those of angles in a scene with `units = "nbody"`, which has
none. The options `--until` and `--snapshot-time` take such texts too.

So does a `param` with a `unit`, as its default, `param("speed", "220 km/s", { unit = "velocity" })`, or from
`--set speed="250 km/s"`. The value stays text until the scene has been read. Therefore
`param("speed", 200, { unit = "velocity" })` accepts `--set speed="50 km/s"` only if the script just passes the value on
to a key; a script that computes with it needs a plain number in the scene's units, `--set speed=50`. `min` and `max`
are numbers in the scene's units. The kinds of units, such as `velocity`, are those in the column `unit` of the tables
below.

## Making bodies

`bodies` is a list; nested lists are flattened, so that the results of `include` and `copy` need no unpacking. Each item
is one of:

- a single body, `{ mass = 1, position = { 1, 0, 0 }, velocity = { 0, 1, 0 } }`
- a generator, `plummer { n = 1000 }`, `galaxy { ... }`, `lattice { ... }` or another of those below
- a body on an orbit, `orbit { ... }`; its list `moons = { orbit { ... } }` holds orbits about it, whose `central_mass`
  is its mass
- bodies from a file, `csv { file = "data/stars.csv" }`, `gadget { file = "snapshot.hdf5" }`,
  `tipsy { file = "galaxy.bin" }` or `xyz { file = "config.xyz" }`
- any of these, or a list of them, as a group that is transformed together, about the origin:
  - `scale(bodies, { length = 2, velocity = 0.5, mass = 3 })` multiplies positions, velocities and masses
  - `rotate(bodies, { axis = { 0, 0, 1 }, angle = 30 })` rotates positions and velocities
  - `spin(bodies, { axis = { 0, 0, 1 }, rate = "25 km/s/kpc" })` adds a rigid rotation to the velocities; a rate given
    as a number is in radians per unit of time, as is `spin` of `ring` and others: `math.rad(10)` for 10 degrees
  - `translate(bodies, { x, y, z })` adds to the positions, `boost(bodies, { vx, vy, vz })` to the velocities
  - `place(bodies, { inclination = 60, node = 30, position = { 5, 0, 0 }, velocity = { 0, 1, 0 } })` rotates about the x
    axis, then about the z axis, then translates
  - `copy(bodies)` returns a copy that can be changed without affecting the original

A single body, or all bodies of a generator or a file, with `fixed = true` keep their velocity, whatever acts on them: a
star at rest, a peg for grains, the clamp of a beam. They act on others as ever; the momentum that these give back is
lost, and one that moves does work, so that the energy is not constant. Ends of a chain are `pinned` (one body)
or `clamped` (two, so that the direction is fixed, too). A bond to a fixed body is the rod of a pendulum. Between
grains, the damping of a contact depends on the masses of both: a fixed grain of a large `mass` is hit like a wall. In
fluids, walls are species with `wall = true`.

The ids of bodies count from 0 in the order in which they are made; messages, the window and `ParticleIDs` of snapshots
use them.

Each generator draws its own random bodies; a copy has the same bodies as its original. In JSON the same items are
objects with a `kind`: `{ "kind": "plummer", "n": 1000 }`, `{ "kind": "group", "angle": 30, "bodies": [ ... ] }`. Nested
functions apply from the inside out; a single group with several of these keys is scaled, rotated, spun and translated,
in this order.

Bodies may belong to species that the scene defines: `species = { star = { color = "#ffcc88" }, gas = {} }` and
`plummer { n = 1000, species = "star" }`. Single bodies, generators and body files take the key, and so do bodies that
hooks add; `mote check --json` shows it. With `view = { color = "species" }` every body has the colour of its species,
grey without one; the light of different species adds up, so an intermediate colour is a superposition, not a species.
As a number, for `--histogram species`, species count from 1 in the order of their names, and 0 is none. Pair forces and
fluids depend on the species; nothing else in the motion does. Snapshots and checkpoints store them:
`PartType1/Species`, and `species_names` and `species_colors` among the attributes of `Mote`. A scene that reads a
snapshot with `gadget` does not read species from it, but sets one for its bodies.

Bodies may be bonded. Kinds of bonds and angles have names, `bond_kinds = { spring = { stiffness = 100, length = 1 } }`
and `angle_kinds = { stiff = { stiffness = 5 } }`; `chain { n = 10, bond = "spring", angle = "stiff" }` bonds
consecutive bodies, and lists give bodies by id:

    bonds = { { kind = "spring", bodies = { {0, 9}, {3, 6} } } },
    angles = { { kind = "stiff", bodies = { {9, 0, 1} } } },     -- at body 0

Bodies in groups keep their bonds. [Molecules](physics/molecular.md) has the equations.

## Scenes in several files

`include("parts/sun.lua")` runs another Lua file in the folder of the scene or below, and returns its table:

    bodies = { include("parts/sun.lua"), disk { n = 10000 } }

Every file runs once, however often it is included; `param` and `live` in it make parameters of the scene; messages name
the file and its line. Paths are always relative to the folder of the scene. Includes nest at most 16 levels deep.

A run copies a scene in several files to a folder `scene/` within its run folder, from where it can be run again:
`mote run out/scene/my_scene.lua`. Body files (`csv` and others) are not copied, nor files outside the folder of the
scene, which `--trust` allows; `run.json` has the expanded scene with their bodies, and `mote run --replay out/run.json`
repeats it, without hooks.

## Editors

`mote new NAME` writes a commented scene to start from. Editors with the Lua language server complete keys, show their
meaning and mark unknown ones if they find `scenes/mote.lua` (in the open folder, or in `workspace.library`) and the
table is annotated: `---@type mote.scene` in the line above `local scene = {`. `mote check --json FILE` prints problems
with file and line, for editors that mark them.

## External fields

`fields` is one external acceleration, or a list of them: built-in ones, `uniform { acceleration = { 0, 0, -9.81 } }`,
and formulas, `field { acceleration = { "-k*x", "-k*y", 0 }, potential = "0.5*k*x^2 + 0.5*k*y^2", k = 2 }`. In JSON each
is an object with its `kind`. Keys take units, `drag { linear = "0.1 1/Myr" }`; expressions and their numbers do not,
and are in the units of the scene. [Fields](physics/fields.md) has the language of expressions, the equations and how
they are integrated.

## Grains and obstacles

With `grains = { radius = 0.1, density = 2500 }` bodies are spheres that touch each other and obstacles. Single bodies,
generators without another `radius` and body files take `radius` beside `species`, for all of their bodies; the default
is that of `grains`. `obstacles` is one solid, or a list of them: `plane { normal = { 0, 0, 1 } }`, `box`, `sphere`,
`cylinder`, `capsule` and `mesh { file = "data/bowl.stl" }`, whose file is in the folder of the scene or below. In JSON
each is an object with its `kind`; `mote check --json` expands meshes, as `vertices` and `triangles`.
[Grains](physics/grains.md) and [obstacles](physics/obstacles.md) have the equations.

In a scene with several kinds of matter every body has a species, and every species names its matter:
`species = { sand = { matter = "grains" }, water = { matter = "fluid" } }`. Grains can be combined with a
three-dimensional fluid ([mixtures](physics/mixtures.md) has their interaction) and with [soft bodies](physics/soft.md)
(`matter = "soft"`); molecules (`matter = "lennard_jones"`) with grains and soft bodies. Species of grains and soft
bodies with `epsilon`, `sigma` or `charge` attract and repel each other, and molecules, too. A fluid with soft bodies or
molecules is an error.

## What scripts can do

Scripts have `assert`, `error`, `ipairs`, `next`, `pairs`, `pcall`, `select`, `tonumber`, `tostring` and `type`, `math`,
`string` without patterns and packing, and `table` without `move`. There is no `print`: hooks have `sim:log`. They can
read no files except those that `include`, `csv`, `gadget`, `tipsy`, `xyz` and `mesh` read below the folder of the
scene, and have no access to the clock or the system. They are limited to 160 MiB of memory, texts of up to 8 MiB, and
half a second of work.

A scene makes the same bodies every time. Therefore `math.random` starts from `--seed`; `pairs` and `next` visit keys in
sorted order (false, true, numbers, texts), and refuse keys that are tables or functions; `table.sort` is stable;
`tostring` and `string.format` show a table as `table`, without its address. `#` is for lists without holes: for others
its result may differ between runs. A scene of your own may need more than these limits: `--trust` (of `run`, `check`
and the window) allows paths outside its folder and lifts the limits on the time of its script and the output of its
hooks; it changes nothing else. Resuming such a run from a checkpoint needs `--trust` again: trust is not stored in
files.

For a misspelt function or table the error suggests the closest name; a field that `units`, `math`, `string` or `table`
do not have is an error, not nil.

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
        { every = 0.5, run = function(sim)
          sim:row("half_mass", { radius = sim.radius_50, ratio = sim.virial_ratio })
        end },
        { at = { 1, 2.5 }, run = function(sim) sim:snapshot() end },
      },
      on_end = function(sim) sim:log("fastest of all: " .. sim.data.most) end,
      on_unhealthy = function(sim) sim:row("last", { fastest = sim.fastest }) end,
    }

`on_step` runs at the steps that are multiples of `every`, `on_time` at the first step at or after each of its times
(numbers, in the unit of time of the scene); either may be a list, which runs in its order, `on_step` first. `on_start`
runs before the first step, and either `on_end` or `on_unhealthy` after the last one: `on_unhealthy` if bodies were no
longer finite, the energy drifted too far or the scene itself called `sim:fail`. Hooks of a step run after its row of
series.csv and its snapshot have been written.

What `sim` provides:

| in a hook | what it is or does |
|---|---|
| `sim.step`, `sim.time`, `sim.dt`, `sim.count` | current values; `count` is the number of bodies |
| `sim.kinetic`, `potential`, `energy`, `energy_error`, `virial_ratio`, `temperature`, `pressure`, `displacement`, `mass`, `fastest`, `radius_10`, `radius_50`, `radius_90` | measured at the first access in a call, which costs about a step |
| `sim.momentum`, `angular_momentum`, `center_of_mass` | the same as lists of three, `sim.momentum[1]` |
| `sim:body(id)`, `sim:body("name")` | `{ id, name, mass, position, velocity, acceleration }`; ids count from 0, as in snapshots; on several GPUs or processes, which gather all bodies for it, in scenes of at most 100,000,000 |
| `sim:add { mass = 1, position = { 1, 0, 0 } }` | adds a body, written as in `bodies` with units, name and species; or a generator, a group, a body file, a list of any of these. Returns the id of a single body, else the list of ids |
| `sim:remove(id)`, `sim:remove("name")` | removes a body |
| `sim:get("gravity.softening")`, `sim:set("integrator.dt", 0.01)` | a parameter that may change while a simulation runs, also `"0.1 pc"` in scenes with units; setting it is an edit like one in the window (time.md) |
| `sim:row("name", { x = 1, y = 2 })` | appends to `rows/name.csv` of the run, after time and step; columns are those of the first row, in the order of their names; values are numbers, true, false or text |
| `sim:snapshot()`, `sim:picture("name")` | a snapshot, and `pictures/name.png` in the style of the run's other pictures |
| `sim:log("text")`, `sim:log(3)` | a line in log.txt |
| `sim:stop("reason")` | ends the run successfully after this step: code 0, the reason in run.json and on the terminal |
| `sim:fail("reason")` | ends the run as unhealthy: code 3 |
| `sim.data` | a table that the run stores, in checkpoints and run.json |

Hooks keep their state in `sim.data`: true, false, numbers, text, lists, and tables with names, up to 1 MiB as JSON. A
run that is resumed from a checkpoint restores it. Nothing else that a script keeps is restored: the text of the scene
is run again for its functions. So a hook that assigns a variable of the scene, or changes anything in a table of the
scene, ends the run as unhealthy with the name of what it changed. The tables that hooks reach are compared after every
call, at some 100 ns an entry. `math.random` starts again in each call, from `seed`, hook and step, and so do the random
streams of generators. A run is therefore the same however its steps are grouped, and wherever it was stopped and
resumed.

A call is limited to 10,000,000 instructions, some seconds and 256 MiB including all that the scene holds; four bytes of
a row or of a line in the log count as one instruction more. A call that needs more, or has an error, ends the run as
unhealthy with file and line; output so far is kept. In one run the rows of hooks take 1 GiB at most, and hooks make at
most 10,000 pictures, no snapshot beyond number 10,000, and 100,000 changes of parameters: more is an error of the hook;
one call, also of a trusted scene, may draw 20 pictures and add bodies of 256 MiB (4.8 million).
`sim:log` writes 16 MiB, says in its last line that this is the limit, and ignores the rest. `--trust` lifts these
limits of a run; a scene cannot. A hook at every step costs some microseconds, and more on a GPU, whose steps stop there
(estimated at some tens of microseconds).

Bodies are added and removed between two steps, at the step of the hook, and later queries of the hook see the new set
at once. Ids are never reused. Forces are evaluated again; the energy that a change adds or removes is not an error, so
`energy_error` continues from its value, while momentum, mass and centre of mass of series.csv jump. The last body
cannot be removed. Precision and backend stay those of the start. A change allocates all buffers again and measures the
energy twice, which takes about three force evaluations, and on a GPU compiles formulas of fields again; additions and
removals without a query in between count as one change. A body file is read when a hook first adds it, and its contents
are kept for the rest of the run and for runs resumed from its checkpoints. `run.json` counts additions and removals
(`bodies_at_end`, `bodies_added`, `bodies_removed`), but does not list them: `--replay` of such a run needs the scene
file, whose functions run again. The history in the window includes every change and can go back across it; each takes
56 bytes per added body, in addition to `--history`.

A window runs the same hooks for new steps, but not for steps that are repeated after rewinding. Where a new branch
begins, `sim.data` has its value of that step. `sim:stop` and `sim:fail` pause it. It writes rows and snapshots of
recorded runs, and calls `on_end` or `on_unhealthy` for those; it draws no pictures of hooks.

Scenes in JSON have no hooks; `mote check --json` lists those of the original scene.

## The keys

The tables that follow list all keys. Numbers are in the units of the scene; angles are in degrees, angular velocities
in radians per unit of time. Where the column `unit` is empty a key takes a plain number.
)";

/// Escapes bars, which would end a cell of a table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (char c : text) escaped += c == '|' ? "\\|" : std::string(1, c);
  return escaped;
}

/// Makes a sentence of a help text; those of modules begin in lower case.
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

/// Keys of modules that have a line of their own.
std::vector<SceneKey> module_lists() {
  std::vector<SceneKey> all;
  for (const PhysicsModule& m : modules())
    for (const SceneKey& key : m.info().keys)
      if (!key.help.empty()) all.push_back(key);
  return all;
}

/// Subtables of a scene that have no row of their own.
std::string joined_subtables() {
  const std::vector<SceneKey> others = module_lists();
  std::string names;
  for (const std::string& name : subtable_names())
    if (name != "bodies" && std::none_of(others.begin(), others.end(),
                                         [&](const SceneKey& k) { return k.name == name; }))
      names += (names.empty() ? "`" : ", `") + name + "`";
  return names;
}

/// The modules that always have a feature, "`fluid`, `grains`", or the feature itself.
std::string with_feature(const std::string& feature) {
  std::vector<std::string> names;
  for (const PhysicsModule& m : modules()) {
    const std::vector<std::string>& own = m.info().features;
    if (std::find(own.begin(), own.end(), feature) != own.end())
      names.push_back("`" + m.info().subject + "`");
  }
  return names.empty() ? feature : engine::joined(names, ", ");
}

/// Which modules go together, and the rules that say why not, in `excludes` and `needs`.
std::string combinations() {
  const auto excluded = [](const ModuleInfo& a, const ModuleInfo& b) {
    return std::any_of(a.excludes.begin(), a.excludes.end(), [&](const ModuleRule& rule) {
      return rule.what == b.subject && rule.when.empty();
    });
  };
  std::string text =
                  "\n## What goes with what\n\nA scene may combine these, but where the table has "
                  "a dash; the "
                  "list below gives all rules.\n\n|  |",
              line = "\n|---|";
  for (const PhysicsModule& m : modules()) text += " " + m.info().subject + " |", line += "---|";
  text += line + "\n";
  for (const PhysicsModule& row : modules()) {
    text += "| `" + row.info().subject + "` |";
    for (const PhysicsModule& column : modules())
      text += &row == &column ? "  |"
              : excluded(row.info(), column.info()) || excluded(column.info(), row.info())
                  ? " - |"
                  : " yes |";
    text += "\n";
  }
  text += "\n";
  for (const PhysicsModule& m : modules())
    for (const auto* rules : {&m.info().excludes, &m.info().needs})
      for (const ModuleRule& rule : *rules)
        text +=
            in_lines(fmt::format("- `{}` {}{}; {}.", m.info().subject, rule.problem,
                                 rule.when.empty() ? "" : " (with " + rule.when + ")", rule.remedy),
                     "  ") +
            "\n";
  for (const IntegratorInfo& integrator : integrators())
    for (const auto& [rules, where] :
         {std::pair(&integrator.excludes, ""), std::pair(&integrator.excludes_on_gpu, " on a GPU")})
      for (const IntegratorRule& rule : *rules)
        text +=
            in_lines(fmt::format("- The integrator `{}` cannot be combined with {}{}; {}.",
                                 integrator.name, with_feature(rule.feature), where, rule.remedy),
                     "  ") +
            "\n";
  return text;
}

std::string rows_of_lists() {
  std::string rows;
  for (const SceneKey& key : module_lists())
    rows += fmt::format("| `{}` | table or list | | | | {} |\n", key.name, key.help);
  return rows;
}

}  // namespace

std::string schema_markdown() {
  std::string text = introduction;
  for (const ParamSheet& sheet : scene_sheets()) {
    text += fmt::format(
        "\n## {}\n\n{}\n\n| key | type | unit | range | default | meaning "
        "|\n|---|---|---|---|---|---|\n",
        sheet.name, in_lines(sentence(sheet.help)));
    for (const ParamSheet::Row& row : sheet.rows)
      text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", row.info.name, type_of(row),
                          row.info.unit, engine::range_of(row.info), standard_of(row),
                          cell(row.info.help) + (row.info.live ? "; live" : ""));
    if (sheet.name == "scene")
      text += "| " + joined_subtables() + " | table | | | | below |\n" + rows_of_lists() +
              "| `bodies` | list | | | required | bodies, generators and groups, below |\n"
              "| `on_start`, `on_end`, `on_unhealthy` | function | | | | hooks, above |\n"
              "| `on_step`, `on_time` | table or list | | | | hooks, above and below |\n";
    if (sheet.name == "on_time")
      text += "| `at` | time or list | time | >= 0 |  | at each of these times |\n";
    if (sheet.name == "on_step" || sheet.name == "on_time")
      text += "| `run` | function |  |  | required | the function, called with `sim` |\n";
  }
  text += combinations();
  text +=
      "\n## Units\n\n| `units` | length | mass | time | velocity | G "
      "|\n|---|---|---|---|---|---|\n";
  for (const engine::UnitSystem& u : engine::unit_systems())
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", u.name, u.length, u.mass, u.time,
                        u.velocity, u.gravitational);
  std::string units = "Units that values may have:";
  for (const engine::NamedUnit& u : engine::named_units()) units += " `" + u.name + "`";
  return text + "\n" + in_lines(units) + ".\n";
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
