#include "app/commands/scene_options.h"

#include "app/commands/option_checks.h"
#include "app/commands/option_tables.h"
#include "engine/check.h"

namespace mote::app {

void SceneOptions::add_to(CLI::App& command, bool scene_required) {
  auto* file =
      command.add_option("scene", scene, "scene file, or the name of one that comes with mote")
          ->type_name("SCENE");
  if (scene_required) file->required();
  start_group(command, "Scene");
  command
      .add_option("--set", set,
                  "set a parameter of the scene, or a path such as gravity.softening=0.01; "
                  "repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_flag_callback(
      "--trust", [this] { trust = sim::Trust::yes; },
      "trust this scene: it may read files outside its folder, and neither its script nor the "
      "output of its hooks is limited");
  command.add_option("--seed", seed, "random seed of the scene")
      ->check(CLI::Validator(
          [](std::string& text) {
            std::uint64_t value = 0;
            const bool good =
                CLI::detail::lexical_cast(text, value) && value <= (1ull << 53) && text[0] != '-';
            return good ? std::string()
                        : "must be a whole number from 0 to 9007199254740992, not " + text;
          },
          "N"));
  start_group(command);
}

sim::Settings settings_of(const std::vector<std::string>& set) {
  sim::Settings all;
  for (const std::string& assignment : set) {
    const auto equals = assignment.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw engine::InputError("--set " + assignment, "is not of the form name=value");
    all[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  return all;
}

sim::Settings SceneOptions::settings() const {
  sim::Settings all = settings_of(set);
  if (seed) all["seed"] = *seed;
  return all;
}

void ComputeOptions::add_to(CLI::App& command) {
  start_group(command, "Computing");
  command
      .add_option("--backend", backend,
                  "where forces are computed; auto: on the GPU, if that is faster")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  command
      .add_option("--device", device,
                  "index of the GPU among those in CUDA_VISIBLE_DEVICES, from 0")
      ->transform(whole_from(0, 1023));
  command
      .add_option(
          "--devices", devices,
          "several GPUs that share the bodies, as in 0,1; all: one where the bodies are too "
          "few to gain from several; does not change results")
      ->type_name("LIST")
      ->excludes("--device");
  command
      .add_option("--stepping", stepping,
                  "how steps are launched on a GPU; does not change results")
      ->check(CLI::IsMember({"auto", "launch", "graph", "cooperative", "cluster"}));
  command
      .add_option("--threads", threads,
                  "threads of the CPU backend; default: all; does not change results")
      ->transform(whole_from(1, 4096));
  command.add_option("--precision", precision, "of the numbers; overrides the scene")
      ->check(CLI::IsMember({"single", "mixed", "double"}));
  command.add_option("--simd", simd, "instruction set of the CPU backend; default: the best")
      ->check(CLI::IsMember({"scalar", "sse4.2", "avx2", "avx512"}));
  start_group(command);
}

sim::RunOptions ComputeOptions::options() const {
  sim::RunOptions o;
  o.backend = *engine::backend_named(backend);
  if (precision) o.precision = engine::precision_named(*precision);
  if (simd) o.simd = engine::simd_level_named(*simd);
  o.threads = threads;
  o.device = device;
  if (devices) sim::take_devices(o, *devices);
  o.stepping = *sim::stepping_named(stepping);
  o.lockstep = lockstep;
  return o;
}

}  // namespace mote::app
