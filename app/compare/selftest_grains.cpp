#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/compare/samples.h"
#include "app/compare/selftest.h"
#include "sim/run/simulation.h"
#include "sim/scene/read_scene.h"

namespace mote::app {
namespace {

using engine::Precision;

std::unique_ptr<sim::Simulation> open_grains(const SelfTest& test,
                                             const sim::SceneDescription& scene,
                                             Precision precision, engine::Backend backend) {
  sim::RunOptions options{.backend = backend, .precision = precision, .threads = test.cpu.threads};
  if (backend == engine::Backend::cuda) options.device = test.device;
  return sim::open_simulation(scene, sim::make_plan(scene, options));
}

/// Slightly compressed grains of several sizes, on a shaking floor and in contact with a rotating
/// ball.
sim::SceneDescription shaken_grains(int n, const std::string& law) {
  return sim::read_scene_text(
      "grains.json",
      fmt::format(
          R"({{"domain": {{"size": [{0}, {0}, 0], "z": "open"}}, "grains": {{"radius": 0.05, "spread": 0.05, "density": 2500,
        "friction": 0.5, {1}}}, "integrator": {{"dt": 0.0002}}, "fields": [{{"kind": "uniform", "acceleration": [0, 0, -9.81]}}],
        "obstacles": [{{"kind": "plane", "point": [0, 0, {2}], "amplitude": [0.01, 0, 0.002], "frequency": 9}},
        {{"kind": "sphere", "center": [0, 0, {5}], "radius": 0.2, "angular_velocity": [0, 5, 0]}}], "bodies": [
        {{"kind": "lattice", "counts": [{3}, {3}, {3}], "spacing": 0.1, "mass": 1, "dispersion": 0.1}},
        {{"position": [0, 0, {4}], "radius": 0.3, "velocity": [0, 0, -1]}}]}})",
          0.1 * n, law, -0.05 * n - 0.001, n, 0.05 * n + 0.3, -0.05 * n - 0.195));
}

}  // namespace

void test_grains(const SelfTest& test) {
  for (const char* law : {R"("model": "linear", "stiffness": 1e4)",
                          R"("young_modulus": 1e6, "rolling_friction": 0.1)"})
    for (const Precision precision : {Precision::single, Precision::double_}) {
      const sim::SceneDescription scene = shaken_grains(test.small ? 14 : 24, law);
      const auto cpu = open_grains(test, scene, precision, engine::Backend::cpu);
      const auto gpu = open_grains(test, scene, precision, engine::Backend::cuda);
      const auto again = open_grains(test, scene, precision, engine::Backend::cuda);
      for (sim::Simulation* one : {cpu.get(), gpu.get(), again.get()}) one->advance(100, {});
      // Coordinates of order 1 are rounded by 1e-16 or 6e-8 a hundred times, which contacts
      // amplify.
      const double limit = precision == Precision::double_ ? 1e-12 : 1e-4;
      const double difference = largest_distance(cpu->state(), gpu->state());
      const bool same = gpu->hash() == again->hash();
      test.checks.expect(
          difference <= limit && same && !gpu->force_state().empty(),
          fmt::format(
              "grains {} {}  differ by {:.0e} after 100 steps, {} contacts{}", name_of(precision),
              std::string(law).find("linear") != std::string::npos ? "linear" : "hertz", difference,
              gpu->force_state().size() / (precision == Precision::double_ ? 68 : 40),
              same ? "" : "  NOT REPEATABLE"));
    }
}

}  // namespace mote::app
