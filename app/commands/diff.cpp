#include "app/diff.h"

#include <memory>

#include "app/commands/commands.h"

namespace mote::app {

void add_diff(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("diff",
                                             "how far two states are apart, body by body: "
                                             "snapshots, checkpoints, or runs with their series");
  auto request = std::make_shared<DiffRequest>();
  command->add_option("a", request->a, "snapshot, checkpoint or folder of a run")->required();
  command->add_option("b", request->b, "what it is compared with")->required();
  command
      ->add_option("--tolerance", request->tolerance,
                   "bodies count as the same up to this relative difference of each position, "
                   "velocity and mass; "
                   "by default every bit counts, of the series too")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--json", request->json, "print the answer as JSON");
  command->footer("Exit codes: 0 the same, 4 different, 1 and 2 as always.");
  command->callback(
      [request, &exit_code] { exit_code = print_difference(*request) ? 0 : exit_different; });
}

}  // namespace mote::app
