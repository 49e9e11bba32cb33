#include "app/run/processes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/run/interrupt.h"
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

/// The ranks, while this process is one of several; else null.
std::unique_ptr<MpiRanks>& joined() {
  static std::unique_ptr<MpiRanks> ranks;
  return ranks;
}

Json json_of(const sim::RunOptions& options) {
  Json json{{"backend", engine::name_of(options.backend)},
            {"precision", engine::name_of(*options.precision)},
            {"simd", name_of(*options.simd)},
            {"stepping", sim::name_of(options.stepping)},
            {"copies", options.copies},
            {"saved_states", options.saved_states}};
  if (options.threads) json["threads"] = *options.threads;
  return json;
}
sim::RunOptions options_of(const Json& json) {
  const auto word = [&](const char* key) { return json.at(key).get<std::string>(); };
  sim::RunOptions options;
  options.backend = *engine::backend_named(word("backend"));
  options.precision = engine::precision_named(word("precision"));
  options.simd = engine::simd_level_named(word("simd"));
  options.stepping = *sim::stepping_named(word("stepping"));
  options.copies = json.at("copies");
  options.saved_states = json.at("saved_states");
  if (json.contains("threads")) options.threads = json["threads"].get<int>();
  return options;
}

/// Gives this rank its GPU: those of a machine take its GPUs in order. Throws InputError on all
/// ranks if one has none, or of another kind. Collective.
void take_gpu(MpiRanks& ranks, sim::RunOptions& options) {
  if (options.backend != engine::Backend::cuda) return;
  struct Kind {
    char text[16];
  };
  Kind own{};
  const engine::CudaInfo cuda = engine::cuda_info();
  if (const auto count = static_cast<int>(cuda.devices.size()); count > 0) {
    options.device = ranks.local() % count;
    cuda.devices[static_cast<std::size_t>(*options.device)].compute_capability.copy(
        own.text, sizeof own.text - 1);
  }
  const std::vector<Kind> all = engine::gather_one<Kind>(&ranks, own);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string rank = "rank " + std::to_string(k), kind = all[k].text;
    if (kind.empty())
      throw engine::InputError("--backend cuda", rank + " finds no GPU on its machine",
                               "`mote doctor` there says why; or use --backend cpu");
    if (kind != all[0].text)
      throw engine::InputError("--backend cuda",
                               "GPUs of different kinds would give different bits: compute " +
                                   std::string(all[0].text) + " and, of " + rank + ", " + kind,
                               "use machines of one kind");
  }
}

/// The version of the program: all ranks must be of one.
std::string version_text() {
  return engine::build_info().version + " " + engine::build_info().commit;
}

/// Opens what rank 0 opens, and repeats its calls.
void work_for(MpiRanks& ranks) {
  ignore_requests_to_stop();  // rank 0 ends the work, after a checkpoint
  const std::string text = sim::receive_text(ranks);
  if (text.empty()) return;
  const Json opening = engine::parse_json(text);
  const std::string scene_text = sim::receive_text(ranks);
  if (const std::string version = opening.at("version"); version != version_text())
    throw engine::SystemError("share the bodies between processes",
                              "this one is mote " + version_text() + ", rank 0 " + version,
                              "start the same program on all machines");
  sim::RunOptions options = options_of(opening.at("options"));
  options.ranks = &ranks;
  take_gpu(ranks, options);
  const std::string file = opening.at("file");
  std::optional<sim::Checkpoint> checkpoint;
  if (scene_text.empty()) {
    checkpoint = sim::read_checkpoint(file);
    checkpoint->hook_data = nullptr;  // hooks run on rank 0 alone
  }
  const sim::SceneDescription scene =
      checkpoint ? sim::scene_of(*checkpoint) : sim::read_scene_text(file, scene_text);
  const sim::Plan plan = sim::make_plan(scene, options);
  sim::repeat_calls(ranks, checkpoint ? sim::open_checkpoint(*checkpoint, scene, plan)
                                      : sim::open_simulation(scene, plan));
}

/// The text of an exception.
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
      // Most errors are those of all ranks: rank 0 reports them, and ends this one meanwhile.
      std::this_thread::sleep_for(std::chrono::seconds(6));
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
  if (!given.ranks) return sim::make_plan(scene, given);
  for (const auto& [option, used] :
       {std::pair{"--device", given.device.has_value()}, {"--devices", !given.devices.empty()}})
    if (used)
      throw engine::InputError(option, "is for one process, and the launcher has started several",
                               "leave it out: each takes a GPU of its machine");
  // What is left to a plan is decided once, as one process would.
  sim::RunOptions options = given;
  options.ranks = nullptr;
  const sim::Plan alone = sim::make_plan(scene, options);
  options.ranks = given.ranks;
  options.backend = alone.backend;
  options.precision = alone.precision;
  options.simd = alone.cpu.simd;
  const std::filesystem::path file = std::filesystem::absolute(from ? from->file : scene.file);
  sim::send_text(*options.ranks,
                 engine::json_text(Json{{"version", version_text()},
                                        {"options", json_of(options)},
                                        {"file", file.string() + (from ? "" : ".json")}}));
  sim::send_text(*options.ranks, from ? std::string() : engine::json_text(scene.expanded));
  take_gpu(*joined(), options);
  sim::Plan plan = sim::make_plan(scene, options);
  // Choices of one process, but for how steps are launched, which several do otherwise.
  const auto of_stepping = [](const std::string& reason) {
    return reason.starts_with("stepping ");
  };
  std::vector<std::string> reasons = alone.reasons;
  std::erase_if(reasons, of_stepping);
  std::copy_if(plan.reasons.begin(), plan.reasons.end(), std::back_inserter(reasons), of_stepping);
  plan.reasons = reasons;
  return plan;
}

std::unique_ptr<sim::Simulation> open_on_all(const sim::SceneDescription& scene,
                                             const sim::Plan& plan, const sim::Checkpoint* from) {
  std::unique_ptr<sim::Simulation> simulation =
      from ? sim::open_checkpoint(*from, scene, plan) : sim::open_simulation(scene, plan);
  if (plan.ranks) simulation->lead(std::make_unique<sim::LedProcesses>(*plan.ranks));
  return simulation;
}

}  // namespace mote::app
