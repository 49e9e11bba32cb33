#include <memory>

#include "app/commands/run_command.h"
#include "app/commands/serve_options.h"
#include "app/run/processes.h"

namespace mote::app {

void add_run(CLI::App& program, const CommandLine& line, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "run", "run a scene without a window; writes measurements, snapshots, pictures, a movie");
  auto run = std::make_shared<RunCommand>();
  run->add_common(*command, false);
  run->add_outputs(*command);
  // Jobs of sweeps have the options above, but no page each.
  auto serve = std::make_shared<ServeOptions>();
  start_group(*command, "Watching");
  serve->add_to(*command, "show the run in a browser while it goes on");
  start_group(*command);
  command->callback([run, serve, &line, &exit_code] {
    run->request.serve = serve->given();
    exit_code = run_on_processes([&](engine::Ranks* ranks) { return run->execute(line, ranks); });
  });
}

}  // namespace mote::app
