#include "sim/scene/schema.h"
#include "engine/check.h"
#include "engine/json.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/lua/annotations.h"

#include <fmt/format.h>

#include <memory>

#include "app/commands/commands.h"
#include "app/commands/schema_text.h"

namespace mote::app {
namespace {

/// One table, for a reader or as JSON.
void print_one(const std::string& table, bool json) {
  const engine::Json all = json ? sim::schema_json() : engine::Json::object();
  if (json && all.contains(table))
    engine::print("{}\n", engine::json_text(all.at(table), 2));
  else if (json || !print_table(table))
    throw engine::InputError("schema " + table, "no such table of scenes",
                             engine::did_you_mean(table, table_names(), "tables: "));
}

}  // namespace

void add_schema(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "schema", "print the reference of scene files: every key with unit, range and default");
  auto table = std::make_shared<std::string>();
  command->add_option("table", *table, "only this table, such as gravity; default: all")
      ->type_name("TABLE");
  auto json = std::make_shared<bool>(false), lua = std::make_shared<bool>(false);
  CLI::Option* as_json = command->add_flag("--json", *json, "as JSON");
  command->add_flag("--lua", *lua, "as annotations for editors with the Lua language server")
      ->excludes(as_json);
  command->callback([table, json, lua] {
    if (!table->empty() && *lua)
      throw engine::InputError("--lua", "prints all tables at once", "leave out " + *table);
    if (!table->empty()) return print_one(*table, *json);
    engine::print("{}", *json  ? engine::json_text(sim::schema_json(), 2) + "\n"
                        : *lua ? sim::lua_annotations()
                               : sim::schema_markdown());
  });
}

}  // namespace mote::app
