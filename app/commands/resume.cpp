#include <memory>

#include "app/commands/option_checks.h"
#include "app/commands/run_command.h"

namespace mote::app {
namespace {

struct ResumeCommand {
  std::string run;
  ResumeRequest request;
  std::vector<std::string> set;
  ComputeOptions compute;
  CheckpointOptions checkpoints;

  int go(const CommandLine& line) {
    request.run = run;
    request.live = settings_of(set);
    request.options = compute.options();
    request.checkpoints = checkpoints.request;
    request.checkpoints_given = checkpoints.given();
    request.wall = checkpoints.wall;
    request.command_line = line;
    return static_cast<int>(resume_headless(request));
  }
};

}  // namespace

void add_resume(CLI::App& program, const CommandLine& line, int& exit_code) {
  CLI::App* command = program.add_subcommand("resume",
                                             "go on with a run that was interrupted, killed or "
                                             "unhealthy, or take one that is done further");
  auto resume = std::make_shared<ResumeCommand>();
  command->add_option("run", resume->run, "folder of the run")->required();
  command->add_option("--until", resume->request.until, "end at this simulation time instead")
      ->check(time_or_zero);
  command
      ->add_option("--steps", resume->request.steps,
                   "end after this many steps of the whole run instead")
      ->check(whole_or_zero);
  command->add_option(
      "--from", resume->request.from,
      "go on from the newest checkpoint of this step or before, instead of the newest");
  command
      ->add_option("--set", resume->set,
                   "path=value: a parameter that may change on the way, such as "
                   "integrator.dt=0.001; repeatable")
      ->allow_extra_args(false);
  command->add_flag_callback(
      "--trust", [resume] { resume->request.trust = sim::Trust::yes; },
      "for a run that was begun with --trust, or with pictures elsewhere: it may read and write "
      "files "
      "outside its folder");
  resume->compute.add_to(*command);
  resume->checkpoints.add_to(*command);
  command->add_flag("--quiet", resume->request.quiet, "print nothing but errors");
  command->add_flag("--json", resume->request.json,
                    "progress and result as one JSON object a line");
  command->callback([resume, &line, &exit_code] { exit_code = resume->go(line); });
}

}  // namespace mote::app
