#include "sim/gravity/module/gravity_batch.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "sim/gravity/module/persistent_gravity_task.cuh"
#include "sim/gravity/thread_per_body.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

/// Threads of a small block, which may use more registers per thread than the largest.
constexpr unsigned small_block = 256;

/// Shared memory of a block: two non-finite flags, and two sets of sources used alternately.
constexpr std::size_t flag_bytes = 16;
template <Precision precision>
constexpr std::size_t shared_bytes(int sources) {
  return flag_bytes +
         std::size_t{2} * Pairs<precision>::words * 16 * static_cast<std::size_t>(sources);
}

/// Same algorithm as `run_steps` (persistent_gravity.cuh), one thread per body: thread i of block b
/// owns body i of system b.
///
/// A thread whose body is not finite at the end of a step raises a flag. After the first barrier of
/// the next step all threads see it, undo that step's moves and exit. Two flags alternate, because
/// a thread may finish a step while others still read the flag of the previous one.
template <Precision precision, ZeroDistance guard, unsigned most>
__global__ void __launch_bounds__(most)
    step_one_system_per_block(const StepsTask<precision>* tasks, DeviceRecord* after) {
  using P = Pairs<precision>;
  using Real = typename P::Real;
  constexpr int together = most == small_block ? 4 : 2;
  const StepsTask<precision>& task = tasks[blockIdx.x];
  const StateView<Real> s = task.state;
  const int own = static_cast<int>(threadIdx.x), sources = task.sources.count;
  const bool owns = own < s.count;
  auto* const flags = engine::shared_memory<volatile unsigned>();
  auto* const words =
      reinterpret_cast<typename P::Word*>(engine::shared_memory<unsigned char>() + flag_bytes);

  Vec3<Real> x{}, v{}, a{};
  Real mass = 0;
  int slot = -1;
  if (owns) {
    x = {s.x[own], s.y[own], s.z[own]};
    v = {s.vx[own], s.vy[own], s.vz[own]};
    a = {s.ax[own], s.ay[own], s.az[own]};
    mass = s.mass[own];
    slot = task.slots ? task.slots[own] : own;
  }
  if (own < 2) flags[own] = 0;
  __syncthreads();

  std::uint64_t step = 0, next_sample = task.first_sample;
  Real* sample = task.samples;
  int turn = 0;
  bool healthy = true;
  for (; step < task.steps; ++step) {
    const Vec3<Real> x_before = x, v_before = v;
    for (int force = 0; force < task.leaps.count; ++force) {
      v = kick(v, a, task.leaps.kick[force]);
      x = drift(x, v, task.leaps.drift[force]);
      const SourceView<precision> sources_now{words + turn * P::words * sources, sources, sources};
      if (slot >= 0) sources_now.put(slot, x, mass);
      __syncthreads();
      if (force == 0 && step > 0 && flags[(step - 1) & 1] != 0) {
        healthy = false;
        break;
      }
      typename P::Word first, second{};
      P::words_of(x, Real(0), first, second);
      const auto sum = direct::thread_attraction<precision, guard, together>(
          sources_now, P::body(first, second), task.squared_softening);
      a = {Real(0) + task.gravitational(sum.x), Real(0) + task.gravitational(sum.y),
           Real(0) + task.gravitational(sum.z)};
      turn ^= 1;
    }
    if (!healthy) {
      x = x_before;
      v = v_before;
      break;
    }
    v = kick(v, a, task.leaps.kick[task.leaps.count]);
    if (owns && zero_if_finite(x, zero_if_finite(v, zero_if_finite(a, Real(0)))) != 0) {
      atomicMin(&task.record->offender[step & 1], static_cast<unsigned>(own));
      flags[step & 1] = 1;
    }
    if (step + 1 == next_sample) {
      if (owns) store_sample(sample, s.count, own, x, v);
      sample += 6 * s.count;
      next_sample += task.sample_every;
    }
  }
  if (owns) store_body(s, own, x, v, a);
  __syncthreads();
  if (own != 0) return;
  const auto* const record = const_cast<const volatile DeviceRecord*>(task.record);
  task.record->steps = record->steps + step;
  DeviceRecord done;  // set every field: `after` is not initialised
  done.steps = record->steps;
  done.offender[0] = record->offender[0];
  done.offender[1] = record->offender[1];
  after[blockIdx.x] = done;
}

/// Systems of one kernel: same template arguments, same block size.
struct Group {
  Precision precision;
  ZeroDistance guard;
  unsigned threads;
  friend bool operator==(const Group&, const Group&) = default;
};

Group group_of(const SystemSteps& system) {
  const Precision precision = system.state->precision();
  const double softening = system.gravity->softening();
  const auto in_float = static_cast<float>(softening);
  const ZeroDistance guard = precision == Precision::double_ ? guard_for(softening * softening)
                                                             : guard_for(in_float * in_float);
  const auto count = static_cast<unsigned>(std::max<Index>(1, system.state->count()));
  return {precision, guard == ZeroDistance::none ? ZeroDistance::none : ZeroDistance::coincident,
          (count + 31) / 32 * 32};
}

/// Steps the systems `which`, which form one group.
template <Precision precision>
void step_group(const Cuda& exec, std::span<const SystemSteps> systems,
                const std::vector<std::size_t>& which, const Group& group,
                std::span<DeviceRecord> after) {
  using Real = typename Pairs<precision>::Real;
  const auto count = static_cast<Index>(which.size());
  std::vector<StepsTask<precision>> tasks;
  int most_sources = 0;
  for (const std::size_t k : which) {
    const SystemSteps& one = systems[k];
    one.state->visit([&]<class StateReal>(StateView<StateReal> s) {
      if constexpr (std::is_same_v<StateReal, Real>)
        tasks.push_back(steps_task<precision>(s, *one.gravity, *one.stages, one.steps));
    });
    tasks.back().sources.count = static_cast<int>(one.gravity->sources());
    most_sources = std::max(most_sources, tasks.back().sources.count);
  }
  engine::Buffer<StepsTask<precision>, Device> on_device(count);
  engine::Buffer<DeviceRecord, Device> records(count);
  engine::copy_to_device(on_device.data(), tasks.data(), count, exec.stream);
  const std::size_t shared = shared_bytes<precision>(most_sources);
  const auto start = [&](auto kernel) {
    engine::allow_shared(kernel, shared);
    engine::launch(exec, {static_cast<unsigned>(count), group.threads, shared}, kernel,
                   on_device.data(), records.data());
  };
  const bool small = group.threads <= small_block;
  if (group.guard == ZeroDistance::none)
    start(small ? step_one_system_per_block<precision, ZeroDistance::none, small_block>
                : step_one_system_per_block<precision, ZeroDistance::none, largest_system>);
  else
    start(small ? step_one_system_per_block<precision, ZeroDistance::coincident, small_block>
                : step_one_system_per_block<precision, ZeroDistance::coincident, largest_system>);
  std::vector<DeviceRecord> done(which.size());
  engine::copy_to_host(done.data(), records.data(), count, exec.stream);
  engine::wait(exec);
  for (std::size_t k = 0; k < which.size(); ++k) after[which[k]] = done[k];
}

}  // namespace

void step_systems(const Cuda& exec, std::span<const SystemSteps> systems,
                  std::span<DeviceRecord> after) {
  MOTE_EXPECT(systems.size() == after.size());
  std::vector<bool> done(systems.size());
  for (std::size_t first = 0; first < systems.size(); ++first) {
    if (done[first]) continue;
    const Group group = group_of(systems[first]);
    MOTE_EXPECT(group.threads <= static_cast<unsigned>(largest_system));
    std::vector<std::size_t> which;
    for (std::size_t k = first; k < systems.size(); ++k) {
      if (done[k] || !(group_of(systems[k]) == group)) continue;
      which.push_back(k);
      done[k] = true;
    }
    switch (group.precision) {
      case Precision::single:
        step_group<Precision::single>(exec, systems, which, group, after);
        break;
      case Precision::mixed:
        step_group<Precision::mixed>(exec, systems, which, group, after);
        break;
      case Precision::double_:
        step_group<Precision::double_>(exec, systems, which, group, after);
        break;
    }
  }
}

std::uint64_t steps_per_batch(Index count) {
  constexpr std::uint64_t pairs = std::uint64_t{1} << 31, most_steps = 16384;
  const auto n = static_cast<std::uint64_t>(std::max<Index>(32, count));
  return std::clamp<std::uint64_t>(pairs / (n * n), 1, most_steps);
}

}  // namespace mote::sim
