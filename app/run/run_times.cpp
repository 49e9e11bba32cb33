// The end of a run, its output times, and its memory options.
#include <fmt/format.h>

#include <algorithm>

#include "app/run/headless_run.h"
#include "sim/motion/integrators.h"
#include "sim/output/snapshot_writer.h"

namespace mote::app {
namespace {

constexpr std::uint64_t most_steps = 1'000'000'000'000'000;

}  // namespace

Times times_of(const HeadlessRequest& request, const sim::SceneDescription& scene) {
  const auto until = time_in(request.until, "--until", scene.units);
  const auto snapshots = time_in(request.snapshot_time, "--snapshot-time", scene.units);
  sim::CheckpointTimes checkpoints = scene.checkpoints;
  const CheckpointRequest& asked = request.checkpoints;
  if (asked.steps) checkpoints.steps = asked.steps;
  if (const auto time = time_in(asked.time, "--checkpoint-time", scene.units))
    checkpoints.time = time;
  if (asked.wall) checkpoints.wall = asked.wall;
  if (asked.keep) checkpoints.keep = *asked.keep;
  if (asked.at_end) checkpoints.at_end = *asked.at_end;
  return {until || request.steps ? sim::Stop{until, request.steps} : scene.stop,
          snapshots ? snapshots : scene.snapshots.time, checkpoints};
}

sim::RunOptions run_options(const HeadlessRequest& request, const sim::SceneDescription& scene) {
  const sim::Snapshots& s = scene.snapshots;
  const bool several = s.steps || s.time || !s.times.empty() || request.snapshot_steps ||
                       request.snapshot_time || !scene.hooks.empty();
  sim::RunOptions options = request.options;
  options.copies = several ? static_cast<int>(sim::SnapshotWriter::max_in_flight) : 1,
  options.saved_states = 1;
  return options;
}

std::uint64_t end_step(const sim::Stop& stop, std::span<const sim::Edit> edits,
                       const sim::Clock& clock) {
  std::uint64_t total = stop.steps ? static_cast<std::uint64_t>(*stop.steps) : sim::never;
  // Without a length of steps, which the integrator is still to choose, the end is not known yet.
  if (stop.time && clock.dt > 0) total = std::min(total, sim::step_at(*stop.time, clock, edits));
  return total;
}

std::uint64_t total_steps(const HeadlessRequest& request, const sim::SceneDescription& scene,
                          const sim::Stop& stop, std::span<const sim::Edit> edits,
                          const sim::Clock& clock) {
  if (!stop.time && !stop.steps)
    throw engine::InputError(
        scene.file.string(), "the run has no end",
        "add --until TIME or --steps N, or stop = { time = ... } to the scene");
  const std::uint64_t total = end_step(stop, edits, clock);
  if (total > most_steps && !info_of(scene.integrator).chooses_steps)
    throw engine::InputError(
        request.until ? "--until" : scene.file.string(),
        fmt::format("time {} is more than 1e15 steps of {} away", *stop.time, clock.dt),
        "choose an earlier end");
  return total;
}

}  // namespace mote::app
