#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/commands/run_command.h"
#include "app/scenes.h"
#include "app/view/viewer.h"
#include "engine/check.h"
#include "engine/log.h"
#include "engine/machine.h"
#include "engine/text.h"

namespace mote::app {
namespace {

/// "1GiB", "300 MiB", "5e8": bytes.
bool read_bytes(const std::string& text, double& bytes) {
  char unit[8] = "";
  if (std::sscanf(text.c_str(), "%lf %7s", &bytes, unit) < 1 || !std::isfinite(bytes) || bytes < 0)
    return false;
  const std::string name = unit;
  if (name.empty() || name == "B") return true;
  const std::string letters = "KMGT";
  const auto power = letters.find(name[0]);
  if (power == std::string::npos ||
      (name.size() > 1 && name.substr(1) != "iB" && name.substr(1) != "B"))
    return false;
  for (std::size_t i = 0; i <= power; ++i) bytes *= name.substr(1) == "B" ? 1000 : 1024;
  return true;
}

const CLI::Validator byte_size(
    [](std::string& text) {
      double bytes = 0;
      return read_bytes(text, bytes) ? std::string()
                                     : "must be a size such as 300MiB or 2GiB, not " + text;
    },
    "SIZE");

/// What `view` takes: the options of a window, and those of the run that takes its place without a
/// display.
struct ViewCommand {
  RunCommand run;
  ViewOptions view;
  std::string history = "1GiB", drive, picture;

  void add_to(CLI::App& command) {
    run.add_common(command, false);
    const auto means = [&](const char* option, const char* what) {
      command.get_option(option)->description(what);
    };
    means("scene",
          "scene file, the name of one that comes with mote, or a checkpoint (.h5) to go on from");
    means("--until", "stop there first: at this simulation time");
    means("--steps", "stop there first: after this many steps");
    means("--out",
          "record the run in this folder, made whole when the window closes; by default nothing is "
          "recorded");
    means("--size", "of the window, or of the picture in memory, in pixels");
    means("--quiet", "of the run that takes the window's place: print nothing but errors");
    means("--json", "of that run: progress and result as one JSON object a line");
    command.add_flag("--paused", view.paused, "do not start running");
    command.add_option("--history", history, "memory for the past, to go back to")
        ->check(byte_size)
        ->capture_default_str();
    command
        .add_option("--share", view.share,
                    "how a GPU's particles get to OpenGL: auto, interop or copy")
        ->check(CLI::IsMember({"auto", "interop", "copy"}))
        ->capture_default_str();
    command
        .add_option("--splat", view.splat,
                    "how very many points are drawn: auto, raster or compute")
        ->check(CLI::IsMember({"auto", "raster", "compute"}))
        ->capture_default_str();
    command
        .add_option("--ui-scale", view.ui_scale,
                    "size of the panels; that of the display by default")
        ->check(CLI::Range(0.25, 8.0));
    command.add_flag("--offscreen", view.offscreen,
                     "draw into memory, without a window: for scripts and pictures");
    command.add_option("--drive", drive, "play this script of keys, clicks and commands, then end")
        ->check(CLI::ExistingFile);
    command.add_option("--frames", view.frames, "end after so many frames")
        ->check(CLI::Range(1, 1000000000));
  }

  int go(const CommandLine& line) {
    if (!view.offscreen && !no_window_reason().empty()) return without_window(line);
    double bytes = 0;
    read_bytes(history, bytes);
    view.history = static_cast<std::uint64_t>(bytes);
    if (!run.scene.scene.empty()) view.open.scene = find_scene_or_checkpoint(run.scene.scene);
    view.open.settings = run.scene.settings();
    view.open.trust = run.scene.trust;
    view.open.options = run.compute.options();
    view.drive = drive;
    view.until = run.request.until;
    view.steps = run.request.steps;
    view.force = run.request.force;
    view.command_line = line;
    if (!run.out.empty()) view.record = run.out;
    std::sscanf(run.size.c_str(), "%dx%d", &view.width, &view.height);
    return run_view(view);
  }

  /// Without a GPU the default scene has fewer bodies, so that its picture, the first thing that a
  /// new build shows, is there in seconds.
  void fit_processor() {
    const auto sized = [&] {
      return std::any_of(run.scene.set.begin(), run.scene.set.end(),
                         [](const std::string& set) { return set.starts_with("n="); });
    };
    const auto size = [&]() -> std::optional<std::int64_t> {
      const sim::SceneDescription scene =
          sim::read_scene(find_scene(run.scene.scene), run.scene.settings());
      for (const sim::SceneParam& param : scene.params)
        if (const auto* n = std::get_if<std::int64_t>(&param.value); n && param.info.name == "n")
          return *n;
      return std::nullopt;
    };
    constexpr std::int64_t soon = 4096;
    if (sized() || (run.compute.backend != "cpu" && engine::cuda_info().problem.empty())) return;
    const auto all = size();
    if (!all || *all <= soon) return;
    run.scene.set.push_back(fmt::format("n={}", soon));
    if (!run.request.quiet && !run.request.json)
      fmt::print(stderr,
                 "mote: {} bodies instead of {}, which take a processor longer than a picture "
                 "should; --set n={} "
                 "has them all\n",
                 engine::with_thousands(soon), engine::with_thousands(*all), *all);
  }

  /// The run that takes the window's place, and a line that says so.
  int without_window(const CommandLine& line) {
    if (!drive.empty() || view.frames)
      throw engine::InputError("view", no_window_reason(), "--offscreen draws into memory instead");
    const bool first_scene = run.scene.scene.empty();
    if (first_scene) run.scene.scene = "galaxies";
    if (std::filesystem::path(run.scene.scene).extension() == ".h5")
      throw engine::InputError(
          run.scene.scene,
          "a checkpoint is gone on from in a window, and there is none: " + no_window_reason(),
          "--offscreen draws into memory instead");
    find_scene(run.scene.scene);  // before anything is said
    if (!run.request.quiet && !run.request.json)
      fmt::print(stderr,
                 "mote: no window: {}; running without one (mote run), with a picture at the end\n",
                 no_window_reason());
    if (first_scene) fit_processor();
    run.request.optional_pictures = true;
    run.request.default_picture = true;
    return run.go(line);
  }
};

}  // namespace

void add_view(CLI::App& program, const CommandLine& line, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "view", "watch a scene in a window; without a display it runs headless and leaves a picture");
  auto view = std::make_shared<ViewCommand>();
  view->add_to(*command);
  command->callback([view, &line, &exit_code] { exit_code = view->go(line); });
}

}  // namespace mote::app
