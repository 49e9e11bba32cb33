#include "sim/run/batch.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "sim/gravity/gather_alone.cuh"
#include "sim/run/steps_task.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

/// Threads of small blocks, whose bodies may have more registers than those of the largest.
constexpr unsigned small_block = 256;

/// What a block has in its shared memory: who is not finite, and two sets of sources that take
/// turns.
constexpr std::size_t flag_bytes = 16;
template <Precision precision>
constexpr std::size_t shared_bytes(int sources) {
  return flag_bytes +
         std::size_t{2} * Pairs<precision>::words * 16 * static_cast<std::size_t>(sources);
}

/// Steps as `take_steps` does them (cooperative.cuh), with other hands: thread i of block b owns
/// body i of system b.
///
/// Who finds its body not finite at the end of a step raises a flag; behind the first barrier of
/// the next step all see it, take back what this step has moved, and leave. Two flags take turns,
/// because a thread may end a step while others still look at the flag of the one before.
template <Precision precision, Guard guard, unsigned most>
__global__ void __launch_bounds__(most)
    step_one_system_a_block(const StepsTask<precision>* tasks, DeviceRecord* after) {
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

  std::uint64_t step = 0, next_row = task.first_row;
  Real* row = task.rows;
  int turn = 0;
  bool healthy = true;
  for (; step < task.steps; ++step) {
    const Vec3<Real> x_before = x, v_before = v;
    for (int leap = 0; leap < task.leaps.count; ++leap) {
      v = kicked(v, a, task.leaps.kick[leap]);
      x = drifted(x, v, task.leaps.drift[leap]);
      const SourceView<precision> places{words + turn * P::words * sources, sources, sources};
      if (slot >= 0) places.put(slot, x, mass);
      __syncthreads();
      if (leap == 0 && step > 0 && flags[(step - 1) & 1] != 0) {
        healthy = false;
        break;
      }
      typename P::Word first, second{};
      P::words_of(x, Real(0), first, second);
      const auto sum = direct::gather_alone<precision, guard, together>(
          places, P::body(first, second), task.squared_softening);
      a = {Real(0) + task.gravitational(sum.x), Real(0) + task.gravitational(sum.y),
           Real(0) + task.gravitational(sum.z)};
      turn ^= 1;
    }
    if (!healthy) {
      x = x_before;
      v = v_before;
      break;
    }
    v = kicked(v, a, task.leaps.kick[task.leaps.count]);
    if (owns && zeros(x, zeros(v, zeros(a, Real(0)))) != 0) {
      atomicMin(&task.record->offender[step & 1], static_cast<unsigned>(own));
      flags[step & 1] = 1;
    }
    if (step + 1 == next_row) {
      if (owns) leave_row(row, s.count, own, x, v);
      row += 6 * s.count;
      next_row += task.row_every;
    }
  }
  if (owns) put_back(s, own, x, v, a);
  __syncthreads();
  if (own != 0) return;
  const auto* const record = const_cast<const volatile DeviceRecord*>(task.record);
  task.record->steps = record->steps + step;
  DeviceRecord done;  // all of it: these are not cleared before
  done.steps = record->steps;
  done.offender[0] = record->offender[0];
  done.offender[1] = record->offender[1];
  after[blockIdx.x] = done;
}

/// Systems of one kernel: those whose code and size of block are the same.
struct Group {
  Precision precision;
  Guard guard;
  unsigned threads;
  friend bool operator==(const Group&, const Group&) = default;
};

Group group_of(const SystemSteps& system) {
  const Precision precision = system.state->precision();
  const double softening = system.gravity->softening();
  const auto in_float = static_cast<float>(softening);
  const Guard guard = precision == Precision::full ? guard_for(softening * softening)
                                                   : guard_for(in_float * in_float);
  const auto count = static_cast<unsigned>(std::max<Index>(1, system.state->count()));
  return {precision, guard == Guard::none ? Guard::none : Guard::coincident,
          (count + 31) / 32 * 32};
}

/// Of one group: `which` of the systems.
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
        tasks.push_back(steps_task<precision>(s, *one.gravity, *one.stages, one.dt, one.steps,
                                              one.rows, one.record));
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
  if (group.guard == Guard::none)
    start(small ? step_one_system_a_block<precision, Guard::none, small_block>
                : step_one_system_a_block<precision, Guard::none, largest_system>);
  else
    start(small ? step_one_system_a_block<precision, Guard::coincident, small_block>
                : step_one_system_a_block<precision, Guard::coincident, largest_system>);
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
      case Precision::full:
        step_group<Precision::full>(exec, systems, which, group, after);
        break;
    }
  }
}

std::uint64_t steps_of_a_batch(Index count) {
  constexpr std::uint64_t pairs = std::uint64_t{1} << 31, most_steps = 16384;
  const auto n = static_cast<std::uint64_t>(std::max<Index>(32, count));
  return std::clamp<std::uint64_t>(pairs / (n * n), 1, most_steps);
}

}  // namespace mote::sim
