#include "app/view/opening.h"

#include <algorithm>
#include <chrono>

#include "app/scenes.h"
#include "app/view/settings.h"
#include "engine/check.h"
#include "engine/exec/cancel.h"
#include "engine/exec/parallel.h"
#include "engine/json.h"
#include "engine/log.h"
#include "engine/text.h"
#include "sim/output/checkpoint.h"
#include "sim/scene/read_scene.h"

namespace mote::app {

namespace {

/// Bodies of a table attract each other, in steps that their motion chooses: a table says nothing
/// of units, softening or times.
sim::SceneDescription scene_of_table(const OpenRequest& request) {
  const std::filesystem::path& table = request.scene;
  const engine::Json scene{{"title", table.stem().string()},
                           {"about", "Bodies of " + table.filename().string() +
                                         ": they attract each other, with G = 1."},
                           {"gravity", engine::Json::object()},
                           {"integrator", {{"name", "ias15"}}},
                           {"bodies", {{{"kind", "csv"}, {"file", table.filename().string()}}}}};
  return sim::read_scene_text(table.parent_path() / (table.stem().string() + ".json"),
                              engine::json_text(scene, 1), request.settings);
}

Opened open_scene(const OpenRequest& request) {
  Opened opened{request,
                request.scene.extension() == ".csv"
                    ? scene_of_table(request)
                    : sim::read_scene(find_scene(request.scene), request.settings, request.trust),
                {},
                nullptr};
  opened.file_settings = file_settings(opened.scene, request.settings);
  opened.plan = sim::make_plan(opened.scene, request.options);
  opened.simulation = sim::open_simulation(opened.scene, opened.plan);
  return opened;
}

Opened open_checkpoint(const OpenRequest& request) {
  if (!request.settings.empty())
    throw engine::InputError(request.scene.string(), "is a checkpoint, whose parameters are fixed",
                             "remove --set and --seed, and change live parameters in the window");
  const sim::Checkpoint checkpoint = sim::read_checkpoint(request.scene);
  Opened opened{request, sim::scene_of(checkpoint, request.trust), {}, nullptr};
  opened.edits = checkpoint.edits;
  opened.hook_data = checkpoint.hook_data;
  opened.plan = sim::make_plan(opened.scene, sim::options_of(checkpoint, request.options));
  opened.simulation = sim::open_checkpoint(checkpoint, opened.scene, opened.plan);
  return opened;
}

}  // namespace

Opened open(const OpenRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  Opened opened =
      request.scene.extension() == ".h5" ? open_checkpoint(request) : open_scene(request);
  opened.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return opened;
}

Opener::~Opener() {
  cancelled_ = true;
  if (future_.valid()) future_.wait();
}

namespace {

using FileTime = std::filesystem::file_time_type;

/// Last write time of a file; nothing if it does not exist.
std::optional<FileTime> write_time(const std::filesystem::path& file) {
  std::error_code problem;
  const FileTime time = std::filesystem::last_write_time(file, problem);
  return problem ? std::nullopt : std::optional(time);
}

}  // namespace

void Opener::start(const OpenRequest& request) {
  request_ = request;
  restart_ = future_.valid();
  if (restart_)
    cancelled_ = true;
  else
    begin();
}

void Opener::begin() {
  const std::filesystem::path before = file_;
  try {
    file_ = find_scene_or_checkpoint(request_.scene);
  } catch (const engine::InputError&) {
    file_ = request_.scene;  // opening reports the error
  }
  if (file_ != before) write_times_.clear();
  write_times_[file_];
  for (auto& [file, time] : write_times_) time = write_time(file).value_or(FileTime());
  cancelled_ = false;
  future_ = std::async(std::launch::async, [this, request = request_] {
    const engine::Cancellation cancellation(cancelled_);
    return open(request);
  });
}

bool Opener::is_outdated() const {
  if (busy() || file_.empty()) return false;
  return std::any_of(write_times_.begin(), write_times_.end(), [](const auto& known) {
    const auto now = write_time(known.first);
    return now && *now != known.second;
  });
}

std::optional<Opened> Opener::poll() {
  if (!future_.valid() || future_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return std::nullopt;
  if (!restart_) {
    Opened opened = future_.get();
    for (const std::filesystem::path& file : opened.scene.files)
      if (const auto time = write_time(file)) write_times_.try_emplace(file, *time);
    return opened;
  }
  restart_ = false;
  try {
    future_.get();
  } catch (const std::exception&) {  // errors of a cancelled opening are not shown
  }
  begin();
  return std::nullopt;
}

void reserve_core(sim::RunOptions& options) {
  if (options.threads || options.backend == engine::Backend::cuda) return;
  options.threads = std::max(1, engine::available_threads() - 1);
  engine::log().info(
      "on the CPU, {} of {} run the simulation and one is left to the window; set --threads to "
      "change this",
      *options.threads, engine::counted(engine::available_threads(), "thread"));
}

}  // namespace mote::app
