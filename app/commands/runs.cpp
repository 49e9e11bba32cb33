#include "app/look/runs.h"

#include <memory>

#include "app/commands/commands.h"
#include "app/commands/serve_options.h"
#include "app/look/serve_runs.h"
#include "engine/json.h"
#include "engine/terminal.h"

namespace mote::app {
namespace {

struct RunsCommand {
  std::string folder = ".";
  bool json = false;
  ServeOptions serve;
};

}  // namespace

void add_runs(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "runs", "list the runs and sweeps in a folder, how far they are and how they ended");
  auto wanted = std::make_shared<RunsCommand>();
  command
      ->add_option("folder", wanted->folder,
                   "folder in which, and in whose subfolders, runs and sweeps are searched for; "
                   "default: the present one")
      ->type_name("DIR");
  CLI::Option* json = command->add_flag("--json", wanted->json, "print one JSON object per line");
  wanted->serve.add_to(*command, "show them in a browser, with plots and files");
  wanted->serve.option()->excludes(json);
  command->callback([wanted] {
    if (const auto server = wanted->serve.given()) return serve_runs(wanted->folder, *server);
    RunList list(wanted->folder);
    list.update();
    if (!wanted->json) return print_runs(list);
    for (const FoundRun& run : list.runs()) engine::print("{}\n", engine::json_text(run.facts));
    for (const std::string& omission : list.omissions()) engine::print(stderr, "{}\n", omission);
  });
}

}  // namespace mote::app
