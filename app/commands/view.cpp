#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>

#include "api/default_scene.h"
#include "app/commands/option_checks.h"
#include "app/commands/option_tables.h"
#include "app/commands/run_command.h"
#include "app/commands/serve_options.h"
#include "app/scenes.h"
#include "app/view/viewer.h"
#include "engine/check.h"
#include "engine/log.h"
#include "engine/machine.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/scene/read_scene.h"

namespace mote::app {
namespace {

/// Parses a size in bytes: "5e8", "300 MiB", "1G" (powers of 1024) or "1GB" (of 1000). False if it
/// is malformed or does not fit into 64 bits.
bool read_bytes(const std::string& text, double& bytes) {
  char unit[8] = "", rest = 0;
  const int found = std::sscanf(text.c_str(), "%lf %7s %c", &bytes, unit, &rest);
  if (found < 1 || found > 2 || !(bytes >= 0)) return false;
  const std::string name = unit;
  if (name.empty() || name == "B") return bytes < 0x1p63;
  const std::string letters = "KMGT";
  const auto power = letters.find(name[0]);
  if (power == std::string::npos ||
      (name.size() > 1 && name.substr(1) != "iB" && name.substr(1) != "B"))
    return false;
  for (std::size_t i = 0; i <= power; ++i) bytes *= name.substr(1) == "B" ? 1000 : 1024;
  return bytes < 0x1p63;
}

const CLI::Validator byte_size(
    [](std::string& text) {
      double bytes = 0;
      return read_bytes(text, bytes) ? std::string()
                                     : "must be a size such as 300MiB or 2GiB, not " + text;
    },
    "SIZE");

/// Options of `view`: of the window, and of the run that replaces it if there is no display.
struct ViewCommand {
  RunCommand run;
  ViewOptions view;
  std::string history = "1GiB", drive, layout;
  ServeOptions serve;
  bool embed = false;

  void add_to(CLI::App& command) {
    run.add_common(command, false);
    const auto describe = [&](const char* option, const char* what) {
      command.get_option(option)->description(what);
    };
    describe("scene",
             "scene file, the name of one that comes with mote, or a checkpoint (.h5) to resume");
    describe("--until", "pause at this simulation time; without a display: end there");
    describe("--steps", "pause after this many steps; without a display: end there");
    describe(
        "--out",
        "record the run in this folder, completed when the window closes; default: not recorded, "
        "without a display in out, out-2, ...");
    describe("--size", "size of the window, or of the offscreen picture [pixels]");
    describe("--quiet", "without a display: print nothing but errors");
    describe("--json", "without a display: print progress and result as one JSON object per line");
    start_group(command, "Window");
    command.add_flag("--paused", view.paused, "start paused");
    command.add_option("--history", history, "memory for rewinding")
        ->check(byte_size)
        ->capture_default_str();
    command
        .add_option(
            "--share", view.share,
            "how bodies get from CUDA to OpenGL: interop (on the GPU) or copy (through the host)")
        ->check(CLI::IsMember({"auto", "interop", "copy"}))
        ->capture_default_str();
    command.add_option("--splat", view.splat, "how points are drawn when there are many")
        ->check(CLI::IsMember({"auto", "raster", "compute"}))
        ->capture_default_str();
    command
        .add_option("--ui-scale", view.ui_scale,
                    "scale of the panels; default: that of the display")
        ->check(CLI::Range(0.25, 8.0));
    command.add_option("--layout", layout,
                       "file that keeps the places of the panels; default: mote/window.json in the "
                       "folder of the user's settings, with --offscreen and scripts none");
    command.add_flag("--offscreen", view.offscreen,
                     "draw offscreen, without a window: for scripts and pictures");
    serve.add_to(command, "show the window in a browser, without a display");
    serve.option()->excludes("--offscreen");
    command
        .add_flag("--embed", embed,
                  "serve to a page of the program that starts mote: print the addresses, one of "
                  "them for a frame, as a JSON object, and end with standard input")
        ->needs(serve.option());
    command
        .add_option("--drive", drive, "play this script of keys, clicks and commands, then exit")
        ->check(CLI::ExistingFile)
        ->excludes(serve.option());
    command.add_option("--frames", view.frames, "exit after this many frames")
        ->excludes(serve.option())
        ->transform(whole_from(1, 1000000000));
    start_group(command);
  }

  int execute(const CommandLine& line) {
    view.serve = serve.given();
    if (view.serve) view.serve->embed = embed;
    if (!view.offscreen && !view.serve && !no_window_reason().empty()) return without_window(line);
    if (run.scene.scene.empty()) {
      run.scene.scene = api::default_scene;
      choose_bodies(true);
    }
    double bytes = 0;
    read_bytes(history, bytes);
    view.history = static_cast<std::uint64_t>(bytes);
    view.open.scene = find_scene_or_checkpoint(run.scene.scene);
    view.open.settings = run.scene.settings();
    view.open.trust = run.scene.trust;
    view.open.options = run.compute.options();
    view.drive = drive;
    if (!layout.empty()) view.layout = layout;
    view.until = run.request.until;
    view.steps = run.request.steps;
    view.force = run.request.force;
    view.command_line = line;
    if (!run.out.empty()) view.record = run.out;
    std::sscanf(run.size.c_str(), "%dx%d", &view.width, &view.height);
    return run_view(view);
  }

  /// Chooses the number of bodies of the default scene by its parameter n, as --set does: run.json
  /// has it, and no scene depends on the machine.
  void choose_bodies(bool window) {
    const bool asked = std::any_of(run.scene.set.begin(), run.scene.set.end(),
                                   [](const std::string& set) { return set.starts_with("n="); });
    const sim::SceneDescription scene =
        sim::read_scene(find_scene(run.scene.scene), run.scene.settings(), run.scene.trust);
    for (const sim::SceneParam& param : scene.params) {
      const auto* bodies = std::get_if<std::int64_t>(&param.value);
      if (param.info.name != "n" || !bodies) continue;
      const auto wanted = api::bodies_to_ask(default_machine(window), *bodies, asked);
      if (!wanted) return;
      run.scene.set.push_back(fmt::format("n={}", *wanted));
      if (run.request.quiet || run.request.json) return;
      const bool fewer = *wanted < *bodies;
      engine::print(stderr, "mote: {} bodies instead of {}, because {}; --set n={} runs {}\n",
                    engine::with_thousands(*wanted), engine::with_thousands(*bodies),
                    fewer ? "a CPU would take long" : "there is a GPU", *bodies,
                    fewer ? "all" : "as many as on a CPU");
    }
  }

  api::DefaultMachine default_machine(bool window) const {
    const engine::CudaInfo cuda = engine::cuda_info();
    const bool gpu = run.compute.backend != "cpu" && cuda.problem.empty() &&
                     !cuda.devices.empty() &&
                     cuda.devices[0].name.find("emulated") == std::string::npos;
    return gpu      ? api::DefaultMachine::gpu
           : window ? api::DefaultMachine::cpu_in_window
                    : api::DefaultMachine::cpu_without_window;
  }

  /// Runs the scene headless, and draws its final state.
  int without_window(const CommandLine& line) {
    if (!drive.empty() || view.frames)
      throw engine::InputError("view", no_window_reason(), "add --offscreen to draw into memory");
    const bool is_default = run.scene.scene.empty();
    if (is_default) run.scene.scene = api::default_scene;
    if (std::filesystem::path(run.scene.scene).extension() == ".h5")
      throw engine::InputError(
          run.scene.scene,
          "a window that resumes this checkpoint cannot open: " + no_window_reason(),
          "continue it with `mote run " + run.scene.scene +
              " --until TIME`, or add --offscreen to draw into memory");
    find_scene(run.scene.scene);  // throws before anything is printed
    if (!run.request.quiet && !run.request.json)
      engine::print(stderr,
                    "mote: no window: {}; running as `mote run` does, with a picture of the end\n",
                    no_window_reason());
    if (is_default) choose_bodies(false);
    run.request.optional_pictures = true;
    run.request.default_picture = true;
    return run.execute(line);
  }
};

}  // namespace

void add_view(CLI::App& program, const CommandLine& line, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "view", "show a scene in a window; without a display, run it and draw the final state");
  auto view = std::make_shared<ViewCommand>();
  view->add_to(*command);
  command->callback([view, &line, &exit_code] { exit_code = view->execute(line); });
}

}  // namespace mote::app
