#include <cmath>
#include <cstdio>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/option_checks.h"
#include "app/commands/scene_options.h"
#include "app/look/render_run.h"
#include "engine/check.h"
#include "sim/measure/scalars.h"

namespace mote::app {
namespace {

struct RenderCommand {
  RenderRequest request;
  std::string run, camera, file, color, show, clip, overlay, size = "1280x720";
  std::vector<std::string> set;
  double seconds = 10;
};

/// Sets the keys of the view that --set names. Colours and what is shown depend on the columns of
/// the snapshots, which `render_run` knows.
void set_view(const std::vector<std::string>& set, RenderRequest& asked) {
  for (auto& [path, value] : settings_of(set)) {
    if (!path.starts_with("view."))
      throw engine::InputError("--set " + path, "is no key of the view: the states are computed",
                               "keys such as view.background can be set, `mote help view` lists "
                               "them; others take a new run");
    if (path == "view.color" && !asked.color)
      asked.color = value, asked.color_option = "--set view.color=";
    else if (path == "view.show" && !asked.show)
      asked.show = value, asked.show_option = "--set view.show=";
    else if (path != "view.color" && path != "view.show")
      asked.view[path] = value;
  }
}

/// Draws what the options ask for. `has_frames`, `has_show`: these were given.
void render(const RenderCommand& wanted, bool has_frames, bool has_show) {
  RenderRequest asked = wanted.request;
  asked.run = wanted.run;
  asked.camera = wanted.camera;
  asked.file = wanted.file;
  if (!wanted.color.empty()) asked.color = wanted.color;
  if (!wanted.clip.empty()) {
    const auto [x, y, z, offset] = *plane_of(wanted.clip);
    asked.clip = {{x, y, z}, offset};
  }
  if (has_show) asked.show = wanted.show;
  if (!wanted.overlay.empty()) asked.overlay = wanted.overlay;
  set_view(wanted.set, asked);
  if (asked.at && asked.file.extension() == ".mp4")
    throw engine::InputError("--at " + *asked.at,
                             "is for a picture, but " + asked.file.string() + " is a movie",
                             "name a .png, or omit --at");
  if (!has_frames) {
    const double count = std::round(wanted.seconds * asked.rate);
    if (count < 2 || count > 1e6)
      throw engine::InputError("--seconds", "gives fewer than 2 or more than 1e6 frames",
                               "choose another duration or --fps");
    asked.frames = static_cast<int>(count);
  }
  std::sscanf(wanted.size.c_str(), "%dx%d", &asked.width, &asked.height);
  render_run(asked);
}

}  // namespace

void add_render(CLI::App& program) {
  CLI::App* command = program.add_subcommand("render",
                                             "draw a movie or a picture from the snapshots of a "
                                             "run, interpolating between them");
  auto wanted = std::make_shared<RenderCommand>();
  RenderRequest& request = wanted->request;
  command->add_option("run", wanted->run, "run folder with snapshots")
      ->type_name("RUN")
      ->required();
  command
      ->add_option("--camera", wanted->camera,
                   "camera path, JSON (docs/pictures.md); default: the scene's camera, at rest")
      ->type_name("FILE");
  command
      ->add_option(
          "-o,--out", wanted->file,
          "output file, .mp4 or .png; default: render.mp4, or render.png with --at, in the run "
          "folder")
      ->check(file_ending({".mp4", ".png"}));
  command
      ->add_option("--at", request.at, "draw one picture at this simulation time, 10 or \"10 Myr\"")
      ->check(time_or_zero);
  command->add_option("--fps", request.rate, "frames per second of the movie")
      ->check(CLI::Range(1.0, 240.0))
      ->capture_default_str();
  CLI::Option* seconds =
      command->add_option("--seconds", wanted->seconds, "duration of the movie [s]")
          ->check(seconds_above_zero)
          ->capture_default_str();
  CLI::Option* frames =
      command->add_option("--frames", request.frames, "number of frames, instead of --seconds")
          ->transform(whole_from(2, 1000000))
          ->excludes(seconds);
  command->add_option("--size", wanted->size, "size of the pictures [pixels]")
      ->check(size_text)
      ->capture_default_str();
  command
      ->add_option(
          "--color", wanted->color,
          "what the colour of bodies shows, in place of the scene's view.color: a scalar (" +
              sim::scalar_names() + "), or an expression, \"sqrt(x^2 + y^2)\"")
      ->type_name("SCALAR");
  CLI::Option* show =
      command
          ->add_option("--show", wanted->show,
                       "draw the bodies for which this expression is above 0, in place of the "
                       "scene's view.show: \"z > 0\"; \"\": all")
          ->type_name("EXPR");
  command
      ->add_option("--clip", wanted->clip,
                   "draw nothing behind the plane of this normal and offset from the origin, in "
                   "place of the scene's view.clip: 0,0,1,2.5")
      ->check(plane_text);
  add_overlay(*command, wanted->overlay);
  command
      ->add_option("--set", wanted->set,
                   "set any key of the scene's view, such as view.background=light (`mote help "
                   "view`); repeatable")
      ->type_name("view.KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--force", request.force, "overwrite an existing file");
  command->add_flag("--quiet", request.quiet, "print nothing but errors");
  command->callback(
      [wanted, frames, show] { render(*wanted, frames->count() > 0, show->count() > 0); });
}

}  // namespace mote::app
