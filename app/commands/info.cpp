#include "app/look/info.h"

#include <fmt/format.h>

#include <memory>

#include "app/commands/commands.h"
#include "app/commands/option_checks.h"
#include "app/sweep/slurm.h"
#include "app/sweep/summary.h"
#include "engine/check.h"
#include "engine/json.h"
#include "engine/terminal.h"

namespace mote::app {
namespace {

struct InfoCommand {
  std::string path;
  bool json = false;
};

/// Prints how many jobs of a submitted sweep have ended.
void print_counts(const SweepCounts& counts) {
  std::string line = fmt::format("{} done", engine::with_thousands(counts.done));
  const auto add = [&](int count, const char* what) {
    if (count > 0) line += fmt::format(", {} {}", engine::with_thousands(count), what);
  };
  add(counts.unhealthy, "unhealthy"), add(counts.failed, "failed");
  add(counts.interrupted, "running or interrupted"), add(counts.missing, "not begun");
  engine::print("jobs: {}\n", line);
}

/// Returns the counts as JSON, for a sweep that has no table yet.
engine::Json json_of(const SweepCounts& counts, const std::string& folder) {
  return {{"kind", "sweep"},
          {"folder", folder},
          {"statuses",
           {{"done", counts.done},
            {"unhealthy", counts.unhealthy},
            {"failed", counts.failed},
            {"interrupted", counts.interrupted},
            {"missing", counts.missing}}}};
}

}  // namespace

void add_info(CLI::App& program) {
  CLI::App* command = program.add_subcommand("info",
                                             "summarise a run folder and how the run ended, a "
                                             "sweep with means over repeats, a snapshot or "
                                             "a checkpoint");
  auto wanted = std::make_shared<InfoCommand>();
  command
      ->add_option("path", wanted->path,
                   "folder of a run or a sweep, snapshot or checkpoint; default: out")
      ->type_name("FILE");
  command->add_flag("--json", wanted->json, "print all of it as JSON");
  command->callback([wanted] {
    wanted->path = run_or_out(wanted->path, "path");
    if (wanted->path.ends_with(".lua"))
      throw engine::InputError(wanted->path, "is a scene, not a run or a snapshot",
                               "`mote check " + wanted->path + "` describes and checks it");
    if (is_sweep(wanted->path)) {
      const bool collected =
          std::filesystem::exists(std::filesystem::path(wanted->path) / "results.csv");
      if (was_submitted(wanted->path)) {
        const SweepCounts counts = count_jobs(wanted->path);
        if (!wanted->json) print_counts(counts);
        if (!collected && wanted->json)
          engine::print("{}\n", engine::json_text(json_of(counts, wanted->path), 2));
        if (!collected) return;
      }
      const SweepSummary summary = sweep_summary(wanted->path);
      if (!wanted->json) return print_sweep(summary, wanted->path);
      return engine::print("{}\n", engine::json_text(json_of(summary, wanted->path), 2));
    }
    const engine::Json info = info_of(wanted->path, wanted->json);
    if (wanted->json)
      engine::print("{}\n", engine::json_text(info, 2));
    else
      print_info(info);
  });
}

}  // namespace mote::app
