#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "app/compare/samples.h"
#include "app/compare/selftest.h"
#include "app/compare/workbench.h"
#include "engine/exec/timing.h"
#include "sim/run/simulation.h"

namespace mote::app {
namespace {

using engine::Index;
using engine::Precision;
using sim::Stepping;

constexpr Stepping steppings[] = {Stepping::launch, Stepping::graph, Stepping::cooperative,
                                  Stepping::cluster};

std::unique_ptr<sim::Simulation> open_on_cpu(const SelfTest& test,
                                             const sim::SceneDescription& scene,
                                             Precision precision) {
  return sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cpu,
                                                            .precision = precision,
                                                            .threads = test.cpu.threads,
                                                            .simd = test.cpu.simd}));
}

std::unique_ptr<sim::Simulation> open_on_gpu(const SelfTest& test,
                                             const sim::SceneDescription& scene,
                                             Precision precision, Stepping stepping) {
  return sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cuda,
                                                            .precision = precision,
                                                            .device = test.device,
                                                            .stepping = stepping}));
}

/// The stepping modes that this device supports for so many bodies.
std::vector<Stepping> possible(const SelfTest& test, const sim::SceneDescription& scene,
                               Precision precision) {
  const sim::WholeStepLimits limits = sim::stepping_limits(scene, test.device, precision);
  const Index count = scene.body_count();
  std::vector<Stepping> kinds;
  for (Stepping kind : steppings)
    if (!(kind == Stepping::cluster && count > limits.cluster) &&
        !(kind == Stepping::cooperative && count > limits.cooperative))
      kinds.push_back(kind);
  return kinds;
}

double energy_error_after(sim::Simulation& simulation, std::uint64_t steps) {
  simulation.measure();
  simulation.advance(steps, {});
  return std::fabs(simulation.measure().energy_error);
}

void test_stepping(const SelfTest& test, const sim::SceneDescription& scene, Precision precision,
                   Stepping stepping, std::uint64_t steps, const std::string& about,
                   double cpu_error, std::optional<std::uint64_t>& hash) {
  const auto whole = open_on_gpu(test, scene, precision, stepping);
  whole->measure();
  const double seconds = engine::host_seconds([&] { whole->advance(steps, {}); });
  const double error = std::fabs(whole->measure().energy_error);
  if (!hash) hash = whole->hash();
  const auto again = open_on_gpu(test, scene, precision, stepping);
  again->advance(steps, {});
  const auto sliced = open_on_gpu(test, scene, precision, stepping);
  for (std::uint64_t slice = 1; sliced->step() < steps; slice = slice * 2 + 1)
    sliced->advance(std::min(slice, steps - sliced->step()), {});

  std::string wrong;
  if (whole->step() != steps) wrong += fmt::format("  took {} steps", whole->step());
  if (whole->hash() != *hash) wrong += "  NOT IDENTICAL to the first stepping mode";
  if (again->hash() != whole->hash()) wrong += "  NOT REPEATABLE";
  if (sliced->hash() != whole->hash()) wrong += "  NOT IDENTICAL when sliced";
  // The error of the method, which the CPU has too, plus round-off: random errors of 1e-7 per force
  // in float, N of them.
  const double rounding = precision == Precision::double_ ? 1e-12 : 1e-6;
  if (!(error <= 3 * cpu_error + rounding)) wrong += "  ENERGY";
  test.checks.expect(
      wrong.empty(),
      fmt::format("steps {} {} {}  {:016x}  energy error {:.0e} (cpu {:.0e})  {:.3g} steps/s{}",
                  name_of(stepping), name_of(precision), about, whole->hash(), error, cpu_error,
                  static_cast<double>(steps) / seconds, wrong));
}

/// True if all bodies but one have bitwise identical positions and velocities. The exception may
/// hold NaN, which has many bit patterns.
bool same_but(Index except, const sim::State<engine::Host>& one,
              const sim::State<engine::Host>& other) {
  return one.visit([&](auto a) {
    return other.visit([&](auto b) {
      for (Index i = 0; i < a.count; ++i)
        if (i != except && (a.x[i] != b.x[i] || a.y[i] != b.y[i] || a.z[i] != b.z[i] ||
                            a.vx[i] != b.vx[i] || a.vy[i] != b.vy[i] || a.vz[i] != b.vz[i]))
          return false;
      return true;
    });
  });
}

/// A cluster with a massless body so fast that its position overflows at the tenth step, or a sum
/// of squares before.
constexpr std::uint64_t doomed_steps = 12;
constexpr Index doomed = 5;
sim::SceneDescription doomed_scene(Precision precision) {
  constexpr Index count = 40;
  sim::SceneDescription scene = cluster_scene({.count = count, .dt = 1.0 / 8});
  const double speed = precision == Precision::single ? 3e38 : 1.5e308;
  scene.bodies.front().make = [make = scene.bodies.front().make,
                               speed](const sim::MakeContext& context) {
    sim::Bodies bodies = make(context);
    bodies.mass[doomed] = 0;
    bodies.velocity[doomed] = {speed, 0, 0};
    return bodies;
  };
  return scene;
}

}  // namespace

void test_steps(const SelfTest& test) {
  const std::uint64_t steps = test.small ? 10 : 50;
  for (Precision precision : all_precisions)
    for (const char* integrator : {"leapfrog", "yoshida4"})
      for (Index n :
           test.small ? std::vector<Index>{40} : std::vector<Index>{33, 500, 3000, 9000}) {
        const sim::SceneDescription scene = cluster_scene({.count = n,
                                                           .integrator = integrator,
                                                           .dt = 1.0 / 64,
                                                           .softening = 0.05,
                                                           .massless_every = 7});
        const std::string about = fmt::format("{} N={}", integrator, n);
        test.checks.group("steps " + about, [&] {
          const double cpu_error = energy_error_after(*open_on_cpu(test, scene, precision), steps);
          std::optional<std::uint64_t> hash;
          for (Stepping stepping : possible(test, scene, precision))
            test_stepping(test, scene, precision, stepping, steps, about, cpu_error, hash);
        });
      }
}

void test_health(const SelfTest& test) {
  for (Precision precision : all_precisions)
    test.checks.group("not finite", [&] {
      const sim::SceneDescription scene = doomed_scene(precision);
      std::optional<sim::StepReport> first;
      std::optional<sim::State<engine::Host>> left;
      for (Stepping stepping : possible(test, scene, precision)) {
        const auto simulation = open_on_gpu(test, scene, precision, stepping);
        const sim::StepReport report = simulation->advance(doomed_steps, {});
        if (!first) {
          first = report;
          left = copy_of(simulation->state());
        }
        const bool stopped = has(report.health, sim::Health::not_finite) &&
                             report.offender == doomed && report.steps == first->steps &&
                             simulation->step() == report.steps;
        const bool same = same_but(doomed, *left, simulation->state());
        test.checks.expect(
            stopped && same,
            fmt::format("not finite {} {}  stops after {} steps at body {}{}", name_of(stepping),
                        name_of(precision), report.steps, report.offender,
                        same ? "" : "  NOT IDENTICAL to the first stepping mode"));
      }
    });
}

}  // namespace mote::app
