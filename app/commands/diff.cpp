#include "app/look/diff.h"

#include <memory>

#include "app/commands/commands.h"

namespace mote::app {

void add_diff(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("diff",
                                             "compare two states body by body: snapshots, "
                                             "checkpoints, or runs with their series");
  auto request = std::make_shared<DiffRequest>();
  command->add_option("a", request->a, "snapshot, checkpoint or run folder")
      ->type_name("FILE")
      ->required();
  command->add_option("b", request->b, "the other one")->type_name("FILE")->required();
  command
      ->add_option("--tolerance", request->tolerance,
                   "accept this relative difference of each position, velocity and mass; default: "
                   "states and series must be identical to the bit")
      ->type_name("NUMBER")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--json", request->json, "print the result as JSON");
  command->footer("Exit codes: 0 same, 4 different, 1 and 2 as for other commands.");
  command->callback(
      [request, &exit_code] { exit_code = print_difference(*request) ? 0 : exit_different; });
}

}  // namespace mote::app
