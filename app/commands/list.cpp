#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/scenes.h"
#include "engine/text.h"
#include "sim/run/registry.h"
#include "sim/scene/description.h"

namespace mote::app {
namespace {

void list_scenes() {
  fmt::print("Scenes in {}\n", scenes_folder().string());
  for (const auto& file : shipped_scenes()) {
    const sim::SceneDescription scene = sim::read_scene(file);
    fmt::print("  {:<20} {:>9} bodies  {}\n", file.stem().string(), engine::with_thousands(scene.body_count()),
               scene.head.title);
  }
}

void list_parts() {
  fmt::print("\nForces\n");
  for (const sim::ModuleInfo& m : sim::modules())
    fmt::print("  {:<20} {} ({}{})\n", m.subject + "." + m.name, m.help, m.cpu ? "cpu" : "", m.cuda ? ", cuda" : "");
  fmt::print("\nIntegrators\n");
  for (const sim::Scheme& s : sim::schemes()) fmt::print("  {:<20} {}\n", s.name, s.help);
  fmt::print("\nGenerators\n");
  for (const sim::Generator& g : sim::generators()) fmt::print("  {:<20} {}\n", g.name, g.help);
}

}  // namespace

void add_list(CLI::App& program) {
  program.add_subcommand("list", "the scenes that come with mote, and what scenes can be made of")->callback([] {
    list_scenes();
    list_parts();
  });
}

}  // namespace mote::app
