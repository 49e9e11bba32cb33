#include <algorithm>
#include <type_traits>

#include "engine/exec/launch.cuh"
#include "engine/exec/together.h"
#include "sim/run/cooperative.cuh"
#include "sim/run/steps_task.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

constexpr unsigned cluster_blocks = 8;  // what every device with clusters can do
constexpr unsigned warps_of_block = cooperative_threads / 32;

int attribute(const Cuda& exec, cudaDeviceAttr what) {
  int value = 0;
  engine::cuda_check(cudaDeviceGetAttribute(&value, what, exec.device), "cudaDeviceGetAttribute");
  return value;
}

/// Bodies of a warp over a grid at most: what the registers of its block's threads hold without
/// spilling in the inner loop.
constexpr int most_bodies(Precision precision) {
  return precision == Precision::full ? 2 : 4;
}

/// Bytes of a block for the places of all bodies of a cluster, twice.
template <Precision precision>
constexpr std::size_t cluster_shared(int padded) {
  return std::size_t{2} * 16 * Pairs<precision>::words * static_cast<std::size_t>(padded);
}

template <Precision precision>
bool clusters_fit_in(const Cuda& exec) {
  constexpr int padded = (static_cast<int>(largest_cluster_count) + 31) / 32 * 32;
  constexpr unsigned warps =
      (static_cast<unsigned>(largest_cluster_count) + cluster_blocks - 1) / cluster_blocks;
  const auto kernel = take_steps<precision, Guard::coincident, 1, ClusterExchange<precision>>;
  const engine::LaunchShape shape{.blocks = cluster_blocks,
                                  .threads = 32 * warps,
                                  .shared = cluster_shared<precision>(padded),
                                  .cluster = cluster_blocks};
  engine::allow_shared(kernel, shape.shared);
  return engine::resident_clusters(exec, shape, kernel) > 0;
}

/// A part of a device may have multiprocessors for no cluster.
bool clusters_fit(const Cuda& exec, Precision precision) {
  if (attribute(exec, cudaDevAttrComputeCapabilityMajor) < 9) return false;
  switch (precision) {
    case Precision::single:
      return clusters_fit_in<Precision::single>(exec);
    case Precision::mixed:
      return clusters_fit_in<Precision::mixed>(exec);
    case Precision::full:
      return clusters_fit_in<Precision::full>(exec);
  }
  return false;
}

/// Who steps: `bodies` of a warp, `warps` of a block. Over a grid every block has a body:
/// StampExchange relies on it.
struct Crew {
  int bodies;
  unsigned warps, blocks;
};

/// Bodies are spread over as many warps as there can be, these over few blocks of four first (so
/// that a block has the threads to fetch the places of all), then over all blocks. Of a cluster all
/// take part.
Crew crew_for(Index count, int most, unsigned blocks, bool all) {
  constexpr unsigned few = 4;
  Crew crew{1, 0, 0};
  for (;; crew.bodies *= 2) {
    const auto warps = static_cast<unsigned>((count + crew.bodies - 1) / crew.bodies);
    crew.warps = std::max((warps + blocks - 1) / blocks, all ? 1u : std::min(few, warps));
    crew.blocks = all ? blocks : (warps + crew.warps - 1) / crew.warps;
    if (crew.warps <= warps_of_block || crew.bodies == most) return crew;
  }
}

int round_up_to_warp(Index count) {
  return static_cast<int>((count + 31) / 32 * 32);
}

}  // namespace

Index CooperativeSteps::largest_count(const Cuda& exec, Precision precision, Kind kind) {
  if (kind == Kind::cluster) return clusters_fit(exec, precision) ? largest_cluster_count : 0;
  if (static_cast<std::size_t>(attribute(exec, cudaDevAttrMaxSharedMemoryPerBlockOptin)) <
      direct::tile_ring_bytes)
    return 0;
  return static_cast<Index>(engine::multiprocessors_together(exec)) * warps_of_block *
         most_bodies(precision);
}

std::uint64_t CooperativeSteps::device_bytes(Index count) {
  return static_cast<std::uint64_t>(round_up_to_warp(count)) * 2 * 32;
}

CooperativeSteps::CooperativeSteps(const Cuda& exec, Kind kind, const State<Device>& state,
                                   const DeviceDirectGravity& gravity, const Step& stages,
                                   double dt)
    : kind_(kind),
      gravity_(gravity),
      stages_(stages),
      dt_(dt),
      multiprocessors_(kind == Kind::grid ? engine::multiprocessors_together(exec) : 0),
      shared_limit_(
          static_cast<std::size_t>(attribute(exec, cudaDevAttrMaxSharedMemoryPerBlockOptin))),
      sources_(static_cast<Index>(device_bytes(state.count()) / sizeof(double))) {
  // No packet bears a stamp that somebody waits for.
  engine::fill_bytes(sources_.data(), 0xff,
                     static_cast<std::size_t>(sources_.size()) * sizeof(double), exec.stream);
}

template <Precision precision>
bool CooperativeSteps::run_on(const Cuda& exec, State<Device>& state, std::uint64_t steps,
                              const Rows& rows, DeviceRecord* record, KernelClock& clock) {
  using P = Pairs<precision>;
  using Real = typename P::Real;
  bool started = false;
  state.visit([&]<class StateReal>(StateView<StateReal> s) {
    if constexpr (std::is_same_v<StateReal, Real>) {
      StepsTask<precision> task =
          steps_task<precision>(s, gravity_, stages_, dt_, steps, rows, record);
      const int padded = round_up_to_warp(gravity_.sources());
      task.sources = {reinterpret_cast<typename P::Word*>(sources_.data()),
                      static_cast<int>(gravity_.sources()), padded};

      task.packets = reinterpret_cast<engine::Stamped*>(sources_.data());
      task.first_stamp = next_stamp_;
      task.times = clock.places();
      next_stamp_ += static_cast<unsigned>(steps) * static_cast<unsigned>(task.leaps.count);

      const bool grid = kind_ == Kind::grid;
      constexpr int most = most_bodies(precision);
      if (grid && s.count > Index{multiprocessors_} * warps_of_block * most) return;
      const Crew crew =
          crew_for(s.count, grid ? most : 1,
                   grid ? static_cast<unsigned>(multiprocessors_) : cluster_blocks, !grid);
      const auto start = [&]<class Exchange, int bodies>(std::size_t shared) {
        const engine::LaunchShape shape{.blocks = crew.blocks,
                                        .threads = 32 * crew.warps,
                                        .shared = shared,
                                        .cluster = grid ? 1 : cluster_blocks,
                                        .cooperative = grid};
        const auto launch = [&](auto kernel) {
          engine::allow_shared(kernel, shape.shared);
          started = engine::try_launch(exec, shape, kernel, task);
        };
        if (guard_for(task.squared_softening) == Guard::none)
          launch(take_steps<precision, Guard::none, bodies, Exchange>);
        else
          launch(take_steps<precision, Guard::coincident, bodies, Exchange>);
      };
      const auto with_bodies = [&]<class Exchange>(std::size_t shared) {
        if (crew.bodies == 1) return start.template operator()<Exchange, 1>(shared);
        if (crew.bodies == 2) return start.template operator()<Exchange, 2>(shared);
        if constexpr (most == 4) start.template operator()<Exchange, 4>(shared);
      };
      const std::size_t places =
          StampExchange<precision>::shared_bytes(32 * crew.warps, task.sources.count);
      if (!grid)
        start.template operator()<ClusterExchange<precision>, 1>(cluster_shared<precision>(padded));
      else if (!gravity_.slots() && places <= shared_limit_)
        with_bodies.template operator()<StampExchange<precision>>(places);
      else
        with_bodies.template operator()<GridExchange<precision>>(direct::tile_ring_bytes);
    }
  });
  return started;
}

bool CooperativeSteps::run(const Cuda& exec, State<Device>& state, std::uint64_t steps,
                           const Rows& rows, DeviceRecord* record, KernelClock& clock) {
  switch (state.precision()) {
    case Precision::single:
      return run_on<Precision::single>(exec, state, steps, rows, record, clock);
    case Precision::mixed:
      return run_on<Precision::mixed>(exec, state, steps, rows, record, clock);
    case Precision::full:
      return run_on<Precision::full>(exec, state, steps, rows, record, clock);
  }
  return false;
}

}  // namespace mote::sim
