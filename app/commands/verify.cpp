#include "app/run/verify.h"

#include <memory>

#include "app/commands/commands.h"
#include "app/commands/scene_options.h"

namespace mote::app {

void add_verify(CLI::App& program, int& exit_code) {
  struct Command {
    std::string run;
    VerifyRequest request;
    ComputeOptions compute;
  };
  CLI::App* command = program.add_subcommand("verify",
                                             "repeat a run between its checkpoints and compare "
                                             "bit for bit; exit code 1 if it differs");
  auto verify_command = std::make_shared<Command>();
  command->add_option("run", verify_command->run, "run folder")->type_name("RUN")->required();
  verify_command->compute.add_to(*command);
  command->add_flag_callback(
      "--trust", [verify_command] { verify_command->request.trust = sim::Trust::yes; },
      "for a run that was started with --trust");
  command->add_flag("--quiet", verify_command->request.quiet, "print nothing but errors");
  command->add_flag("--json", verify_command->request.json, "print one JSON object per line");
  command->callback([verify_command, &exit_code] {
    verify_command->request.run = verify_command->run;
    verify_command->request.options = verify_command->compute.options();
    exit_code = verify(verify_command->request) ? 0 : 1;
  });
}

}  // namespace mote::app
