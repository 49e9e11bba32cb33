#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/option_checks.h"
#include "app/commands/option_tables.h"
#include "app/commands/run_command.h"
#include "app/run/block_steps_text.h"
#include "app/run/check_run.h"
#include "app/run/headless.h"
#include "app/run/run_report.h"
#include "app/scenes.h"
#include "engine/json.h"
#include "engine/machine.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/run/initial_state.h"
#include "sim/scene/read_scene.h"

namespace mote::app {
namespace {

struct CheckCommand {
  SceneOptions scene;
  ComputeOptions compute;
  HeadlessRequest request;
  std::optional<int> processes;
  bool json = false;
};

/// The expanded scene, including a description of its hooks.
engine::Json expanded_json(const sim::SceneDescription& scene) {
  engine::Json json = scene.expanded;
  if (!scene.hooks.empty()) json["hooks"] = sim::hooks_json(scene.hooks);
  return json;
}

engine::Json problems_json(const std::vector<engine::Diagnostic>& problems) {
  engine::Json list = engine::Json::array();
  for (const engine::Diagnostic& d : problems) {
    engine::Json one{
        {"place", d.place}, {"key", d.key}, {"problem", d.problem}, {"remedy", d.remedy}};
    // Editors mark the line: locations in scenes are FILE:LINE.
    const std::size_t colon = d.place.rfind(':');
    const std::string line = colon == std::string::npos ? "" : d.place.substr(colon + 1);
    if (!line.empty() && line.find_first_not_of("0123456789") == std::string::npos &&
        line.size() < 10) {
      one["file"] = d.place.substr(0, colon);
      one["line"] = std::stoi(line);
    }
    if (d.column > 0) {
      one["excerpt"] = d.excerpt;
      one["column"] = d.column;  // within the text value of the key
    }
    list.push_back(one);
  }
  return engine::Json{{"problems", list}};
}

/// A duration to two significant digits.
std::string estimate_text(double seconds) {
  if (seconds < 0.1) return "less than 0.1 s";
  const double digits = std::pow(10, std::floor(std::log10(seconds)) - 1);
  const double rounded = std::round(seconds / digits) * digits;
  if (rounded < 60) return fmt::format("about {:.2g} s", rounded);
  if (rounded < 2 * 86400) return "about " + engine::duration_text(rounded);
  return fmt::format("about {:.2g} days", rounded / 86400);
}

/// "4 processes: each holds 1.2 MiB, and receives 0.3 MiB for each evaluation of forces".
std::string ranks_text(const CheckedRanks& ranks) {
  const auto bytes = [](auto number) { return engine::bytes_text(static_cast<double>(number)); };
  const sim::RankNeeds& needs = ranks.needs;
  std::string text =
      fmt::format("{} {}: each holds ", ranks.count, ranks.gpus ? "GPUs" : "processes");
  if (ranks.gpus)
    text += bytes(needs.device_memory) + ", their process " + bytes(needs.memory) +
            ", and each receives ";
  else if (needs.device_memory > 0)
    text += bytes(needs.device_memory) + " on the GPU, " + bytes(needs.memory) +
            " beside it, and receives ";
  else
    text += bytes(needs.memory) + ", and receives ";
  if (ranks.received_a_step)
    return text + bytes(*ranks.received_a_step) + " in a step, with measurements";
  return text + bytes(needs.received) + " for each evaluation of forces" +
         (needs.also.empty() ? "" : ", and " + needs.also);
}

void print(const sim::SceneDescription& scene, const CheckedRun& checked) {
  engine::print("{}: good, {}, {}\n", scene.file.string(),
                engine::counted(scene.body_count(), "body"),
                scene.head.title.empty() ? "untitled" : scene.head.title);
  const std::string time = checked.seconds
                               ? estimate_text(*checked.seconds)
                               : "more than " + engine::duration_text(checked.least_seconds);
  engine::print("  {} step{} on {}, {}; about {} on the disk: {}\n",
                engine::with_thousands(static_cast<long long>(checked.steps)),
                checked.steps == 1 ? "" : "s", checked.device, time,
                engine::bytes_text(checked.bytes), checked.files_text);
  if (checked.ranks) engine::print("  {}\n", ranks_text(*checked.ranks));
  if (checked.block_steps)
    engine::print("  steps of bodies: {}\n", block_steps_text(*checked.block_steps, scene.units));
  if (checked.force_errors)
    engine::print("  force errors: {}\n", force_errors_text(*checked.force_errors));
  for (const std::string& part : checked.unchecked) engine::print("  not checked: {}\n", part);
}

void print_warning(const std::string& text) {
  engine::print(stderr, "{}\n", engine::styled(engine::Style::warning, "warning: " + text, stderr));
}

/// Warns if the run needs more disk space than there is.
void warn_of_disk_space(const CheckedRun& checked) {
  std::error_code error;
  const auto space = std::filesystem::space(".", error);
  if (!error && static_cast<double>(space.available) < checked.bytes)
    print_warning(fmt::format("the run writes about {}, but only {} are free on this disk",
                              engine::bytes_text(checked.bytes),
                              engine::bytes_text(static_cast<double>(space.available))));
}

/// Warns if this machine cannot hold all processes.
void warn_of_memory(const CheckedRun& checked) {
  if (!checked.ranks || checked.ranks->gpus) return;
  const std::uint64_t free = engine::memory_free(), each = checked.ranks->needs.memory;
  if (free == 0 || each == 0 || static_cast<std::uint64_t>(checked.ranks->count) <= free / each)
    return;
  print_warning(fmt::format(
      "with the memory that is free here, {}, a machine holds {} of the {} "
      "processes",
      engine::bytes_text(static_cast<double>(free)), free / each, checked.ranks->count));
}

/// The exit code.
int check(const CheckCommand& wanted) {
  const auto start = std::chrono::steady_clock::now();
  HeadlessRequest request = wanted.request;
  request.scene = find_scene(wanted.scene.scene);
  request.settings = wanted.scene.settings();
  request.trust = wanted.scene.trust;
  request.options = wanted.compute.options();
  const auto scene = std::make_shared<const sim::SceneDescription>(
      sim::read_scene(request.scene, request.settings, request.trust));
  const CheckedRun checked = check_run(request, scene, start, wanted.processes.value_or(0));
  int code = 0;
  if (checked.failure) {
    code = static_cast<int>(Outcome::unhealthy);
    if (wanted.json)
      engine::print("{}\n", engine::json_text(problems_json({*checked.failure}), 2));
    else
      engine::print(stderr, "{}\n",
                    engine::styled(engine::Style::error, checked.failure->text(), stderr));
  } else if (wanted.json) {
    engine::print("{}\n", engine::json_text(expanded_json(*scene), 2));
  } else {
    print(*scene, checked);
    warn_of_disk_space(checked);
    warn_of_memory(checked);
  }
  for (const std::string& warning : checked.warnings) print_warning(warning);
  std::fflush(nullptr);
  if (checked.unfinished) std::_Exit(code);
  return code;
}

}  // namespace

void add_check(CLI::App& program, int& exit_code) {
  CLI::App* command =
      program.add_subcommand("check",
                             "check a scene: report all errors at once, try the first steps and "
                             "the hooks, and estimate time and disk space; writes nothing");
  auto wanted = std::make_shared<CheckCommand>();
  wanted->scene.add_to(*command, true);
  wanted->compute.add_to(*command);
  start_group(*command, "Computing");
  command
      ->add_option("--ranks", wanted->processes,
                   "processes that would share the bodies, as `mpirun -n N` starts them: what each "
                   "holds and receives, without MPI")
      ->type_name("N")
      ->transform(whole_from(1, 1 << 20))
      ->excludes("--device")
      ->excludes("--devices");
  start_group(*command);
  add_end(*command, wanted->request);
  command->add_flag("--json", wanted->json, "print the expanded scene, or its problems, as JSON");
  command->callback([wanted, &exit_code] {
    try {
      exit_code = check(*wanted);
    } catch (const engine::InputError& e) {
      if (!wanted->json) throw;
      engine::print("{}\n", engine::json_text(problems_json(e.diagnostics()), 2));
      exit_code = 2;
    }
  });
}

}  // namespace mote::app
