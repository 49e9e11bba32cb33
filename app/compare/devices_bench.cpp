#include "app/compare/devices_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "app/compare/scene_bench.h"
#include "app/run/check_run.h"
#include "engine/check.h"
#include "engine/json.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::app {
namespace {

engine::Timing of_an_evaluation(engine::Timing step, const sim::SceneDescription& scene) {
  const double count = evaluations_in_step(scene);
  step.median /= count, step.fastest /= count, step.slowest /= count;
  return step;
}

std::uint64_t most_received(sim::Simulation& simulation) {
  std::uint64_t most = 0;
  for (const sim::RankWork& rank : simulation.rank_work())
    most = std::max(most, rank.bytes_received);
  return most;
}

}  // namespace

DevicesRow time_devices(const sim::SceneDescription& scene, const sim::RunOptions& options,
                        int repeats) {
  sim::RunOptions of_one = options;
  of_one.device = sim::device_of(options);
  of_one.devices.clear();
  const sim::Plan one = sim::make_plan(scene, of_one), all = sim::make_plan(scene, options);
  DevicesRow row{{}, all.precision, scene.body_count(), sim::ranks_of(all), {}, {}, 0};
  for (const sim::Evaluation& evaluation : all.evaluations)
    if (row.method.empty()) row.method = evaluation.method;
  constexpr std::uint64_t steps = 4;
  // One after the other: a GPU may not have memory for both.
  std::uint64_t hash_of_one = 0;
  {
    const auto alone = sim::open_simulation(scene, one);
    row.one = of_an_evaluation(time_steps(*alone, scene, repeats).timing, scene);
    alone->advance(steps, {});
    hash_of_one = alone->hash();
  }
  const auto simulation = sim::open_simulation(scene, all);
  row.all = of_an_evaluation(time_steps(*simulation, scene, repeats).timing, scene);
  const std::uint64_t before = most_received(*simulation);
  simulation->advance(steps, {});
  if (simulation->hash() != hash_of_one)
    throw engine::SystemError(
        "time " + scene.file.string() + " on several GPUs",
        "their bodies are not those of one GPU after " + std::to_string(steps) + " steps",
        "use one GPU, and report it with this scene");
  row.received = static_cast<double>(most_received(*simulation) - before) /
                 (static_cast<double>(steps) * evaluations_in_step(scene));
  return row;
}

void print_devices_head(int gpus) {
  engine::print("{:<24}  {:<9}  {:>11}  {:>10}  {:>10}  {:>13}  {}\n", "forces by", "precision",
                "bodies", "one GPU", fmt::format("{} GPUs", gpus), "times as fast",
                "received by each");
}

void print(const DevicesRow& row) {
  engine::print("{:<24}  {:<9}  {:>11}  {:>10}  {:>10}  {:>13.2f}  {}\n",
                row.method.empty() ? "no choice" : row.method, name_of(row.precision),
                engine::with_thousands(row.bodies), engine::short_time_text(row.one.median),
                engine::short_time_text(row.all.median), row.times_as_fast(),
                engine::bytes_text(row.received));
}

engine::Json json_of(const DevicesRow& row) {
  const auto timing = [](const engine::Timing& t) {
    return engine::Json{{"seconds", t.median}, {"fastest", t.fastest}, {"slowest", t.slowest}};
  };
  return {{"method", row.method},    {"precision", name_of(row.precision)},
          {"bodies", row.bodies},    {"gpus", row.gpus},
          {"one", timing(row.one)},  {"all", timing(row.all)},
          {"received", row.received}};
}

}  // namespace mote::app
