#include <cmath>
#include <cstdio>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/option_checks.h"
#include "app/render_run.h"
#include "engine/check.h"

namespace mote::app {
namespace {

struct RenderCommand {
  RenderRequest request;
  std::string run, camera, file, size = "1280x720";
  double seconds = 10;
};

}  // namespace

void add_render(CLI::App& program) {
  CLI::App* command = program.add_subcommand("render",
                                             "a movie, or one picture, from the snapshots of a "
                                             "run; bodies move smoothly between snapshots");
  auto wanted = std::make_shared<RenderCommand>();
  RenderRequest& request = wanted->request;
  command->add_option("run", wanted->run, "folder of a run with snapshots")->required();
  command->add_option(
      "--camera", wanted->camera,
      "path of the camera, JSON (docs/pictures.md); by default the scene's camera stands still");
  command
      ->add_option(
          "-o,--out", wanted->file,
          "file to write, .mp4 or .png; by default render.mp4, with --at render.png, in the folder "
          "of the run")
      ->check(file_ending({".mp4", ".png"}));
  command->add_option("--at", request.at, "one picture, of this simulation time, 10 or \"10 Myr\"")
      ->check(time_or_zero);
  command->add_option("--fps", request.rate, "frames a second of the movie")
      ->check(CLI::Range(1.0, 240.0))
      ->capture_default_str();
  CLI::Option* seconds = command->add_option("--seconds", wanted->seconds, "length of the movie")
                             ->check(seconds_above_zero)
                             ->capture_default_str();
  CLI::Option* frames =
      command->add_option("--frames", request.frames, "frames of the movie, instead of --seconds")
          ->check(CLI::Range(2, 1000000))
          ->excludes(seconds);
  command->add_option("--size", wanted->size, "of the pictures, in pixels")
      ->check(size_text)
      ->capture_default_str();
  command->add_flag("--force", request.force, "overwrite a file that is there");
  command->add_flag("--quiet", request.quiet, "print nothing but errors");
  command->callback([wanted, frames] {
    RenderRequest asked = wanted->request;
    asked.run = wanted->run;
    asked.camera = wanted->camera;
    asked.file = wanted->file;
    if (asked.at && asked.file.extension() == ".mp4")
      throw engine::InputError("--at " + *asked.at,
                               "is of a picture, and " + asked.file.string() + " is a movie",
                               "name a .png, or leave --at out");
    if (frames->count() == 0) {
      const double count = std::round(wanted->seconds * asked.rate);
      if (count < 2 || count > 1e6)
        throw engine::InputError("--seconds", "makes fewer than 2 or more than 1e6 frames",
                                 "choose another length or --fps");
      asked.frames = static_cast<int>(count);
    }
    std::sscanf(wanted->size.c_str(), "%dx%d", &asked.width, &asked.height);
    render_run(asked);
  });
}

}  // namespace mote::app
