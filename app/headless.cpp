#include "app/headless.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "app/headless_run.h"
#include "app/interrupt.h"
#include "app/replay.h"
#include "app/run_state.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/log.h"
#include "engine/text.h"
#include "sim/io/formats.h"
#include "sim/scene/read_scene.h"

namespace mote::app {
namespace {

using Clock = std::chrono::steady_clock;
using engine::Json;
namespace fs = std::filesystem;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

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

/// Snapshot formats of the command line replace those of the scene.
void apply_formats(const HeadlessRequest& request, sim::SceneDescription& scene) {
  if (request.snapshot_formats.empty()) return;
  sim::snapshot_formats_named(request.snapshot_formats, "--snapshot-format");
  scene.snapshots.format = request.snapshot_formats;
}

/// Resumes the movie with the camera and exposure of its first frame, which is drawn again.
void resume_movie(Pictures& pictures, const sim::Checkpoint& checkpoint,
                  const sim::RunOptions& options) {
  if (!checkpoint.run->contains("movie")) return;
  const Json& json = (*checkpoint.run)["movie"];
  const sim::SceneDescription scene =
      sim::read_scene_text(checkpoint.scene_file.string() + ".json", checkpoint.scene);
  const auto first = sim::open_simulation(scene, sim::make_plan(scene, options));
  sim::ValueRange range;  // absent in older checkpoints
  if (json.contains("colors"))
    range = {json["colors"].at(0), json["colors"].at(1), json["colors"].at(2)};
  pictures.resume_movie(*first,
                        {json.at("pictures"), json.at("parts").get<std::vector<int>>(), range});
}

std::optional<double> between_frames_of(const sim::Checkpoint* from) {
  if (!from) return {};
  const Json seconds = from->run->value("between_frames", Json());  // absent in older ones
  return seconds.is_null() ? std::nullopt : std::optional(seconds.get<double>());
}

/// How the run in a folder ended, from its run.json; "" if there is none.
std::string status_of(const fs::path& run) {
  try {
    const Json record = engine::parse_json(engine::read_file(run / "run.json"));
    return record.at("status").get<std::string>();
  } catch (const std::exception&) {
    return "";
  }
}

/// Throws InputError if the folder does not contain a run that can be resumed.
void check_resumable(const ResumeRequest& wanted) {
  const std::string location = wanted.run.string();
  if (fs::is_regular_file(wanted.run)) {
    const fs::path parent = wanted.run.parent_path();
    const auto step = sim::step_of(wanted.run);
    const bool of_run = parent.filename() == "checkpoints" && step;
    throw engine::InputError(location, "is a file, not a run folder",
                             of_run ? fmt::format("resume from it with: mote resume {} --from {}",
                                                  parent.parent_path().string(), *step)
                                    : "resume a checkpoint outside a run folder in a window (mote "
                                      "view) or from Python (mote.resume)");
  }
  if (!fs::is_directory(wanted.run))
    throw engine::InputError(location, "is not a run folder",
                             "name the folder of the run, as in: mote resume out");
  if (!fs::exists(wanted.run / "log.txt"))
    throw engine::InputError(location, "does not contain a run",
                             "`mote run SCENE --out " + location + "` starts one");
}

/// The checkpoint to resume from.
sim::Checkpoint checkpoint_of(const ResumeRequest& wanted) {
  const std::string location = wanted.run.string();
  if (sim::checkpoints_in(wanted.run).empty())
    throw engine::InputError(
        location, "has no checkpoint to resume from",
        "start it again, as in: mote run SCENE --out " + location +
            " --force; with --checkpoint-wall SECONDS it writes checkpoints regularly");
  sim::Checkpoint checkpoint = sim::newest_checkpoint(wanted.run, wanted.from);
  if (!checkpoint.run->is_object())
    throw engine::InputError(checkpoint.file.string(),
                             "belongs to a run in a window, which has no end",
                             "resume it in a window: mote view " + checkpoint.file.string());
  return checkpoint;
}

/// Changes of live parameters at the step of the checkpoint.
std::vector<sim::Edit> edits_of(const ResumeRequest& wanted, const sim::Checkpoint& checkpoint) {
  std::vector<sim::Edit> edits;
  sim::LiveSettings live = checkpoint.live;
  for (const auto& [path, text] : wanted.live) {
    const auto value = number_of_time(text);
    if (!value) throw engine::InputError("--set " + path + "=" + text, "is not a number");
    try {
      sim::set_live(live, path, *value);
    } catch (const engine::InputError& e) {
      const engine::Diagnostic& d = e.diagnostics().front();
      throw engine::InputError("--set " + path + "=" + text, d.problem,
                               d.remedy.empty() ? "parameters that may change: " +
                                                      engine::joined(sim::live_paths(live), ", ")
                                                : d.remedy);
    }
    edits.push_back({checkpoint.clockwork.clock.step, path, *value});
  }
  for (const sim::Edit& edit :
       sim::read_edits(checkpoint.run->at("edits_ahead"), checkpoint.file.string(), live))
    edits.push_back(edit);
  return edits;
}

/// Common input of new and resumed runs.
struct RunSetup {
  HeadlessRequest& request;
  const sim::SceneDescription& scene;
  const sim::Plan& plan;
  std::vector<sim::Edit> edits;
  const sim::Checkpoint* from = nullptr;  ///< null for a new run
  Clock::time_point start;
  std::optional<sim::RunClaim> claim;  ///< of a resumed run
};

/// Everything that can fail (bad values, lack of memory, a missing driver) does so before anything
/// is written to the run folder.
Outcome run_to_end(RunSetup setup) {
  HeadlessRequest& request = setup.request;
  const sim::SceneDescription& scene = setup.scene;
  const sim::Checkpoint* const from = setup.from;
  const Times times = times_of(request, scene);
  const std::uint64_t total =
      total_steps(request, scene, times.stop, setup.edits,
                  from ? from->clockwork.clock : sim::Clock{.dt = scene.integrator.dt});
  sim::RunClaim claim =
      setup.claim ? std::move(*setup.claim) : sim::RunClaim(request.out, request.force);
  const fs::path folder = claim.path();
  if (request.default_picture) request.pictures.picture = folder / "picture.png";
  if (request.default_movie) request.pictures.movie = folder / "movie.mp4";

  const auto opening_start = from ? setup.start : Clock::now();
  if (!from && !request.quiet && !request.json && scene.body_count() > 1'000'000)
    fmt::print(stderr, "creating {} bodies\n", engine::with_thousands(scene.body_count()));
  std::unique_ptr<sim::Simulation> simulation = from
                                                    ? sim::open_checkpoint(*from, scene, setup.plan)
                                                    : sim::open_simulation(scene, setup.plan);
  const double opening_seconds = seconds_since(opening_start);
  std::unique_ptr<Pictures> pictures = open_pictures(request, scene);
  if (pictures && from) resume_movie(*pictures, *from, request.options);
  const InterruptGuard guard;
  return HeadlessRun({.request = request,
                      .scene = scene,
                      .plan = setup.plan,
                      .times = times,
                      .total = total,
                      .edits = std::move(setup.edits),
                      .claim = std::move(claim),
                      .pictures = std::move(pictures),
                      .simulation = std::move(simulation),
                      .opening_seconds = opening_seconds,
                      .start = setup.start,
                      .from = from,
                      .frames_every = from ? from->run->at("frames_every").get<std::uint64_t>()
                                           : std::uint64_t{0},
                      .between_frames = between_frames_of(from)})
      .run();
}

}  // namespace

Outcome run_headless(HeadlessRequest request) {
  const auto start = Clock::now();
  std::optional<Replay> replay;
  if (!request.replay.empty()) replay.emplace(request.replay);
  sim::SceneDescription scene =
      replay && request.scene.empty()
          ? replay->scene(request.settings)
          : sim::read_scene(request.scene, request.settings, request.trust);
  apply_formats(request, scene);
  if (replay) replay->complete(request);
  for (const sim::HistogramRequest& wanted : request.histograms)
    sim::check_scalar(scene, sim::scalar_info(wanted.scalar).name, "--histogram species");
  std::vector<sim::Edit> edits = replay ? replay->edits(scene) : std::vector<sim::Edit>();
  sim::Plan plan = sim::make_plan(scene, run_options(request, scene));
  if (replay && request.scene.empty() && replay->had_hooks()) {
    plan.reasons.push_back(
        "replayed without hooks: run.json does not store the functions of the scene");
    engine::log().warn("{}; name the scene as well as --replay to run them", plan.reasons.back());
  }
  return run_to_end({request, scene, plan, std::move(edits), nullptr, start, {}});
}

Outcome resume_headless(const ResumeRequest& wanted) {
  const auto start = Clock::now();
  const bool extended = wanted.until || wanted.steps || wanted.from;
  const auto is_done = [&] {
    if (extended || status_of(wanted.run) != "done") return false;
    if (!wanted.quiet)
      fmt::print("{}: the run is done; {}\n", wanted.run.string(),
                 sim::checkpoints_in(wanted.run).empty()
                     ? "it has no checkpoint from which it could be extended"
                     : "extend it with --until TIME or --steps N");
    return true;
  };
  if (is_done()) return Outcome::done;
  check_resumable(wanted);
  if (wanted.trust == sim::Trust::no) sim::expect_no_links_outside(wanted.run);
  sim::RunClaim claim(wanted.run);
  if (is_done()) return Outcome::done;  // another process has finished it meanwhile
  const sim::Checkpoint checkpoint = checkpoint_of(wanted);
  try {
    HeadlessRequest request;
    request.trust = wanted.trust;
    read_request(checkpoint.run->at("request"), wanted.run, request);
    request.scene = checkpoint.scene_file;
    request.out = wanted.run;
    request.options = sim::options_of(checkpoint, wanted.options);
    request.quiet = wanted.quiet;
    request.json = wanted.json;
    request.wall = wanted.wall;
    if (wanted.until || wanted.steps) request.until = wanted.until, request.steps = wanted.steps;
    if (wanted.checkpoints_given) request.checkpoints = wanted.checkpoints;
    sim::SceneDescription scene = sim::scene_of(checkpoint, wanted.trust);
    apply_formats(request, scene);
    const sim::Plan plan = sim::make_plan(scene, run_options(request, scene));
    return run_to_end(
        {request, scene, plan, edits_of(wanted, checkpoint), &checkpoint, start, std::move(claim)});
  } catch (const Json::exception&) {
    throw engine::InputError(
        checkpoint.file.string(), "has run data that cannot be read",
        "resume it with the version that wrote it, mote " + checkpoint.version);
  }
}

}  // namespace mote::app
