#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "bench/force_error.h"
#include "bench/names.h"
#include "engine/exec/parallel.h"
#include "engine/machine.h"
#include "sim/gravity/direct.h"
#include "sim/motion/motion.h"
#include "tests/support/states.h"

// Direct-sum gravity on the CPU, step by step: first a plain loop over the formula, then the
// instruction sets, each with one thread and with all. The forces of each variant are checked
// against a plain sum in double before it is timed.
namespace mote::bench {
namespace {

using engine::SimdLevel;

constexpr double softening = 0.01;

void finish(benchmark::State& run, const State<Host>& state) {
  const double error = force_errors(state, softening, 64).p90;
  const double allowed = state.precision() == Precision::double_ ? 1e-13 : 3e-6;
  if (!(error < allowed)) run.SkipWithError("forces disagree with the plain loop");
  const auto n = static_cast<double>(state.count());
  run.counters["error"] = error;
  run.counters["interactions"] = benchmark::Counter(n * n * static_cast<double>(run.iterations()),
                                                    benchmark::Counter::kIsRate);
}

/// The plain loop, as a first implementation would be.
template <class Real>
void plain(const sim::StateView<Real>& s) {
  const Real e2 = static_cast<Real>(softening * softening);
  for (Index i = 0; i < s.count; ++i) {
    engine::Vec3<Real> a{0, 0, 0};
    for (Index j = 0; j < s.count; ++j)
      sim::add_attraction<sim::ZeroDistance::none>(
          engine::Vec3<Real>{s.x[j] - s.x[i], s.y[j] - s.y[i], s.z[j] - s.z[i]}, s.mass[j], e2, a);
    s.ax[i] = a.x, s.ay[i] = a.y, s.az[i] = a.z;
  }
}

void run_plain(benchmark::State& run, Precision precision) {
  State<Host> state = test::random_state(run.range(0), precision);
  for (auto _ : run) state.visit([](auto s) { plain(s); });
  finish(run, state);
}

void run_direct(benchmark::State& run, Precision precision, Cpu cpu) {
  State<Host> state = test::random_state(run.range(0), precision);
  sim::DirectGravity gravity({.softening = softening}, 1.0, state.count(), precision);
  sim::StepReport report;
  for (auto _ : run) {
    clear_accelerations(cpu, state);
    gravity.run(cpu, state, report);
  }
  finish(run, state);
}

void run_potential(benchmark::State& run, Cpu cpu) {
  State<Host> state = test::random_state(run.range(0), Precision::single);
  sim::DirectGravity gravity({.softening = softening}, 1.0, state.count(), Precision::single);
  const double truth = state.visit([](auto s) { return test::oracle_potential(s, softening); });
  const double error = std::fabs(gravity.potential_energy(cpu, state) / truth - 1);
  if (!(error < 1e-13)) run.SkipWithError("the potential disagrees with the plain loop");
  for (auto _ : run) benchmark::DoNotOptimize(gravity.potential_energy(cpu, state));
  const auto n = static_cast<double>(state.count());
  run.counters["error"] = error;
  // Each pair once: one interaction here corresponds to two of the forces.
  run.counters["interactions"] = benchmark::Counter(
      n * (n - 1) / 2 * static_cast<double>(run.iterations()), benchmark::Counter::kIsRate);
}

void sizes(benchmark::internal::Benchmark* b, Index largest) {
  for (Index n = 1024; n <= largest; n *= 2) b->Arg(n);
  b->Unit(benchmark::kMillisecond)->UseRealTime();
}

void register_all() {
  const int all = engine::available_threads();
  for (Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
    const std::string name(engine::name_of(precision));
    if (precision != Precision::mixed)
      sizes(benchmark::RegisterBenchmark(("plain/" + name + "/1 thread").c_str(), run_plain,
                                         precision),
            4096);
    for (SimdLevel level : engine::supported_simd_levels()) {
      const bool best = level == engine::best_simd_level();
      for (int threads : all > 1 ? std::vector<int>{1, all} : std::vector<int>{1})
        sizes(benchmark::RegisterBenchmark(
                  fmt::format("direct/{}/{}/{} thread{}", name, name_of(level), threads,
                              threads > 1 ? "s" : "")
                      .c_str(),
                  run_direct, precision, Cpu{threads, level}),
              best ? 131072 : 8192);
    }
  }
  for (int threads : all > 1 ? std::vector<int>{1, all} : std::vector<int>{1})
    sizes(benchmark::RegisterBenchmark(
              fmt::format("potential/{}/{} threads", name_of(engine::best_simd_level()), threads)
                  .c_str(),
              run_potential, Cpu{threads, engine::best_simd_level()}),
          16384);
}

}  // namespace
}  // namespace mote::bench

int main(int count, char** arguments) {
  benchmark::AddCustomContext("processor", mote::engine::machine_info().processor);
  benchmark::AddCustomContext("commit", mote::engine::build_info().commit);
  mote::bench::register_all();
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
