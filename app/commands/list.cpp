#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/scenes.h"
#include "engine/text.h"
#include "sim/motion/integrators.h"
#include "sim/scene/description.h"
#include "sim/scene/generators.h"
#include "sim/scene/modules.h"
#include "sim/scene/read_scene.h"

namespace mote::app {
namespace {

void list_scenes() {
  const auto files = shipped_scenes();
  if (files.empty()) {
    fmt::print("No scenes found; set MOTE_SCENES to their folder\n");
    return;
  }
  fmt::print("Scenes in {}\n", scenes_folder().string());
  for (const auto& file : files) {
    try {
      const sim::SceneDescription scene = sim::read_scene(file);
      fmt::print("  {:<20} {:>9} bodies  {}\n", file.stem().string(),
                 engine::with_thousands(scene.body_count()), scene.head.title);
    } catch (const engine::InputError&) {
      fmt::print("  {:<20} has errors: mote check {}\n", file.stem().string(),
                 file.stem().string());
    }
  }
}

void list_parts() {
  fmt::print("\nForces\n");
  for (const sim::PhysicsModule& module : sim::modules()) {
    const sim::ModuleInfo& m = module.info();
    fmt::print("  {:<20} {} ({}{})\n", m.subject + "." + m.name, m.help, m.cpu ? "cpu" : "",
               m.cuda ? ", cuda" : "");
  }
  fmt::print("\nIntegrators\n");
  for (const sim::IntegratorInfo& i : sim::integrators())
    fmt::print("  {:<20} {}\n", i.name, i.help);
  for (const sim::PhysicsModule& module : sim::modules()) {
    const sim::ModuleInfo& m = module.info();
    if (!m.functions.empty()) fmt::print("\nItems of {}\n", m.subject);
    for (const engine::ParamSheet& s : m.sheets)
      if (sim::module_with_function(s.name) == &m)
        fmt::print("  {:<20} {}\n", s.name, s.help.substr(0, s.help.find(", in `")));
  }
  fmt::print("\nBodies\n");
  for (const engine::ParamSheet& s : sim::body_sheets())
    fmt::print("  {:<20} {}\n", s.name, s.help.substr(0, s.help.find(". ")));
}

}  // namespace

void add_list(CLI::App& program) {
  program
      .add_subcommand("list",
                      "list the scenes that come with mote, and the building blocks of scenes")
      ->callback([] {
        list_scenes();
        list_parts();
      });
}

}  // namespace mote::app
