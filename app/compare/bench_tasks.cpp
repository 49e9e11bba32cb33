#include "app/compare/bench_tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/compare/expansion_bench.h"
#include "app/compare/samples.h"
#include "app/compare/workbench.h"
#include "engine/check.h"
#include "engine/text.h"
#include "sim/gravity/solver.h"
#include "sim/run/initial_state.h"
#include "sim/run/simulation.h"

namespace mote::app {
namespace {

using engine::Host;
using engine::Index;
using engine::Precision;

constexpr double bench_softening = 0.01;
/// Largest allowed ratio of the worst error to the 90th percentile: a kernel must not be wrong even
/// for a few bodies.
constexpr double worst_for_p90 = 10;
/// Minimum duration of a timed batch [s] of force evaluations and of steps; longer for steps, to
/// hide the slices in which a GPU gets its work.
constexpr double shortest_batch = 5e-3, shortest_advance = 40e-3;

class Bench {
 public:
  Bench(const BenchRequest& request, const BenchMachine& machine, const BenchListener& listener)
      : request_(request),
        machine_(machine),
        plan_(machine.plan),
        listener_(listener),
        on_gpu_(plan_.backend == engine::Backend::cuda),
        emulated_(on_gpu_ && plan_.device_name.find("emulated") != std::string::npos) {}

  void run() {
    for (const std::string& what : request_.what) {
      const auto& sizes = request_.sizes.empty() ? standard_sizes(what) : request_.sizes;
      if (what == "potential") {
        for (Index n : sizes) potential(n);
        continue;
      }
      for (Precision precision : request_.precisions)
        for (Index n : sizes)
          request_.accuracy  ? expansions(precision, n)
          : what == "forces" ? forces(precision, n)
                             : steps(precision, n);
    }
  }

 private:
  std::vector<Index> standard_sizes(const std::string& what) const {
    if (emulated_) return {what == "steps" ? Index{32} : Index{256}};
    if (request_.accuracy)
      return on_gpu_ ? std::vector<Index>{65536, 262144, 1048576}
                     : std::vector<Index>{16384, 65536, 262144};
    if (!on_gpu_)
      return what == "steps" ? std::vector<Index>{256, 1024, 4096}
                             : std::vector<Index>{1024, 4096, 16384};
    return what == "steps" ? std::vector<Index>{256, 1024, 4096, 8192, 16384}
                           : std::vector<Index>{16384, 65536, 262144};
  }

  BenchRow start(const std::string& what, const std::string& method, Precision precision,
                 Index n) const {
    listener_.start(
        fmt::format("{} {} {} N={}", what, method, name_of(precision), engine::with_thousands(n)));
    const double interactions = static_cast<double>(n) * static_cast<double>(n);
    return {.what = what,
            .method = method,
            .kernel = {},
            .precision = precision,
            .count = n,
            .interactions = interactions};
  }

  void check_errors(const ForceReference& reference, const sim::State<Host>& state,
                    BenchRow& row) const {
    row.errors = reference.errors_of(state);
    const double allowed = largest_force_error(row.precision);
    if (!(row.errors.p90 <= allowed && row.errors.worst <= worst_for_p90 * allowed))
      row.wrong = fmt::format("p90 error {:.1e}, worst {:.1e}; rounding explains {:.0e}",
                              row.errors.p90, row.errors.worst, allowed);
  }

  void set_limit(BenchRow& row, const std::string& kernel) const {
    if (on_gpu_) row.limit = counted_limit(*machine_.device(), kernel, row.precision);
  }

  std::unique_ptr<Workbench> workbench(const sim::State<Host>& bodies,
                                       const std::string& kernel) const {
    return on_gpu_ ? device_workbench(plan_.device, bodies, bench_softening,
                                      direct_kernel_named(kernel))
                   : host_workbench(plan_.cpu, bodies, bench_softening);
  }

  void forces(Precision precision, Index n) {
    sim::State<Host> bodies = random_cube(n, precision);
    if (request_.equal_masses)
      bodies.visit([](auto s) { std::fill(s.mass, s.mass + s.count, s.mass[0]); });
    listener_.start(fmt::format("reference, N={}", engine::with_thousands(n)));
    const ForceReference reference(plan_.cpu.threads, bodies, bench_softening);
    const std::vector<std::string> host{std::string(name_of(plan_.cpu.simd))};
    for (const std::string& kernel : on_gpu_ ? request_.kernels : host) {
      BenchRow row = start("forces", kernel, precision, n);
      const auto bench = workbench(bodies, kernel);
      if (bench->kernel() != kernel) row.kernel = bench->kernel();
      set_limit(row, bench->kernel());
      bench->time_forces(1);
      check_errors(reference, bench->state(), row);
      if (row.wrong.empty())
        row.timing =
            engine::time_batches(request_.repeats, shortest_batch,
                                 [&](std::uint64_t runs) { return bench->time_forces(runs); });
      listener_.done(row);
    }
  }

  /// Measures expansions on a Plummer sphere, whose core is a thousand times denser than its halo.
  void expansions(Precision precision, Index n) {
    const sim::SceneDescription scene = cluster_scene({.count = n, .softening = bench_softening});
    const sim::MultipoleSettings settings =
        *sim::solver_of({.solver = "multipole", .accuracy = request_.accuracy}, false, n,
                        plan_.backend, precision)
             .multipole;
    BenchRow row =
        start("forces", fmt::format("multipole, order {}", settings.order), precision, n);
    sim::Plan plan = plan_;
    plan.precision = precision;
    const sim::InitialState initial = sim::make_initial_state(scene, plan);
    const auto bench =
        on_gpu_ ? device_expansions(plan_.device, initial.state, bench_softening, settings)
                : host_expansions(plan_.cpu, initial.state, bench_softening, settings);
    const sim::ForceErrors errors = bench->errors();
    const sim::MultipoleSolver::Counts counts = bench->counts();
    const auto bodies = static_cast<double>(n);
    row.expansions = {static_cast<double>(counts.near) / bodies,
                      static_cast<double>(counts.far) / bodies, errors};
    row.interactions = static_cast<double>(counts.near + counts.far);
    if (on_gpu_) row.limit = counted_limit_of_expansions(*machine_.device(), counts, settings);
    if (!errors.kept())
      row.wrong = fmt::format("99 % of the errors are below {:.1e}, not {:g}", errors.percentile_99,
                              errors.asked);
    if (row.wrong.empty())
      row.timing = engine::time_batches(request_.repeats, shortest_batch, [&](std::uint64_t runs) {
        return bench->time_forces(runs);
      });
    listener_.done(row);
  }

  /// Compared with the CPU's result, which is compared with a plain loop.
  void potential(Index n) {
    BenchRow row = start("potential", on_gpu_ ? "split" : std::string(name_of(plan_.cpu.simd)),
                         Precision::double_, n);
    row.interactions = 0.5 * static_cast<double>(n) * static_cast<double>(n - 1);
    const sim::State<Host> bodies = random_cube(n, Precision::double_);
    const auto bench = workbench(bodies, "auto");
    const double found = bench->potential_energy();
    const double reference =
        on_gpu_ ? host_workbench(plan_.cpu, bodies, bench_softening)->potential_energy()
                : reference_potential(plan_.cpu.threads, bodies, bench_softening);
    const double error =
        found == reference ? 0 : std::fabs(found - reference) / std::fabs(reference);
    row.errors = {error, error};
    // Each body's sum has at most a few million terms; even the worst order of summation loses far
    // less.
    if (!(error <= 1e-12)) row.wrong = fmt::format("{:.17g} instead of {:.17g}", found, reference);
    if (row.wrong.empty())
      row.timing = engine::time_batches(request_.repeats, shortest_batch, [&](std::uint64_t runs) {
        return engine::host_seconds([&] {
          for (std::uint64_t k = 0; k < runs; ++k) bench->potential_energy();
        });
      });
    listener_.done(row);
  }

  /// The plan for this stepping mode; nothing if it does not support so many bodies.
  std::optional<sim::Plan> plan_for(const sim::SceneDescription& scene, const std::string& stepping,
                                    Precision precision) const {
    sim::RunOptions options{.backend = plan_.backend, .precision = precision};
    if (on_gpu_) {
      options.device = plan_.device;
      options.stepping = *sim::stepping_named(stepping);
      const sim::WholeStepLimits limits = sim::stepping_limits(scene, plan_.device, precision);
      const Index n = scene.body_count();
      if ((options.stepping == sim::Stepping::cluster && n > limits.cluster) ||
          (options.stepping == sim::Stepping::cooperative && n > limits.cooperative))
        return {};
    }
    return sim::make_plan(scene, options);
  }

  /// All stepping modes must give bitwise identical states.
  void steps(Precision precision, Index n) {
    const std::uint64_t first_steps = emulated_ ? 3 : 20;
    const sim::SceneDescription scene = cluster_scene({.count = n, .softening = bench_softening});
    std::optional<ForceReference> reference;
    std::optional<std::uint64_t> hash;
    const std::vector<std::string> host{std::string(name_of(plan_.cpu.simd))};
    for (const std::string& stepping : on_gpu_ ? request_.steppings : host) {
      const std::optional<sim::Plan> plan = plan_for(scene, stepping, precision);
      if (!plan) continue;
      BenchRow row = start("steps", stepping, precision, n);
      const auto simulation = sim::open_simulation(scene, *plan);
      simulation->advance(first_steps, {});
      if (on_gpu_) {
        row.kernel = kernel_chosen_for(n, precision);
        set_limit(row, row.kernel);
      }
      if (!reference) reference.emplace(plan_.cpu.threads, simulation->state(), bench_softening);
      check_errors(*reference, simulation->state(), row);
      if (!hash) hash = simulation->hash();
      if (row.wrong.empty() && *hash != simulation->hash())
        row.wrong = "not bitwise identical to the first stepping mode";
      if (row.wrong.empty()) {
        sim::Health health = sim::Health::good;
        row.timing = engine::time_batches(
            request_.repeats, emulated_ ? 0 : shortest_advance, [&](std::uint64_t runs) {
              return engine::host_seconds(
                  [&] { health = health | simulation->advance(runs, {}).health; });
            });
        if (health != sim::Health::good) row.wrong = "became unhealthy while it was timed";
      }
      listener_.done(row);
    }
  }

  const BenchRequest& request_;
  const BenchMachine& machine_;
  const sim::Plan& plan_;
  const BenchListener& listener_;
  bool on_gpu_, emulated_;
};

}  // namespace

bool expansions_keep(double accuracy, Precision precision) try {
  sim::solver_of({.solver = "multipole", .accuracy = accuracy}, false, 1, engine::Backend::cpu,
                 precision);
  return true;
} catch (const engine::InputError&) {
  return false;
}

void run_bench(const BenchRequest& request, const BenchMachine& machine,
               const BenchListener& listener) {
  Bench(request, machine, listener).run();
}

}  // namespace mote::app
