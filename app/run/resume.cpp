// Runs that go on from a checkpoint: in their folder, or in a new one.
#include <fmt/format.h>

#include <utility>

#include "app/run/headless.h"
#include "app/run/headless_run.h"
#include "app/run/parse_time.h"
#include "app/run/processes.h"
#include "app/run/run_setup.h"
#include "app/run/run_state.h"
#include "app/sweep/summary.h"
#include "engine/json.h"
#include "engine/log.h"
#include "engine/readable.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/io/loaded_snapshot.h"
#include "sim/motion/integrators.h"
#include "sim/output/checkpoint_folder.h"
#include "sim/run/health.h"
#include "sim/scene/read_scene.h"
#include "sim/source/param_call.h"

namespace mote::app {
namespace {

using Clock = std::chrono::steady_clock;
using engine::Json;
namespace fs = std::filesystem;

/// How the run in a folder ended; "" if that is unknown.
std::string status_of(const Json& record) {
  return record.is_object() ? record.value("status", "") : "";
}

/// The time up to which the outputs of a run are written.
double shown_time(const sim::Checkpoint& c) {
  return c.run->is_object() ? c.run->value("shown_until", c.time) : c.time;
}

/// "step 640, t = 2.5 Myr"
std::string place_of(const sim::Checkpoint& c, const sim::SceneDescription& scene) {
  return sim::moment_text(c.run_clock.clock.step, shown_time(c), scene.units, 10);
}

/// Throws InputError if the folder does not contain a run that can be resumed.
void check_resumable(const ResumeRequest& wanted) {
  const std::string location = wanted.run.string();
  if (!fs::is_directory(wanted.run))
    throw engine::InputError(
        location, "is not a run folder",
        "name the folder of the run, as in: mote resume out, or a checkpoint (.h5)");
  if (!fs::exists(wanted.run / "log.txt"))
    throw engine::InputError(location, "does not contain a run",
                             "`mote run SCENE --out " + location + "` starts one");
}

/// The checkpoint to resume from.
sim::Checkpoint checkpoint_of(const ResumeRequest& wanted) {
  const std::string location = wanted.run.string();
  if (is_sweep(wanted.run))
    throw engine::InputError(location, "is a sweep, not a run",
                             "`mote sweep PLAN --out " + location +
                                 "` continues it; or name one of its runs in " +
                                 (wanted.run / "runs").string());
  if (sim::checkpoints_in(wanted.run).empty())
    throw engine::InputError(
        location, "has no checkpoint to resume from",
        is_sweep(fs::absolute(wanted.run).parent_path().parent_path())
            ? "let the plan of the sweep say run = { checkpoint_final = \"always\" }, or repeat "
              "this job: mote run --replay " +
                  (wanted.run / "run.json").string() + " --until TIME --out NEW"
            : "start it again, as in: mote run SCENE --out " + location +
                  " --force; with --checkpoint-wall SECONDS it writes checkpoints regularly");
  sim::Checkpoint checkpoint = sim::newest_checkpoint(wanted.run, wanted.from);
  if (!checkpoint.run->is_object())
    throw engine::InputError(
        checkpoint.file.string(), "belongs to a run in a window, which has no end",
        "continue it in a folder of its own: mote resume " + checkpoint.file.string() +
            " --until TIME, or in a window: mote view " + checkpoint.file.string());
  return checkpoint;
}

/// Throws InputError if the end of a run lies before the checkpoint from which it would go on.
void expect_end_ahead(const HeadlessRequest& request, const sim::Checkpoint& from,
                      const sim::SceneDescription& scene) {
  const sim::Stop end = times_of(request, scene).stop;
  const sim::Clock& clock = from.run_clock.clock;
  // An integrator that chooses its steps ends at exact times, others with the step that reaches it.
  const bool past_time =
      end.time && (info_of(scene.integrator).chooses_steps
                       ? *end.time < shown_time(from)
                       : clock.step > 0 && *end.time <= clock.time_of(clock.step - 1));
  if (!past_time && (!end.steps || static_cast<std::uint64_t>(*end.steps) >= clock.step)) return;
  const std::string option = request.until   ? "--until " + *request.until
                             : request.steps ? fmt::format("--steps {}", *request.steps)
                                             : "the end that the scene sets";
  throw engine::InputError(option, "is over already: the checkpoint is of " + place_of(from, scene),
                           "choose a later end with --until TIME or --steps N, or an earlier "
                           "checkpoint with --from STEP");
}

/// True, and says so, if a run that is done has the end that is wanted already.
bool is_at_end(const ResumeRequest& wanted, const HeadlessRequest& request,
               const sim::Checkpoint& from, const sim::SceneDescription& scene) {
  const sim::Clock& clock = from.run_clock.clock;
  const Json record = record_of(wanted.run);
  if (status_of(record) != "done" || record.value("steps", std::uint64_t{0}) != clock.step ||
      end_step(times_of(request, scene).stop, {}, clock) > clock.step)
    return false;
  if (!wanted.quiet)
    engine::print("{}: the run has that end already: {}\n", wanted.run.string(),
                  place_of(from, scene));
  return true;
}

engine::InputError unreadable(const sim::Checkpoint& checkpoint) {
  return {checkpoint.file.string(), "has run data that cannot be read",
          "resume it with the version that wrote it, mote " + checkpoint.version};
}

bool is_of_view(const std::string& path) {
  return path.starts_with("view.");
}

/// Settings of the view, which is no part of the simulation: any of its keys, and live parameters
/// of the scene that are one.
sim::Settings view_settings(const sim::Settings& wanted, const sim::SceneDescription& scene) {
  sim::Settings view;
  for (const auto& [name, text] : wanted)
    for (const std::string& path : sim::live_paths_of(scene.params, name))
      if (is_of_view(path)) view[path] = text;
  return view;
}

void set_view(const sim::Settings& wanted, const sim::Checkpoint& checkpoint,
              sim::SceneDescription& scene) {
  const sim::Settings view = view_settings(wanted, scene);
  if (view.empty()) return;
  const sim::SceneDescription shown =
      sim::read_scene_text(checkpoint.file.string() + ".json", checkpoint.scene, view);
  scene.view = shown.view;
  scene.camera = shown.camera;
  (*scene.expanded)["view"] = (*shown.expanded)["view"];
}

/// Changes of live parameters at the step of the checkpoint.
std::vector<sim::Edit> edits_of(const sim::Settings& wanted, const sim::SceneDescription& scene,
                                const sim::Checkpoint& checkpoint) {
  std::vector<sim::Edit> edits;
  sim::LiveSettings live = checkpoint.live;
  for (const auto& [name, text] : wanted) {
    for (const std::string& path : sim::live_paths_of(scene.params, name)) {
      if (is_of_view(path)) continue;
      try {
        const engine::ParamValue value = sim::live_value_of(live, path, text, scene.units);
        sim::set_live(live, path, value);
        edits.push_back({checkpoint.run_clock.clock.step, path, value});
      } catch (const engine::InputError& e) {
        const engine::Diagnostic& d = e.diagnostics().front();
        throw engine::InputError("--set " + name + "=" + text, d.problem, d.remedy);
      }
    }
  }
  if (!checkpoint.run->is_object()) return edits;
  try {
    for (const sim::Edit& edit :
         sim::read_edits(checkpoint.run->at("edits_ahead"), checkpoint.file.string(), live))
      edits.push_back(edit);
  } catch (const Json::exception&) {
    throw unreadable(checkpoint);
  }
  return edits;
}

/// The options of the run that continues a checkpoint in a new folder.
HeadlessRequest request_of(const ResumeRequest& wanted) {
  const fs::path parent = wanted.run.parent_path();
  const auto step = sim::step_of(wanted.run);
  if (wanted.out.empty() && parent.filename() == "checkpoints" && step)
    throw engine::InputError(
        wanted.run.string(), "belongs to a run",
        fmt::format("resume that run from it with: mote resume {} --from {}; or continue it in a "
                    "folder of its own with --out FOLDER",
                    parent.parent_path().string(), *step));
  if (wanted.from)
    throw engine::InputError("--from", "chooses a checkpoint in the folder of a run",
                             "remove it, as a file is named");
  HeadlessRequest request;
  request.scene = wanted.run;
  request.settings = wanted.live;
  request.trust = wanted.trust;
  request.options = wanted.options;
  request.until = wanted.until;
  request.steps = wanted.steps;
  request.checkpoints = wanted.checkpoints;
  request.wall = wanted.wall;
  request.out = wanted.out;
  request.quiet = wanted.quiet;
  request.serve = wanted.serve;
  request.json = wanted.json;
  request.command_line = wanted.command_line;
  return request;
}

/// Reads a checkpoint. Throws InputError for a plain snapshot, with what can be done with it.
sim::Checkpoint checkpoint_in(const fs::path& file) {
  if (sim::read_snapshot_head(file).checkpoint) return sim::read_checkpoint(file);
  const fs::path run = file.parent_path().parent_path();
  const bool in_run = file.parent_path().filename() == "snapshots" && fs::exists(run / "log.txt");
  throw engine::InputError(
      file.string(), "is a snapshot, not a checkpoint: a run cannot go on from it bit for bit",
      (in_run ? "resume its run with `mote resume " + run.string() + " --until TIME`"
              : std::string("write a checkpoint instead (Ctrl+Shift+S in a window, sim.checkpoint "
                            "in a program)")) +
          ", or begin a new run with its bodies: bodies = { gadget { file = \"" +
          file.filename().string() + "\" } }");
}

}  // namespace

Outcome continue_headless(HeadlessRequest request) {
  const auto start = Clock::now();
  if (!request.replay.empty())
    throw engine::InputError(
        "--replay", "is for scenes; a checkpoint has its own parameter changes", "remove it");
  const sim::Checkpoint checkpoint = checkpoint_in(request.scene);
  sim::SceneDescription scene = sim::scene_of(checkpoint, request.trust);
  request.options = sim::options_of(checkpoint, request.options);
  set_view(request.settings, checkpoint, scene);
  apply_snapshot_options(request, scene);
  for (const sim::HistogramRequest& wanted : request.histograms)
    sim::check_scalar(scene, sim::scalar_info(wanted.scalar).name,
                      "--histogram " + sim::scalar_info(wanted.scalar).name);
  expect_end_ahead(request, checkpoint, scene);
  const sim::Plan plan = plan_on_all(scene, run_options(request, scene), &checkpoint);
  return run_to_end({request,
                     scene,
                     plan,
                     edits_of(request.settings, scene, checkpoint),
                     &checkpoint,
                     start,
                     {}});
}

Outcome resume_headless(const ResumeRequest& wanted) {
  const auto start = Clock::now();
  const bool extended = wanted.until || wanted.steps || wanted.from;
  const auto is_done = [&] {
    if (extended || status_of(record_of(wanted.run)) != "done") return false;
    if (!wanted.quiet)
      engine::print(
          "{}: the run is done; {}\n", wanted.run.string(),
          sim::checkpoints_in(wanted.run).empty()
              ? "it has no checkpoint from which it could be extended (--checkpoint-final)"
              : "extend it with --until TIME or --steps N");
    return true;
  };
  if (fs::is_regular_file(wanted.run)) return continue_headless(request_of(wanted));
  if (fs::is_directory(wanted.run) && !wanted.out.empty())
    throw engine::InputError(
        "--out " + wanted.out.string(), "a run is resumed in its own folder",
        "remove it, or name one of the files in " + (wanted.run / "checkpoints").string());
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
    request.serve = wanted.serve;
    request.json = wanted.json;
    request.wall = wanted.wall;
    if (wanted.until || wanted.steps) request.until = wanted.until, request.steps = wanted.steps;
    if (wanted.checkpoints_given) request.checkpoints = wanted.checkpoints;
    sim::SceneDescription scene = sim::scene_of(checkpoint, wanted.trust);
    if (const auto view = view_settings(wanted.live, scene);
        !view.empty() && !request.pictures.movie.empty())
      throw engine::InputError(
          "--set " + view.begin()->first, "would change the view in the middle of the movie",
          "continue in a folder of its own: mote run " + checkpoint.file.string() + " --out NEW");
    set_view(wanted.live, checkpoint, scene);
    apply_snapshot_options(request, scene);
    if (wanted.until || wanted.steps) {
      expect_end_ahead(request, checkpoint, scene);
      if (is_at_end(wanted, request, checkpoint, scene)) return Outcome::done;
    }
    const sim::Plan plan = plan_on_all(scene, run_options(request, scene), &checkpoint);
    return run_to_end({request, scene, plan, edits_of(wanted.live, scene, checkpoint), &checkpoint,
                       start, std::move(claim)});
  } catch (const Json::exception&) {
    throw unreadable(checkpoint);
  }
}

}  // namespace mote::app
