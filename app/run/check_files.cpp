#include "app/run/check_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/text.h"
#include "sim/io/formats.h"
#include "sim/motion/integrators.h"
#include "sim/output/run_folder.h"

namespace mote::app {
namespace {

/// Size of a number in a text file, with its separator, and of an HDF5 file without its data
/// [bytes].
constexpr double bytes_per_number = 19, hdf5_overhead = 24e3;

/// Bytes of one snapshot.
double snapshot_bytes(sim::SnapshotFormat format, const sim::SceneDescription& scene,
                      const sim::Plan& plan) {
  const sim::ColumnChoice choice = sim::columns_named(scene.snapshots.columns, "snapshots.columns");
  const auto bodies = static_cast<double>(scene.body_count());
  const double reals = 3 + (choice.velocity ? 3 : 0) + (choice.mass ? 1 : 0) +
                       (choice.acceleration ? 3 : 0) + (choice.potential ? 1 : 0);
  const double species = choice.species && !scene.species.empty() ? 1 : 0;
  const double real = plan.precision == engine::Precision::single ? sizeof(float) : sizeof(double);
  switch (format) {
    case sim::SnapshotFormat::xyz:
    case sim::SnapshotFormat::csv:
      return bodies * (reals * bytes_per_number + 8);
    case sim::SnapshotFormat::tipsy:
      return bodies * 9 * sizeof(float);
    case sim::SnapshotFormat::hdf5:
      return bodies * (reals * real + sizeof(std::uint32_t) + species) + hdf5_overhead +
             static_cast<double>(scene.text.size());
    default:
      return bodies * (reals * real + sizeof(std::uint32_t) + species);
  }
}

/// Occurrences of an output at multiples of a time, of a run that takes `steps` to `end`: one at
/// each step at most, unless the integrator tells states within a step.
double count_of_times(double end, double between, double steps, bool within_steps) {
  // Rounding must not lose the one at the end.
  const double times = std::floor(end / between * (1 + 1e-9));
  return within_steps ? times : std::min(times, steps);
}

/// Number of snapshots, including those of the initial and of the final state.
double snapshot_count(const HeadlessRequest& request, const sim::SceneDescription& scene,
                      const Times& times, const RunEstimate& run) {
  const auto steps = request.snapshot_steps ? request.snapshot_steps : scene.snapshots.steps;
  const auto& between = times.between_snapshots;
  const bool within_steps = sim::info_of(scene.integrator).chooses_steps;
  const auto is_multiple = [&](double time) {
    const double multiple = between ? time / *between : 0.5;
    return std::fabs(multiple - std::round(multiple)) <= 1e-9 * multiple;
  };
  const auto is_extra = [&](double time) {  // true if in the run and no multiple of the interval
    if (time == 0) return !steps && !between;
    return time <= run.time * (1 + 1e-9) && !is_multiple(time);
  };
  const std::vector<double>& listed = scene.snapshots.times;
  double count = std::floor(run.hook_snapshots);
  count += static_cast<double>(std::count_if(listed.begin(), listed.end(), is_extra));
  if (steps || between) ++count;  // the initial state
  if (steps) count += std::floor(run.steps / static_cast<double>(*steps));
  if (between) count += count_of_times(run.time, *between, run.steps, within_steps);
  const bool ends_due =
      (steps && std::fmod(run.steps, static_cast<double>(*steps)) == 0) || is_multiple(run.time) ||
      (between && !within_steps && *between * run.steps <= run.time) ||
      std::any_of(listed.begin(), listed.end(),
                  [&](double time) { return std::fabs(time - run.time) <= 1e-9 * run.time; });
  return ends_due ? count : count + 1;
}

}  // namespace

OutputEstimate estimate_output(const HeadlessRequest& request, const sim::SceneDescription& scene,
                               const sim::Plan& plan, const Times& times, const RunEstimate& run) {
  OutputEstimate files;
  const auto add = [&](double bytes, const std::string& text) {
    files.bytes += bytes;
    files.text += (files.text.empty() ? "" : ", ") + text;
  };
  double bytes_each = 0;
  for (const std::string& name : scene.snapshots.format)
    bytes_each += snapshot_bytes(sim::snapshot_format_named(name, "snapshots.format"), scene, plan);
  const double snapshots = snapshot_count(request, scene, times, run);
  add(snapshots * bytes_each,
      snapshots < 2 ? "a snapshot of " + engine::bytes_text(bytes_each)
                    : fmt::format("{} snapshots of {}",
                                  engine::with_thousands(static_cast<long long>(snapshots)),
                                  engine::bytes_text(bytes_each)));
  const double rows =
      1 +
      std::floor(run.steps / static_cast<double>(request.series_steps.value_or(plan.series_steps)));
  add(rows * static_cast<double>(sim::series_columns(scene).size()) * bytes_per_number,
      fmt::format("{} rows of series.csv", engine::with_thousands(static_cast<long long>(rows))));
  const sim::CheckpointTimes& requested = times.checkpoints;
  double checkpoints = 0;
  if (requested.steps)
    checkpoints += 1 + std::floor(run.steps / static_cast<double>(*requested.steps));
  if (requested.time)
    checkpoints += 1 + count_of_times(run.time, *requested.time, run.steps, false);
  const double wall = requested.wall.value_or(default_checkpoint_wall);
  if (wall > 0) checkpoints += std::floor(run.seconds / wall);
  const double bytes =
      hdf5_overhead + static_cast<double>(sim::State<engine::Host>::bytes(
                          scene.body_count(), plan.precision, sim::layout_of(scene)));
  if (!requested.requested() && requested.wants_end(static_cast<std::uint64_t>(bytes)))
    checkpoints += 1;
  checkpoints = std::min(checkpoints, static_cast<double>(requested.keep));
  if (checkpoints >= 1) {
    add(checkpoints * bytes, fmt::format("{} checkpoint{} of {}", checkpoints,
                                         checkpoints < 2 ? "" : "s", engine::bytes_text(bytes)));
  }
  if (run.table_bytes > 0) add(run.table_bytes, "tables of hooks");
  return files;
}

}  // namespace mote::app
