#include "sim/scene/schema.h"
#include "engine/json.h"
#include "sim/scene/annotations.h"

#include <fmt/format.h>

#include <memory>

#include "app/commands/commands.h"

namespace mote::app {

void add_schema(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "schema", "print the reference of scene files: every key with unit, range and default");
  auto json = std::make_shared<bool>(false), lua = std::make_shared<bool>(false);
  CLI::Option* as_json = command->add_flag("--json", *json, "as JSON");
  command->add_flag("--lua", *lua, "as annotations for editors with the Lua language server")
      ->excludes(as_json);
  command->callback([json, lua] {
    fmt::print("{}", *json  ? engine::json_text(sim::schema_json(), 2) + "\n"
                     : *lua ? sim::lua_annotations()
                            : sim::schema_markdown());
  });
}

}  // namespace mote::app
