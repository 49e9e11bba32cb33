// Grains with tangential springs in a periodic box: complete steps.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/exec/parallel.h"
#include "engine/machine.h"
#include "sim/run/simulation.h"
#include "sim/scene/read_scene.h"

namespace mote::bench {
namespace {

using Clock = std::chrono::steady_clock;
using engine::Backend;
using engine::Index;
using engine::Precision;

double seconds(Clock::duration span) {
  return std::chrono::duration<double>(span).count();
}

struct Law {
  const char *name, *scene;
};
constexpr Law laws[] = {{"linear", R"("model": "linear", "stiffness": 1e5)"},
                        {"hertz with rolling", R"("young_modulus": 1e7, "rolling_friction": 0.1)"}};

/// Monodisperse spheres on a close packing (fcc), compressed by 0.3 % so that all 12 neighbours
/// touch, with small random velocities: the largest number of contacts of any heap.
sim::SceneDescription packing(int cells, const Law& law) {
  const double side = 0.1 * std::sqrt(2.0) * 0.997;
  return sim::read_scene_text(
      "grains.json",
      fmt::format(
          R"({{"domain": {{"size": [{0:.17g}, {0:.17g}, {0:.17g}]}}, "grains": {{"radius": 0.05, "density": 2500, {1}}},
        "integrator": {{"dt": 2e-5}}, "bodies": [{{"kind": "lattice", "structure": "fcc", "counts": [{2}, {2}, {2}],
        "spacing": {3:.17g}, "mass": {4}, "dispersion": 0.02}}]}})",
          cells * side, law.scene, cells, side, 4 * cells * cells * cells));
}

/// A granular gas of monodisperse spheres at a volume fraction of 0.5: six neighbours, short-lived
/// contacts.
sim::SceneDescription gas(int cells, const Law& law) {
  const double side = 0.05 * std::cbrt(4 * 4.18879 / 0.5);
  return sim::read_scene_text(
      "grains.json",
      fmt::format(
          R"({{"domain": {{"size": [{0:.17g}, {0:.17g}, {0:.17g}]}}, "grains": {{"radius": 0.05, "density": 2500,
        "restitution": 0.95, {1}}}, "integrator": {{"dt": 2e-5}}, "bodies": [{{"kind": "lattice", "structure": "fcc",
        "counts": [{2}, {2}, {2}], "spacing": {3:.17g}, "mass": {4}, "dispersion": 0.5}}]}})",
          cells * side, law.scene, cells, side, 4 * cells * cells * cells));
}

struct Case {
  const char* name;
  sim::SceneDescription (*scene)(int, const Law&);
  std::uint64_t warm_up;  ///< steps before the measurement
};

/// Largest difference of positions between GPU and CPU after 50 steps, in radii.
double difference_from_cpu(const Case& one, const Law& law, Precision precision) {
  const sim::SceneDescription scene = one.scene(8, law);
  std::vector<double> positions[2];
  for (const Backend backend : {Backend::cpu, Backend::cuda}) {
    const auto sim = sim::open_simulation(
        scene, sim::make_plan(scene, {.backend = backend, .precision = precision}));
    sim->advance(50, {});
    sim->state().visit([&](const auto& s) {
      std::vector<double>& to = positions[backend == Backend::cuda];
      for (const auto* column : {s.x, s.y, s.z}) to.insert(to.end(), column, column + s.count);
    });
  }
  double largest = 0;
  for (std::size_t i = 0; i < positions[0].size(); ++i)
    largest = std::max(largest, std::fabs(positions[0][i] - positions[1][i]));
  return largest / 0.05;
}

void run(const Case& one, const Law& law, int cells, Backend backend, Precision precision,
         int threads) {
  const bool gpu = backend == Backend::cuda;
  const sim::SceneDescription scene = one.scene(cells, law);
  const auto simulation = sim::open_simulation(
      scene,
      sim::make_plan(scene, {.backend = backend, .precision = precision, .threads = threads}));
  const auto n = static_cast<double>(simulation->count());
  simulation->advance(gpu ? one.warm_up : one.warm_up / 10, {});
  std::vector<double> times;
  const auto steps = static_cast<std::uint64_t>(std::clamp((gpu ? 5e8 : 2e6) / n, 5.0, 2000.0));
  for (int k = 0; k < 5; ++k) {
    const auto start = Clock::now();
    simulation->advance(steps, {});
    times.push_back(seconds(Clock::now() - start) / static_cast<double>(steps));
  }
  std::sort(times.begin(), times.end());
  // Contacts are counted by the size of their serialized state, which takes gigabytes for larger N.
  const bool counted = n <= 2e6;
  const double bytes = counted ? static_cast<double>(simulation->force_state().size()) : 0;
  const double contacts = bytes / (precision == Precision::single ? 40 : 68) / n;
  fmt::print(
      "{:4} {:6} threads {:2} {} {}, N {:9.0f}: {:9.2f} steps/s {:.3e} sphere-steps/s, {} "
      "contacts, hash {:016x}\n",
      gpu ? "cuda" : "cpu", engine::name_of(precision), threads, one.name, law.name, n,
      1 / times[2], n / times[2], counted ? fmt::format("{:.1f}", contacts) : "uncounted",
      simulation->hash());
}

}  // namespace
}  // namespace mote::bench

/// usage: mote_grains [cuda [CELLS]]; 4 CELLS^3 grains.
int main(int count, char** arguments) {
  using namespace mote;
  using bench::Case;
  const bool gpu = count > 1 && std::string(arguments[1]) == "cuda";
  const Case packing{"packing", bench::packing, 100}, gas{"gas", bench::gas, 1000};
  if (!gpu) {
    for (const Case& one : {packing, gas})
      for (const bench::Law& law : bench::laws) {
        bench::run(one, law, 20, bench::Backend::cpu, bench::Precision::single, 1);
        bench::run(one, law, 20, bench::Backend::cpu, bench::Precision::double_, 1);
        bench::run(one, law, 20, bench::Backend::cpu, bench::Precision::single,
                   engine::available_threads());
      }
    return 0;
  }
  for (const Case& one : {packing, gas})
    for (const bench::Law& law : bench::laws) {
      for (const bench::Precision precision :
           {bench::Precision::single, bench::Precision::double_}) {
        const double difference = bench::difference_from_cpu(one, law, precision);
        fmt::print("{} {} {}: GPU and CPU differ by {:.1e} radii after 50 steps\n", one.name,
                   law.name, engine::name_of(precision), difference);
        if (!(difference < (precision == bench::Precision::double_ ? 1e-9 : 1e-2))) return 1;
      }
      if (count > 2) {
        bench::run(one, law, std::atoi(arguments[2]), bench::Backend::cuda,
                   bench::Precision::single, 1);
        continue;
      }
      for (const int cells : {14, 29, 63, 136}) {
        bench::run(one, law, cells, bench::Backend::cuda, bench::Precision::single, 1);
        if (cells <= 63)
          bench::run(one, law, cells, bench::Backend::cuda, bench::Precision::double_, 1);
      }
    }
}
