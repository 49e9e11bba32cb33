#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "app/commands/commands.h"
#include "app/compare/bench_tasks.h"
#include "app/compare/samples.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/json.h"

namespace mote::app {
namespace {

namespace fs = std::filesystem;

const CLI::Validator body_count = CLI::Validator(
    [](std::string& text) {
      double n = 0;
      const bool good =
          CLI::detail::lexical_cast(text, n) && n >= 1 && n <= 4194304 && n == std::floor(n);
      return good ? std::string() : "must be a whole number from 1 to 4194304, not " + text;
    },
    "N");

struct BenchCommand {
  std::string backend = "auto", json;
  std::optional<int> device;
  std::vector<std::string> sizes;
  std::vector<std::string> precisions{"single", "mixed", "double"};
  std::vector<std::string> kernels{"auto", "tiled", "split", "symmetric", "wide", "gather"};
  std::vector<std::string> what{"forces", "potential", "steps"};
  std::vector<std::string> steppings{"launch", "graph", "cooperative", "cluster"};
  bool equal_masses = false;
  int repeats = 20;
  CLI::Option* kernels_option = nullptr;
  CLI::Option* stepping_option = nullptr;

  /// An option that takes a comma-separated subset of `words`; all of them by default.
  static CLI::Option* add_list(CLI::App& command, const std::string& name,
                               std::vector<std::string>& words, const std::string& help) {
    return command.add_option(name, words, help)->delimiter(',')->check(CLI::IsMember(words));
  }

  void add_to(CLI::App& command) {
    command.add_option("--backend", backend, "where forces are computed")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    command
        .add_option("--device", device,
                    "index of the GPU among those in CUDA_VISIBLE_DEVICES, from 0")
        ->check(CLI::Range(0, 1023));
    command.add_option("--n", sizes, "numbers of bodies; default: some that suit the backend")
        ->delimiter(',')
        ->check(body_count);
    add_list(command, "--precision", precisions, "precisions; default: all");
    kernels_option = add_list(command, "--kernels", kernels, "GPU kernels; default: all");
    add_list(command, "--what", what, "what to time; default: all");
    stepping_option =
        add_list(command, "--stepping", steppings, "GPU stepping modes; default: all");
    command.add_flag("--equal-masses", equal_masses,
                     "give all bodies the same mass, which some kernels factor out of the pairs");
    command.add_option("--repeats", repeats, "number of timings to take the median of")
        ->check(CLI::Range(1, 1000))
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

  int execute() const {
    check_options();
    const sim::Plan where = plan();
    const BenchMachine machine{where, engine::cuda_info(where.device), repeats};
    BenchRequest request{.what = what,
                         .kernels = kernels,
                         .steppings = steppings,
                         .precisions = {},
                         .sizes = {},
                         .equal_masses = equal_masses,
                         .repeats = repeats};
    for (const std::string& word : precisions)
      request.precisions.push_back(*engine::precision_named(word));
    for (const std::string& text : sizes) {
      double n = 0;
      CLI::detail::lexical_cast(text, n);
      request.sizes.push_back(static_cast<engine::Index>(n));
    }
    const bool table = json != "-";
    if (table) {
      machine.print();
      print_head();
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
    const std::string text = engine::json_text(all, 2) + "\n";
    if (!table)
      fmt::print("{}", text);
    else if (!json.empty())
      engine::write_file(json, text);
    return wrong ? 1 : 0;
  }
};

}  // namespace

void add_bench(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "bench", "check and time forces and full steps: every kernel, precision and stepping mode");
  auto bench = std::make_shared<BenchCommand>();
  bench->add_to(*command);
  command->callback([bench, &exit_code] { exit_code = bench->execute(); });
}

}  // namespace mote::app
