#include <memory>

#include "app/commands/option_checks.h"
#include "app/commands/run_command.h"
#include "app/commands/serve_options.h"
#include "app/run/processes.h"

namespace mote::app {
namespace {

struct ResumeCommand {
  std::string run, out;
  ResumeRequest request;
  std::vector<std::string> set;
  ComputeOptions compute;
  CheckpointOptions checkpoints;
  ServeOptions serve;

  int execute(const CommandLine& line, engine::Ranks* ranks) {
    request.run = run;
    request.out = out;
    request.live = settings_of(set);
    request.options = compute.options();
    request.checkpoints = checkpoints.request;
    request.checkpoints_given = checkpoints.given();
    request.wall = checkpoints.wall;
    request.command_line = line;
    request.options.ranks = ranks;
    request.serve = serve.given();
    return static_cast<int>(resume_headless(request));
  }
};

}  // namespace

void add_resume(CLI::App& program, const CommandLine& line, int& exit_code) {
  CLI::App* command = program.add_subcommand("resume",
                                             "resume a run that was interrupted, killed or became "
                                             "unhealthy, or extend one that is done");
  auto resume = std::make_shared<ResumeCommand>();
  command
      ->add_option("run", resume->run,
                   "run folder; or a checkpoint of a window or a program, to be continued in a "
                   "folder of its own")
      ->type_name("RUN")
      ->required();
  command
      ->add_option("--out", resume->out,
                   "run folder for a checkpoint that is continued; default: out, out-2, ...")
      ->type_name("DIR");
  command
      ->add_option("--until", resume->request.until,
                   "end at this simulation time instead, 10 or \"10 Myr\"")
      ->check(time_or_zero);
  command
      ->add_option("--steps", resume->request.steps,
                   "end after this many steps instead, counted from the start of the run")
      ->transform(whole_or_zero);
  command
      ->add_option("--from", resume->request.from,
                   "resume from the newest checkpoint at or before this step")
      ->transform(whole_or_zero);
  command
      ->add_option(
          "--set", resume->set,
          "change a live parameter, such as integrator.dt=0.001, or what pictures show, such as "
          "view.background=light; repeatable")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_flag_callback(
      "--trust", [resume] { resume->request.trust = sim::Trust::yes; },
      "allow the run to read and write files outside its folder, as for a run started with --trust "
      "or with pictures elsewhere");
  resume->compute.add_to(*command);
  resume->checkpoints.add_to(*command);
  resume->serve.add_to(*command, "show the run in a browser while it goes on");
  command->add_flag("--quiet", resume->request.quiet, "print nothing but errors");
  command->add_flag("--json", resume->request.json,
                    "print progress and result as one JSON object per line");
  command->callback([resume, &line, &exit_code] {
    exit_code =
        run_on_processes([&](engine::Ranks* ranks) { return resume->execute(line, ranks); });
  });
}

}  // namespace mote::app
