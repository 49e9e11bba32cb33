#pragma once

#include <functional>

#include "sim/output/checkpoint.h"
#include "sim/run/plan.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// Runs a command on all processes that mpirun has started with this one: `run` is called on rank
/// 0, with the ranks, and does all that a run does. The others open the simulation that it opens
/// (plan_on_all), and repeat its calls. Alone, calls `run(null)`. Returns what `run` returns, 0 on
/// other ranks.
int run_on_processes(const std::function<int(engine::Ranks*)>& run);

/// After an error, or at the end: ends the other processes with this exit code if they still wait
/// for this one.
void end_processes(int code);

/// Makes the plan of a run. With RunOptions::ranks the others make theirs, with the same backend,
/// precision and instructions, and open the simulation: of the scene, or of a checkpoint of it if
/// that is not null. Throws InputError.
sim::Plan plan_on_all(const sim::SceneDescription& scene, const sim::RunOptions& options,
                      const sim::Checkpoint* from);
/// Opens the simulation of that plan; it leads the others, if there are any.
std::unique_ptr<sim::Simulation> open_on_all(const sim::SceneDescription& scene,
                                             const sim::Plan& plan, const sim::Checkpoint* from);

}  // namespace mote::app
