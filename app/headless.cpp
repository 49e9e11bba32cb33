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

namespace mote::app {
namespace {

using Clock = std::chrono::steady_clock;
using engine::Json;
namespace fs = std::filesystem;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Opens what draws before anything is written, so that a missing driver costs no run.
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

/// Formats of snapshots that the command line names replace those of the scene.
void take_formats(const HeadlessRequest& request, sim::SceneDescription& scene) {
  if (request.snapshot_formats.empty()) return;
  sim::snapshot_formats_named(request.snapshot_formats, "--snapshot-format");
  scene.snapshots.format = request.snapshot_formats;
}

/// A movie that goes on looks as it did at its first frame, which is drawn again.
void go_on_with_movie(Pictures& pictures, const sim::Checkpoint& checkpoint,
                      const sim::RunOptions& options) {
  if (!checkpoint.run->contains("movie")) return;
  const Json& json = (*checkpoint.run)["movie"];
  const sim::SceneDescription scene =
      sim::read_scene_text(checkpoint.scene_file.string() + ".json", checkpoint.scene);
  const auto first = sim::open_simulation(scene, sim::make_plan(scene, options));
  sim::ValueRange range;  // older motes do not say it
  if (json.contains("colors"))
    range = {json["colors"].at(0), json["colors"].at(1), json["colors"].at(2)};
  pictures.go_on(*first, {json.at("pictures"), json.at("parts").get<std::vector<int>>(), range});
}

std::optional<double> between_frames_of(const sim::Checkpoint* from) {
  if (!from) return {};
  const Json seconds = from->run->value("between_frames", Json());  // older motes do not know it
  return seconds.is_null() ? std::nullopt : std::optional(seconds.get<double>());
}

/// How the run in a folder has ended, as its record says; "" when there is none.
std::string status_of(const fs::path& run) {
  try {
    const Json record = engine::parse_json(engine::read_whole(run / "run.json"));
    return record.at("status").get<std::string>();
  } catch (const std::exception&) {
    return "";
  }
}

/// Throws where there is no run that could go on, and says what would.
void expect_run(const ResumeRequest& wanted) {
  const std::string place = wanted.run.string();
  if (fs::is_regular_file(wanted.run)) {
    const fs::path above = wanted.run.parent_path();
    const auto step = sim::step_of(wanted.run);
    const bool of_run = above.filename() == "checkpoints" && step;
    throw engine::InputError(place, "is a file, not the folder of a run",
                             of_run ? fmt::format("go on from it with: mote resume {} --from {}",
                                                  above.parent_path().string(), *step)
                                    : "a checkpoint outside of a run goes on in a window (mote "
                                      "view), and in programs (mote.resume)");
  }
  if (!fs::is_directory(wanted.run))
    throw engine::InputError(place, "is no folder of a run",
                             "name the folder, as in: mote resume out");
  if (!fs::exists(wanted.run / "log.txt"))
    throw engine::InputError(place, "holds no run",
                             "`mote run SCENE --out " + place + "` begins one");
}

/// Where it goes on.
sim::Checkpoint checkpoint_of(const ResumeRequest& wanted) {
  const std::string place = wanted.run.string();
  if (sim::checkpoints_in(wanted.run).empty())
    throw engine::InputError(
        place, "has no checkpoint to go on from",
        "begin it again with --force; --checkpoint-wall SECONDS leaves one every so often");
  sim::Checkpoint checkpoint = sim::newest_checkpoint(wanted.run, wanted.from);
  if (!checkpoint.run->is_object())
    throw engine::InputError(checkpoint.file.string(), "is of a run in a window, which has no end",
                             "go on in a window: mote view " + checkpoint.file.string());
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
                               d.remedy.empty() ? "what may change on the way: " +
                                                      engine::joined(sim::live_paths(live), ", ")
                                                : d.remedy);
    }
    edits.push_back({checkpoint.clockwork.step, path, *value});
  }
  for (const sim::Edit& edit :
       sim::read_edits(checkpoint.run->at("edits_ahead"), checkpoint.file.string(), live))
    edits.push_back(edit);
  return edits;
}

/// What a new run and one that goes on come with.
struct Begun {
  HeadlessRequest& request;
  const sim::SceneDescription& scene;
  const sim::Plan& plan;
  std::vector<sim::Edit> edits;
  const sim::Checkpoint* from = nullptr;  ///< where it goes on; null for a new run
  Clock::time_point start;
  std::optional<sim::RunClaim> claim;  ///< of a run that goes on
};

/// Whatever can fail does so before anything is written into the run's folder: bad numbers, no
/// memory, no driver.
Outcome run_through(Begun begun) {
  HeadlessRequest& request = begun.request;
  const sim::SceneDescription& scene = begun.scene;
  const sim::Checkpoint* const from = begun.from;
  const Times times = times_of(request, scene);
  const std::uint64_t total = total_steps(request, scene, times.stop, begun.edits,
                                          from ? from->clockwork : sim::Clockwork(),
                                          from ? from->live.dt : scene.integrator.dt);
  sim::RunClaim claim =
      begun.claim ? std::move(*begun.claim) : sim::RunClaim(request.out, request.force);
  const fs::path folder = claim.path();
  if (request.default_picture) request.pictures.picture = folder / "picture.png";
  if (request.default_movie) request.pictures.movie = folder / "movie.mp4";

  const auto opening = from ? begun.start : Clock::now();
  if (!from && !request.quiet && !request.json && scene.body_count() > 1'000'000)
    fmt::print(stderr, "making {} bodies\n", engine::with_thousands(scene.body_count()));
  std::unique_ptr<sim::Simulation> simulation = from
                                                    ? sim::open_checkpoint(*from, scene, begun.plan)
                                                    : sim::open_simulation(scene, begun.plan);
  const double opened = seconds_since(opening);
  std::unique_ptr<Pictures> pictures = open_pictures(request, scene);
  if (pictures && from) go_on_with_movie(*pictures, *from, request.options);
  const InterruptGuard guard;
  return HeadlessRun({.request = request,
                      .scene = scene,
                      .plan = begun.plan,
                      .times = times,
                      .total = total,
                      .edits = std::move(begun.edits),
                      .claim = std::move(claim),
                      .pictures = std::move(pictures),
                      .simulation = std::move(simulation),
                      .opened = opened,
                      .start = begun.start,
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
  take_formats(request, scene);
  if (replay) replay->complete(request);
  for (const sim::HistogramRequest& wanted : request.histograms)
    sim::check_scalar(scene, sim::scalar_info(wanted.scalar).name, "--histogram species");
  std::vector<sim::Edit> edits = replay ? replay->edits(scene) : std::vector<sim::Edit>();
  sim::Plan plan = sim::make_plan(scene, run_options(request, scene));
  if (replay && request.scene.empty() && replay->had_hooks()) {
    plan.reasons.push_back(
        "without the hooks of the run that is replayed: they are functions of its script");
    engine::log().warn("{}; the scene beside --replay brings them", plan.reasons.back());
  }
  return run_through({request, scene, plan, std::move(edits), nullptr, start, {}});
}

Outcome resume_headless(const ResumeRequest& wanted) {
  const auto start = Clock::now();
  const bool further = wanted.until || wanted.steps || wanted.from;
  const auto is_done = [&] {
    if (further || status_of(wanted.run) != "done") return false;
    if (!wanted.quiet)
      fmt::print("{}: the run is done; --until TIME or --steps N takes it further\n",
                 wanted.run.string());
    return true;
  };
  if (is_done()) return Outcome::done;
  expect_run(wanted);
  if (wanted.trust == sim::Trust::no) sim::expect_no_way_out(wanted.run);
  sim::RunClaim claim(wanted.run);
  if (is_done()) return Outcome::done;  // another one has brought it to its end meanwhile
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
    take_formats(request, scene);
    const sim::Plan plan = sim::make_plan(scene, run_options(request, scene));
    return run_through(
        {request, scene, plan, edits_of(wanted, checkpoint), &checkpoint, start, std::move(claim)});
  } catch (const Json::exception&) {
    throw engine::InputError(checkpoint.file.string(),
                             "what it says of its run cannot be understood",
                             "it was written by mote " + checkpoint.version);
  }
}

}  // namespace mote::app
