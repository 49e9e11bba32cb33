#include "app/run/headless.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "app/run/headless_run.h"
#include "app/run/interrupt.h"
#include "app/run/processes.h"
#include "app/run/replay.h"
#include "app/run/run_setup.h"
#include "app/run/run_state.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/log.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/io/formats.h"
#include "sim/scene/read_scene.h"

namespace mote::app {
namespace {

using Clock = std::chrono::steady_clock;
using engine::Json;
namespace fs = std::filesystem;

/// Opens the renderer before anything is written, so that a missing driver costs no run.
std::unique_ptr<Pictures> open_pictures(HeadlessRequest& request,
                                        const sim::SceneDescription& scene) {
  if (!request.pictures.any()) return nullptr;
  try {
    return make_pictures(scene, request.pictures);
  } catch (const std::exception& e) {
    if (!request.optional_pictures) throw;
    engine::log().warn("no picture: {}", e.what());
    request.pictures.picture.clear();
    request.pictures.movie.clear();
    return nullptr;
  }
}

/// True if the run of a checkpoint ended at a later step.
bool has_gone_on(const sim::Checkpoint& checkpoint) {
  const Json record = record_of(checkpoint.file.parent_path().parent_path());
  return record.is_object() &&
         record.value("steps", std::uint64_t{0}) > checkpoint.run_clock.clock.step;
}

/// Resumes the movie with the camera and exposure of its first frame, which is drawn again.
void resume_movie(Pictures& pictures, const sim::Checkpoint& checkpoint, sim::RunOptions options) {
  if (!checkpoint.run->contains("movie")) return;
  options.ranks = nullptr;
  const Json& json = (*checkpoint.run)["movie"];
  const sim::SceneDescription scene =
      sim::read_scene_text(checkpoint.scene_file.string() + ".json", checkpoint.scene);
  const auto first = sim::open_simulation(scene, sim::make_plan(scene, options));
  sim::ValueRange range;  // absent in older checkpoints
  if (json.contains("colors"))
    range = {json["colors"].at(0), json["colors"].at(1), json["colors"].at(2)};
  pictures.resume_movie(*first, {json.at("pictures"), json.at("parts").get<std::vector<int>>(),
                                 range, json.value("finished", false) && !has_gone_on(checkpoint)});
}

std::optional<double> between_frames_of(const sim::Checkpoint& from) {
  const Json seconds = from.run->value("between_frames", Json());  // absent in older ones
  return seconds.is_null() ? std::nullopt : std::optional(seconds.get<double>());
}

}  // namespace

void apply_snapshot_options(const HeadlessRequest& request, sim::SceneDescription& scene) {
  if (!request.snapshot_formats.empty()) {
    sim::snapshot_formats_named(request.snapshot_formats, "--snapshot-format");
    scene.snapshots.format = request.snapshot_formats;
  }
  if (request.snapshot_columns.empty()) return;
  const std::string option = "--snapshot-columns";
  sim::columns_named(request.snapshot_columns, option);
  scene.snapshots.columns = request.snapshot_columns;
  if (const std::string problem = problem_of_columns(scene); !problem.empty())
    throw engine::InputError(option, problem, "leave it out");
}

Json record_of(const fs::path& run) {
  try {
    return engine::parse_json(engine::read_file(run / "run.json"));
  } catch (const std::exception&) {
    return nullptr;
  }
}

Outcome run_to_end(RunSetup setup) {
  HeadlessRequest& request = setup.request;
  const sim::SceneDescription& scene = setup.scene;
  const sim::Checkpoint* const from = setup.from;
  const bool resumed = from && setup.claim;
  // By the bodies of the start: in a run that goes on there may be more, or fewer.
  request.series_steps = request.series_steps.value_or(setup.plan.series_steps);
  const Times times = times_of(request, scene);
  const std::uint64_t total =
      total_steps(request, scene, times.stop, setup.edits,
                  from ? from->run_clock.clock : sim::Clock{.dt = scene.integrator.dt});
  // Before anything is written, since its address may be in use.
  const std::unique_ptr<Watcher> watcher = request.serve ? serve_run(request) : nullptr;
  sim::RunClaim claim =
      setup.claim ? std::move(*setup.claim) : sim::RunClaim(request.out, request.force);
  const fs::path folder = claim.path();
  if (request.default_picture) request.pictures.picture = folder / "picture.png";
  if (request.default_movie) request.pictures.movie = folder / "movie.mp4";

  const auto opening_start = from ? setup.start : Clock::now();
  if (!from && !request.quiet && !request.json && scene.body_count() > 1'000'000)
    engine::print(stderr, "creating {}\n", engine::counted(scene.body_count(), "body"));
  std::unique_ptr<sim::Simulation> simulation = open_on_all(scene, setup.plan, from);
  const double opening_seconds = seconds_since(opening_start);
  std::unique_ptr<Pictures> pictures = open_pictures(request, scene);
  if (pictures && resumed) resume_movie(*pictures, *from, request.options);
  const InterruptGuard guard;
  return HeadlessRun({.request = request,
                      .scene = scene,
                      .plan = setup.plan,
                      .times = times,
                      .total = total,
                      .edits = std::move(setup.edits),
                      .claim = std::move(claim),
                      .pictures = std::move(pictures),
                      .watcher = watcher.get(),
                      .simulation = std::move(simulation),
                      .opening_seconds = opening_seconds,
                      .start = setup.start,
                      .from = from,
                      .resumed = resumed,
                      .frames_every = resumed ? from->run->at("frames_every").get<std::uint64_t>()
                                              : std::uint64_t{0},
                      .between_frames = resumed ? between_frames_of(*from) : std::nullopt})
      .run();
}

Outcome run_headless(HeadlessRequest request) {
  if (request.scene.extension() == ".h5") return continue_headless(std::move(request));
  const auto start = Clock::now();
  std::optional<Replay> replay;
  if (!request.replay.empty()) replay.emplace(request.replay);
  sim::SceneDescription scene =
      replay && request.scene.empty()
          ? replay->scene(request.settings)
          : sim::read_scene(request.scene, request.settings, request.trust);
  apply_snapshot_options(request, scene);
  if (replay) replay->complete(request, scene.stop);
  for (const sim::HistogramRequest& wanted : request.histograms)
    sim::check_scalar(scene, sim::scalar_info(wanted.scalar).name,
                      "--histogram " + sim::scalar_info(wanted.scalar).name);
  std::vector<sim::Edit> edits = replay ? replay->edits(scene) : std::vector<sim::Edit>();
  sim::Plan plan = plan_on_all(scene, run_options(request, scene), nullptr);
  if (replay && request.scene.empty() && replay->had_hooks()) {
    plan.reasons.push_back(
        "replayed without hooks: run.json does not store the functions of the scene");
    engine::log().warn("{}; name the scene as well as --replay to run them", plan.reasons.back());
  }
  return run_to_end({request, scene, plan, std::move(edits), nullptr, start, {}});
}

}  // namespace mote::app
