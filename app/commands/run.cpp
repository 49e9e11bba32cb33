#include <memory>

#include "app/commands/run_command.h"
#include "app/run/processes.h"

namespace mote::app {

void add_run(CLI::App& program, const CommandLine& line, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "run", "run a scene without a window; writes measurements, snapshots, pictures, a movie");
  auto run = std::make_shared<RunCommand>();
  run->add_common(*command, false);
  run->add_outputs(*command);
  command->callback([run, &line, &exit_code] {
    exit_code = run_on_processes([&](engine::Ranks* ranks) { return run->execute(line, ranks); });
  });
}

}  // namespace mote::app
