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

using engine::Index;
using engine::Precision;

std::unique_ptr<sim::Simulation> open_liquid(const SelfTest& test,
                                             const sim::SceneDescription& scene,
                                             Precision precision, engine::Backend backend) {
  sim::RunOptions options{.backend = backend, .precision = precision, .threads = test.cpu.threads};
  if (backend == engine::Backend::cuda) options.device = test.device;
  return sim::open_simulation(scene, sim::make_plan(scene, options));
}

/// A cold crystal of two species in a periodic box. Atoms oscillate about lattice sites, so that
/// only round-off accumulates.
sim::SceneDescription crystal(int cells, const std::string& thermostat) {
  return sim::read_scene_text(
      "crystal.json",
      fmt::format(
          R"({{"domain": {{"size": [{0}, {0}, {0}]}}, "lennard_jones": {{"cutoff": 2.5, "truncation": "switched"}},
        "species": {{"a": {{}}, "b": {{"sigma": 0.95}}}}, {1} "integrator": {{"dt": 0.004}}, "bodies": [
        {{"kind": "lattice", "counts": [{2}, {2}, {2}], "spacing": 1.1, "mass": {3}, "dispersion": 0.3, "species": "a"}},
        {{"mass": 1, "position": [0, 0, 0], "velocity": [0.1, 0.2, 0.3], "species": "b"}}]}})",
          1.1 * cells, thermostat, cells, cells * cells * cells));
}

/// A periodic cube of fluid with sound waves, around a small moving wall.
sim::SceneDescription stirred_fluid(int n) {
  return sim::read_scene_text(
      "fluid.json",
      fmt::format(
          R"({{"domain": {{"size": [{0}, {0}, {0}]}}, "species": {{"wall": {{"wall": true}}}},
        "fluid": {{"spacing": 0.1, "largest_speed": 1, "smoothing": 1.3, "viscosity": 0.01, "xsph": 0.1}},
        "integrator": {{"dt": 0.001}}, "bodies": [
        {{"kind": "lattice", "counts": [{1}, {1}, {1}], "spacing": 0.1, "mass": {2}, "dispersion": 0.1}},
        {{"mass": 0.001, "position": [0.05, 0.05, 0.05], "velocity": [0.1, 0.2, 0.3], "species": "wall"}}]}})",
          0.1 * n, n, 0.001 * n * n * n));
}

/// Chains of damped springs with stiff angles in a periodic box, nearly at rest, so that mostly
/// round-off accumulates.
sim::SceneDescription chains(int count) {
  std::string bodies;
  for (int k = 0; k < count; ++k)
    bodies += fmt::format(
        R"({}{{"kind": "chain", "n": 50, "mass": 50, "spacing": 1.05, "position": [{}, {}, 0], "dispersion": 0.1,
           "bond": "spring", "angle": "stiff"}})",
        k ? "," : "", k % 8, k / 8);
  return sim::read_scene_text(
      "chains.json",
      fmt::format(
          R"({{"domain": {{"size": [60, 60, 60]}}, "lennard_jones": {{"epsilon": 0, "cutoff": 2}},
        "bond_kinds": {{"spring": {{"stiffness": 100, "length": 1, "damping": 0.5}}}},
        "angle_kinds": {{"stiff": {{"stiffness": 5, "angle": 170}}}}, "integrator": {{"dt": 0.004}}, "bodies": [{}]}})",
          bodies));
}

void test_bonds(const SelfTest& test) {
  for (const Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
    const sim::SceneDescription scene = chains(test.small ? 4 : 64);
    const auto cpu = open_liquid(test, scene, precision, engine::Backend::cpu);
    const auto gpu = open_liquid(test, scene, precision, engine::Backend::cuda);
    const auto again = open_liquid(test, scene, precision, engine::Backend::cuda);
    const double energy =
        std::fabs(gpu->measure().energy - cpu->measure().energy) / std::fabs(cpu->measure().energy);
    for (sim::Simulation* one : {cpu.get(), gpu.get(), again.get()}) one->advance(100, {});
    // Coordinates up to 30 are rounded by 4e-15 or 2e-6 a hundred times, which springs amplify ten
    // times.
    const double limit = precision == Precision::single ? 1e-3 : 1e-11;
    const double difference = largest_distance(cpu->state(), gpu->state());
    const bool same = gpu->hash() == again->hash();
    test.checks.expect(
        difference <= limit && energy <= (precision == Precision::single ? 1e-5 : 1e-12) && same,
        fmt::format("bonds {}  differ by {:.0e} after 100 steps, initial energy by {:.0e}{}",
                    name_of(precision), difference, energy, same ? "" : "  NOT REPEATABLE"));
  }
}

}  // namespace

void test_liquids(const SelfTest& test) {
  test_bonds(test);
  for (const char* thermostat : {"", R"("thermostat": {"name": "langevin", "temperature": 0.1},)",
                                 R"("thermostat": {"name": "nose_hoover", "temperature": 0.1},)"})
    for (const Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
      const sim::SceneDescription scene = crystal(test.small ? 6 : 16, thermostat);
      const auto cpu = open_liquid(test, scene, precision, engine::Backend::cpu);
      const auto gpu = open_liquid(test, scene, precision, engine::Backend::cuda);
      const auto again = open_liquid(test, scene, precision, engine::Backend::cuda);
      const double energy = std::fabs(gpu->measure().energy - cpu->measure().energy) /
                            std::fabs(cpu->measure().energy);
      for (sim::Simulation* one : {cpu.get(), gpu.get(), again.get()}) one->advance(100, {});
      // Coordinates up to 10 are rounded by 1e-16 or 5e-7 a few hundred times; forces in float add
      // as much.
      const double limit = precision == Precision::double_ ? 1e-12
                           : precision == Precision::mixed ? 1e-5
                                                           : 1e-4;
      const double difference = largest_distance(cpu->state(), gpu->state());
      const bool same = gpu->hash() == again->hash();
      test.checks.expect(
          difference <= limit && energy <= (precision == Precision::single ? 1e-6 : 1e-12) && same,
          fmt::format("short-range pairs {} {}  differ by {:.0e} after 100 steps, initial energy "
                      "by {:.0e}{}",
                      name_of(precision),
                      *thermostat ? std::string(thermostat).substr(24, 4) : "alone", difference,
                      energy, same ? "" : "  NOT REPEATABLE"));
    }
}

void test_fluids(const SelfTest& test) {
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const sim::SceneDescription scene = stirred_fluid(test.small ? 6 : 32);
    const auto cpu = open_liquid(test, scene, precision, engine::Backend::cpu);
    const auto gpu = open_liquid(test, scene, precision, engine::Backend::cuda);
    const auto again = open_liquid(test, scene, precision, engine::Backend::cuda);
    for (sim::Simulation* one : {cpu.get(), gpu.get(), again.get()}) one->advance(100, {});
    // Coordinates up to 3 are rounded by 1e-7 or 2e-16 a hundred times; velocities lose digits to
    // cancellation in sums.
    const double difference = largest_distance(cpu->state(), gpu->state());
    const bool same = gpu->hash() == again->hash();
    test.checks.expect(difference <= (precision == Precision::double_ ? 1e-12 : 1e-4) && same,
                       fmt::format("fluids {}  differ by {:.0e} after 100 steps{}",
                                   name_of(precision), difference, same ? "" : "  NOT REPEATABLE"));
  }
}

}  // namespace mote::app
