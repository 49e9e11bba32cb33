#include "app/sweep/sweep.h"

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/option_checks.h"
#include "app/sweep/slurm.h"
#include "app/sweep/worker.h"
#include "engine/check.h"

namespace mote::app {
namespace {

/// The path of this program.
std::string own_path() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

struct SweepCommand {
  std::string plan, out, job, on = "local", sbatch;
  SweepRequest request;
  bool print = false, collect = false, dry = false;
  CLI::Option* one = nullptr;
  std::vector<CLI::Option*> only_local;  ///< options that --on slurm does not have

  void add_to(CLI::App& command) {
    command
        .add_option("plan", plan,
                    "plan of the sweep (Lua or JSON), or the name of one that comes with mote")
        ->type_name("PLAN")
        ->required();
    command
        .add_option("--out", out,
                    "folder of the sweep; an existing one of the same sweep is resumed")
        ->type_name("DIR");
    command
        .add_option("--jobs", request.jobs,
                    "parallel processes; default: one per core, or up to four per GPU")
        ->transform(whole_from(1, 4096));
    command
        .add_option(
            "--batch", request.batch,
            "small systems that one process steps together on a GPU; default: up to 256; does not "
            "change results")
        ->transform(whole_from(1, 4096));
    command
        .add_option("--threads", request.threads,
                    "threads of each run; default: 1; does not change results")
        ->transform(whole_from(1, 4096));
    command
        .add_option("--backend", request.backend, "where forces are computed; overrides the plan")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    command
        .add_option("--devices", request.devices,
                    "GPUs to spread the runs over, as in 0,1; default: all")
        ->type_name("LIST");
    CLI::Option* workers = command.get_option("--jobs");
    CLI::Option* gpus = command.get_option("--devices");
    one = command
              .add_option("--job", job,
                          "run only these jobs of the plan, as in 7 or 3-40,57; others write "
                          "results.csv (--collect)")
              ->type_name("LIST");
    CLI::Option* print_flag = command.add_flag(
        "--print-jobs", print, "print the command line of every job, for a scheduler; run nothing");
    CLI::Option* collect_flag =
        command.add_flag("--collect", collect, "write results.csv from the runs in the folder");
    CLI::Option* dry_flag = command.add_flag(
        "--dry-run", dry, "check the plan and show its jobs; run and write nothing");
    command
        .add_option("--on", on,
                    "where jobs run: in processes of this machine, or as a job array of Slurm")
        ->check(CLI::IsMember({"local", "slurm"}));
    command
        .add_option("--sbatch", sbatch,
                    "further options of sbatch with --on slurm, as in \"--partition=gpu "
                    "--time=2:00:00\"; override those of the plan")
        ->type_name("OPTIONS");
    only_local = {one, print_flag, collect_flag, workers, gpus};
    one->excludes(print_flag)->excludes(collect_flag)->excludes(dry_flag);
    print_flag->excludes(collect_flag)->excludes(dry_flag);
    collect_flag->excludes(dry_flag);
    command.add_flag("--trust", request.trusted, "trust the scene, as for `mote run`");
    command.add_flag("--quiet", request.quiet, "print nothing but errors");
    command.add_flag("--json", request.json,
                     "print progress, results and jobs as one JSON object per line");
  }

  int execute(const CommandLine& line) {
    const bool on_slurm = on == "slurm";
    if (!on_slurm && !sbatch.empty())
      throw engine::InputError("--sbatch", "is for --on slurm", "add that, or leave it out");
    for (const CLI::Option* option : only_local)
      if (on_slurm && option->count() > 0)
        throw engine::InputError(option->get_name(), "cannot be combined with --on slurm",
                                 "tasks have cpus and gpus of slurm in the plan");
    const CheckedSweep sweep =
        check_sweep(plan, request.backend, request.trusted, on_slurm || collect);
    if (dry) {
      request.out = out.empty() ? "DIR" : out;
      if (on_slurm)
        print_script(sweep, request, own_path(), sbatch);
      else
        describe_sweep(sweep, request.json);
      return 0;
    }
    if (out.empty())
      throw engine::InputError("--out", "is missing",
                               "name the folder of the sweep, as in --out DIR");
    request.out = out;
    if (print) {
      print_jobs(sweep, request, line.front());
      return 0;
    }
    if (collect) return collect_sweep(sweep, request);
    if (on_slurm) return submit_sweep(sweep, request, own_path(), sbatch);
    if (one->count() == 0) return run_sweep(sweep, request);
    request.only = read_job_list(job, sweep.jobs.size());
    return request.only.size() == 1 ? run_one_job(sweep, request, request.only.front())
                                    : run_sweep(sweep, request);
  }
};

}  // namespace

void add_sweep(CLI::App& program, const CommandLine& line, int& exit_code) {
  CLI::App* command =
      program.add_subcommand("sweep", "run a scene many times with parameters from a plan");
  auto sweep = std::make_shared<SweepCommand>();
  sweep->add_to(*command);
  command->callback([sweep, &line, &exit_code] { exit_code = sweep->execute(line); });
}

void add_sweep_worker(CLI::App& program, const CommandLine& line, int& exit_code) {
  // Started by `sweep` alone: mote sweep-worker OUT PROCESS SCENE [options of run].
  CLI::App* command = program.add_subcommand("sweep-worker", "runs jobs of a sweep")->group("");
  command->prefix_command();
  command->callback([&line, &exit_code] {
    if (line.size() < 5)
      throw engine::InputError("sweep-worker", "is started by `mote sweep` alone");
    const std::vector<std::string> words(line.begin() + 4, line.end());
    RunCommand options = parse_run_arguments(words);
    options.request.quiet = true;
    exit_code = serve_jobs(options, words, line[2], std::atoi(line[3].c_str()));
  });
}

}  // namespace mote::app
