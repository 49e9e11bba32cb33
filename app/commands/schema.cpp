#include "sim/scene/schema.h"

#include <fmt/format.h>

#include <memory>

#include "app/commands/commands.h"

namespace mote::app {

void add_schema(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("schema", "the reference of scene files: every key, unit, range, default");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as JSON");
  command->callback([json] {
    fmt::print("{}", *json ? engine::json_text(sim::schema_json(), 2) + "\n" : sim::schema_markdown());
  });
}

}  // namespace mote::app
