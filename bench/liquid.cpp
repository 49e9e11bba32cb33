// A Lennard-Jones liquid at density 0.84, cutoff 2.5: complete steps, and their kernels.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/liquid_kernels.h"
#include "engine/exec/parallel.h"
#include "engine/machine.h"
#include "sim/molecular/pair_force.h"
#include "sim/run/simulation.h"
#include "sim/scene/read_scene.h"
#include "sim/space/neighbour_runs.h"

namespace mote::bench {
namespace {

using Clock = std::chrono::steady_clock;
using engine::Index;

double seconds(Clock::duration span) {
  return std::chrono::duration<double>(span).count();
}

struct Settings {
  engine::Backend backend = engine::Backend::cpu;
  engine::Precision precision = engine::Precision::single;
  int threads = 1;
  double skin = 0.3;
};

sim::SceneDescription liquid(int cells, const Settings& settings) {
  const double side = std::cbrt(4 / 0.84);
  const std::string length = fmt::format("{:.17g}", cells * side);
  return sim::read_scene_text(
      "liquid.json",
      fmt::format(
          R"({{"domain": {{"size": [{0}, {0}, {0}]}}, "lennard_jones": {{"cutoff": 2.5, "skin": {1}}},
        "integrator": {{"name": "leapfrog", "dt": 0.004}}, "bodies": [{{"kind": "lattice", "structure": "fcc",
        "counts": [{2}, {2}, {2}], "spacing": {3:.17g}, "mass": {4}, "dispersion": 1.2}}]}})",
          length, settings.skin, cells, side, 4 * cells * cells * cells));
}

/// The simplest loop: all candidates in the neighbouring cells, without a Verlet list, in double.
double naive_step(const sim::State<engine::Host>& state, const sim::Domain& domain,
                  double& checksum) {
  return state.visit([&]<class Const>(const sim::StateView<Const>& s) {
    using Real = std::remove_const_t<Const>;
    const auto start = Clock::now();
    sim::CellGrid<Real> grid;
    grid.build({.threads = 1}, s, domain, 2.5);
    const sim::CellLayout& cells = grid.layout();
    for (engine::Index p = 0; p < s.count; ++p) {
      double fx = 0, fy = 0, fz = 0;
      sim::for_each_neighbour_run(
          cells, grid.start(), grid.cell_at(p), [&](int begin, int end, engine::Vec3d shift) {
            for (int q = begin; q < end; ++q) {
              if (q == p) continue;
              const double dx = grid.x()[p] - (grid.x()[q] + shift.x),
                           dy = grid.y()[p] - (grid.y()[q] + shift.y),
                           dz = grid.z()[p] - (grid.z()[q] + shift.z);
              const double r2 = dx * dx + dy * dy + dz * dz;
              if (r2 >= 6.25) continue;
              const double u = 1 / r2, u3 = u * u * u, f = 24 * u * u3 * (2 * u3 - 1);
              fx += f * dx, fy += f * dy, fz += f * dz;
            }
          });
      checksum += fx * fx + fy * fy + fz * fz;
    }
    return seconds(Clock::now() - start);
  });
}

void run(int cells, const Settings& settings, bool naive) {
  const sim::SceneDescription scene = liquid(cells, settings);
  const auto simulation =
      sim::open_simulation(scene, sim::make_plan(scene, {.backend = settings.backend,
                                                         .precision = settings.precision,
                                                         .threads = settings.threads}));
  const bool gpu = settings.backend == engine::Backend::cuda;
  const auto n = static_cast<double>(simulation->count());
  simulation->advance(gpu ? 600 : 60, {});  // melts the crystal
  std::vector<double> times;
  const auto steps =
      static_cast<std::uint64_t>(std::max(10.0, std::min(2000.0, (gpu ? 3e8 : 2e6) / n)));
  for (int k = 0; k < 5; ++k) {
    const auto start = Clock::now();
    simulation->advance(steps, {});
    times.push_back(seconds(Clock::now() - start) / static_cast<double>(steps));
  }
  std::sort(times.begin(), times.end());
  const double step = times[2], neighbours = static_cast<double>(simulation->interactions()) /
                                             static_cast<double>(simulation->step()) / n;
  fmt::print(
      "{:4} {:6} threads {:2} N {:9.0f} skin {:.2f}: {:9.2f} steps/s {:.3e} atom-steps/s, {:.1f} "
      "listed neighbours, hash {:016x}\n",
      gpu ? "cuda" : "cpu", engine::name_of(settings.precision), settings.threads, n, settings.skin,
      1 / step, n / step, neighbours, simulation->hash());
#if defined(MOTE_WITH_CUDA)
  if (gpu) time_kernels(*simulation, scene);
#endif
  if (!naive) return;
  double checksum = 0, plain = 1e300;
  for (int k = 0; k < 3; ++k)
    plain = std::min(plain, naive_step(simulation->state(), sim::domain_of(scene), checksum = 0));
  // Compares with the engine's accelerations.
  double squares = 0;
  simulation->state().visit([&](const auto& s) {
    for (Index i = 0; i < s.count; ++i)
      squares += double(s.ax[i]) * double(s.ax[i]) + double(s.ay[i]) * double(s.ay[i]) +
                 double(s.az[i]) * double(s.az[i]);
  });
  fmt::print(
      "     scalar loop over cells, one thread: {:.2f} steps/s {:.3e} atom-steps/s; sum of squares "
      "differs by {:.1e}\n",
      1 / plain, n / plain, std::abs(checksum / squares - 1));
}

}  // namespace
}  // namespace mote::bench

int main(int count, char** arguments) {
  using namespace mote;
  const bool gpu = count > 1 && std::string(arguments[1]) == "cuda";
  bench::Settings settings{.backend = gpu ? engine::Backend::cuda : engine::Backend::cpu};
  if (!gpu) {
    for (const engine::Precision precision :
         {engine::Precision::single, engine::Precision::mixed, engine::Precision::double_}) {
      settings.precision = precision;
      bench::run(20, settings, precision == engine::Precision::double_);
    }
    settings.precision = engine::Precision::single;
    settings.threads = engine::available_threads();
    bench::run(20, settings, false);
    return 0;
  }
  if (count > 3) {
    settings.skin = std::atof(arguments[3]);
    bench::run(std::atoi(arguments[2]), settings, false);
    return 0;
  }
  for (const int cells : {14, 25, 40, 63, 100, 136}) bench::run(cells, settings, false);
  for (const double skin : {0.2, 0.4, 0.5}) {
    settings.skin = skin;
    bench::run(25, settings, false);
    bench::run(100, settings, false);
  }
  settings.skin = 0.3;
  for (const engine::Precision precision : {engine::Precision::mixed, engine::Precision::double_}) {
    settings.precision = precision;
    bench::run(25, settings, false);
    bench::run(100, settings, false);
  }
}
