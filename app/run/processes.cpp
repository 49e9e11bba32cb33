#include "app/run/processes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "engine/check.h"
#include "engine/exec/mpi_ranks.h"
#include "engine/json.h"
#include "engine/machine.h"
#include "engine/terminal.h"
#include "sim/run/followers.h"
#include "sim/scene/read_scene.h"

namespace mote::app {
namespace {

using engine::Json;
using engine::MpiRanks;

/// While this process is one of several.
std::unique_ptr<MpiRanks>& joined() {
  static std::unique_ptr<MpiRanks> ranks;
  return ranks;
}

/// The GPU of this rank: those of a machine share its GPUs in order.
std::optional<int> own_device(const sim::RunOptions& options) {
  if (options.backend == engine::Backend::cpu) return {};
  const auto count = static_cast<int>(engine::cuda_info().devices.size());
  return count > 0 ? std::optional(joined()->local() % count) : std::nullopt;
}

template <class T, class Name>
void put(Json& json, const char* key, const std::optional<T>& value, const Name& name) {
  if (value) json[key] = name(*value);
}

Json json_of(const sim::RunOptions& options) {
  Json json{{"backend", engine::name_of(options.backend)},
            {"stepping", sim::name_of(options.stepping)},
            {"copies", options.copies},
            {"saved_states", options.saved_states}};
  put(json, "precision", options.precision, [](auto p) { return engine::name_of(p); });
  put(json, "simd", options.simd, [](auto level) { return name_of(level); });
  put(json, "threads", options.threads, [](int threads) { return threads; });
  return json;
}
sim::RunOptions options_of(const Json& json) {
  sim::RunOptions options;
  options.backend = *engine::backend_named(json.at("backend").get<std::string>());
  options.stepping = *sim::stepping_named(json.at("stepping").get<std::string>());
  options.copies = json.at("copies");
  options.saved_states = json.at("saved_states");
  if (json.contains("precision"))
    options.precision = engine::precision_named(json["precision"].get<std::string>());
  if (json.contains("simd"))
    options.simd = engine::simd_level_named(json["simd"].get<std::string>());
  if (json.contains("threads")) options.threads = json["threads"].get<int>();
  return options;
}

/// Opens what rank 0 opens, and repeats its calls.
void work_for(MpiRanks& ranks) {
  // Rank 0 says when the work ends: it writes a checkpoint first.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU})
    std::signal(signal, SIG_IGN);
  const std::string text = sim::receive_text(ranks);
  if (text.empty()) return;
  const Json opening = engine::parse_json(text);
  sim::RunOptions options = options_of(opening.at("options"));
  options.ranks = &ranks;
  std::optional<sim::Checkpoint> checkpoint;
  if (opening.contains("checkpoint"))
    checkpoint = sim::read_checkpoint(opening["checkpoint"].get<std::string>());
  const sim::SceneDescription scene =
      checkpoint ? sim::scene_of(*checkpoint)
                 : sim::read_scene_text(opening.at("scene").get<std::string>(),
                                        opening.at("text").get<std::string>());
  options.device = own_device(options);
  const sim::Plan plan = sim::make_plan(scene, options);
  sim::repeat_calls(ranks, checkpoint ? sim::open_checkpoint(*checkpoint, scene, plan)
                                      : sim::open_simulation(scene, plan));
}

/// What an exception says, for errors of one rank alone.
std::string text_of(const std::exception_ptr& problem) {
  try {
    std::rethrow_exception(problem);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an unknown error";
  }
}

}  // namespace

int run_on_processes(const std::function<int(engine::Ranks*)>& run) {
  if (MpiRanks::launched() < 2) return run(nullptr);
  joined() = MpiRanks::join();
  MpiRanks& ranks = *joined();
  if (ranks.rank() > 0) {
    try {
      work_for(ranks);
    } catch (...) {
      const std::string problem = text_of(std::current_exception());
      // Most errors are those of all ranks: rank 0 reports them, and ends this one.
      std::this_thread::sleep_for(std::chrono::seconds(3));
      char machine[256] = "";
      ::gethostname(machine, sizeof machine - 1);
      engine::print(stderr, "mote: rank {} on {}: {}\n", ranks.rank(), machine, problem);
      std::fflush(stderr);
      ranks.abort(1);
    }
    ranks.leave();
    joined() = nullptr;
    return 0;
  }
  const int code = run(&ranks);
  sim::end_calls(ranks);
  ranks.leave();
  joined() = nullptr;
  return code;
}

void end_processes(int code) {
  if (!joined()) return;
  std::fflush(stdout);
  std::fflush(stderr);
  joined()->abort(code);
}

sim::Plan plan_on_all(const sim::SceneDescription& scene, const sim::RunOptions& given,
                      const sim::Checkpoint* from) {
  sim::RunOptions options = given;
  if (options.ranks) {
    if (!options.devices.empty())
      throw engine::InputError("--devices", "is for one process, and mpirun has started several",
                               "leave it out: each has a GPU of its machine");
    Json opening{{"options", json_of(options)}};
    if (from) {
      opening["checkpoint"] = std::filesystem::absolute(from->file).string();
    } else {
      opening["scene"] = std::filesystem::absolute(scene.file).string() + ".json";
      opening["text"] = engine::json_text(scene.expanded);
    }
    sim::send_text(*options.ranks, engine::json_text(opening));
    options.device = own_device(options);
  }
  return sim::make_plan(scene, options);
}

std::unique_ptr<sim::Simulation> open_on_all(const sim::SceneDescription& scene,
                                             const sim::Plan& plan, const sim::Checkpoint* from) {
  std::unique_ptr<sim::Simulation> simulation =
      from ? sim::open_checkpoint(*from, scene, plan) : sim::open_simulation(scene, plan);
  if (plan.ranks) simulation->lead(std::make_unique<sim::LedProcesses>(*plan.ranks));
  return simulation;
}

}  // namespace mote::app
