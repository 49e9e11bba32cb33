#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "app/commands/commands.h"
#include "app/scenes.h"
#include "engine/check.h"
#include "engine/terminal.h"

namespace mote::app {
namespace {

namespace fs = std::filesystem;

/// Placeholders: title and file name. Has what a first experiment needs; docs/scenes.md has the
/// rest.
constexpr const char* starter =
    R"(-- {title}. A scene is one experiment: this file returns one table with the bodies, the forces between them,
-- the integrator and the end of the run. Lines that begin with two dashes are comments.
--
--   show it; the window reloads this file when it is saved            mote {file}
--   run it without a window; results and snapshots go to out/         mote run {file}
--   run it with another parameter                                     mote run {file} --set n=500
--   report all its errors                                             mote check {file}

-- Parameters: values that --set can change, and sliders in the window; `live` ones act while the scene runs.
local n = param("n", 1000, {{ min = 2, max = 100000, doc = "number of stars in the cluster" }})
local softening = live("softening", 0.02, {{ min = 0, max = 1, unit = "length", doc = "Plummer softening" }})
local speed = param("speed", 1.0, {{ min = 0, max = 3, unit = "velocity", doc = "speed of the visitor" }})

---@type mote.scene -- lets editors that load scenes/mote.lua complete the keys
local scene = {{
  title = "{title}",
  about = "A star cluster and a heavy visitor that flies past it.",

  -- Units: "nbody" is dimensionless with G = 1; "si", "solar", "galactic" and "molecular" have physical units.
  units = "nbody",

  -- Newtonian gravity between all bodies. Softening keeps close encounters from ejecting bodies.
  gravity = {{ softening = softening }},

  -- Leapfrog with a fixed time step. Halving the step reduces the energy error by a factor of four.
  integrator = {{ "leapfrog", dt = 0.01 }},

  bodies = {{
    plummer {{ n = n, mass = 1 }},                                             -- a star cluster in equilibrium
    {{ name = "visitor", mass = 0.3, position = {{ -6, 2, 0 }}, velocity = {{ speed, 0, 0 }} }},
  }},

  -- How the window and pictures show it.
  view = {{ color = "speed", camera = {{ distance = 14 }} }},

  -- End of a run without a window, in the scene's unit of time.
  stop = {{ time = 12 }},
}}
return scene
)";

/// "my_first-scene" becomes "My first scene".
std::string title_of(std::string stem) {
  for (char& c : stem)
    if (c == '_' || c == '-') c = ' ';
  stem[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(stem[0])));
  return stem;
}

/// The stem becomes part of a string and of comments in the scene.
void check_stem(const fs::path& file) {
  const std::string stem = file.stem().string();
  for (const char c : stem)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-')
      throw engine::InputError(file.string(), "is not a valid name for a scene",
                               "use only letters, digits, - and _");
}

void write_starter(const fs::path& file) {
  check_stem(file);
  if (!shipped_scene(file).empty())
    throw engine::InputError(file.string(), "is the name of a scene that comes with mote",
                             "choose another name");
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(file, ignored)))
    throw engine::InputError(file.string(), "already exists",
                             "choose another name, or remove it first");
  std::ofstream stream(file, std::ios::binary);
  stream << fmt::format(starter, fmt::arg("title", title_of(file.stem().string())),
                        fmt::arg("file", file.string()));
  stream.close();
  if (!stream)
    throw engine::InputError(file.string(), "cannot be written",
                             "check that its folder exists and is writable");
}

}  // namespace

void add_new(CLI::App& program) {
  CLI::App* command = program.add_subcommand("new", "write a commented scene to start from");
  auto name = std::make_shared<std::string>();
  command->add_option("name", *name, "name of the scene; writes NAME.lua")
      ->type_name("NAME")
      ->required();
  command->callback([name] {
    fs::path file = *name;
    if (file.extension() != ".lua") file += ".lua";
    write_starter(file);
    const std::string path = file.string();
    engine::print(
        "{0}: written\n`mote {0}` shows it, `mote run {0}` runs it, `mote check {0}` checks it\n",
        path);
  });
}

}  // namespace mote::app
