#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/option_checks.h"
#include "app/commands/scene_options.h"
#include "app/compare/bench_tasks.h"
#include "app/compare/devices_bench.h"
#include "app/compare/samples.h"
#include "app/compare/scene_bench.h"
#include "app/run/run_report.h"
#include "app/scenes.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/scene/read_scene.h"

namespace mote::app {
namespace {

namespace fs = std::filesystem;

/// Direct sums of more take hours.
constexpr engine::Index most_directly = 4'194'304, most_bodies = 1'000'000'000;

const CLI::Validator body_count = CLI::Validator(
    [](std::string& text) {
      double n = 0;
      const bool good = CLI::detail::lexical_cast(text, n) && n >= 1 &&
                        n <= static_cast<double>(most_bodies) && n == std::floor(n);
      return good ? std::string()
                  : fmt::format("must be a whole number from 1 to {}, not {}", most_bodies, text);
    },
    "N");

struct BenchCommand {
  SceneOptions scene;
  std::string backend = "auto", json;
  std::optional<int> device;
  std::optional<std::string> devices;
  std::vector<std::string> sizes;
  std::vector<std::string> precisions{"single", "mixed", "double"};
  std::vector<std::string> kernels{"auto", "tiled", "split", "symmetric", "wide", "gather"};
  std::vector<std::string> what{"forces", "potential", "steps"};
  std::vector<std::string> steppings{"launch", "graph", "cooperative", "cluster"};
  std::string solver = "direct";
  std::optional<double> accuracy;
  bool equal_masses = false;
  int repeats = 20;
  CLI::Option* kernels_option = nullptr;
  CLI::Option* stepping_option = nullptr;
  CLI::Option* what_option = nullptr;
  CLI::Option* accuracy_option = nullptr;
  CLI::Option* precision_option = nullptr;
  std::vector<CLI::Option*> without_scene;  ///< that choose what is compared if none is named

  /// An option that takes a comma-separated subset of `words`; all of them by default.
  static CLI::Option* add_list(CLI::App& command, const std::string& name,
                               std::vector<std::string>& words, const std::string& help) {
    return command.add_option(name, words, help)->delimiter(',')->check(CLI::IsMember(words));
  }

  void add_to(CLI::App& command) {
    scene.add_to(command, false);
    command.add_option("--backend", backend, "where forces are computed")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    command
        .add_option("--device", device,
                    "index of the GPU among those in CUDA_VISIBLE_DEVICES, from 0")
        ->transform(whole_from(0, 1023));
    command
        .add_option("--devices", devices,
                    "several GPUs, as in 0,1, or all: time forces on one and on all of them, and "
                    "count what they exchange")
        ->type_name("LIST")
        ->excludes("--device");
    without_scene.push_back(
        command.add_option("--n", sizes, "numbers of bodies; default: some that suit the backend")
            ->delimiter(',')
            ->check(body_count));
    precision_option = add_list(command, "--precision", precisions, "precisions; default: all");
    kernels_option = add_list(command, "--kernels", kernels, "GPU kernels; default: all");
    without_scene.push_back(kernels_option);
    what_option = add_list(command, "--what", what,
                           "what to time; default: all, forces alone with --solver multipole");
    without_scene.push_back(what_option);
    without_scene.push_back(
        command
            .add_option("--solver", solver,
                        "gravity by direct sums, or by multipole expansions, of a Plummer sphere")
            ->check(CLI::IsMember({"direct", "multipole"}))
            ->capture_default_str());
    accuracy_option =
        command
            .add_option("--accuracy", accuracy,
                        "of expansions: relative error of 99 % of the forces; default: 1e-3")
            ->check(CLI::Range(1e-7, 0.1));
    without_scene.push_back(accuracy_option);
    stepping_option =
        add_list(command, "--stepping", steppings, "GPU stepping modes; default: all");
    without_scene.push_back(command.add_flag(
        "--equal-masses", equal_masses,
        "give all bodies the same mass, which some kernels factor out of the pairs"));
    command.add_option("--repeats", repeats, "number of timings to take the median of")
        ->transform(whole_from(1, 1000))
        ->capture_default_str();
    command
        .add_option("--json", json,
                    "write all results to this file; - : print them instead of the table")
        ->type_name("FILE");
  }

  void check_options() const {
    if (backend == "cpu")
      for (const CLI::Option* option : {kernels_option, stepping_option})
        if (*option)
          throw engine::InputError(option->get_name(), "is for the CUDA backend only",
                                   "leave it out, or use --backend cuda");
    const auto refuse = [](const std::string& option, const char* why, const char* remedy) {
      throw engine::InputError(option, why, remedy);
    };
    if (solver == "direct" && *accuracy_option)
      refuse("--accuracy", "is for expansions; direct sums are exact up to rounding",
             "leave it out, or add --solver multipole");
    if (solver == "multipole") {
      for (const CLI::Option* option : {kernels_option, stepping_option})
        if (*option)
          refuse(option->get_name(), "is for direct sums",
                 "leave it out, or leave out --solver multipole");
      if (equal_masses)
        refuse("--equal-masses",
               "is for direct sums; bodies of the Plummer sphere have equal masses",
               "leave it out");
      if (*what_option && what != std::vector<std::string>{"forces"})
        refuse("--what", "of expansions is the forces alone",
               "use --what forces, or name a scene to time its steps");
    }
    const fs::path folder = fs::path(json).parent_path();
    std::error_code ignored;
    if (fs::is_directory(json, ignored))
      throw engine::InputError("--json " + json, "is a folder", "name a file");
    if (!folder.empty() && !fs::is_directory(folder, ignored))
      throw engine::InputError("--json " + json, "there is no folder " + folder.string(),
                               "create it first");
  }

  /// The device to run on. Throws the same errors as a run would.
  sim::Plan plan() const {
    constexpr engine::Index enough_for_a_gpu = 1024;
    const bool gpu_wanted = *kernels_option || *stepping_option;
    const auto wanted = gpu_wanted ? engine::Backend::cuda : *engine::backend_named(backend);
    return sim::make_plan(cluster_scene({.count = enough_for_a_gpu}),
                          {.backend = wanted, .device = device});
  }

  void refuse_with_scene() const {
    for (const CLI::Option* option : without_scene)
      if (*option)
        throw engine::InputError(option->get_name(), "is for comparisons without a scene",
                                 "leave it out");
  }

  /// Times forces on one GPU and on all that are named.
  int time_sharing() const {
    for (const CLI::Option* option : {kernels_option, stepping_option, what_option})
      if (*option)
        throw engine::InputError(option->get_name(), "is for one GPU",
                                 "leave it out, or leave out --devices");
    sim::RunOptions options{.backend = *engine::backend_named(backend)};
    sim::take_devices(options, *devices);
    options.as_many_as_gain = false;  // to see where they gain
    if (options.devices.size() < 2)
      throw engine::InputError("--devices " + *devices, "is one GPU",
                               "name several, or leave it out");
    std::vector<std::string> in = precisions;
    if (!*precision_option) in = {scene.scene.empty() ? "single" : ""};
    const bool table = json != "-";
    StatusLine status;
    engine::Json rows = engine::Json::array();
    const auto add = [&](const sim::SceneDescription& described, const std::string& precision) {
      options.precision = engine::precision_named(precision);
      status.show(fmt::format("bench: {} bodies", engine::with_thousands(described.body_count())));
      const DevicesRow row = time_devices(described, options, repeats);
      status.clear();
      if (table && rows.empty()) print_devices_head(row.gpus);
      if (table) print(row);
      rows.push_back(json_of(row));
    };
    const sim::Plan where = sim::make_plan(cluster_scene({.count = 1024}), options);
    const BenchMachine machine{where, engine::cuda_info(where.device), repeats};
    if (table) {
      machine.print_names();
      engine::print("Steps divided by their evaluations of forces; medians of {} timings\n\n",
                    repeats);
    }
    if (!scene.scene.empty()) {
      refuse_with_scene();
      const sim::SceneDescription described =
          sim::read_scene(find_scene(scene.scene), scene.settings(), scene.trust);
      for (const std::string& precision : in) add(described, precision);
    } else {
      const bool expansions = solver == "multipole";
      std::vector<engine::Index> counts = numbers_of_bodies();
      if (counts.empty())
        counts = expansions ? std::vector<engine::Index>{200'000, 1'000'000}
                            : std::vector<engine::Index>{16'384, 65'536, 262'144};
      for (const std::string& precision : in)
        for (const engine::Index count : counts) {
          Cluster cluster{.count = count};
          if (expansions) cluster.accuracy = accuracy.value_or(1e-3);
          add(cluster_scene(cluster), precision);
        }
    }
    engine::Json all = machine.json();
    all["devices"] = options.devices;
    all["results"] = rows;
    write(all);
    return 0;
  }

  /// Times the parts of a scene.
  int time_parts() const {
    refuse_with_scene();
    sim::RunOptions options{.backend = *engine::backend_named(backend), .device = device};
    for (const auto& [option, words] :
         {std::pair{precision_option, &precisions}, {stepping_option, &steppings}})
      if (*option && words->size() > 1)
        throw engine::InputError(option->get_name() + " " + engine::joined(*words, ","),
                                 "a scene is timed in one way at a time", "name one");
    if (*precision_option) options.precision = engine::precision_named(precisions[0]);
    if (*stepping_option) options.stepping = *sim::stepping_named(steppings[0]);
    const sim::SceneDescription described =
        sim::read_scene(find_scene(scene.scene), scene.settings(), scene.trust);
    const sim::Plan where = sim::make_plan(described, options);
    const BenchMachine machine{where, engine::cuda_info(where.device), repeats};
    const bool table = json != "-";
    if (table) {
      machine.print_names();
      engine::print("{}, {} bodies, {}; medians of {} timings\n\n", described.file.string(),
                    engine::with_thousands(described.body_count()), name_of(where.precision),
                    repeats);
    }
    StatusLine status;
    status.show("bench: " + described.file.string());
    const SceneTimes times = time_scene(described, where, repeats);
    status.clear();
    if (table) print_parts(times.parts);
    if (table && times.force_errors)
      engine::print("\nforce errors: {}\n", force_errors_text(*times.force_errors));
    engine::Json all = machine.json();
    all["scene"] = described.file.string();
    all["bodies"] = described.body_count();
    all["precision"] = name_of(where.precision);
    all["parts"] = json_of(times.parts);
    if (times.force_errors) all["force_errors"] = force_errors_json(*times.force_errors);
    write(all);
    return 0;
  }

  void write(const engine::Json& all) const {
    const std::string text = engine::json_text(all, 2) + "\n";
    if (json == "-")
      engine::print("{}", text);
    else if (!json.empty())
      engine::write_file(json, text);
  }

  /// Whether expansions in this precision can have the accuracy; throws InputError if they cannot
  /// and the precision was asked for.
  bool keeps(double wanted, engine::Precision precision) const {
    if (expansions_keep(wanted, precision)) return true;
    if (!*precision_option) return false;
    throw engine::InputError(
        "--accuracy",
        fmt::format("{:g} is less than {} precision can keep", wanted, name_of(precision)),
        "use --precision mixed or double");
  }

  /// Returns the numbers given with --n. Throws InputError for one above the limit of direct sums.
  std::vector<engine::Index> numbers_of_bodies() const {
    std::vector<engine::Index> numbers;
    for (const std::string& text : sizes) {
      double n = 0;
      CLI::detail::lexical_cast(text, n);
      if (n > static_cast<double>(most_directly) && solver != "multipole")
        throw engine::InputError(
            "--n",
            fmt::format("direct sums are timed up to {} bodies, not {}", most_directly, text),
            "add --solver multipole");
      numbers.push_back(static_cast<engine::Index>(n));
    }
    return numbers;
  }

  int execute() const {
    check_options();
    if (devices) return time_sharing();
    if (!scene.scene.empty()) return time_parts();
    const sim::Plan where = plan();
    const BenchMachine machine{where, engine::cuda_info(where.device), repeats};
    BenchRequest request{.what = what,
                         .kernels = kernels,
                         .steppings = steppings,
                         .precisions = {},
                         .sizes = {},
                         .equal_masses = equal_masses,
                         .repeats = repeats};
    const bool expansions = solver == "multipole";
    if (expansions) {
      request.what = {"forces"};
      request.accuracy = accuracy.value_or(1e-3);
    }
    for (const std::string& word : precisions) {
      const engine::Precision precision = *engine::precision_named(word);
      if (!expansions || keeps(*request.accuracy, precision))
        request.precisions.push_back(precision);
    }
    request.sizes = numbers_of_bodies();
    const bool table = json != "-";
    if (table) {
      machine.print(expansions);
      print_head(expansions);
    }
    StatusLine status;
    engine::Json rows = engine::Json::array();
    bool wrong = false;
    run_bench(request, machine,
              {.start = [&](const std::string& doing) { status.show("bench: " + doing); },
               .done =
                   [&](const BenchRow& row) {
                     status.clear();
                     if (table) print(row);
                     rows.push_back(json_of(row));
                     wrong = wrong || !row.wrong.empty();
                   }});
    engine::Json all = machine.json();
    all["results"] = rows;
    write(all);
    return wrong ? 1 : 0;
  }
};

}  // namespace

void add_bench(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "bench",
      "time a scene part by part; without one, check and time forces and full steps: every "
      "kernel, precision and stepping mode");
  auto bench = std::make_shared<BenchCommand>();
  bench->add_to(*command);
  command->callback([bench, &exit_code] { exit_code = bench->execute(); });
}

}  // namespace mote::app
