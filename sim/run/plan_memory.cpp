// This file finds the memory that a plan needs.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "engine/check.h"
#include "engine/exec/ranks.h"
#include "engine/machine.h"
#include "engine/text.h"
#include "sim/model/modules.h"
#include "sim/motion/integrators.h"
#include "sim/run/body_ids.h"
#include "sim/run/plan.h"
#include "sim/state.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Precision;

/// Kernels index padded bodies with 31 bits.
constexpr Index largest_on_gpu = Index{1} << 30;

/// The bytes of the columns of all bodies, and of those that a rank has.
struct Columns {
  std::uint64_t all, of_rank;
};
Columns columns_of(const Model& model, Index count, const Plan& plan) {
  return {State<engine::Host>::bytes(count, plan.precision, layout_of(model)),
          state_bytes_of_rank(model, count, plan.precision, ranks_of(plan))};
}

/// Returns what the start needs: the generated bodies (mass, position, velocity; twice if their
/// source keeps or joins them), and the state without accelerations.
std::uint64_t start_bytes(const Model& model, Index count, const Plan& plan) {
  const std::uint64_t real = plan.precision == Precision::single ? sizeof(float) : sizeof(double);
  const auto bodies = static_cast<std::uint64_t>(count);
  return bodies * 7 * sizeof(double) * (plan.needs_copy ? 2 : 1) +
         columns_of(model, count, plan).all - 3 * bodies * real;
}

/// Returns the scratch memory of the modules and measurements of a rank.
std::uint64_t scratch_bytes(const Model& model, Index count, const Plan& plan) {
  const auto bodies = static_cast<std::uint64_t>(count);
  const std::uint64_t kept = bodies * info_of(model.integrator).bytes_per_body;
  // Saved and written as bytes on the host.
  if (plan.backend == engine::Backend::cuda)
    return bodies * sizeof(int) + 2 * force_state_bytes(model, count, plan.precision) + 2 * kept;
  const std::uint64_t measuring = bodies * 2 * sizeof(double);
  // Beside what it keeps, an integrator has about as much again for the present step.
  return measuring + 2 * kept / static_cast<std::uint64_t>(ranks_of(plan)) +
         force_bytes(model, count, plan.precision);
}

/// States of all bodies that each rank has while their set changes: the old ones, the new ones and
/// a mirror.
constexpr std::uint64_t states_of_changes = 3;

/// Returns the peak host memory of a simulation [bytes]: when bodies are generated, when they are
/// placed, or later, when it has the state (or the mirror of a GPU's), copies of it, and scratch.
/// With ranks, rank 0 has its share beside the bodies of all. `changes`: the set of bodies changes.
std::uint64_t host_bytes_for(const Model& model, Index count, const Plan& plan,
                             bool changes = false) {
  const auto [all, of_rank] = columns_of(model, count, plan);
  const bool divided = ranks_of(plan) > 1;
  const std::uint64_t share = divided ? of_rank : 0,
                      copies = static_cast<std::uint64_t>(plan.copies),
                      states = (divided && changes ? states_of_changes : 1) + copies,
                      running = share + all * states + scratch_bytes(model, count, plan);
  return std::max({start_bytes(model, count, plan), all + share, running});
}

/// True if the ranks are threads of one process.
bool are_threads(const Plan& plan) {
  return plan.ranks ? plan.ranks->share_memory() : plan.processes == 0;
}

/// Returns the peak host memory of each other rank [bytes]: processes make all bodies, threads
/// share those of rank 0.
std::uint64_t host_bytes_of_others(const Model& model, Index count, const Plan& plan,
                                   bool changes) {
  const auto [all, of_rank] = columns_of(model, count, plan);
  const std::uint64_t running =
      of_rank + (changes ? states_of_changes * all : 0) + scratch_bytes(model, count, plan);
  if (are_threads(plan)) return running;
  return std::max({start_bytes(model, count, plan), all + of_rank, running});
}

/// Throws if `bytes(count)` exceed the free memory or `count` exceeds `most`, naming the largest
/// number of bodies that fits. If the free memory is unknown, only `most` is checked.
template <class Bytes>
void check_memory(const Model& model, Index count, std::optional<std::uint64_t> known_free,
                  const std::string& where, Index most, Bytes&& bytes) {
  const std::uint64_t needed = bytes(count);
  const std::uint64_t free = known_free.value_or(std::numeric_limits<std::uint64_t>::max());
  if (needed <= free && count <= most) return;
  Index fits = 0;
  for (Index bit = Index{1} << 31; bit > 0; bit /= 2)
    if (fits + bit <= most && bytes(fits + bit) <= free) fits += bit;
  throw engine::InputError(
      model.file.string(),
      engine::with_thousands(count) + " bodies need " +
          engine::bytes_text(static_cast<double>(needed)) + where + ", " +
          (known_free ? engine::bytes_text(static_cast<double>(free)) : "less") + " are free",
      "the largest number that fits now is " + engine::with_thousands(fits));
}

/// Throws SystemError if the GPU was lost since the plan was made.
std::uint64_t free_on_device(int device) {
  const engine::CudaInfo cuda = engine::cuda_info(device);
  if (!cuda.problem.empty())
    throw engine::SystemError("query the GPU's free memory", cuda.problem, cuda.remedy);
  return cuda.devices[static_cast<std::size_t>(device)].memory_free;
}

/// On the fullest of the GPUs of a plan.
std::uint64_t free_on_device(const Plan& plan) {
  std::uint64_t least = free_on_device(plan.device);
  for (const int device : plan.devices) least = std::min(least, free_on_device(device));
  return least;
}

/// The largest number of ranks that share a GPU: those of a machine take its GPUs in order.
std::uint64_t most_on_a_gpu(const Plan& plan) {
  if (!plan.ranks || plan.ranks->share_memory()) return 1;
  const auto gpus = static_cast<std::int64_t>(engine::cuda_info(plan.device).devices.size());
  const std::int64_t fewest = std::max<std::int64_t>(1, engine::least_of(plan.ranks, gpus));
  return static_cast<std::uint64_t>((plan.ranks->most_on_a_machine() + fewest - 1) / fewest);
}

/// Returns the device memory of a rank for so many bodies: several also have the sums of all there,
/// and the points of their own bodies for a picture.
std::uint64_t device_bytes_of_rank(const Model& model, Index count, const Plan& plan) {
  const Index bodies = std::min(count, largest_on_gpu);
  const int ranks = ranks_of(plan);
  const std::uint64_t bytes = device_bytes_for(model, bodies, plan.precision, ranks);
  if (ranks == 1) return bytes;
  const std::uint64_t column = plan.precision == engine::Precision::single ? 4 : 8;
  constexpr std::uint64_t sums = 6;  // by slot, and in the order in which they are sent
  constexpr std::uint64_t point = 5 * sizeof(float);
  const auto all = static_cast<std::uint64_t>(bodies);
  return bytes + sums * column * all + point * all / static_cast<std::uint64_t>(ranks);
}

}  // namespace

std::uint64_t state_bytes_of_rank(const Model& model, Index count, Precision precision, int ranks) {
  const Index own = (count + ranks - 1) / ranks;
  // Jerks depend on the velocities of all.
  const Index complete = info_of(model.integrator).block_steps ? count : own;
  return State<engine::Host>::bytes(complete, precision, layout_of(model), count - complete);
}

void plan_memory(const SceneDescription& scene, const RunOptions& options, Plan& plan) {
  const Index count = scene.body_count(), own = (count + ranks_of(plan) - 1) / ranks_of(plan);
  const bool cuda = plan.backend == engine::Backend::cuda;
  plan.copies = options.copies;
  plan.needs_copy = scene.restored || scene.bodies.size() != 1 || scene.bodies.front().needs_copy;
  plan.memory = host_bytes_for(scene, count, plan);
  if (cuda) plan.device_memory = device_bytes_of_rank(scene, count, plan);
  check_memory_for(scene, plan, 0, count);
  // Saved states are optional: they count towards the estimate but never cause a refusal.
  (cuda ? plan.device_memory : plan.memory) +=
      static_cast<std::uint64_t>(options.saved_states) *
      State<engine::Host>::bytes(own, plan.precision, layout_of(scene));
}

void check_memory_for(const Model& model, const Plan& plan, Index now, Index more) {
  const auto sharing = static_cast<std::uint64_t>(plan.ranks ? plan.ranks->most_on_a_machine()
                                                  : plan.processes > 0 ? 1
                                                                       : ranks_of(plan));
  const auto on_host = [&](Index n) {
    return host_bytes_for(model, n, plan, now > 0) +
           (sharing - 1) * host_bytes_of_others(model, n, plan, now > 0);
  };
  // Ranks find other numbers, and must come to one answer.
  const auto agreed = [&](std::uint64_t free) {
    return static_cast<std::uint64_t>(
        engine::least_of(plan.ranks, static_cast<std::int64_t>(free)));
  };
  const std::uint64_t on_host_free = agreed(engine::memory_free());
  check_memory(model, now + more, on_host_free > 0 ? std::optional(on_host_free) : std::nullopt, "",
               largest_id, on_host);
  if (plan.backend != engine::Backend::cuda) return;
  const std::uint64_t on_a_gpu = most_on_a_gpu(plan);
  const auto on_device = [&](Index n) { return on_a_gpu * device_bytes_of_rank(model, n, plan); };
  // The current buffers are freed before larger ones are allocated.
  check_memory(model, now + more, agreed(free_on_device(plan)) + (now > 0 ? on_device(now) : 0),
               " on the GPU", largest_on_gpu, on_device);
}

}  // namespace mote::sim
