#include "sim/run/plan.h"

#include <algorithm>

#include "engine/exec/parallel.h"
#include "engine/machine.h"
#include "engine/text.h"
#include "sim/gravity/direct.h"
#include "sim/state.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Precision;

/// Up to here a scene is a few-body problem: orbits matter, not speed.
constexpr Index few_bodies = 1024;
/// Above, measuring the energy (about one force evaluation) every 20 steps costs about a twentieth.
constexpr std::int64_t many_bodies_series = 20;

/// Bytes of a simulation at its largest: the bodies as made (mass, position, velocity, and once more while
/// they are put together), the state, and the scratch of its modules and measurements.
std::uint64_t memory_for(Index count, Precision precision, bool gravity) {
  const std::uint64_t made = static_cast<std::uint64_t>(count) * 7 * sizeof(double) * 2;
  const std::uint64_t measuring = static_cast<std::uint64_t>(count) * 2 * sizeof(double);
  return made + measuring + State<engine::Host>::bytes(count, precision) +
         (gravity ? DirectGravity::scratch_bytes(count, precision) : 0);
}

Precision choose_precision(const SceneDescription& scene, const RunOptions& options, Plan& plan) {
  if (options.precision) return *options.precision;
  if (const auto named = engine::precision_named(scene.head.precision)) return *named;
  const bool few = scene.body_count() <= few_bodies;
  plan.reasons.push_back(few ? "precision double: at most 1,024 bodies"
                             : "precision single: more than 1,024 bodies");
  return few ? Precision::full : Precision::single;
}

void choose_backend(const RunOptions& options, Plan& plan) {
  plan.backend = engine::Backend::cpu;
  if (options.backend == engine::Backend::cuda)
    throw engine::InputError("--backend cuda", "this version computes on the CPU only",
                             "use --backend auto or cpu");
  if (options.backend == engine::Backend::automatic)
    plan.reasons.push_back("backend cpu: this version has no other");
}

void choose_cpu(const RunOptions& options, Plan& plan) {
  plan.cpu.threads = options.threads.value_or(engine::available_threads());
  plan.cpu.simd = options.simd.value_or(engine::best_simd_level());
  const auto& levels = engine::supported_simd_levels();
  if (std::find(levels.begin(), levels.end(), plan.cpu.simd) == levels.end())
    throw engine::InputError("--simd " + std::string(name_of(plan.cpu.simd)),
                             "this processor does not have these instructions",
                             "the best it has is " + std::string(name_of(engine::best_simd_level())));
}

void check_memory(const SceneDescription& scene, const Plan& plan) {
  const std::uint64_t free = engine::machine_info().memory_free;
  const Index count = scene.body_count();
  const Index largest_id = 4294967295;
  const std::uint64_t a_body =
      std::max<std::uint64_t>(1, memory_for(1 << 20, plan.precision, scene.gravity.has_value()) >> 20);
  if ((free == 0 || plan.memory <= free) && count <= largest_id) return;
  const auto fits = std::min<std::int64_t>(largest_id, static_cast<std::int64_t>(free / a_body));
  throw engine::InputError(scene.file.string(),
                           engine::with_thousands(count) + " bodies need " +
                               engine::bytes_text(static_cast<double>(plan.memory)) + ", " +
                               engine::bytes_text(static_cast<double>(free)) + " are free",
                           "the largest number that fits now is " + engine::with_thousands(fits));
}

}  // namespace

Plan make_plan(const SceneDescription& scene, const RunOptions& options) {
  Plan plan{};
  choose_backend(options, plan);
  choose_cpu(options, plan);
  plan.precision = choose_precision(scene, options, plan);
  plan.series_steps = scene.series.steps.value_or(scene.body_count() <= few_bodies ? 1 : many_bodies_series);
  plan.memory = memory_for(scene.body_count(), plan.precision, scene.gravity.has_value());
  check_memory(scene, plan);
  return plan;
}

}  // namespace mote::sim
