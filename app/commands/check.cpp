#include <fmt/format.h>

#include <memory>

#include "app/commands/commands.h"
#include "app/commands/scene_options.h"
#include "app/headless_run.h"
#include "app/scenes.h"
#include "engine/json.h"
#include "engine/text.h"

namespace mote::app {
namespace {

struct CheckCommand {
  SceneOptions scene;
  bool json = false;
};

/// With what can be said of functions.
engine::Json in_full(const sim::SceneDescription& scene) {
  engine::Json json = scene.expanded;
  if (!scene.hooks.empty()) json["hooks"] = sim::hooks_json(scene.hooks);
  return json;
}

engine::Json problems_json(const engine::InputError& error) {
  engine::Json list = engine::Json::array();
  for (const engine::Diagnostic& d : error.diagnostics()) {
    engine::Json one{{"place", d.place}, {"key", d.key}, {"problem", d.problem}, {"remedy", d.remedy}};
    // For editors, which mark a line: places of scenes are FILE:LINE.
    const std::size_t colon = d.place.rfind(':');
    const std::string line = colon == std::string::npos ? "" : d.place.substr(colon + 1);
    if (!line.empty() && line.find_first_not_of("0123456789") == std::string::npos && line.size() < 10) {
      one["file"] = d.place.substr(0, colon);
      one["line"] = std::stoi(line);
    }
    if (d.column > 0) {
      one["excerpt"] = d.excerpt;
      one["column"] = d.column;  // in the text that the key has
    }
    list.push_back(one);
  }
  return engine::Json{{"problems", list}};
}

}  // namespace

void add_check(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "check", "check a scene, and whether it fits this machine, without running it; all errors at once");
  auto check = std::make_shared<CheckCommand>();
  check->scene.add_to(*command, true);
  command->add_flag("--json", check->json, "print the scene in full as JSON, or its problems");
  command->callback([check, &exit_code] {
    try {
      const sim::SceneDescription scene =
          sim::read_scene(find_scene(check->scene.scene), check->scene.settings(), check->scene.trust);
      sim::make_plan(scene, run_options({}, scene));  // whether it would run here: memory
      if (check->json)
        fmt::print("{}\n", engine::json_text(in_full(scene), 2));
      else
        fmt::print("{}: good, {} bodies, {}\n", scene.file.string(),
                   engine::with_thousands(scene.body_count()),
                   scene.head.title.empty() ? "untitled" : scene.head.title);
    } catch (const engine::InputError& e) {
      if (!check->json) throw;
      fmt::print("{}\n", engine::json_text(problems_json(e), 2));
      exit_code = 2;
    }
  });
}

}  // namespace mote::app
