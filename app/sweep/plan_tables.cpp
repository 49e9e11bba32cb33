#include "app/sweep/plan_tables.h"

namespace mote::app {

using engine::param;

const engine::ParamTable<PlanHead>& plan_table() {
  static const engine::ParamTable<PlanHead> table{
      "plan",
      "A plan of many runs of one scene.",
      {param(&PlanHead::scene,
             {.name = "scene",
              .help = "the scene: a path relative to the folder of the plan, or the name of one "
                      "that comes with mote",
              .required = true}),
       param(&PlanHead::seed, {.name = "seed",
                               .help = "determines the seeds of the runs and all samples",
                               .minimum = 0,
                               .maximum = 9007199254740992.0}),
       param(&PlanHead::repeats, {.name = "repeats",
                                  .help = "runs per point, each with its own seed",
                                  .minimum = 1,
                                  .maximum = max_jobs}),
       param(&PlanHead::max_failures, {.name = "max_failures",
                                       .help = "start no further runs once more than this have "
                                               "failed or become unhealthy",
                                       .minimum = 0})}};
  return table;
}

const engine::ParamTable<SweepRun>& run_table() {
  constexpr double most_steps = 1e15;
  static const engine::ParamTable<SweepRun> table{
      "run",
      "Options of each run, as of `mote run`.",
      {param(&SweepRun::steps, {.name = "steps",
                                .help = "end after this many steps",
                                .minimum = 0,
                                .maximum = most_steps}),
       param(&SweepRun::series_steps, {.name = "series_steps",
                                       .help = "steps between rows of series.csv",
                                       .minimum = 1,
                                       .maximum = most_steps}),
       param(&SweepRun::snapshot_steps, {.name = "snapshot_steps",
                                         .help = "steps between snapshots",
                                         .minimum = 1,
                                         .maximum = most_steps}),
       param(&SweepRun::backend,
             {.name = "backend", .help = "where to compute", .choices = {"auto", "cpu", "cuda"}}),
       param(&SweepRun::precision, {.name = "precision",
                                    .help = "number format; overrides the scene",
                                    .choices = {"single", "mixed", "double"}}),
       param(&SweepRun::checkpoint_final,
             {.name = "checkpoint_final",
              .help = "whether a run that is done has a checkpoint of its end; never without this",
              .choices = {"auto", "always", "never"}}),
       param(&SweepRun::keep,
             {.name = "keep",
              .help = "files to keep of a run that is done: all, or run.json and series.csv",
              .choices = {"all", "summary"}})}};
  return table;
}

const engine::ParamTable<SweepTask>& slurm_table() {
  static const engine::ParamTable<SweepTask> table{
      "slurm",
      "What each task of a job array asks of Slurm, with --on slurm.",
      {param(&SweepTask::partition, {.name = "partition", .help = "the partition"}),
       param(&SweepTask::account, {.name = "account", .help = "the account that is charged"}),
       param(&SweepTask::memory, {.name = "memory", .help = "memory, as in \"4G\""}),
       param(&SweepTask::time,
             {.name = "time",
              .help = "longest time, as in \"2:00:00\"; a minute before its end runs write "
                      "checkpoints and stop"}),
       param(&SweepTask::cpus, {.name = "cpus",
                                .help = "cores, on which it runs as many jobs at once (divided "
                                        "by --threads)",
                                .minimum = 1,
                                .maximum = 4096}),
       param(&SweepTask::gpus, {.name = "gpus",
                                .help = "GPUs, over which it spreads its jobs",
                                .minimum = 0,
                                .maximum = 64}),
       param(&SweepTask::tasks,
             {.name = "tasks",
              .help = "number of tasks; by default by the time that the jobs will take",
              .minimum = 1,
              .maximum = max_tasks}),
       param(&SweepTask::at_once, {.name = "at_once",
                                   .help = "most tasks that run at the same time",
                                   .minimum = 1,
                                   .maximum = max_tasks})}};
  return table;
}

const engine::ParamTable<SamplesHead>& samples_table() {
  static const engine::ParamTable<SamplesHead> table{
      "samples",
      "Number of samples.",
      {param(&SamplesHead::samples, {.name = "samples",
                                     .help = "number of samples",
                                     .minimum = 1,
                                     .maximum = max_jobs,
                                     .required = true})}};
  return table;
}

const engine::ParamTable<SpanOptions>& span_table(bool grid) {
  using Options = engine::ParamTable<SpanOptions>;
  static const auto log =
      param(&SpanOptions::log, {.name = "log", .help = "spaced evenly in the logarithm"});
  static const auto whole =
      param(&SpanOptions::whole, {.name = "whole", .help = "rounded to whole numbers"});
  static const Options sampled{"span", "A range of numbers.", {log, whole}};
  static const Options counted{"span",
                               "A range of numbers, including both ends.",
                               {log, whole,
                                param(&SpanOptions::count, {.name = "count",
                                                            .help = "number of values",
                                                            .minimum = 2,
                                                            .maximum = max_jobs,
                                                            .required = true})}};
  return grid ? counted : sampled;
}

}  // namespace mote::app
