#include <algorithm>
#include <type_traits>

#include "engine/exec/launch.cuh"
#include "engine/exec/ranks.h"
#include "engine/exec/stream.h"
#include "engine/exec/together.h"
#include "engine/memory/device_messages.h"
#include "sim/gravity/module/gravity_batch.h"
#include "sim/gravity/module/persistent_gravity.cuh"
#include "sim/gravity/module/persistent_gravity.h"
#include "sim/gravity/module/persistent_gravity_task.cuh"

namespace mote::sim {
namespace persistent_work {

/// `bodies` per warp, `warps` per block. In a grid every block owns a body: SequencedExchange
/// relies on it.
struct WorkShape {
  int bodies;
  unsigned warps, blocks;
};

}  // namespace persistent_work

namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::PacketScope;
using persistent_work::WorkShape;

template <Precision precision, PacketScope scope = PacketScope::one_device>
using Sequenced = SequencedExchange<precision, scope>;

constexpr unsigned cluster_blocks = 8;  // the portable cluster size
constexpr unsigned warps_of_block = persistent_block_threads / 32;

int attribute(const Cuda& exec, cudaDeviceAttr what) {
  int value = 0;
  engine::cuda_check(cudaDeviceGetAttribute(&value, what, exec.device), "cudaDeviceGetAttribute");
  return value;
}

/// Most bodies per warp in a grid: what its registers hold without spilling in the inner loop.
constexpr int most_bodies(Precision precision) {
  return precision == Precision::double_ ? 2 : 4;
}

/// Shared memory of a block of a cluster: the positions of all bodies, double-buffered [bytes].
template <Precision precision>
constexpr std::size_t cluster_shared(int padded) {
  return std::size_t{2} * 16 * Pairs<precision>::words * static_cast<std::size_t>(padded);
}

template <Precision precision>
bool clusters_fit_in(const Cuda& exec) {
  constexpr int padded = (static_cast<int>(largest_cluster_count) + 31) / 32 * 32;
  constexpr unsigned warps =
      (static_cast<unsigned>(largest_cluster_count) + cluster_blocks - 1) / cluster_blocks;
  const auto kernel = run_steps<precision, ZeroDistance::coincident, 1, ClusterExchange<precision>>;
  const engine::LaunchShape shape{.blocks = cluster_blocks,
                                  .threads = 32 * warps,
                                  .shared = cluster_shared<precision>(padded),
                                  .cluster = cluster_blocks};
  engine::allow_shared(kernel, shape.shared);
  return engine::resident_clusters(exec, shape, kernel) > 0;
}

/// A partition of a device (MIG) may have too few multiprocessors for a cluster.
bool clusters_fit(const Cuda& exec, Precision precision) {
  if (attribute(exec, cudaDevAttrComputeCapabilityMajor) < 9) return false;
  switch (precision) {
    case Precision::single:
      return clusters_fit_in<Precision::single>(exec);
    case Precision::mixed:
      return clusters_fit_in<Precision::mixed>(exec);
    case Precision::double_:
      return clusters_fit_in<Precision::double_>(exec);
  }
  return false;
}

/// Spreads the bodies over as many warps as possible: first into blocks of four warps (so that a
/// block has the threads to fetch all positions), then over all blocks. In a cluster all blocks
/// take part.
WorkShape work_shape_for(Index count, int most, unsigned blocks, bool all) {
  constexpr unsigned few = 4;
  WorkShape work{1, 0, 0};
  for (;; work.bodies *= 2) {
    const auto warps = engine::blocks_for(count, work.bodies);
    work.warps = std::max((warps + blocks - 1) / blocks, all ? 1u : std::min(few, warps));
    work.blocks = all ? blocks : (warps + work.warps - 1) / work.warps;
    if (work.warps <= warps_of_block || work.bodies == most) return work;
  }
}

int round_up_to_warp(Index count) {
  return static_cast<int>((count + 31) / 32 * 32);
}

}  // namespace

Index PersistentGravity::largest_count(const Cuda& exec, Precision precision, Stepping kind) {
  if (kind == Stepping::cluster) return clusters_fit(exec, precision) ? largest_cluster_count : 0;
  if (static_cast<std::size_t>(attribute(exec, cudaDevAttrMaxSharedMemoryPerBlockOptin)) <
      direct::tile_ring_bytes)
    return 0;
  return static_cast<Index>(engine::cooperative_multiprocessors(exec)) * warps_of_block *
         most_bodies(precision);
}

std::uint64_t PersistentGravity::device_bytes(Index count) {
  return static_cast<std::uint64_t>(round_up_to_warp(count)) * 2 * 32;
}

PersistentGravity::PersistentGravity(const Cuda& exec, Stepping kind, const State<Device>& state,
                                     const DeviceDirectGravity& gravity, const Step& stages)
    : grid_(kind != Stepping::cluster),
      gravity_(gravity),
      stages_(stages),
      count_(state.count()),
      multiprocessors_(grid_ ? engine::cooperative_multiprocessors(exec) : 0),
      shared_limit_(
          static_cast<std::size_t>(attribute(exec, cudaDevAttrMaxSharedMemoryPerBlockOptin))),
      sources_(static_cast<Index>(device_bytes(state.all()) / sizeof(double))),
      own_first_(static_cast<int>(state.copies().before)) {
  // Initialise every sequence number to an invalid value.
  engine::fill_bytes(sources_.data(), 0xff,
                     static_cast<std::size_t>(sources_.size()) * sizeof(double), exec.stream);
  if (!exec.ranks) return;
  engine::wait(exec);  // before others write there
  const bool together = engine::can_run_together(exec);
  const auto packets = engine::gather_one(exec.ranks, sources_.data());
  const auto devices = engine::gather_one(exec.ranks, exec.device);
  if (!together || packets.size() > most_devices_together) return;
  // All blocks of all kernels must be resident: those of ranks on one device share it.
  multiprocessors_ /= static_cast<int>(std::count(devices.begin(), devices.end(), exec.device));
  others_.emplace(packets);
  others_->erase(others_->begin() + exec.ranks->rank());
}

template <Precision precision>
bool PersistentGravity::run_on(const Cuda& exec, State<Device>& state, const StepsToTake& steps,
                               engine::KernelClock& clock) {
  using P = Pairs<precision>;
  using Real = typename P::Real;
  bool started = false;
  state.visit([&]<class StateReal>(StateView<StateReal> s) {
    if constexpr (std::is_same_v<StateReal, Real>) {
      StepsTask<precision> task = steps_task<precision>(s, gravity_, stages_, steps);
      const int padded = round_up_to_warp(gravity_.sources());
      task.sources = {reinterpret_cast<typename P::Word*>(sources_.data()),
                      static_cast<int>(gravity_.sources()), padded};

      task.masses = s.with(state.copies()).mass;
      task.first_slot = own_first_;
      task.packets = reinterpret_cast<engine::SequencedPacket*>(sources_.data());
      if (others_)
        for (double* const packets : *others_)
          task.others[task.other_count++] = reinterpret_cast<engine::SequencedPacket*>(packets);
      task.first_sequence = next_sequence_;
      task.times = clock.timestamps();
      next_sequence_ +=
          static_cast<unsigned>(steps.steps) * static_cast<unsigned>(task.leaps.count);

      const bool grid = grid_, together = exec.ranks != nullptr;
      if (together && (!grid || !others_)) return;
      constexpr int most = most_bodies(precision);
      if (grid && s.count > Index{multiprocessors_} * warps_of_block * most) return;
      const WorkShape work =
          work_shape_for(s.count, grid ? most : 1,
                         grid ? static_cast<unsigned>(multiprocessors_) : cluster_blocks, !grid);
      const auto start = [&]<class Exchange, int bodies>(std::size_t shared) {
        const engine::LaunchShape shape{.blocks = work.blocks,
                                        .threads = 32 * work.warps,
                                        .shared = shared,
                                        .cluster = grid ? 1 : cluster_blocks,
                                        .cooperative = grid};
        const auto launch = [&](auto kernel) {
          engine::allow_shared(kernel, shape.shared);
          started = engine::try_launch(exec, shape, kernel, task);
        };
        if (guard_for(task.squared_softening) == ZeroDistance::none)
          launch(run_steps<precision, ZeroDistance::none, bodies, Exchange>);
        else
          launch(run_steps<precision, ZeroDistance::coincident, bodies, Exchange>);
      };
      const auto with_bodies = [&]<class Exchange>(std::size_t shared) {
        if (work.bodies == 1) return start.template operator()<Exchange, 1>(shared);
        if (work.bodies == 2) return start.template operator()<Exchange, 2>(shared);
        if constexpr (most == 4) start.template operator()<Exchange, 4>(shared);
      };
      const std::size_t exchange_bytes =
          Sequenced<precision>::shared_bytes(32 * work.warps, task.sources.count);
      if (!grid)
        start.template operator()<ClusterExchange<precision>, 1>(cluster_shared<precision>(padded));
      else if (!gravity_.slots() && exchange_bytes <= shared_limit_ && together)
        with_bodies.template operator()<Sequenced<precision, PacketScope::several>>(exchange_bytes);
      else if (!gravity_.slots() && exchange_bytes <= shared_limit_)
        with_bodies.template operator()<Sequenced<precision>>(exchange_bytes);
      else if (!together)
        with_bodies.template operator()<GridExchange<precision>>(direct::tile_ring_bytes);
    }
  });
  return started;
}

bool PersistentGravity::run(const Cuda& exec, State<Device>& state, const StepsToTake& steps,
                            engine::KernelClock& clock) {
  switch (state.precision()) {
    case Precision::single:
      return run_on<Precision::single>(exec, state, steps, clock);
    case Precision::mixed:
      return run_on<Precision::mixed>(exec, state, steps, clock);
    case Precision::double_:
      return run_on<Precision::double_>(exec, state, steps, clock);
  }
  return false;
}

std::uint64_t PersistentGravity::steps_per_batch() const {
  return count_ <= largest_system ? sim::steps_per_batch(count_) : 0;
}

DeviceRecord PersistentGravity::run_in_batch(engine::Lockstep& lockstep, const Cuda& exec,
                                             State<Device>& state, const StepsToTake& steps) {
  return step_in_batch(lockstep, exec, {&state, &gravity_, &stages_, steps});
}

}  // namespace mote::sim
