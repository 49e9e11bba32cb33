#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "app/commands/commands.h"
#include "app/scenes.h"
#include "engine/check.h"

namespace mote::app {
namespace {

namespace fs = std::filesystem;

/// Placeholders: the title and the name of the file. Everything that a first experiment needs, and
/// not more: the reference has the rest.
constexpr const char* starter =
    R"(-- {title}. A scene is one experiment: this file returns one table that says which bodies there are, which forces act,
-- how time goes on and when to stop. Lines that begin with two dashes are comments.
--
--   watch it; the window reads this file again when it is saved   mote {file}
--   run it without a window; numbers and snapshots go to out/     mote run {file}
--   run it with another value                                     mote run {file} --set n=500
--   say everything that is wrong with it                          mote check {file}

-- Parameters: values that --set can change, and sliders in the window.
local n = param("n", 1000, {{ min = 2, max = 100000, doc = "stars of the cluster" }})
local softening = param("softening", 0.02, {{ min = 0, max = 1, unit = "length", doc = "Plummer softening" }})
local speed = param("speed", 1.0, {{ min = 0, max = 3, unit = "velocity", doc = "of the visitor" }})

---@type mote.scene -- so that editors which know scenes/mote.lua complete the keys
local scene = {{
  title = "{title}",
  about = "A star cluster and a heavy visitor that flies past it.",

  -- Units: "nbody" has G = 1 and no others; "si", "solar", "galactic" and "molecular" have theirs.
  units = "nbody",

  -- Newton's gravity between all bodies. Softening keeps close pairs from throwing each other out.
  gravity = {{ softening = softening }},

  -- Leapfrog with a fixed step. Half the step makes the error of the energy four times smaller.
  integrator = {{ "leapfrog", dt = 0.01 }},

  bodies = {{
    plummer {{ n = n, mass = 1 }},                                             -- a sphere of stars in balance
    {{ name = "visitor", mass = 0.3, position = {{ -6, 2, 0 }}, velocity = {{ speed, 0, 0 }} }},
  }},

  -- What the window and pictures show.
  view = {{ color = "speed", camera = {{ distance = 14 }} }},

  -- When a run without a window ends, in the scene's unit of time.
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

/// The stem becomes a text and part of comments in the scene.
void check_stem(const fs::path& file) {
  const std::string stem = file.stem().string();
  for (const char c : stem)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-')
      throw engine::InputError(file.string(), "is not a good name for a scene",
                               "letters, digits, - and _ make one");
}

void write_starter(const fs::path& file) {
  check_stem(file);
  if (!shipped_scene(file).empty())
    throw engine::InputError(file.string(), "is the name of a scene that comes with mote",
                             "another name keeps both within reach");
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(file, ignored)))
    throw engine::InputError(file.string(), "exists already", "another name, or remove it first");
  std::ofstream stream(file, std::ios::binary);
  stream << fmt::format(starter, fmt::arg("title", title_of(file.stem().string())),
                        fmt::arg("file", file.string()));
  stream.close();
  if (!stream)
    throw engine::InputError(file.string(), "cannot be written",
                             "a folder that exists and may be written to");
}

}  // namespace

void add_new(CLI::App& program) {
  CLI::App* command = program.add_subcommand("new", "write a commented scene to start from");
  auto name = std::make_shared<std::string>();
  command->add_option("name", *name, "of the scene; NAME.lua is written")->required();
  command->callback([name] {
    fs::path file = *name;
    if (file.extension() != ".lua") file += ".lua";
    write_starter(file);
    const std::string words = file.string();
    fmt::print(
        "{0}: written\n`mote {0}` watches it, `mote run {0}` runs it, `mote check {0}` checks it\n",
        words);
  });
}

}  // namespace mote::app
