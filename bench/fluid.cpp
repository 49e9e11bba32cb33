// A periodic cube of fluid in three dimensions, h = 1.5 spacings: complete steps on a CPU or GPU,
// after a check of the forces.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/exec/parallel.h"
#include "engine/machine.h"
#include "engine/math/random.h"
#include "sim/fluid/fluid_fields.h"
#include "sim/fluid/fluid_numbers.h"
#include "sim/fluid/module/fluid_tables.h"
#include "sim/run/simulation.h"
#include "sim/scene/read_scene.h"

namespace mote::bench {
namespace {

using Clock = std::chrono::steady_clock;
using engine::Index;
using engine::Vec3d;

double seconds(Clock::duration span) {
  return std::chrono::duration<double>(span).count();
}

/// `n` particles along each side of a cube of side 1, displaced from a lattice by up to a tenth of
/// the spacing, with velocity components up to a tenth of `largest_speed`.
sim::SceneDescription cube_of_fluid(int n) {
  const double dx = 1.0 / n;
  sim::SceneDescription scene = sim::read_scene_text(
      "fluid.json", fmt::format(R"({{"domain": {{"size": [1, 1, 1], "center": [0.5, 0.5, 0.5]}},
        "fluid": {{"spacing": {0:.17g}, "largest_speed": 1, "background_pressure": 1, "viscosity": {2:.17g}}}, "integrator": {{"name": "leapfrog", "dt": {1:.17g}}},
        "bodies": [{{"mass": 1, "position": [0, 0, 0]}}]}})",
                                dx, 0.2 * 1.5 * dx / 11, 0.1 * dx));
  const auto make = [n, dx](const sim::MakeContext&) {
    sim::Bodies bodies;
    engine::Random random(1, 0, 0);
    for (Index i = 0; i < Index{n} * n * n; ++i) {
      const auto displaced = [&](Index m) {
        return (static_cast<double>(m) + 0.5 + random.uniform(-0.1, 0.1)) * dx;
      };
      const auto slow = [&] { return random.uniform(-0.1, 0.1); };
      bodies.mass.push_back(dx * dx * dx);
      const double x = displaced(i % n), y = displaced(i / n % n), z = displaced(i / n / n);
      const double vx = slow(), vy = slow(), vz = slow();
      bodies.position.push_back({x, y, z});
      bodies.velocity.push_back({vx, vy, vz});
    }
    return bodies;
  };
  scene.bodies = {{Index{n} * n * n, make}};
  return scene;
}

/// Largest error of some accelerations against a direct sum over all particles in double, relative
/// to their rms. Valid before the first step, where the pressure follows from the density.
double error_of_forces(const sim::SceneDescription& scene, const sim::State<engine::Host>& state) {
  const sim::Fluid& fluid = *scene.physics.find<sim::FluidTables>();
  const sim::FluidNumbers<double> numbers(fluid, {0, 0, 0});
  const double support_radius = 2 * sim::smoothing_length(fluid);
  return state.visit([&](const auto& s) {
    double largest = 0, squares = 0;
    constexpr Index samples = 64;
    const auto at = [&](Index i) { return Vec3d{double(s.x[i]), double(s.y[i]), double(s.z[i])}; };
    const auto point = [&](Index i) {
      const double density = double(s[sim::fields::density][i]);
      return sim::FluidPoint<double>{{double(s.vx[i]), double(s.vy[i]), double(s.vz[i])},
                                     double(s.mass[i]) / density,
                                     numbers.tait.pressure(density),
                                     density};
    };
    for (Index k = 0; k < samples; ++k) {
      const Index i = k * (s.count - 1) / (samples - 1);
      sim::FluidSums<double> sums{};
      for (Index j = 0; j < s.count; ++j) {
        Vec3d d = at(j) - at(i);
        d = {d.x - std::round(d.x), d.y - std::round(d.y), d.z - std::round(d.z)};
        if (j == i || dot(d, d) >= support_radius * support_radius) continue;
        const sim::FluidPoint<double> one = point(i), other = point(j);
        const Vec3d w = other.v - one.v;
        sim::add_pair<sim::FluidTerms{true, true, false}>(numbers.constants, d,
                                                          kernel_point(numbers.constants.kernel, d),
                                                          one, other, w, w, sums);
      }
      const Vec3d expected = (1 / double(s.mass[i])) * sums.force;
      const Vec3d error = Vec3d{double(s.ax[i]), double(s.ay[i]), double(s.az[i])} - expected;
      largest = std::max(largest, dot(error, error));
      squares += dot(expected, expected) / samples;
    }
    return std::sqrt(largest / squares);
  });
}

void run(int n, const sim::RunOptions& options) {
  const sim::SceneDescription scene = cube_of_fluid(n);
  const auto simulation = sim::open_simulation(scene, sim::make_plan(scene, options));
  const bool gpu = options.backend == engine::Backend::cuda;
  const double error = error_of_forces(scene, simulation->state());
  const auto count = static_cast<double>(simulation->count());
  simulation->advance(gpu ? 100 : 3, {});
  std::vector<double> times;
  const auto steps = static_cast<std::uint64_t>(std::clamp((gpu ? 3e8 : 2e5) / count, 3.0, 2000.0));
  for (int k = 0; k < 5; ++k) {
    const auto start = Clock::now();
    simulation->advance(steps, {});
    times.push_back(seconds(Clock::now() - start) / static_cast<double>(steps));
  }
  std::sort(times.begin(), times.end());
  const double neighbours = static_cast<double>(simulation->interactions()) /
                            static_cast<double>(simulation->step()) / count;
  fmt::print(
      "{:4} {:6} threads {:2} N {:9.0f}: {:9.2f} steps/s {:.3e} particle-steps/s, {:.1f} "
      "neighbours, force error {:.0e}, hash {:016x}\n",
      gpu ? "cuda" : "cpu", engine::name_of(simulation->precision()), options.threads.value_or(1),
      count, 1 / times[2], count / times[2], neighbours, error, simulation->hash());
}

}  // namespace
}  // namespace mote::bench

/// usage: mote_fluid [cuda] [PARTICLES_PER_SIDE]
int main(int count, char** arguments) {
  using namespace mote;
  const bool gpu = count > 1 && std::string(arguments[1]) == "cuda";
  sim::RunOptions options{.backend = gpu ? engine::Backend::cuda : engine::Backend::cpu,
                          .precision = engine::Precision::single,
                          .threads = gpu ? engine::available_threads() : 1};
  if (count > 2) {
    bench::run(std::atoi(arguments[2]), options);
    return 0;
  }
  if (gpu) {
    for (const int n : {22, 46, 63, 100, 159, 215}) bench::run(n, options);
  } else {
    bench::run(32, options);
    options.threads = engine::available_threads();
    bench::run(32, options);
  }
  options.precision = engine::Precision::double_;
  bench::run(gpu ? 100 : 32, options);
}
