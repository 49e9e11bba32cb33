// Many small systems on a GPU: one after another, each in the fastest way for a system alone, and
// all in one kernel.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "engine/machine.h"
#include "engine/types.h"
#include "sim/run/lockstep.h"
#include "sim/run/simulation.h"

namespace mote::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t warm_steps = 64;

double seconds(Clock::duration span) {
  return std::chrono::duration<double>(span).count();
}

/// Systems differ in their seeds.
std::unique_ptr<sim::Simulation> opened(engine::Index bodies, int number,
                                        engine::Precision precision, sim::Lockstep* lockstep) {
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

struct Stepped {
  double seconds = 0, opening = 0;
  std::vector<std::uint64_t> hashes;
};

Stepped alone(engine::Index bodies, int systems, engine::Precision precision, std::uint64_t steps) {
  Stepped stepped;
  for (int k = 0; k < systems; ++k) {
    const auto simulation = opened(bodies, k, precision, nullptr);
    simulation->advance(warm_steps, {});
    const auto start = Clock::now();
    simulation->advance(steps, {});
    stepped.seconds += seconds(Clock::now() - start);
    stepped.hashes.push_back(simulation->hash());
  }
  return stepped;
}

Stepped together(engine::Index bodies, int systems, engine::Precision precision,
                 std::uint64_t steps) {
  Stepped stepped;
  stepped.hashes.resize(static_cast<std::size_t>(systems));
  Clock::time_point start = Clock::time_point::max(), end{};
  sim::Lockstep lockstep;
  std::vector<std::function<void()>> jobs;
  for (int k = 0; k < systems; ++k)
    jobs.push_back([&, k] {
      const auto begin = Clock::now();
      const auto simulation = opened(bodies, k, precision, &lockstep);
      stepped.opening += seconds(Clock::now() - begin);
      simulation->advance(warm_steps, {});
      start = std::min(start, Clock::now());
      simulation->advance(steps, {});
      end = std::max(end, Clock::now());
      sim::Lockstep::Part all_have_stepped;
      lockstep.meet(all_have_stepped, [](auto) {});
      stepped.hashes[static_cast<std::size_t>(k)] = simulation->hash();
    });
  lockstep.run(jobs);
  stepped.seconds = seconds(end - start);
  return stepped;
}

/// One row of the table; false where bits differ.
bool measure(engine::Index bodies, int systems, engine::Precision precision) {
  const auto n = static_cast<double>(bodies);
  const auto steps = static_cast<std::uint64_t>(std::max(500.0, std::min(10000.0, 2e9 / (n * n))));
  const int some = std::min(systems, 8);
  const Stepped one = alone(bodies, some, precision, steps);
  const Stepped all = together(bodies, systems, precision, steps);
  for (std::size_t k = 0; k < one.hashes.size(); ++k)
    if (one.hashes[k] != all.hashes[k]) {
      std::printf("%6lld %6d %-7s WRONG: system %zu has other bits than alone\n",
                  static_cast<long long>(bodies), systems, std::string(name_of(precision)).c_str(),
                  k);
      return false;
    }
  const auto s = static_cast<double>(steps);
  const double step_alone = one.seconds / some / s, step_of_all = all.seconds / s;
  std::printf(
      "%6lld %6d %-7s %8.2f us %10.2f us %8.1f times %10.3e interactions/s, %.2f ms to open\n",
      static_cast<long long>(bodies), systems, std::string(name_of(precision)).c_str(),
      1e6 * step_alone, 1e6 * step_of_all, systems * step_alone / step_of_all,
      systems * n * n / step_of_all, 1e3 * all.opening / systems);
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
  std::printf("bodies systems        a step alone  a step of all\n");
  int wrong = 0;
  for (const engine::Precision precision :
       {engine::Precision::single, engine::Precision::mixed, engine::Precision::full})
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
