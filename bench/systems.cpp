// Many small systems on a GPU: one after another, each with the fastest kernel for a single system,
// and all in one batched kernel.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "engine/exec/lockstep.h"
#include "engine/machine.h"
#include "engine/types.h"
#include "sim/run/simulation.h"
#include "sim/scene/read_scene.h"

namespace mote::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t warm_steps = 64;

double seconds(Clock::duration span) {
  return std::chrono::duration<double>(span).count();
}

/// Systems differ in their seeds.
std::unique_ptr<sim::Simulation> opened(engine::Index bodies, int number,
                                        engine::Precision precision, engine::Lockstep* lockstep) {
  const sim::SceneDescription scene = sim::read_scene_text(
      "system.json",
      "{\"gravity\": {\"softening\": 0.05}, \"integrator\": {\"name\": \"leapfrog\", \"dt\": "
      "0.001}, "
      "\"series\": {\"steps\": 1000000}, \"seed\": " +
          std::to_string(number) +
          ", \"bodies\": [{\"kind\": \"plummer\", \"n\": " + std::to_string(bodies) + "}]}");
  return sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cuda,
                                                            .precision = precision,
                                                            .threads = 1,
                                                            .lockstep = lockstep}));
}

struct Result {
  double seconds = 0, opening = 0;
  std::vector<std::uint64_t> hashes;
};

Result run_separately(engine::Index bodies, int systems, engine::Precision precision,
                      std::uint64_t steps) {
  Result result;
  for (int k = 0; k < systems; ++k) {
    const auto simulation = opened(bodies, k, precision, nullptr);
    simulation->advance(warm_steps, {});
    const auto start = Clock::now();
    simulation->advance(steps, {});
    result.seconds += seconds(Clock::now() - start);
    result.hashes.push_back(simulation->hash());
  }
  return result;
}

Result run_batched(engine::Index bodies, int systems, engine::Precision precision,
                   std::uint64_t steps) {
  Result result;
  result.hashes.resize(static_cast<std::size_t>(systems));
  Clock::time_point start = Clock::time_point::max(), end{};
  engine::Lockstep lockstep;
  std::vector<std::function<void()>> jobs;
  for (int k = 0; k < systems; ++k)
    jobs.push_back([&, k] {
      const auto begin = Clock::now();
      const auto simulation = opened(bodies, k, precision, &lockstep);
      result.opening += seconds(Clock::now() - begin);
      simulation->advance(warm_steps, {});
      start = std::min(start, Clock::now());
      simulation->advance(steps, {});
      end = std::max(end, Clock::now());
      engine::Lockstep::Part all_have_stepped;
      lockstep.rendezvous(all_have_stepped, [](auto) {});
      result.hashes[static_cast<std::size_t>(k)] = simulation->hash();
    });
  lockstep.run(jobs);
  result.seconds = seconds(end - start);
  return result;
}

/// Prints one row of the table; false if hashes differ.
bool measure(engine::Index bodies, int systems, engine::Precision precision) {
  const auto n = static_cast<double>(bodies);
  const auto steps = static_cast<std::uint64_t>(std::max(500.0, std::min(10000.0, 2e9 / (n * n))));
  const int some = std::min(systems, 8);
  const Result one = run_separately(bodies, some, precision, steps);
  const Result all = run_batched(bodies, systems, precision, steps);
  for (std::size_t k = 0; k < one.hashes.size(); ++k)
    if (one.hashes[k] != all.hashes[k]) {
      std::printf("%6lld %6d %-7s WRONG: system %zu differs from its separate run\n",
                  static_cast<long long>(bodies), systems, std::string(name_of(precision)).c_str(),
                  k);
      return false;
    }
  const auto s = static_cast<double>(steps);
  const double step_single = one.seconds / some / s, step_batched = all.seconds / s;
  std::printf(
      "%6lld %6d %-7s %8.2f us %10.2f us %8.1f times %10.3e interactions/s, %.2f ms to open\n",
      static_cast<long long>(bodies), systems, std::string(name_of(precision)).c_str(),
      1e6 * step_single, 1e6 * step_batched, systems * step_single / step_batched,
      systems * n * n / step_batched, 1e3 * all.opening / systems);
  std::fflush(stdout);
  return true;
}

int measure_all(const std::vector<int>& systems) {
  const engine::CudaInfo cuda = engine::cuda_info(0);
  if (!cuda.problem.empty()) {
    std::fprintf(stderr, "mote_systems: %s\n", cuda.problem.c_str());
    return 1;
  }
  std::printf("%s, commit %s, leapfrog, softened; the hashes of the first 8 are compared\n",
              cuda.devices.front().name.c_str(), engine::build_info().commit.c_str());
  std::printf("bodies systems         single step   batched step\n");
  int wrong = 0;
  for (const engine::Precision precision :
       {engine::Precision::single, engine::Precision::mixed, engine::Precision::double_})
    for (const int bodies : {3, 64, 256, 1024})
      for (const int count : systems) wrong += measure(bodies, count, precision) ? 0 : 1;
  return wrong > 0 ? 1 : 0;
}

}  // namespace
}  // namespace mote::bench

int main(int count, char** arguments) {
  std::vector<int> systems;
  for (int k = 1; k < count; ++k) systems.push_back(std::atoi(arguments[k]));
  if (systems.empty()) systems = {16, 128, 1024};
  for (const int s : systems)
    if (s < 1 || s > 16384) {
      std::fprintf(stderr,
                   "usage: mote_systems [SYSTEMS...], from 1 to 16384; 16 128 1024 by default\n");
      return 2;
    }
  try {
    return mote::bench::measure_all(systems);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "mote_systems: %s\n", e.what());
    return 1;
  }
}
