#include <fmt/format.h>

#include "bench/force_error.h"
#include "engine/exec/parallel.h"
#include "engine/exec/simd.h"
#include "sim/gravity/direct.h"
#include "tests/support/states.h"

// Prints the force errors that bench/results/force_errors.csv records: every precision, on the best
// instruction set.
int main() {
  using namespace mote;
  const engine::Cpu cpu{engine::available_threads(), engine::best_simd_level()};
  fmt::print(
      "Random cube, {}; p90 / worst, relative to the sum of magnitudes, then to the force\n\n",
      name_of(cpu.simd));
  fmt::print(
      "| precision | softening | N | of sum of magnitudes | of force |\n|---|---|---|---|---|\n");
  for (engine::Precision precision :
       {engine::Precision::single, engine::Precision::mixed, engine::Precision::double_})
    for (double softening : {0.0, 0.01})
      for (engine::Index n : {1, 2, 31, 33, 1000, 16384}) {
        auto state = test::random_state(n, precision);
        sim::DirectGravity gravity({.softening = softening}, 1.0, n, precision);
        sim::StepReport report;
        gravity.run(cpu, state, report);
        const bench::ForceErrors e = bench::force_errors(state, softening, 4096);
        fmt::print("| {} | {} | {} | {:.1e} / {:.1e} | {:.1e} / {:.1e} |\n",
                   engine::name_of(precision), softening, n, e.p90, e.worst, e.p90_of_sum,
                   e.worst_of_sum);
      }
}
