#include "app/check_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/text.h"
#include "sim/io/formats.h"
#include "sim/run/registry.h"
#include "sim/run/run_folder.h"

namespace mote::app {
namespace {

/// Of a number as text, with what separates it, and of the parts of an HDF5 file around its
/// numbers.
constexpr double bytes_of_text = 19, bytes_of_hdf5 = 24e3;
/// Without a word about checkpoints there is one every so many seconds.
constexpr double usual_wall = 600;

/// Bytes of one moment in a format.
double moment_bytes(sim::SnapshotFormat format, const sim::SceneDescription& scene,
                    const sim::Plan& plan) {
  const sim::ColumnChoice choice = sim::columns_named(scene.snapshots.columns, "snapshots.columns");
  const auto bodies = static_cast<double>(scene.body_count());
  const double reals = 3 + (choice.velocity ? 3 : 0) + (choice.mass ? 1 : 0);
  const double species = choice.species && !scene.species.empty() ? 1 : 0;
  const double real = plan.precision == engine::Precision::single ? sizeof(float) : sizeof(double);
  switch (format) {
    case sim::SnapshotFormat::xyz:
    case sim::SnapshotFormat::csv:
      return bodies * (reals * bytes_of_text + 8);
    case sim::SnapshotFormat::tipsy:
      return bodies * 9 * sizeof(float);
    case sim::SnapshotFormat::hdf5:
      return bodies * (reals * real + sizeof(std::uint32_t) + species) + bytes_of_hdf5 +
             static_cast<double>(scene.text.size());
    default:
      return bodies * (reals * real + sizeof(std::uint32_t) + species);
  }
}

/// The snapshots of a run: those that are asked for and that of the end.
double snapshots_of(const HeadlessRequest& request, const sim::SceneDescription& scene,
                    const Times& times, const RunAhead& ahead) {
  double count =
      1 + static_cast<double>(scene.snapshots.times.size()) + std::floor(ahead.hook_snapshots);
  const auto steps = request.snapshot_steps ? request.snapshot_steps : scene.snapshots.steps;
  if (steps) count += std::floor(ahead.steps / static_cast<double>(*steps));
  if (times.between_snapshots)
    count += std::floor(ahead.steps * scene.integrator.dt / *times.between_snapshots);
  return count;
}

}  // namespace

FilesOfRun files_of_run(const HeadlessRequest& request, const sim::SceneDescription& scene,
                        const sim::Plan& plan, const Times& times, const RunAhead& ahead) {
  FilesOfRun files;
  const auto add = [&](double bytes, const std::string& words) {
    files.bytes += bytes;
    files.words += (files.words.empty() ? "" : ", ") + words;
  };
  double moment = 0;
  for (const std::string& name : scene.snapshots.format)
    moment += moment_bytes(sim::snapshot_format_named(name, "snapshots.format"), scene, plan);
  const double snapshots = snapshots_of(request, scene, times, ahead);
  add(snapshots * moment,
      snapshots < 2 ? "a snapshot of " + engine::bytes_text(moment)
                    : fmt::format("{} snapshots of {}",
                                  engine::with_thousands(static_cast<long long>(snapshots)),
                                  engine::bytes_text(moment)));
  const double rows =
      1 + std::floor(ahead.steps /
                     static_cast<double>(request.series_steps.value_or(plan.series_steps)));
  add(rows * static_cast<double>(sim::series_columns(scene).size()) * bytes_of_text,
      fmt::format("{} rows of series.csv", engine::with_thousands(static_cast<long long>(rows))));
  const sim::CheckpointTimes& asked = times.checkpoints;
  double checkpoints = 0;
  if (asked.steps) checkpoints += 1 + std::floor(ahead.steps / static_cast<double>(*asked.steps));
  if (asked.time) checkpoints += 1 + std::floor(ahead.steps * scene.integrator.dt / *asked.time);
  const double wall = asked.wall.value_or(usual_wall);
  if (wall > 0) checkpoints += std::floor(ahead.seconds / wall);
  checkpoints = std::min(checkpoints, static_cast<double>(asked.keep));
  if (checkpoints >= 1) {
    const double bytes =
        bytes_of_hdf5 + static_cast<double>(sim::State<engine::Host>::bytes(
                            scene.body_count(), plan.precision, sim::shape_of(scene)));
    add(checkpoints * bytes, fmt::format("{} checkpoint{} of {}", checkpoints,
                                         checkpoints < 2 ? "" : "s", engine::bytes_text(bytes)));
  }
  if (ahead.rows > 0) add(ahead.rows, "rows of hooks");
  return files;
}

}  // namespace mote::app
