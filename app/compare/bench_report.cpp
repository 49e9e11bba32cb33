#include "app/compare/bench_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "app/run/run_report.h"
#include "engine/json.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::app {
namespace {

using engine::Precision;

/// Issue slots of a warp per directed interaction: instructions of the inner loop, counted from the
/// formula (sim/expansions/gravity_formula.h). Loads and loop counters, shared by several bodies of
/// a thread, are omitted unless named. A multiprocessor issues 4 warp instructions per clock; an
/// fp64 instruction takes two slots, as there are 64 fp64 lanes to 128 of fp32.
///   single, one-sided  3 subtractions, 3 FMA for r^2, 1 rsqrt, 3 multiplications, 3 FMA for the
///                      sums: 13
///   mixed              3 more subtractions and 3 more additions, for the low parts: 19
///   double             3 + 3, 5 for the Householder step of rsqrt, 3 + 3: 17 in fp64, 34 slots
///   single, symmetric  per pair: 3 + 3 + 1, 2 for the cube, 2 for the masses, 6 FMA for both sums;
///                      3 shuffles, a load and the loop for 8 bodies, 0.8: 17.8
///   mixed, symmetric   per pair: 6 more, 23.8
///   double, symmetric  per pair: 3 + 3 + 5 + 2 + 2 + 6 = 21 in fp64, 42 slots
struct Slots {
  const char* kernel;
  double single, mixed, full;
};
constexpr Slots slots_of_kernels[] = {{"tiled", 13, 19, 34},
                                      {"split", 13, 19, 34},
                                      {"gather", 13, 19, 34},
                                      {"symmetric", 17.8 / 2, 23.8 / 2, 42.0 / 2},
                                      {"wide", 17.5 / 2, 23.8 / 2, 42.0 / 2}};
constexpr double lanes_per_clock = 4 * 32;

std::string number(const char* format, double value) {
  return value > 0 ? fmt::format(fmt::runtime(format), value) : "";
}

std::string method_text(const BenchRow& row) {
  return row.kernel.empty() ? row.method : row.method + " (" + row.kernel + ")";
}

std::string start_of(const BenchRow& row) {
  return fmt::format("{:<9}  {:<21}  {:<9}  {:>9}", row.what, method_text(row),
                     name_of(row.precision), engine::with_thousands(row.count));
}

}  // namespace

double counted_limit(const engine::CudaDevice& device, const std::string& kernel,
                     Precision precision) {
  for (const Slots& slots : slots_of_kernels)
    if (kernel == slots.kernel) {
      const double count = precision == Precision::single  ? slots.single
                           : precision == Precision::mixed ? slots.mixed
                                                           : slots.full;
      return lanes_per_clock * device.multiprocessors * 1e6 * device.clock_mhz / count;
    }
  return 0;
}

double counted_limit_of_expansions(const engine::CudaDevice& device,
                                   const sim::MultipoleSolver::Counts& counts,
                                   const sim::MultipoleSettings& settings) {
  // Instructions of a warp for 32 of them, in single precision (docs/performance.md, Expansions).
  constexpr double a_pair = 13, an_expansion_of_order_6 = 1450;
  if (!settings.in_single || settings.order != 6) return 0;
  const double slots = a_pair * static_cast<double>(counts.near) +
                       an_expansion_of_order_6 * static_cast<double>(counts.far);
  return slots > 0 ? lanes_per_clock * device.multiprocessors * 1e6 * device.clock_mhz / slots : 0;
}

const engine::CudaDevice* BenchMachine::device() const {
  return plan.backend == engine::Backend::cuda
             ? &cuda.devices[static_cast<std::size_t>(plan.device)]
             : nullptr;
}

void BenchMachine::print(bool expansions) const {
  print_names();
  engine::print("Medians of {} timings; errors relative to {}\n\n", repeats,
                expansions ? "the forces, of 1,024 bodies" : "the sum of magnitudes of the terms");
}

void BenchMachine::print_names() const {
  const engine::BuildInfo& build = engine::build_info();
  engine::print("mote {}{}, {}, {}\n", build.version,
                build.commit.empty() ? "" : " (" + build.commit + ")", build.compiler,
                build.build_type);
  if (const engine::CudaDevice* d = device())
    engine::print("{}, compute {}, {} multiprocessors, {} MHz at most, driver {}, runtime {}\n",
                  d->name, d->compute_capability, d->multiprocessors, d->clock_mhz, cuda.driver,
                  cuda.runtime);
  else
    engine::print("{}, {}, {}\n", engine::machine_info().processor,
                  engine::counted(plan.cpu.threads, "thread"), name_of(plan.cpu.simd));
}

engine::Json BenchMachine::json() const {
  const engine::BuildInfo& build = engine::build_info();
  const engine::MachineInfo machine = engine::machine_info();
  engine::Json all{{"mote", build.version},           {"commit", build.commit},
                   {"compiler", build.compiler},      {"build_type", build.build_type},
                   {"system", machine.system},        {"processor", machine.processor},
                   {"threads", plan.cpu.threads},     {"simd", name_of(plan.cpu.simd)},
                   {"backend", name_of(plan.backend)}};
  if (const engine::CudaDevice* d = device())
    all["device"] = {{"name", d->name},
                     {"compute_capability", d->compute_capability},
                     {"multiprocessors", d->multiprocessors},
                     {"clock_mhz", d->clock_mhz},
                     {"memory", d->memory},
                     {"driver", cuda.driver},
                     {"runtime", cuda.runtime}};
  all["repeats"] = repeats;
  return all;
}

void print_head(bool expansions) {
  if (expansions) {
    engine::print(
        "{:<9}  {:<21}  {:<9}  {:>9}  {:>11}  {:>10}  {:>10}  {:>15}  {:>8}  {:>8}  {:>8}  "
        "{:>8}  {:>8}\n",
        "what", "solver", "precision", "N", "median time", "per second", "pairs/body",
        "expansions/body", "of limit", "median", "90 %", "99 %", "worst");
    return;
  }
  engine::print(
      "{:<9}  {:<21}  {:<9}  {:>9}  {:>11}  {:>10}  {:>14}  {:>9}  {:>8}  {:>9}  {:>11}\n", "what",
      "kernel or stepping", "precision", "N", "median time", "per second", "interactions/s",
      "TFLOP/s", "of limit", "p90 error", "worst error");
}

void print(const BenchRow& row) {
  if (!row.wrong.empty()) {
    engine::print("{}  WRONG: {}\n", start_of(row), row.wrong);
  } else if (row.expansions) {
    const sim::ForceErrors& e = row.expansions->errors;
    engine::print(
        "{}  {:>11}  {:>10.4g}  {:>10.1f}  {:>15.2f}  {:>8}  {:>8.1e}  {:>8.1e}  {:>8.1e}  "
        "{:>8.1e}\n",
        start_of(row), engine::short_time_text(row.timing.median), 1 / row.timing.median,
        row.expansions->pairs, row.expansions->expansions,
        number("{:.1f} %", 100 * row.fraction_of_limit()), e.median, e.percentile_90,
        e.percentile_99, e.worst);
  } else {
    engine::print("{}  {:>11}  {:>10.4g}  {:>14.3e}  {:>9}  {:>8}  {:>9.1e}  {:>11.1e}\n",
                  start_of(row), engine::short_time_text(row.timing.median), 1 / row.timing.median,
                  row.rate(), number("{:.3g}", row.tflops()),
                  number("{:.1f} %", 100 * row.fraction_of_limit()), row.errors.p90,
                  row.errors.worst);
  }
  std::fflush(stdout);
}

engine::Json json_of(const BenchRow& row) {
  // The CPU has one stepping mode; its rows are named by instruction set.
  const bool stepping = row.what == "steps" && !row.kernel.empty();
  engine::Json json{{"what", row.what},
                    {stepping ? "stepping" : "kernel", row.method},
                    {"precision", name_of(row.precision)},
                    {"n", row.count}};
  if (row.expansions)
    json.erase("kernel"), json["solver"] = row.method,
                          json["pairs_per_body"] = row.expansions->pairs,
                          json["expansions_per_body"] = row.expansions->expansions,
                          json["force_errors"] = force_errors_json(row.expansions->errors);
  else
    json["p90_error"] = row.errors.p90, json["worst_error"] = row.errors.worst;
  if (!row.kernel.empty()) json[stepping ? "kernel" : "chosen"] = row.kernel;
  if (!row.wrong.empty()) {
    json["wrong"] = row.wrong;
    return json;
  }
  json["seconds"] = {{"median", row.timing.median},
                     {"fastest", row.timing.fastest},
                     {"slowest", row.timing.slowest},
                     {"runs_a_timing", row.timing.runs}};
  json["per_second"] = 1 / row.timing.median;
  if (!row.expansions) json["interactions_per_second"] = row.rate();
  if (row.tflops() > 0) json["tflops"] = row.tflops();
  if (row.limit > 0) {
    json["counted_limit"] = row.limit;
    json["share_of_limit"] = row.fraction_of_limit();
  }
  return json;
}

StatusLine::StatusLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

void StatusLine::show(const std::string& text) {
  if (!terminal_) return;
  clear();
  engine::print(stderr, "\r{}", text);
  std::fflush(stderr);
  width_ = text.size();
}

void StatusLine::clear() {
  if (width_ == 0) return;
  engine::print(stderr, "\r{}\r", std::string(width_, ' '));
  std::fflush(stderr);
  width_ = 0;
}

}  // namespace mote::app
