#include "app/commands/run_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/commands/option_checks.h"
#include "app/commands/option_tables.h"
#include "app/scenes.h"
#include "engine/check.h"
#include "engine/log.h"
#include "engine/text.h"
#include "sim/io/formats.h"
#include "sim/scene/tables.h"

namespace mote::app {
namespace {

/// An option for an output file of a run, with a default name in the run folder.
CLI::Option* add_file(CLI::App& command, const std::string& option, std::string& file,
                      const std::string& what, const std::string& name) {
  return command.add_option(option, file, what + "; without FILE " + name + " in the run folder")
      ->expected(0, 1)
      ->check(file_ending({std::filesystem::path(name).extension().string()}));
}

/// Throws InputError if the folder of a file is missing, before a long run is wasted, unless it is
/// the run folder, which does not exist yet.
void check_folder(const std::string& option, const std::filesystem::path& file,
                  const std::filesystem::path& run_folder) {
  const std::filesystem::path folder = file.parent_path();
  std::error_code ignored;
  if (folder.empty() || folder.lexically_normal() == run_folder.lexically_normal()) return;
  if (!std::filesystem::is_directory(folder, ignored))
    throw engine::InputError(option + " " + file.string(), "there is no folder " + folder.string(),
                             "create it first");
}

}  // namespace

void add_end(CLI::App& command, HeadlessRequest& request) {
  start_group(command, "End");
  command.add_option("--until", request.until, "end at this simulation time, 10 or \"10 Myr\"")
      ->check(time_or_zero);
  command.add_option("--steps", request.steps, "end after this many steps")
      ->transform(whole_or_zero);
  start_group(command);
}

void CheckpointOptions::add_to(CLI::App& command) {
  const auto add = [&](const std::string& name, auto& value) {
    const std::vector<engine::ParamSheet::Row> rows =
        engine::sheet_of(sim::checkpoints_table()).rows;
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.info.name == name; });
    std::string help = row->info.help;
    if (!std::holds_alternative<std::monostate>(row->standard))
      help += "; default: " + engine::text_of(row->standard);
    CLI::Option* const option = command.add_option("--checkpoint-" + name, value, help);
    if (!row->info.choices.empty()) option->check(CLI::IsMember(row->info.choices));
    return options_.emplace_back(option);
  };
  start_group(command, "Checkpoints");
  add("steps", request.steps)->transform(whole_above_zero);
  add("time", request.time)->check(time_above_zero);
  add("wall", request.wall)->check(seconds_or_zero);
  add("keep", request.keep)->transform(whole_from(1, 1000000));
  add("final", request.at_end);
  command
      .add_option("--wall", wall,
                  "wall-clock limit [s]: the run ends before it, with a checkpoint to resume from")
      ->check(seconds_above_zero);
  start_group(command);
}

bool CheckpointOptions::given() const {
  return std::any_of(options_.begin(), options_.end(),
                     [](const CLI::Option* o) { return o->count() > 0; });
}

void RunCommand::add_common(CLI::App& command, bool scene_required) {
  scene.add_to(command, scene_required);
  compute.add_to(command);
  add_end(command, request);
  start_group(command, "Output");
  command.add_option("--out", out, "run folder; default: out, out-2, out-3, ...")->type_name("DIR");
  command.add_flag("--force", request.force, "overwrite an earlier run in the same folder");
  command.add_option("--size", size, "size of pictures and movies [pixels]")
      ->check(size_text)
      ->capture_default_str();
  command.add_flag("--quiet", request.quiet, "print nothing but errors");
  command.add_flag("--json", request.json, "print progress and result as one JSON object per line");
  start_group(command);
}

void RunCommand::add_outputs(CLI::App& command) {
  command
      .add_option("--replay", replay,
                  "run.json of an earlier run: repeat its parameter changes; without a scene, "
                  "repeat the entire run")
      ->type_name("FILE");
  start_group(command, "Output");
  command.add_option("--series-steps", request.series_steps, "steps between rows of series.csv")
      ->transform(whole_above_zero);
  command.add_option("--snapshot-steps", request.snapshot_steps, "steps between snapshots")
      ->transform(whole_above_zero);
  command.add_option("--snapshot-time", request.snapshot_time, "simulation time between snapshots")
      ->check(time_above_zero);
  command
      .add_option("--snapshot-format", request.snapshot_formats,
                  "snapshot formats, separated by commas; overrides the scene")
      ->check(known(sim::snapshot_format_names()))
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option("--snapshot-columns", request.snapshot_columns,
                  "columns of snapshots, separated by commas; overrides the scene: " +
                      engine::joined(sim::column_names(), ", "))
      ->check(known(sim::column_names()).description(""))  // which would not fit into a terminal
      ->type_name("COLUMN")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option(
          "--histogram", histograms,
          "histogram of the final state, as SCALAR[:BINS[:LOW:HIGH]]; default: 100 bins over all "
          "values; repeatable; scalars: " +
              sim::scalar_names())
      ->type_name("SCALAR")
      ->allow_extra_args(false);
  checkpoints.add_to(command);
  start_group(command, "Pictures");
  picture_option = add_file(command, "--picture", picture, "PNG of the final state", "picture.png");
  movie_option = add_file(command, "--movie", movie, "MP4 of the run", "movie.mp4");
  add_overlay(command, overlay);
  command
      .add_option("--frames", request.pictures.frames,
                  "minimum number of frames of the movie, at a constant interval of steps")
      ->transform(whole_from(2, 1000000))
      ->capture_default_str();
  command.add_option("--fps", request.pictures.rate, "frames per second of the movie")
      ->check(CLI::Range(1.0, 240.0))
      ->capture_default_str();
  start_group(command);
}

int RunCommand::execute(const CommandLine& line, engine::Ranks* ranks) {
  if (scene.scene.empty() && replay.empty()) throw CLI::RequiredError("scene");
  if (!scene.scene.empty()) request.scene = find_scene_or_checkpoint(scene.scene);
  request.replay = replay;
  request.settings = scene.settings();
  if (!overlay.empty()) request.settings["view.overlay"] = overlay;
  request.trust = scene.trust;
  request.options = compute.options();
  request.out = out;
  request.histograms = sim::read_histograms(histograms, "--histogram");
  request.command_line = line;
  request.checkpoints = checkpoints.request;
  request.wall = checkpoints.wall;
  check_folder("--picture", picture, out);
  check_folder("--movie", movie, out);
  request.pictures.picture = picture;
  request.pictures.movie = movie;
  request.default_picture =
      request.default_picture || (picture_option && *picture_option && picture.empty());
  request.default_movie = movie_option && *movie_option && movie.empty();
  std::sscanf(size.c_str(), "%dx%d", &request.pictures.width, &request.pictures.height);
  request.options.ranks = ranks;
  return static_cast<int>(run_headless(request));
}

}  // namespace mote::app
